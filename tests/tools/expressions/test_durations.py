"""Durations read and written, alike on every engine, and what is said of those that cannot be."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import notes, of_one, run, table
from on_engines import engine_for, every_engine

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

READ = {
    "2:17:27": 8247,
    "0:00:05.5": 5.5,
    "12:30": 750,
    " 1h 20m ": 4800,
    "1H20M": 4800,
    "45 min": 2700,
    "3 days 2 hours": 266_400,
    "2 hrs 5 mins 3 secs": 7503,
    "90s": 90,
    "0 min": 0,
    "1.5 h": 5400,
    "10": None,
    "abc": None,
    "": None,
    None: None,
}
WRITTEN = {0: "0:00:00", 59.6: "0:01:00", 8247: "2:17:27", 266_400: "74:00:00", -90: "-0:01:30"}


@every_engine
def test_a_duration_is_read_and_written(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "laps.parquet"
    pl.DataFrame({"place": range(len(READ)), "lap": [*READ]}).write_parquet(path)
    laps = Table(engine_for(engine).scan(path))
    steps: list[dict[str, Any]] = [
        {"name": "s", "expression": {"cast": "seconds", "of": "lap"}},
        {"name": "back", "expression": {"op": "format seconds", "args": ["s"]}},
        {"name": "again", "expression": {"op": "seconds of", "args": ["back"]}},
    ]
    for step in steps:
        laps = find_action("Derive").model_validate(step).resolve(laps).run(laps)
    rows = sorted(laps.rows(99), key=lambda row: row["place"])
    assert [row["s"] for row in rows] == [*READ.values()]
    whole = [row for row in rows if row["s"] is not None and row["s"] == int(row["s"])]
    assert [row["again"] for row in whole] == [row["s"] for row in whole]


def test_seconds_are_written_as_hours_minutes_and_seconds() -> None:
    written = of_one([*WRITTEN, None], {"op": "format duration", "args": ["v"]}, pl.Float64)
    assert written == [*WRITTEN.values(), None]


def test_what_was_not_read_is_told() -> None:
    laps = table([{"t": "1h"}, {"t": "soon"}, {"t": None}], {"t": pl.String})
    facts = notes("Derive", laps, name="s", expression={"op": "seconds", "args": ["t"]})
    assert [fact.text for fact in facts if fact.caveat] == [
        "Of 1 cells of 't' nothing came: they are null in 's'"
    ]


def test_a_cast_that_reads_no_cell_says_so() -> None:
    days = table([{"t": "5th"}, {"t": "6th"}], {"t": pl.String})
    with pytest.raises(ActionError, match="none of the 2 cells of 't' reads as a date"):
        run("Derive", days, name="d", expression={"cast": "date", "of": "t"})


def test_a_duration_of_two_things_is_refused() -> None:
    wrong = {"name": "s", "expression": {"op": "seconds of", "args": ["a", "b"]}}
    with pytest.raises(ActionError, match="takes one argument, not 2"):
        read_call(Call(name="Derive", arguments=wrong))
