"""Places of rows: where rows stand in an order they are numbered, elsewhere that is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from plan_sql_cases import compare, grown

from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.steps.trial import try_plan
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

TOWNS = pl.DataFrame({"town": ["Roma", "Moree", "Ayr", "Roma"], "rain": [4, 1, 3, 2]})
Step = tuple[str, dict[str, Any]]
RAINY: Step = ("Filter", {"where": {"column": "rain", "op": ">", "value": 1}})
DRIER: Step = ("Filter", {"where": {"column": "town", "op": "!=", "value": "Ayr"}})
IN_ORDER: dict[str, tuple[list[Step], list[str]]] = {
    "a table": ([], ["Roma", "Moree", "Ayr", "Roma"]),
    "a filter": ([RAINY], ["Roma", "Ayr", "Roma"]),
    "a sort": ([("Sort", {"by": "-rain"})], ["Roma", "Ayr", "Roma", "Moree"]),
    "a sort of groups": (
        [("Group", {"keys": "town"}), ("Sort", {"by": "town"})],
        ["Ayr", "Moree", "Roma"],
    ),
    "columns of a filter": (
        [RAINY, ("Select", {"columns": ["town"]})],
        ["Roma", "Ayr", "Roma"],
    ),
}
NO_ORDER: dict[str, list[Step]] = {
    "Group": [("Group", {"keys": "town"})],
    "Distinct": [("Distinct", {"columns": ["town"]}), DRIER],
    "Window": [("Sort", {"by": "rain"}), ("Window", {"function": "rank", "order": ["rain"]})],
}


def carried_out(steps: list[Step], folder: Path, engine: str) -> tuple[FrameStore, FrameTree]:
    TOWNS.write_parquet(folder / "towns.parquet")
    catalog = open_catalog([str(folder / "towns.parquet")], folder, engine=engine)
    store, tree = FrameStore(folder / "kept", catalog), FrameTree()
    for name, arguments in [("Load", {"source": "towns"}), *steps]:
        parents = [(tree.head, tree[tree.head].id)] if tree.nodes else []
        wish = Wish(Call(name=name, arguments=arguments), f"T{len(tree.nodes)}", parents)
        tree = tree.grow(perform(wish, store, Policy(level="samples")))
    return store, tree


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", IN_ORDER)
def test_rows_that_stand_in_an_order_are_numbered_in_it(
    name: str, engine: str, tmp_path: Path
) -> None:
    steps, towns = IN_ORDER[name]
    store, tree = carried_out([*steps, ("Position", {})], tmp_path, engine)
    rows = store.get(tree[tree.head].id).rows(9)
    placed = sorted((row["position"], row["town"]) for row in rows)
    assert placed == list(enumerate(towns, 1))


@pytest.mark.parametrize("name", NO_ORDER)
def test_rows_in_no_order_have_no_place(name: str, tmp_path: Path) -> None:
    store, tree = carried_out([*NO_ORDER[name], ("Position", {})], tmp_path, "polars")
    assert tree.nodes[-1].outcome == "failed"
    assert f"the rows of a {name} stand in no order" in tree.nodes[-1].error
    calls, label = [], "towns"
    for place, (step, arguments) in enumerate([*NO_ORDER[name], ("Position", {})]):
        calls.append(Call(name=step, arguments={**arguments, "table": label}))
        label = f"${place}"
    with pytest.raises(ActionError, match="no order of their own"):
        try_plan(calls, {"towns": store.get(tree["T0"].id)})


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_numbers_the_rows_of_a_table_alone(dialect: str) -> None:
    frames = {"towns": TOWNS}
    steps = [("Position", {}, ["towns"]), (*RAINY, ["T1"])]
    assert compare(*grown(frames, steps), frames, dialect) == ""
    plan, _ = grown(frames, [(*RAINY, ["towns"]), ("Position", {}, ["T1"])])
    with pytest.raises(ActionError, match=r"T2.*no order of their own"):
        compare(plan, _, frames, dialect)


def test_sql_of_a_server_has_no_places() -> None:
    plan, answer = grown({"towns": TOWNS}, [("Position", {}, ["towns"])])
    with pytest.raises(ActionError, match=r"T1.*no order of their own"):
        compare(plan, answer, {"towns": TOWNS}, "postgres")


def test_a_view_of_a_database_has_no_places(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "towns.duckdb")) as made:
        made.execute("CREATE TABLE towns AS SELECT i AS n FROM range(5) t(i)")
        made.execute("CREATE VIEW few AS SELECT n % 2 AS odd, count(*) AS n FROM towns GROUP BY 1")
    catalog = open_catalog([str(tmp_path / "towns.duckdb")], tmp_path / "kept")
    store, policy = FrameStore(tmp_path / "kept", catalog), Policy(level="samples")
    found = {}
    for name in ("towns", "few"):
        leaf = perform(Wish(Call(name="Load", arguments={"source": name}), name), store, policy)
        wish = Wish(Call(name="Position"), "T1", [(name, leaf.id)])
        found[name] = perform(wish, store, policy)
    assert (found["towns"].outcome, found["few"].outcome) == ("ok", "failed")
    assert "the rows of a view stand in no order" in found["few"].error
