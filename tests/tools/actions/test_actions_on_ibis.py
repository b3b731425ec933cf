"""The examples of every action over ibis, the engine of databases: the rows that Polars gives."""

from functools import cache
from typing import Any

import ibis
import narwhals as nw
import polars as pl
import pytest
from action_examples import EXAMPLES, frames_of, relations_of
from said import ready

from wideleaf.tools.actions.position import Position, keeps_order
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # ibis asks DuckDB so
REFUSED = {("Get", 5), ("Get", 53)}
"""What ibis 12 writes for DuckDB by a function that sqlglot refuses to write."""
CASES = [
    pytest.param(name, place, id=f"{name}-{place}")
    for name, examples in EXAMPLES.items()
    for place in range(len(examples))
    if name != "Craft"  # it runs behind the wall, on rows in memory
]


@cache
def database() -> Any:
    return ibis.duckdb.connect()


NAMES: dict[int, str] = {}
"""The tables that stand in the database, by their frames, which live as long as the examples."""


def table_of(frame: pl.DataFrame) -> Table:
    """A frame as a table of a database, a NaN as a null as every engine opens it."""
    if id(frame) not in NAMES:
        name = NAMES[id(frame)] = f"table_{len(NAMES)}"
        plain = frame.with_columns(pl.selectors.float().fill_nan(None))
        database().con.register(f"view_{name}", plain.to_arrow())
        database().con.execute(f"create table {name} as select * from view_{name}")
    made = database().table(NAMES[id(frame)])
    return Table(nw.from_native(made), relations=relations_of(frame))


class Server:
    """What a table of a server knows of where it stands."""

    name = "postgres"


def rows_of(table: Table) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in table.rows(1_000))


@pytest.mark.parametrize(("name", "place"), CASES)
def test_an_action_over_ibis_means_what_it_means_on_polars(name: str, place: int) -> None:
    frames = frames_of(name, place)
    outcomes = []
    for tables in (
        [Table(PolarsEngine().open(f.lazy()), relations=relations_of(f)) for f in frames],
        [table_of(frame) for frame in frames],
    ):
        action = ready(find_action(name).model_validate(EXAMPLES[name][place])).resolve(*tables)
        result = action.run(*tables)
        if (name, place) in REFUSED and result.frame.implementation.is_ibis():
            with pytest.raises(ibis.common.exceptions.UnsupportedOperationError):
                result.rows(1)
            return
        notes = [fact.text for fact in action.notes(tables, result)]
        outcomes.append((action, result.schema, rows_of(result), notes))
    assert outcomes[1] == outcomes[0]


def test_a_table_of_a_server_has_no_order_of_its_own() -> None:
    table = ibis.table({"n": "int64"}, name="t")
    held = ibis.expr.operations.DatabaseTable(
        name="t", schema=table.schema(), source=Server(), namespace=ibis.expr.operations.Namespace()
    )
    server = Table(nw.from_native(held.to_expr()))
    assert keeps_order(table_of(frames_of("Position", 0)[0]).frame)
    assert not keeps_order(server.frame)
    with pytest.raises(ActionError, match="no order of their own"):
        Position().resolve(server)
