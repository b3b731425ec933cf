"""Window on random small tables against the same thing in plain Python, and what it refuses."""

import math
import statistics
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for
from pydantic import ValidationError

from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.functions import WINDOWS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {"g": pl.String, "n": pl.Int8, "x": pl.Float64, "t": pl.String, "d": pl.Date}
NAN = float("nan")
cells = {
    "g": st.sampled_from(["a", "A", "É", "10", "9"]),
    "n": st.sampled_from([-128, -1, 0, 1, 2, 127]),
    "x": st.sampled_from([NAN, *(one / 4 for one in range(-6, 7))]),
    "t": st.sampled_from(["10", "9", "", "é", "e", "北京", "𝒜"]),
    "d": st.integers(0, 5).map(lambda days: date(2024, 2, 27) + timedelta(days)),
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()}), max_size=10
)
ORDERS = ("n", "-n", "x", "-x", "t", "-t", "d", "-d")
OF_ENGINE = {"polars": 20, "duckdb": 6}
columns = {"number": ["n", "x"], "text": ["t"], "date": ["d"]}


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def known(given_rows: Rows) -> Rows:
    """The rows as an engine opens them: NaN is null."""
    return [{k: None if one[k] != one[k] else one[k] for k in SCHEMA} for one in given_rows]


def in_order(part: Rows, order: list[str], value: str | None, by: bool) -> Rows:
    """Nulls last in the order; equal rows by the value, then the other columns, nulls first."""
    others = [c for c in SCHEMA if c not in {key.lstrip("-") for key in order}]
    others = [c for c in others if c != "g" or not by]
    others.sort(key=lambda c: c != value)
    for name in reversed(others):
        part = sorted(part, key=lambda one: (one[name] is not None, one[name] or _least(one[name])))
    for key in reversed(order):
        name, down = key.lstrip("-"), key.startswith("-")
        there = [one for one in part if one[name] is not None]
        there.sort(key=lambda one: one[name], reverse=down)
        part = there + [one for one in part if one[name] is None]
    return part


def _least(cell: Any) -> Any:
    return cell if cell is not None else 0


def expected(part: Rows, function: str, value: str | None, order: list[str], n: int) -> list[Any]:
    """The function's results along the rows of one partition, in order."""
    cells_of = [one[value] if value else 1 for one in part]
    keys = [tuple(one[key.lstrip("-")] for key in order) for one in part]
    there = [cell for cell in cells_of if cell is not None]
    made: list[Any] = []
    for place, cell in enumerate(cells_of):
        so_far = [one for one in cells_of[: place + 1] if one is not None]
        last = cells_of[max(place + 1 - n, 0) : place + 1]
        whole = len(last) == n and None not in last
        at = place - n if function != "lead" else place + n
        other = cells_of[at] if 0 <= at < len(part) else None
        both = cell is not None and other is not None
        lower = keys.index(keys[place]) if keys else 0
        unranked = "rank" in function and keys[place][0] is None
        ranked = sum(key[0] is not None for key in keys if key)
        what = function.split(" ", 1)[-1]
        values = {"group": there, "cumulative": so_far, "rolling": last if whole else []}.get(
            function.split(" ")[0], []
        )
        if function == "row number":
            made.append(place + 1)
        elif unranked:
            made.append(None)
        elif function == "rank":
            made.append(lower + 1)
        elif function == "dense rank":
            made.append(len(set(keys[: lower + 1])))
        elif function == "percent rank":
            made.append(lower / (ranked - 1) if ranked > 1 else 0.0)
        elif function in ("lag", "lead"):
            made.append(other)
        elif function == "difference":
            apart = cell - other if both else None
            made.append(apart / timedelta(days=1) if isinstance(apart, timedelta) else apart)
        elif function == "percent change":
            made.append((cell - other) / other if both and other else None)
        elif function == "share":
            made.append(cell / sum(there) if cell is not None and sum(there) else None)
        elif what == "count":
            made.append(len(values))
        elif what == "std":
            made.append(statistics.stdev(values) if values else None)
        else:
            fold = {"sum": sum, "mean": statistics.fmean, "min": min, "max": max}[what]
            made.append(fold(values) if values else None)
    return made


