"""Small tables and the way to act on them, for tests of single actions."""

from typing import Any

import narwhals as nw
import polars as pl
from hypothesis import settings
from hypothesis import strategies as st

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table

SCHEMA = {"n": pl.Int8, "x": pl.Float64, "t": pl.String, "u": pl.String, "b": pl.Boolean}
Rows = list[dict[str, Any]]
TEXTS = ("a", "A", " a ", "b", "ab", "É", "é", "")


def tries(count: int) -> int:
    """So many random examples; ten times as many under `--hypothesis-profile thorough`."""
    return count * settings().max_examples // 100


few = settings(derandomize=True, max_examples=tries(60))
fewer = settings(derandomize=True, max_examples=tries(24))
"""On a database server: of 15 faults put into its queries 60 random plans and 24 found the same
one, and the examples of the actions found ten."""
numbers = st.integers(-3, 3)
quarters = st.integers(-12, 12).map(lambda n: n / 4)
texts = st.sampled_from(TEXTS)
cells = {"n": numbers, "x": quarters, "t": texts, "u": texts, "b": st.booleans()}
row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})
rows = st.lists(row, max_size=9)


def table(given_rows: Rows, schema: dict[str, Any] = SCHEMA) -> Table:
    return Table(nw.from_native(pl.DataFrame(given_rows, schema=schema).lazy()))


def run(name: str, /, *tables: Table, **arguments: Any) -> Table:
    return find_action(name).model_validate(arguments).resolve(*tables).run(*tables)


def notes(name: str, /, *tables: Table, **arguments: Any) -> list[Fact]:
    action = find_action(name).model_validate(arguments).resolve(*tables)
    return action.notes(tables, action.run(*tables))


def bag(found: Rows) -> list[str]:
    return sorted(repr(sorted(one.items())) for one in found)


def of_one(values: list[Any], expression: Any, kind: Any = None) -> list[Any]:
    """The results of an expression over a column v."""
    made = run(
        "Derive", table([{"v": v} for v in values], {"v": kind}), name="r", expression=expression
    )
    return [one["r"] for one in made.rows(100)]
