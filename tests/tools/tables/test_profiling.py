"""Profiles equal a naive reckoning on every engine, and odd columns are profiled, too."""

from __future__ import annotations

import datetime
import math
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from acting import few, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.profiling import profiling
from wideleaf.tools.tables.profiling.column_profile import (
    CELL_KEPT,
    MAX_FREQUENT,
    MAX_VALUES,
    ColumnProfile,
)
from wideleaf.tools.tables.profiling.profiling import profile_columns
from wideleaf.tools.tables.table import Table

SCHEMA = {
    "n": pl.Int32,
    "x": pl.Float64,
    "t": pl.String,
    "b": pl.Boolean,
    "d": pl.Date,
    "a.b": pl.Int8,
}
cells = {
    "n": st.integers(-15, 15),
    "x": st.integers(-4, 4).map(lambda n: n / 4) | st.sampled_from([math.inf, -math.inf]),
    "t": st.sampled_from(["", "a", "A", " a ", "é", "x" * 70, "x" * 71, "y" * CELL_KEPT]),
    "b": st.booleans(),
    "d": st.dates(datetime.date(1969, 1, 1), datetime.date(2024, 12, 31)),
    "a.b": st.integers(0, 1),
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()}), max_size=40
)


def plain(frame: pl.DataFrame) -> Table:
    return Table(nw.from_native(frame.lazy()))


