"""The examples of every action over tables of real servers: the rows that Polars gives."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import polars as pl
import pytest
from action_examples import EXAMPLES, frames_of, relations_of
from database_servers import DRIVERS, EMPTY
from plan_sql_cases import alike, ranked
from said import ready
from server_tables import ServerFrames, holdable

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.database import database_of
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.tables.table import Table

pytestmark = pytest.mark.servers
NO_ORDER = {("Position", 0), ("Position", 1), *(("Get", place) for place in range(34, 50))}
"""By the places of rows, of which a server's tables have none: refused by name."""
HERE = {
    "postgresql": {
        *(("Filter", 4), ("Derive", 9), ("Derive", 10)),  # patterns with classes of Unicode
        ("Derive", 5),  # letters that this server's locale does not lower
        *(("Group", 5), ("Normalise", 2), ("Impute", 1)),  # medians beside rows
    },
    "mysql": {
        *(("Group", 4), ("Group", 5), ("Aggregate", 0), ("Aggregate", 3), ("Aggregate", 4)),
        *(("Normalise", 2), ("Normalise", 3), ("Impute", 1)),  # medians and quantiles
        ("Derive", 9),  # capitals
        *(("Get", 22), ("Get", 33), ("Resample", 1), ("Resample", 2)),  # rows for each of a range
    },
    "sqlite": {
        *(("Get", place) for place in (4, 5, 8, 9, 10, 14, 18, 19, 50, 51, 52, 53)),  # patterns
        *(("Filter", 4), ("Derive", 4), ("Derive", 9), ("Derive", 10)),
        ("Derive", 5),  # letters beyond the plain ones
        *(("Group", 4), ("Group", 5), ("Aggregate", 0), ("Aggregate", 3)),  # medians, quantiles
        *(("Normalise", 2), ("Impute", 1), ("Normalise", 0), ("Normalise", 5)),  # and variances
        *(("Group", 6), ("Aggregate", 4)),  # the first of an order
        *(("Get", 22), ("Get", 33), ("Resample", 1)),  # rows for each of a range
    },
}
"""What a server cannot say as it is meant: its frames are brought here."""
BY_VERSION = {("Join", 8), ("Runs", 1), ("Runs", 2), ("Resample", 2)}
"""Nested too deep for SQLite before 3.46, or shifted in time, which it has since."""
CASES = [
    pytest.param(name, place, id=f"{name}-{place}")
    for name, examples in EXAMPLES.items()
    for place in range(len(examples))
    if name != "Craft"  # it runs behind the wall, on rows in memory
]
ORDERLESS = "Its rows stand in no order"


@pytest.fixture(scope="module", params=[*EMPTY])
def server(request: pytest.FixtureRequest) -> Iterator[ServerFrames]:
    pytest.importorskip(DRIVERS[request.param], reason="needs pip install 'wideleaf[databases]'")
    with EMPTY[request.param]() as url:
        made = ServerFrames(url)
        cases = [(str(case.values[0]), int(str(case.values[1]))) for case in CASES]
        made.add([frame for case in cases for frame in frames_of(*case)])
        yield made


class Outcome(NamedTuple):
    """What an example makes on Polars."""

    action: Action
    schema: dict[str, Any]
    rows: list[tuple[Any, ...]]
    notes: list[str]


@cache
def on_polars(name: str, place: int, mysql: bool) -> Outcome:
    """What an example makes on Polars, of cells that each server can hold."""
    frames = frames_of(name, place)
    same = [holdable("mysql", frame) for frame in frames] if mysql else frames
    near = [
        Table(PolarsEngine().open(one.lazy()), relations=relations_of(frame))
        for one, frame in zip(same, frames, strict=True)
    ]
    action = ready(find_action(name).model_validate(EXAMPLES[name][place])).resolve(*near)
    result = action.run(*near)
    notes = [fact.text for fact in action.notes(near, result)]
    return Outcome(action, result.schema, rows_of(result), notes)


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row.values()) for row in table.rows(1_000)), key=ranked)


def brought(table: Table) -> Callable[[], Table]:
    rows = table.frame.collect("polars").lazy()
    return lambda: Table(rows, relations=table.relations)


@pytest.mark.parametrize(("name", "place"), CASES)
def test_an_action_on_a_server_means_what_it_means_on_polars(
    server: ServerFrames, name: str, place: int
) -> None:
    frames: list[pl.DataFrame] = frames_of(name, place)
    there = [server.table(frame, relations_of(frame)) for frame in frames]
    action = ready(find_action(name).model_validate(EXAMPLES[name][place]))
    if (name, place) in NO_ORDER:
        with pytest.raises(ActionError, match="no order of their own"):
            action.resolve(*there)
        return
    kind = server.url.partition(":")[0]
    wanted = on_polars(name, place, kind == "mysql")
    resolved = action.resolve(*there)
    result = run_where_it_stands(resolved, there, [brought(table) for table in there])
    assert resolved == wanted.action
    stays = resolved.lazy and (name, place) not in HERE[kind]
    if kind != "sqlite" or (name, place) not in BY_VERSION:
        assert (database_of(result.frame) is not None) == stays
    assert result.schema == wanted.schema
    rows = rows_of(result)
    assert len(rows) == len(wanted.rows)
    assert all(alike(a, b) for row, other in zip(rows, wanted.rows, strict=True)
               for a, b in zip(row, other, strict=True))  # fmt: skip
    notes = [fact.text for fact in resolved.notes(there, result)]
    told = [note for note in notes if not note.startswith(ORDERLESS)]
    assert told == wanted.notes
