"""Steps over tables that stay on a PostgreSQL server, beside the same SQL by hand, in turns.

    python benchmarks/servers.py postgresql://user@host/empty_database --rows 20000000

The account must be able to make tables; ``wideleaf_sales`` and ``wideleaf_customers`` are made
where they are missing, and stay. Told are medians of seconds and their ratio; the look-ups that a
question makes before its steps are no part of it.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.store import FrameStore

SALES, CUSTOMERS = "wideleaf_sales", "wideleaf_customers"
TABLES = {
    CUSTOMERS: "SELECT n AS id, 'Customer ' || n AS name, (ARRAY['France', 'Spain', 'Italy', "
    "'Japan', 'Peru'])[1 + n % 5] AS country FROM generate_series(1, 100000) n",
    SALES: "SELECT n AS id, (1 + (n * 7919::bigint) % 100000)::integer AS customer_id, "
    "(((n * 31::bigint) % 100000) / 100.0)::numeric(10, 2) AS amount, 1 + n % 9 AS quantity, "
    "date '2020-01-01' + n % 1461 AS day, (ARRAY['shop', 'web', 'phone', 'agent'])[1 + n % 4] AS "
    "channel, (n % 1000) / 7.0::float8 AS weight FROM generate_series(1, {rows}) n",
}
WHERE = {
    "all": [
        {"column": "day", "op": ">=", "value": "2021-01-01"},
        {"column": "day", "op": "<", "value": "2022-01-01"},
        {"column": "quantity", "op": ">=", "value": 5},
    ]
}
SAID = "day >= '2021-01-01' AND day < '2022-01-01' AND quantity >= 5"
Steps = list[tuple[str, dict[str, Any], list[Any]]]
"""Actions with their arguments and the places, or names, of what they work on."""
PLANS: dict[str, tuple[Steps, str]] = {
    "filter, count": (
        [
            ("Filter", {"where": WHERE}, [SALES]),
            ("Aggregate", {"measures": [{"function": "count"}]}, [0]),
        ],
        f"SELECT count(*) FROM {SALES} WHERE {SAID}",
    ),
    "group": (
        [
            (
                "Group",
                {
                    "keys": "channel",
                    "measures": [
                        {"function": "sum", "column": "amount"},
                        {"function": "mean", "column": "weight"},
                    ],
                },
                [SALES],
            )
        ],
        f"SELECT channel, sum(amount), avg(weight) FROM {SALES} GROUP BY 1 ORDER BY 1",
    ),
    "filter, join, group": (
        [
            ("Filter", {"where": WHERE}, [SALES]),
            ("Join", {"on": [{"left": "customer_id", "right": "id"}]}, [0, CUSTOMERS]),
            (
                "Group",
                {"keys": "country", "measures": [{"function": "mean", "column": "amount"}]},
                [1],
            ),
        ],
        f"SELECT country, avg(amount) FROM {SALES} s JOIN {CUSTOMERS} c ON c.id = s.customer_id "
        f"WHERE {SAID} GROUP BY 1 ORDER BY 1",
    ),
}


def fill(connection: Any, rows: int) -> None:
    """Make the tables that are missing."""
    for name, query in TABLES.items():
        if connection.execute("SELECT to_regclass(%s)", [name]).fetchone()[0] is None:
            connection.execute(f"CREATE TABLE {name} AS {query.format(rows=rows)}")
            connection.execute(f"ALTER TABLE {name} ADD PRIMARY KEY (id)")
            connection.execute(f"ANALYZE {name}")


def carry_out(url: str, steps: Steps) -> Sequence[Any]:
    """The rows of steps, over tables opened anew, so that nothing is known of them."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = [f"{url}#{name}" for name in TABLES]
        store = FrameStore(Path(folder), open_catalog(inputs, Path(folder), engine="database"))
        ids: dict[Any, str] = {}
        for name in TABLES:
            known = store.catalog.find(name).fingerprint
            ids[name] = store.grow(Load(source=name, fingerprint=known), ())[0]
        for place, (name, arguments, inputs_of) in enumerate(steps):
            parents = [ids[one] for one in inputs_of]
            action = find_action(name).model_validate(arguments)
            ids[place] = store.grow(action.resolve(*store.inputs(action, parents)), parents)[0]
        return store.get(ids[len(steps) - 1]).rows(1_000)


def seconds_of(work: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Measure, and print a table."""
    import psycopg

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    with psycopg.connect(given.url, autocommit=True) as connection:
        fill(connection, given.rows)
        print("| | by hand | through Wideleaf, opening included | ratio |\n|---|---|---|---|")
        for name, (steps, query) in PLANS.items():
            pairs = [
                (
                    seconds_of(lambda query=query: connection.execute(query).fetchall()),
                    seconds_of(lambda steps=steps: carry_out(given.url, steps)),
                )
                for _ in range(given.turns)
            ]
            hand, through = (statistics.median(side) for side in zip(*pairs, strict=True))
            print(f"| {name} | {hand:.2f} s | {through:.2f} s | {through / hand:.2f} |")


if __name__ == "__main__":
    main()
