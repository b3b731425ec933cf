"""What steps say of cells that became null, were missing or lie in no interval, on every engine."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import notes, run, table
from on_engines import engine_for, every_engine

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {"x": pl.Float64, "n": pl.Int64, "t": pl.String, "v_1": pl.Int64, "v_2": pl.Float64}
ROWS: list[dict[str, Any]] = [
    {"x": -4.0, "n": 0, "t": "7", "v_1": 1, "v_2": None},
    {"x": 0.0, "n": 2, "t": "seven", "v_1": 2, "v_2": 3.0},
    {"x": 9.0, "n": 0, "t": None, "v_1": None, "v_2": None},
    {"x": None, "n": None, "t": "8,5", "v_1": None, "v_2": 4.0},
]


@pytest.fixture
def on(tmp_path: Path) -> Any:
    pl.DataFrame(ROWS, schema=SCHEMA).write_parquet(tmp_path / "t.parquet")
    return lambda engine: Table(engine_for(engine).scan(tmp_path / "t.parquet"))


def said(given: Table, action: str, /, **arguments: Any) -> list[str]:
    return [fact.text for fact in notes(action, given, **arguments) if fact.caveat]


CASES: list[tuple[Any, str, int]] = [
    ({"op": "sqrt", "args": ["x"]}, "r is null in 1 rows: square roots of negative numbers", 2),
    ({"op": "log", "args": ["x"]}, "r is null in 2 rows: logarithms", 1),
    ({"op": "log10", "args": ["n"]}, "r is null in 2 rows: logarithms", 1),
    ({"op": "/", "args": ["x", "n"]}, "r is null in 2 rows: divisions by zero", 1),
    ({"op": "%", "args": ["x", "n"]}, "r is null in 2 rows: divisions by zero", 1),
    ({"op": "**", "args": ["x", 0.5]}, "r is null in 1 rows: powers", 2),
    ({"op": "date", "args": [2024, 2, {"op": "+", "args": ["n", 29]}]}, "1 rows: dates", 2),
    ({"row": "sum", "columns": ["v_*"]}, "In 2 of 3 rows some of the 2 cells are missing", 3),
    ({"row": "mean", "columns": "v_*"}, "r is the mean of the others", 3),
    ({"cast": "number", "of": "t"}, "2 cells do not read as a number and became null", 1),
]


@every_engine
@pytest.mark.parametrize("place", range(len(CASES)))
def test_cells_that_became_null_are_counted(engine: str, place: int, on: Any) -> None:
    expression, words, left = CASES[place]
    given = on(engine)
    [told] = said(given, "Derive", name="r", expression=expression)
    assert words in told
    made = run("Derive", given, name="r", expression=expression).rows(10)
    assert sum(row["r"] is not None for row in made) == left


@pytest.mark.parametrize(
    "expression",
    [
        {"op": "sqrt", "args": [{"op": "abs", "args": ["x"]}]},
        {"op": "/", "args": ["x", 2]},
        {"row": "max", "columns": "v_*"},
        {"row": "count", "columns": "v_*"},
        {"cast": "text", "of": "x"},
    ],
)
def test_nothing_is_said_where_nothing_was_lost(expression: Any) -> None:
    assert said(table(ROWS, SCHEMA), "Derive", name="r", expression=expression) == []


def test_losses_within_an_expression_are_told_and_each_once() -> None:
    ratio = {"op": "/", "args": [{"op": "sqrt", "args": ["x"]}, "n"]}
    told = said(table(ROWS, SCHEMA), "Derive", name="r", expression=ratio)
    assert len(told) == 2 and "divisions by zero" in told[0] and "square roots" in told[1]


@every_engine
def test_a_cast_that_reads_no_cell_is_refused(engine: str, on: Any) -> None:
    given = run("Filter", on(engine), where={"column": "t", "op": "==", "value": "seven"})
    cast = {"cast": "number", "of": "t"}
    with pytest.raises(ActionError, match="none of the 1 cells of 't' reads as a number"):
        run("Derive", given, name="r", expression=cast)
    other = {"op": "coalesce", "args": [cast, "n"]}
    assert run("Derive", given, name="r", expression=other).rows(2)[0]["r"] == 2
    nothing = run("Filter", on(engine), where={"column": "t", "op": "is null"})
    assert run("Derive", nothing, name="r", expression=cast).rows(2)[0]["r"] is None


@every_engine
@pytest.mark.parametrize("name", ["x", "n"])
def test_bounds_that_are_turned_round_are_told(engine: str, name: str, on: Any) -> None:
    turned = {"column": name, "op": "between", "value": [2, 0]}
    [told] = said(on(engine), "Filter", where=turned)
    assert told.startswith(f"{name} between [2, 0]: the bounds are turned round")
    assert said(on(engine), "Filter", where=turned | {"value": [0, 2]}) == []
    outside = {"not": turned}
    assert any("turned round" in text for text in said(on(engine), "Filter", where=outside))


def test_a_month_ends_after_its_first_day() -> None:
    days = table([{"d": None}], {"d": pl.Date})
    for bounds, turned in (
        (["2024-02-01", "2024-02"], False),
        (["2024", "2024-12-31"], False),
        (["2024-03-01", "2024-02"], True),
    ):
        told = said(days, "Filter", where={"column": "d", "op": "between", "value": bounds})
        assert any("turned round" in text for text in told) == turned


def test_a_wide_family_is_counted_in_one_look() -> None:
    wide = {f"v_{n}": None if n == 7 else float(n) for n in range(1_500)}
    given = table([wide], dict.fromkeys(wide, pl.Float64))
    [told] = said(given, "Derive", name="r", expression={"row": "sum", "columns": "v_*"})
    assert told.startswith("In 1 of 1 rows some of the 1500 cells are missing")
