"""Whole numbers beyond 64 bits: every sum, product and difference against Python's own integers."""

import runpy
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from acting import notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pandas_scripts import planned, script_of
from plan_sql_cases import asked, grown

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.query import plan_sql
from wideleaf.tools.tables.extents import MAX_WIDE
from wideleaf.tools.tables.table import Table

SCHEMA = {"k": pl.String, "a": pl.Int64, "b": pl.Int64, "i": pl.Int32, "s": pl.Int64}
BIG = 6 * 10**18
ROWS: list[dict[str, Any]] = [
    {"k": "x", "a": BIG, "b": 5 * 10**9, "i": 2**31 - 1, "s": 1},
    {"k": "x", "a": BIG, "b": -(2**63), "i": -(2**31), "s": 2},
    {"k": "y", "a": -3, "b": 2**63 - 1, "i": 7, "s": 3},
    {"k": "y", "a": None, "b": None, "i": None, "s": 4},
    {"k": "z", "a": None, "b": 12, "i": 5, "s": 5},
]


def on(engine: str, rows: list[dict[str, Any]] = ROWS) -> Table:
    with tempfile.NamedTemporaryFile(suffix=".parquet", delete=False) as file:
        pl.DataFrame(rows, schema=SCHEMA).write_parquet(file.name)
    return Table(engine_for(engine).scan(Path(file.name)))


def column(made: Table, name: str = "r") -> list[Any]:
    return [None if r[name] is None else exactly(r[name]) for r in made.rows(100)]


def exactly(cell: Any) -> Any:
    return int(cell) if isinstance(cell, Decimal) else cell


def known(cells: list[Any]) -> list[int]:
    return [cell for cell in cells if cell is not None]


def total(cells: list[Any]) -> int | None:
    return sum(known(cells)) if known(cells) else None


@every_engine
def test_sums_and_ranges_of_groups_and_tables_are_whole(engine: str) -> None:
    measures = [
        {"function": "sum", "column": "a"},
        {"function": "sum", "column": "b"},
        {"function": "range", "column": "b"},
        {"function": "share", "column": "a"},
        {"function": "sum", "column": "i"},
    ]
    [whole] = run("Aggregate", on(engine), measures=measures).rows(2)
    assert exactly(whole["sum_a"]) == 2 * BIG - 3
    assert exactly(whole["sum_b"]) == 5 * 10**9 - 1 + 12
    assert exactly(whole["range_b"]) == 2**64 - 1
    assert whole["sum_i"] == 11 and isinstance(whole["sum_i"], int)
    groups = run("Group", on(engine), keys="k", measures=measures)
    assert column(groups, "sum_a") == [2 * BIG, -3, None]
    assert column(groups, "share_a")[0] == pytest.approx(1.0)
    pivot = run("Pivot", on(engine), columns="k", value="a", function="sum", headers="values")
    [cells] = pivot.rows(2)
    assert {name: exactly(cell) for name, cell in cells.items()} == {
        "x": 2 * BIG, "y": -3, "z": None
    }  # fmt: skip


@every_engine
def test_what_is_wide_can_be_worked_on_and_kept(engine: str, tmp_path: Path) -> None:
    groups = run("Group", on(engine), keys="k", measures=[{"function": "sum", "column": "a"}])
    engine_for(engine).write(groups.frame, tmp_path / "kept.parquet")
    kept = Table(engine_for(engine).scan(tmp_path / "kept.parquet"))
    again = run("Aggregate", kept, measures=[{"function": "sum", "column": "sum_a", "name": "r"}])
    assert column(again) == [2 * BIG - 3]
    more = run("Derive", kept, name="r", expression={"op": "*", "args": ["sum_a", 3]})
    assert sorted(known(column(more))) == [-9, 6 * BIG]
    same = run("Derive", kept, name="r", expression="sum_a")
    assert sorted(known(column(same))) == [-3, 2 * BIG]
    high = run("Filter", kept, where={"column": "sum_a", "op": ">", "value": 10**12})
    assert column(high, "k") == ["x"]
    ranked = run("Window", kept, function="rank", order=["-sum_a"], name="r")
    assert {row["k"]: row["r"] for row in ranked.rows(9)} == {"x": 1, "y": 2, "z": None}
    assert column(run("Sort", kept, by="-sum_a"), "k") == ["x", "y", "z"]
    half = run("Derive", kept, name="r", expression={"op": "/", "args": ["sum_a", 2]})
    assert sorted(known(column(half))) == [-1.5, float(BIG)]


