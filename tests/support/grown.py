"""Trees for the tests of the tree, its outline and its drawings."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import FrameTree, Node, Outcome

WIDE = "{rows} rows x 8058 columns: plot (text), NDVI_{{0..330}} (331 number columns) and 90 more"


def add(
    tree: FrameTree,
    label: str,
    name: str,
    arguments: dict[str, JsonValue],
    parents: Sequence[str] = (),
    *,
    rows: int | None = 10,
    columns: int | None = 3,
    thought: str = "",
    observation: str = "",
    error: str = "",
    outcome: Outcome | None = None,
) -> FrameTree:
    ids = [tree[parent].id for parent in parents]
    outcome = outcome or ("failed" if error else "ok")
    made = outcome == "ok"
    return tree.grow(
        Node(
            label=label,
            id=node_id(ids, name, arguments),
            parents=tuple(parents),
            action=Call(name=name, arguments=arguments),
            thought=thought,
            observation=observation,
            outcome=outcome,
            error=error,
            rows=rows if made else None,
            columns=columns if made else None,
        )
    )


def straight() -> FrameTree:
    tree = add(
        FrameTree(),
        "plots",
        "Load",
        {"source": "plots", "fingerprint": "ab12"},
        rows=340,
        columns=8058,
        observation=WIDE.format(rows=340),
    )
    tree = add(
        tree,
        "T1",
        "Filter",
        {"where": {"column": "year", "is": ">=", "value": 2019}},
        ["plots"],
        rows=120,
        columns=8058,
        thought="Only the recent years were asked for.",
        observation=WIDE.format(rows=120),
    )
    tree = add(
        tree,
        "T2",
        "Group",
        {"keys": ["region"], "aggregates": {"mean_yield": "mean(yield)"}},
        ["T1"],
        rows=6,
        columns=2,
        thought="One row a region.",
        observation="6 rows x 2 columns: region (text), mean_yield (number)",
    )
    return add(
        tree,
        "T3",
        "Sort",
        {"by": ["mean_yield"], "descending": True, "limit": 1},
        ["T2"],
        rows=1,
        columns=2,
        thought="The best region is the first one.",
        observation="1 row x 2 columns: region (text), mean_yield (number)\nno ties at the cut",
    )


def joined() -> FrameTree:
    tree = add(FrameTree(), "orders", "Load", {"source": "orders"}, rows=5000, columns=14)
    tree = add(tree, "customers", "Load", {"source": "customers"}, rows=800, columns=9)
    tree = add(
        tree,
        "T1",
        "Filter",
        {"where": {"column": "paid", "is": "==", "value": True}},
        ["orders"],
        rows=4100,
        columns=14,
    )
    tree = add(
        tree,
        "T2",
        "Join",
        {"on": ["customer_id"], "how": "left"},
        ["T1", "customers"],
        rows=4100,
        columns=22,
        observation="4100 rows x 22 columns: order_id (number) and 21 more\n12 rows unmatched",
    )
    return add(
        tree,
        "T3",
        "Group",
        {"keys": ["country"], "aggregates": {"total": "sum(price)"}},
        ["T2"],
        rows=31,
        columns=2,
    )


def backtracked() -> FrameTree:
    tree = add(
        FrameTree(),
        "sales",
        "Load",
        {"source": "sales"},
        rows=900,
        columns=7,
        observation="900 rows x 7 columns: region (text), month (date), price (number) and 4 more",
    )
    tree = add(
        tree,
        "T1",
        "Filter",
        {"where": {"column": "month", "is": "<", "value": "2024-07-01"}},
        ["sales"],
        rows=410,
        columns=7,
        thought="First half of the year.",
    )
    tree = add(
        tree,
        "T2",
        "Pivot",
        {"rows": "region", "columns": "month", "values": "price"},
        ["T1"],
        rows=9,
        columns=7,
        thought="Months side by side.",
    )
    tree = add(
        tree,
        "T3",
        "Group",
        {"keys": ["regoin"]},
        ["T2"],
        error="no column 'regoin'; the nearest of 7 are 'region'",
        thought="Sum them.",
    )
    tree = add(
        tree,
        "T4",
        "Group",
        {"keys": ["Region"], "aggregates": {"s": "sum(price)"}},
        ["T2"],
        error="no column 'price'; the nearest of 7 are '2024-01'",
        thought="Sum the price.",
    )
    tree = tree.back("T1", "two tries at T2 failed alike", "forced")
    tree = add(
        tree,
        "T5",
        "Group",
        {"keys": ["region"], "aggregates": {"s": "sum(price)"}},
        ["T1"],
        rows=9,
        columns=2,
        thought="Group before anything else.",
        observation="9 rows x 2 columns: region (text), s (number)",
    )
    return add(
        tree,
        "T6",
        "Sort",
        {"by": ["s"], "descending": True, "limit": 3},
        ["T5"],
        rows=3,
        columns=2,
        thought="The top three.",
        observation="3 rows x 2 columns: region (text), s (number)",
    )


def long(size: int = 40) -> FrameTree:
    """Branches of four steps from one table, every fifth try failed, each branch left in turn."""
    tree = add(FrameTree(), "wide", "Load", {"source": "wide"}, rows=266_033, columns=8058)
    names = ["Filter", "Derive", "Group", "Sort", "Join", "Window"]
    for n in range(1, size):
        parent = tree.head
        error = f"no column 'c{n}'; the nearest of 80 are 'c_{n}'" if n % 5 == 4 else ""
        tree = add(
            tree,
            f"T{n}",
            names[n % 6],
            {"column": f"c{n}", "value": n},
            [parent],
            rows=1000 - n,
            columns=80,
            thought=f"Step {n}.",
            observation=f"{1000 - n} rows x 80 columns: c (number)",
            error=error,
        )
        if n % 9 == 8:
            target = "wide" if n % 2 else tree.path(tree.head)[1].label
            tree = tree.back(target, f"no answer after {n} steps", "forced" if n % 4 else "back")
    return tree