def kept(value: Any) -> str:
    """A cell as a profile keeps it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if len(value) <= CELL_KEPT else value[: CELL_KEPT - 1] + "…"
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def naive(cells: list[Any], kind: str) -> ColumnProfile:
    """The same by pandas, one column at a time, from the words of the docstrings."""
    there = pd.Series([cell for cell in cells if cell is not None], dtype=object)
    low = high = None
    if kind == "number" and len(there):
        low, high = float(there.min()), float(there.max())
    elif kind == "date" and len(there):
        low, high = there.min().isoformat(), there.max().isoformat()
    counts = there.map(kept).value_counts() if kind != "date" else pd.Series(dtype=int)
    pairs = sorted(((str(v), int(n)) for v, n in counts.items()), key=lambda p: (-p[1], p[0]))
    if kind == "number" and len(pairs) > MAX_FREQUENT:
        pairs = []
    return ColumnProfile(
        kind=kind,
        rows=len(cells),
        nulls=len(cells) - len(there),
        distinct=int(there.nunique()),
        low=low,
        high=high,
        frequent=tuple(pairs[:MAX_FREQUENT]),
        others=tuple(v for v, _ in pairs[MAX_FREQUENT:]) if kind == "text" else (),
    )


def check(found: dict[str, ColumnProfile], given_rows: list[dict[str, Any]]) -> None:
    kinds = {"n": "number", "x": "number", "t": "text", "b": "boolean", "d": "date"}
    for name in SCHEMA:
        wanted = naive([row[name] for row in given_rows], kinds.get(name, "number"))
        assert found[name] == wanted, name


@few
@given(rows)
def test_a_profile_equals_a_naive_reckoning_on_polars(given_rows):
    check(profile_columns(plain(pl.DataFrame(given_rows, schema=SCHEMA))), given_rows)


@settings(parent=few, max_examples=tries(25))
@given(rows)
def test_a_streamed_profile_equals_a_naive_reckoning(given_rows):
    frame = plain(pl.DataFrame(given_rows, schema=SCHEMA))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiling, "CELLS_HELD", {})
        check(profile_columns(frame), given_rows)


@pytest.mark.parametrize("held", [True, False])
@settings(parent=few, max_examples=tries(20))
@given(given_rows=rows)
def test_a_profile_equals_a_naive_reckoning_on_duckdb(held, tmp_path_factory, given_rows):
    path = tmp_path_factory.mktemp("profiled") / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    table = Table(engine_for("duckdb").scan(path))
    with pytest.MonkeyPatch.context() as patch:
        if not held:
            patch.setattr(profiling, "CELLS_HELD", {})
        check(profile_columns(table), given_rows)


@pytest.fixture(scope="module")
def odd_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("odd") / "odd.parquet"
    moment = datetime.datetime(2024, 5, 1, 12, 30, 0, 250000)
    pl.DataFrame(
        {
            "one": [7, 7, 7, 7],
            "none": pl.Series([None] * 4, dtype=pl.Float64),
            "no text": pl.Series([None] * 4, dtype=pl.String),
            "nan": [math.nan, 1.5, math.nan, -0.0],
            "infinite": [math.inf, -math.inf, 0.0, 1.0],
            "single": pl.Series([0.1, 0.1, 2.5, None], dtype=pl.Float32),
            "large": [2**62, 2**62 + 1, -(2**62), None],
            "long": ["a" * 100_000, "a" * 100_001, "b", None],
            "flag": [0, 1, 1, None],
            "when": [moment, moment.replace(microsecond=0), None, None],
            "zoned": pl.Series([moment, None, None, None]).dt.replace_time_zone("UTC"),
            "list": [[1], [2, 3], None, []],
            'quo"te': [1, 2, 3, 4],
            "back`tick": ["x", "x", "y", None],
            "amount": pl.Series(["1.20", "3.00", None, None]).cast(pl.Decimal(10, 2)),
            "truth": [True, None, False, True],
        }
    ).write_parquet(path)
    return path


@pytest.mark.parametrize("held", [True, False])
@every_engine
def test_odd_columns_are_profiled_on_every_engine(engine, held, odd_path, tmp_path, monkeypatch):
    if not held:
        monkeypatch.setattr(profiling, "CELLS_HELD", {})
    path = odd_path
    if engine == "spark":  # on which such a header is renamed when it is read
        path = tmp_path / "odd.parquet"
        pl.read_parquet(odd_path).rename({"back`tick": "tick"}).write_parquet(path)
    found = profile_columns(Table(engine_for(engine).scan(path)))
    assert found["one"].constant and found["one"].frequent == (("7", 4),)
    assert (found["none"].nulls, found["none"].distinct, found["none"].low) == (4, 0, None)
    assert (found["no text"].nulls, found["no text"].frequent) == (4, ())
    assert (found["nan"].nulls, found["nan"].low, found["nan"].high) == (2, 0, 1.5)
    assert found["nan"].frequent == (("0", 1), ("1.5", 1))
    assert (found["infinite"].low, found["infinite"].high) == (-math.inf, math.inf)
    assert found["infinite"].frequent == (("-inf", 1), ("0", 1), ("1", 1), ("inf", 1))
    assert found["single"].frequent == (("0.1", 2), ("2.5", 1))
    assert (found["large"].distinct, found["large"].high) == (3, 2.0**62)
    assert found["long"].frequent == (("a" * 59 + "…", 2), ("b", 1))
    assert found["long"].distinct == 3
    assert found["flag"].indicator and found["flag"].frequent == (("1", 2), ("0", 1))
    assert not found["one"].indicator and not found["infinite"].indicator
    assert (found["when"].low, found["when"].high) == (
        "2024-05-01T12:30:00",
        "2024-05-01T12:30:00.25",
    )
    assert found["zoned"].low in ("2024-05-01T12:30:00.25Z", "2024-05-01T12:30:00.25")
    assert (found["list"].kind, found["list"].nulls, found["list"].distinct) == ("other", 1, None)
    assert found['quo"te'].distinct == 4
    tick = found["tick" if engine == "spark" else "back`tick"]
    assert tick.frequent == (("x", 2), ("y", 1))
    assert (found["amount"].low, found["amount"].high) == (1.2, 3)
    assert found["amount"].frequent == (("1.2", 1), ("3", 1))
    assert found["truth"].frequent == (("true", 2), ("false", 1))
    assert all(profile.rows == 4 for profile in found.values())


def test_large_whole_numbers_are_counted_digit_by_digit():
    found = profile_columns(plain(pl.DataFrame({"id": [2**62, 2**62 + 1]})))
    assert found["id"].frequent == ((str(2**62), 1), (str(2**62 + 1), 1))


@every_engine
def test_a_table_without_rows_is_profiled(engine, tmp_path):
    schema = {name: dtype for name, dtype in SCHEMA.items() if name != "a.b"}
    pl.DataFrame(schema=schema).write_parquet(tmp_path / "empty.parquet")
    found = profile_columns(Table(engine_for(engine).scan(tmp_path / "empty.parquet")))
    for profile in found.values():
        assert (profile.rows, profile.nulls, profile.distinct) == (0, 0, 0)
        assert (profile.low, profile.high, profile.values) == (None, None, ())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_all_values_of_a_text_column_of_few_are_kept_and_some_of_many(engine, tmp_path):
    frame = pl.DataFrame(
        {
            "place": [f"place {n % 40}" for n in range(2 * MAX_VALUES)],
            "key": [f"key {n:04}" for n in range(2 * MAX_VALUES)],
            "number": list(range(2 * MAX_VALUES)),
        }
    )
    frame.write_parquet(tmp_path / "t.parquet")
    found = profile_columns(Table(engine_for(engine).scan(tmp_path / "t.parquet")))
    assert len(found["place"].frequent) == MAX_FREQUENT
    assert set(found["place"].values) == set(frame["place"])
    assert found["key"].distinct == 2 * MAX_VALUES and found["key"].others == ()
    assert found["key"].frequent == tuple((f"key {n:04}", 1) for n in range(MAX_FREQUENT))
    assert found["number"].frequent == ()


@pytest.mark.parametrize("held", [True, False])
def test_estimates_of_a_large_table_are_near_and_few_values_exact(held, monkeypatch):
    monkeypatch.setattr(profiling, "EXACT_CELLS", 0)
    if not held:
        monkeypatch.setattr(profiling, "CELLS_HELD", {})
    count = 30_000
    frame = pl.DataFrame(
        {
            "id": list(range(count)),
            "half": [n // 2 + 0.5 for n in range(count)],
            "text": [f"t{n % 5000}" for n in range(count)],
            "few": [n % 17 / 2 for n in range(count)],
            "flag": [n % 10 == 0 for n in range(count)],
        }
    ).with_columns(zero_one=pl.col("flag").cast(pl.Int8))
    found = profile_columns(plain(frame))
    for name, distinct in {"id": count, "half": count // 2, "text": 5000}.items():
        assert found[name].distinct == pytest.approx(distinct, rel=0.1)
    assert found["few"].distinct == 17 and sum(n for _, n in found["few"].frequent) == count
    assert found["zero_one"].indicator
    assert found["zero_one"].frequent == (("0", 27_000), ("1", 3_000))
    assert found["flag"].frequent == (("false", 27_000), ("true", 3_000))


@settings(parent=few, max_examples=tries(20))
@given(st.integers(1, 30), st.integers(1, 7))
def test_chunks_change_nothing_and_progress_ends_with_all(columns, size):
    frame = pl.DataFrame({f"c{n}": [n, n + 1, None] for n in range(columns)})
    whole, told = profile_columns(plain(frame)), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiling, "COLUMNS_HELD", size)
        chunked = profile_columns(plain(frame), progress=lambda *two: told.append(two))
    assert chunked == whole and list(chunked) == list(whole) == frame.columns
    assert told[-1] == (columns, columns) and len(told) == math.ceil(columns / size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_only_the_columns_asked_for_are_read():
    def broken(batch: pl.Series) -> pl.Series:
        raise AssertionError("read")

    frame = pl.DataFrame({"a": [1, 2], "b": ["x", None], "c": [3, 4]}).lazy()
    frame = frame.with_columns(pl.col("c").map_batches(broken, return_dtype=pl.Int64))
    found = profile_columns(Table(nw.from_native(frame)), ["b", "a", "b"])
    assert list(found) == ["b", "a"] and found["b"].nulls == 1
    assert profile_columns(Table(nw.from_native(frame)), []) == {}


def test_an_unknown_column_is_refused_with_the_nearest():
    with pytest.raises(ActionError, match="no column 'yeld' to profile; the nearest are 'yield'"):
        profile_columns(plain(pl.DataFrame({"yield": [1], "rain": [2]})), ["yeld"])


def test_dates_beyond_what_python_knows_are_text():
    frame = pl.DataFrame({"d": pl.Series([4_000_000], dtype=pl.Int32).cast(pl.Date)})
    assert profile_columns(plain(frame))["d"].high == "+12921-08-18"


@few
@given(rows)
def test_a_profile_comes_back_from_json_as_it_was(given_rows):
    for profile in profile_columns(plain(pl.DataFrame(given_rows, schema=SCHEMA))).values():
        assert ColumnProfile.model_validate_json(profile.model_dump_json()) == profile


def test_codes_of_categories_are_texts():
    frame = pl.DataFrame({"c": ["b", "a", "b"]}, schema={"c": pl.Categorical})
    assert profile_columns(plain(frame))["c"].frequent == (("b", 2), ("a", 1))