@every_engine
def test_windows_hold_their_sums(engine: str) -> None:
    def made(function: str, name: str, **more: Any) -> list[Any]:
        result = run("Window", on(engine), function=function, column=name, name="r", **more)
        return column(run("Sort", result, by="s"))

    assert made("cumulative sum", "a", order=["s"]) == [BIG, 2 * BIG, *[2 * BIG - 3] * 3]
    assert made("rolling sum", "a", order=["s"], n=2) == [None, 2 * BIG, BIG - 3, None, None]
    assert made("group sum", "a", by="k") == [2 * BIG, 2 * BIG, -3, -3, None]
    assert made("difference", "b", order=["s"])[1:3] == [-(2**63) - 5 * 10**9, 2**64 - 1]
    mean = made("cumulative mean", "a", order=["s"])
    assert mean == pytest.approx([BIG, BIG, *[(2 * BIG - 3) / 3] * 3])
    assert made("share", "a")[0] == pytest.approx(0.5)
    assert made("cumulative sum", "i", order=["s"])[-1] == 11


Reference = Callable[[int, int], int]
CASES: list[tuple[Any, Reference]] = [
    ({"op": "*", "args": ["b", "b"]}, lambda a, b: b * b),
    ({"op": "+", "args": ["a", "b"]}, lambda a, b: a + b),
    ({"op": "-", "args": ["a", "b"]}, lambda a, b: a - b),
    ({"op": "-", "args": ["b"]}, lambda a, b: -b),
    ({"op": "abs", "args": ["b"]}, lambda a, b: abs(b)),
    ({"op": "-", "args": [1, {"op": "+", "args": ["a", "a", 1]}]}, lambda a, b: -2 * a),
    ({"op": "*", "args": [{"op": "sign", "args": ["b"]}, 3, "a"]}, lambda a, b: 3 * a * sign(b)),
    ({"op": "+", "args": [{"row": "sum", "columns": ["a", "b"]}, 1]}, lambda a, b: a + b + 1),
    ({"row": "sum", "columns": ["a", "b", "a"]}, lambda a, b: a + b),
]


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


@every_engine
@pytest.mark.parametrize("place", range(len(CASES)))
def test_arithmetic_of_whole_numbers_is_pythons(engine: str, place: int) -> None:
    expression, reference = CASES[place]
    made = run("Derive", on(engine), name="r", expression=expression)
    for row in made.rows(10):
        if row["a"] is not None and row["b"] is not None:
            assert exactly(row["r"]) == reference(row["a"], row["b"]), row


integers = st.integers(-(2**63), 2**63 - 1) | st.integers(-100, 100)
expressions = st.recursive(
    st.sampled_from(["a", "b", "i"]) | st.integers(-9, 9),
    lambda inner: st.builds(
        lambda op, one, other: {"op": op, "args": [one, other]},
        st.sampled_from(["+", "-", "*"]), inner, inner,
    ),
    max_leaves=4,
)  # fmt: skip


def by_python(expression: Any, row: dict[str, Any]) -> Any:
    if isinstance(expression, str):
        return row[expression]
    if isinstance(expression, int):
        return expression
    one, other = (by_python(part, row) for part in expression["args"])
    if one is None or other is None:
        return None
    return {"+": one + other, "-": one - other, "*": one * other}[expression["op"]]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@settings(derandomize=True, max_examples=tries(60), deadline=None)
@given(
    st.lists(st.tuples(st.none() | integers, integers, st.integers(-(2**31), 2**31 - 1)),
             min_size=1, max_size=4),
    expressions.filter(lambda one: isinstance(one, dict)),
)  # fmt: skip
def test_no_arithmetic_at_random_wraps(engine: str, cells: Any, expression: Any) -> None:
    rows = [{"k": "x", "a": a, "b": b, "i": i, "s": 0} for a, b, i in cells]
    asked = {"name": "r", "expression": expression}
    made = run("Derive", on(engine, rows), **asked)
    facts = notes("Derive", on(engine, rows), **asked)
    for row in made.rows(10):
        right = by_python(expression, row)
        if isinstance(row["r"], float):
            assert row["r"] == pytest.approx(right, rel=1e-9, abs=2.0**140)
            assert any("15 digits" in fact.text and fact.caveat for fact in facts)
        else:
            assert (None if row["r"] is None else exactly(row["r"])) == right