def reference(given_rows: Rows, asked: dict[str, Any]) -> Rows:
    value, order, n = asked.get("column"), asked.get("order", []), asked.get("n", 1)
    parts: dict[Any, Rows] = {}
    for one in known(given_rows):
        parts.setdefault(one["g"] if "by" in asked else None, []).append(one)
    made = []
    for part in parts.values():
        placed = in_order(part, order, value, "by" in asked)
        results = expected(placed, asked["function"], value, order, n)
        made += [one | {"r": r} for one, r in zip(placed, results, strict=True)]
    return made


def same(found: Rows, wanted: Rows) -> None:
    assert [list(one) for one in found] == [list(one) for one in wanted]

    def key(one: dict[str, Any]) -> str:
        cell = one["r"]
        if isinstance(cell, float):  # -0.0 is 0.0, and 2.0 is 2
            cell = round(cell, 6) + 0.0
        return repr([one | {"r": cell}])

    def number(one: dict[str, Any]) -> dict[str, Any]:
        cell = one["r"]
        return one | {"r": float(cell)} if type(cell) is int else one

    assert sorted(map(key, map(number, found))) == sorted(map(key, map(number, wanted)))


@st.composite
def asks(draw: st.DrawFn, function: str) -> dict[str, Any]:
    window = WINDOWS[function]  # type: ignore[index]
    asked: dict[str, Any] = {"function": function, "name": "r"}
    takes = [name for kind in window.takes for name in columns.get(kind, [])]
    if takes and not (window.optional and draw(st.booleans())):
        asked["column"] = draw(st.sampled_from(takes))
    if draw(st.booleans()):
        asked["by"] = ["g"]
    if window.ordered:
        keys = draw(st.lists(st.sampled_from(ORDERS), min_size=1, max_size=2))
        asked["order"] = keys if len({k[-1] for k in keys}) == len(keys) else keys[:1]
    if function.startswith("rolling"):
        asked["n"] = draw(st.sampled_from([2, 3, 7]))
    elif window.counted:
        asked["n"] = draw(st.sampled_from([1, 2, 20]))
    return asked


@pytest.mark.parametrize("function", WINDOWS)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_it_makes_what_plain_python_makes(engine: str, function: str, tmp_path: Path) -> None:
    @settings(
        derandomize=True,
        max_examples=tries(OF_ENGINE[engine]),
    )
    @given(rows, asks(function))
    def check(given_rows: Rows, asked: dict[str, Any]) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        same(run("Window", opened, **asked).rows(100), reference(given_rows, asked))

    check()


FIXED: Rows = [
    {"g": g, "n": n, "x": x, "t": t, "d": date(2024, 2, day)}
    for g, n, x, t, day in [
        ("a", 127, 0.5, "10", 28),
        ("a", 127, NAN, "9", 29),
        ("a", None, -1.0, "é", 29),
        (None, 1, 0.0, "e", 1),
        (None, -128, 2.5, "", 3),
        ("É", 0, None, None, 5),
    ]
]


@pytest.mark.spark
@pytest.mark.parametrize("function", WINDOWS)
def test_spark_makes_what_plain_python_makes(function: str, tmp_path: Path) -> None:
    window = WINDOWS[function]  # type: ignore[index]
    asked: dict[str, Any] = {"function": function, "name": "r", "by": ["g"]}
    if window.takes:
        asked["column"] = "n"
    if window.ordered:
        asked["order"] = ["-d", "-t"]
    if window.counted:
        asked["n"] = 2
    opened = open_on("spark", FIXED, tmp_path)
    same(run("Window", opened, **asked).rows(100), reference(FIXED, asked))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_result_has_one_type_on_every_engine(engine: str, tmp_path: Path) -> None:
    opened = open_on(engine, FIXED, tmp_path)
    for function, window in WINDOWS.items():
        asked: dict[str, Any] = {"function": function, "name": "r"}
        asked |= {"column": "n"} if window.takes else {}
        asked |= {"order": ["d"]} if window.ordered else {}
        asked |= {"n": 2} if function.startswith("rolling") else {}
        dtype = run("Window", opened, **asked).schema["r"]
        # What only moves or picks a cell keeps its type; no count or sum is a Decimal.
        wide = "Float64" if any(w in function for w in FLOATS) else "Int64"
        kept = function in ("lag", "lead", "group min", "group max")
        assert str(dtype) == ("Int8" if kept else wide), function


FLOATS = ("mean", "std", "share", "percent")