@every_engine
def test_what_no_type_holds_is_a_float_and_said(engine: str) -> None:
    cube = {"op": "*", "args": ["a", "a", "a"]}
    given = on(engine)
    made = column(run("Derive", given, name="r", expression=cube))
    assert made[:2] == pytest.approx([float(BIG) ** 3] * 2)
    [fact] = notes("Derive", given, name="r", expression=cube)
    assert fact.caveat and "r would be whole numbers too long to hold" in fact.text
    larger = {"op": "max", "args": [{"op": "+", "args": ["a", "a"]}, 1]}
    assert column(run("Derive", given, name="r", expression=larger))[0] == 2.0 * BIG
    root = {"op": "sqrt", "args": [{"op": "*", "args": ["a", 9]}]}
    assert column(run("Derive", given, name="r", expression=root))[0] == pytest.approx(
        (9 * BIG) ** 0.5
    )


def test_a_mean_along_the_row_does_not_wrap() -> None:
    across = {"row": "mean", "columns": ["a", "b"]}
    made = column(run("Derive", on("polars"), name="r", expression=across))
    assert made[2] == pytest.approx((2**63 - 4) / 2)


def test_small_numbers_keep_their_type_and_steps_are_what_they_were() -> None:
    small = table([{"n": 3}, {"n": None}], {"n": pl.Int64})
    for name, arguments in (
        ("Derive", {"name": "r", "expression": {"op": "*", "args": ["n", "n"]}}),
        ("Aggregate", {"measures": [{"function": "sum", "column": "n", "name": "r"}]}),
        ("Window", {"function": "group sum", "column": "n", "name": "r"}),
    ):
        action = find_action(name).model_validate(arguments).resolve(small)
        assert "wide" not in str(action.arguments())
        assert str(action.run(small).schema["r"]) == "Int64"


def test_what_was_widened_once_stays_so_for_smaller_cells() -> None:
    action = find_action("Aggregate").model_validate(
        {"measures": [{"function": "sum", "column": "a", "name": "r"}]}
    )
    resolved = action.resolve(on("polars"))
    assert resolved.resolve(on("duckdb")) == resolved
    small = on("polars", ROWS[2:3])
    assert column(resolved.resolve(small).run(small)) == [-3]


STEPS: list[tuple[str, dict[str, Any]]] = [
    ("Aggregate", {"measures": [{"function": "sum", "column": "a", "name": "r"}]}),
    ("Derive", {"name": "r", "expression": {"op": "*", "args": ["b", "b", 1]}}),
    ("Derive", {"name": "r", "expression": {"row": "sum", "columns": ["a", "b"]}}),
    ("Window", {"function": "cumulative sum", "column": "a", "order": ["s"], "name": "r"}),
    ("Window", {"function": "difference", "column": "b", "order": ["s"], "name": "r"}),
]


@pytest.mark.parametrize(("name", "arguments"), STEPS)
def test_sql_gives_the_same_or_refuses_by_name(name: str, arguments: dict[str, Any]) -> None:
    frames = {"o": pl.DataFrame(ROWS, schema=SCHEMA)}
    plan, answer = grown(frames, [(name, arguments, ["o"])])
    leaves = {"o": table(ROWS, SCHEMA)}
    headers, rows = asked(plan_sql(plan, leaves, "duckdb"), frames, "duckdb")
    place = headers.index("r")
    found = [None if row[place] is None else int(row[place]) for row in rows]
    assert sorted(known(found)) == sorted(known(column(answer)))
    with pytest.raises(ActionError, match=f"{name}.*beyond 64 bits"):
        plan_sql(plan, leaves, "sqlite")


@pytest.mark.parametrize(("name", "arguments"), STEPS)
def test_a_script_gives_the_same(name: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    case = planned(tmp_path, {"o": pl.DataFrame(ROWS, schema=SCHEMA)}, [(name, arguments)])
    (tmp_path / "script.py").write_text(script_of(*case), encoding="utf-8")
    answer = runpy.run_path(str(tmp_path / "script.py"))["answer"]
    found = [None if cell is pd.NA or cell is None else int(cell) for cell in answer["r"]]
    assert found == column(case[3])


def test_the_widest_whole_number_has_38_digits() -> None:
    given = table([{"n": 10**18}], {"n": pl.Int64})
    fits = {"op": "*", "args": ["n", "n", 99]}
    [cell] = column(run("Derive", given, name="r", expression=fits))
    assert cell == 99 * 10**36 < MAX_WIDE and isinstance(cell, int)
    [cell] = column(run("Derive", given, name="r", expression={"op": "*", "args": ["n", "n", 101]}))
    assert isinstance(cell, float)