@pytest.mark.parametrize(
    ("spelling", "function"),
    [
        ("cumsum", "cumulative sum"),
        ("running_total", "cumulative sum"),
        ("Running Average", "cumulative mean"),
        ("row_number", "row number"),
        ("ROW_NUMBER", "row number"),
        ("dense_rank", "dense rank"),
        ("moving average", "rolling mean"),
        ("rolling_avg", "rolling mean"),
        ("pct_change", "percent change"),
        ("diff", "difference"),
        ("cummax", "cumulative max"),
        ("partition sum", "group sum"),
        ("shift", "lag"),
    ],
)
def test_spellings_are_read(spelling: str, function: str) -> None:
    assert Window.model_validate({"function": spelling}).function == function


BAD = [
    ({"function": "lag", "column": "x"}, "needs an order"),
    ({"function": "rank", "column": "x"}, "such as '-x' for the largest first"),
    ({"function": "cumulative sum", "order": ["d"]}, "needs a column"),
    ({"function": "group sum", "column": "x", "order": ["d"]}, "'cumulative sum' has one"),
    ({"function": "share", "column": "x", "order": ["d"]}, "takes no order"),
    ({"function": "rolling sum", "column": "x", "order": ["d"]}, "needs n"),
    ({"function": "rank", "order": ["d"], "n": 3}, "takes no n; Filter the result"),
    ({"function": "cumulative sum", "column": "t", "order": ["d"]}, "'t' is text"),
    ({"function": "rolling max", "column": "t", "order": ["d"], "n": 2}, "'t' is text"),
    ({"function": "row number", "order": ["d"], "name": "x"}, "a column 'x' already"),
    ({"function": "row number", "order": ["-dd"]}, "no column 'dd'"),
    ({"function": "row number", "order": ["d"], "by": ["h"]}, "no column 'h'"),
]


@pytest.mark.parametrize(("asked", "text"), BAD)
def test_what_does_not_fit_is_refused(asked: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Window", table(FIXED, SCHEMA), **asked)
    assert text in caught.value.text


@pytest.mark.parametrize("asked", [{"function": "first"}, {"function": "lag", "n": 0}])
def test_what_no_window_knows_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Window.model_validate(asked)


def test_a_column_beside_the_same_in_the_order_is_no_contradiction() -> None:
    made = run("Window", table(FIXED, SCHEMA), function="rank", column="n", order="-n")
    assert made.columns[-1] == "rank"


def test_a_default_name_that_is_taken_gets_another_and_it_is_told() -> None:
    given_rows = [{"x": 1.0, "share_x": 2.0}]
    taken = table(given_rows, {"x": pl.Float64, "share_x": pl.Float64})
    assert run("Window", taken, function="share", column="x").rows(1) == [
        {"x": 1.0, "share_x": 2.0, "share_x_right": 1.0}
    ]
    told = notes("Window", taken, function="share", column="x")
    assert any("'share_x' was taken" in fact.text for fact in told)


def test_ties_and_nulls_of_the_order_are_told() -> None:
    shared = table(known(FIXED), SCHEMA)
    texts = [f.text for f in notes("Window", shared, function="row number", order="n") if f.caveat]
    assert texts == [
        "2 rows have the same 'n' as another row: other columns decide their order",
        "1 rows with a null 'n' come last",
    ]
    texts = [f.text for f in notes("Window", shared, function="rank", order="n") if f.caveat]
    assert texts == [
        "2 rows have the same 'n' as another row: they share ranks",
        "1 rows with a null 'n' have no rank",
    ]
    texts = [f.text for f in notes("Window", shared, function="rank", order="d", by="g")]
    assert texts == ["2 rows have the same 'g', 'd' as another row: they share ranks"]


def test_the_least_whole_number_descends_as_well() -> None:
    least = [{"n": -(2**63)}, {"n": 2**63 - 1}, {"n": 0}]
    made = run("Window", table(least, {"n": pl.Int64}), function="rank", order="-n").rows(3)
    assert [one["rank"] for one in made] == [3, 1, 2]


def test_a_long_rolling_window_finds_its_extreme() -> None:
    values = [math.sin(7 * one) for one in range(500)]
    long = table([{"i": i, "x": x} for i, x in enumerate(values)], {"i": pl.Int64, "x": pl.Float64})
    made = run("Window", long, function="rolling max", column="x", order="i", n=366).rows(500)
    found = {one["i"]: one["rolling_max_x"] for one in made}
    assert found == {
        i: max(values[i - 365 : i + 1]) if i >= 365 else None for i in range(len(values))
    }
