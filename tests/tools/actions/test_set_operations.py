"""Distinct, Union, Intersect and Difference against plain Python, and what they refuse."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine

from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NAN = float("nan")
SCHEMA = {"n": pl.Int8, "x": pl.Float32, "t": pl.String, "b": pl.Boolean, "d": pl.Date}
RIGHT = {
    "d": pl.Datetime("us"),
    "t": pl.String,
    "b": pl.Boolean,
    "n": pl.Int64,
    "x": pl.Float64,
}
cells: dict[str, st.SearchStrategy[Any]] = {
    "n": st.sampled_from([-128, 0, 1, 127]),
    "x": st.sampled_from([NAN, 0.0, -0.0, 1.5, 1.0]),
    "t": st.sampled_from(["1", "01", "a", "A", "a ", "é", "e\u0301", "", "北京"]),
    "b": st.booleans(),
    "d": st.integers(0, 1).map(lambda days: date(2024, 2, 28) + timedelta(days)),
}
whole_row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})


@st.composite
def two_tables(draw: st.DrawFn, least: int) -> tuple[Rows, Rows]:
    """Rows drawn from a few, so that they repeat on one side and on both."""
    few = draw(st.lists(whole_row, min_size=1 + least // 2, max_size=3))
    some = st.lists(st.sampled_from(few), min_size=least, max_size=6)
    return draw(some), draw(some)


def open_on(engine: str, rows: Rows, schema: Any, folder: Path, name: str = "left") -> Table:
    path = folder / f"{name}.parquet"
    pl.DataFrame(rows, schema=schema, orient="row").write_parquet(path)
    return Table(engine_for(engine).scan(path))


def known(rows: Rows, names: Iterable[str] = SCHEMA) -> list[tuple[Any, ...]]:
    """The rows as an engine opens them: NaN is null."""
    return [tuple(None if one[c] != one[c] else one[c] for c in names) for one in rows]


def midnight(one: dict[str, Any]) -> dict[str, Any]:
    return one | {"d": one["d"] and datetime(one["d"].year, one["d"].month, one["d"].day)}


def tuples(made: Table) -> list[tuple[Any, ...]]:
    return [tuple(one.values()) for one in made.rows(1_000)]


def nulls_last(one: tuple[Any, ...]) -> list[tuple[bool, Any]]:
    return [(cell is None, 0 if cell is None else cell) for cell in one]


def examples(count: int) -> Any:
    return settings(
        derandomize=True,
        max_examples=tries(count),
    )


OF_ENGINE = {"polars": 40, "duckdb": 20, "spark": 1}


@every_engine
def test_distinct_keeps_each_combination_once_in_order(engine: str, tmp_path: Path) -> None:
    least = 6 if engine == "spark" else 0

    @given(
        st.lists(whole_row, min_size=least, max_size=9),
        st.sampled_from([None, ["t"], ["x", "n"], ["b", "d"]]),
    )
    @examples(OF_ENGINE[engine])
    def check(rows: Rows, columns: list[str] | None) -> None:
        names = columns or list(SCHEMA)
        expected = set(known(rows, names))
        made = run("Distinct", open_on(engine, rows, SCHEMA, tmp_path), columns=columns)
        assert list(made.columns) == names
        assert tuples(made) == sorted(expected, key=nulls_last)

    check()


@every_engine
@pytest.mark.parametrize("name", ["Union", "Intersect", "Difference"])
@pytest.mark.parametrize("distinct", [True, False])
def test_rows_are_combined_as_sets_or_bags(
    engine: str, name: str, distinct: bool, tmp_path: Path
) -> None:
    @given(two_tables(4 if engine == "spark" else 0))
    @examples(OF_ENGINE[engine])
    def check(both: tuple[Rows, Rows]) -> None:
        one = Counter(known([midnight(row) for row in both[0]]))
        other = Counter(known([midnight(row) for row in both[1]]))
        if distinct:
            one, other = Counter(set(one)), Counter(set(other))
        expected = {"Union": one + other, "Intersect": one & other, "Difference": one - other}[name]
        if distinct:
            expected = Counter(set(expected))
        left = open_on(engine, both[0], SCHEMA, tmp_path)
        right_rows = [{c: midnight(row)[c] for c in RIGHT} for row in both[1]]
        right = open_on(engine, right_rows, RIGHT, tmp_path, "right")
        made = run(name, left, right, distinct=distinct)
        assert made.columns == tuple(SCHEMA)
        assert Counter(tuples(made)) == expected
        assert made.kind("d") == "datetime"

    check()


def test_sql_decides_where_nothing_is_said() -> None:
    left, right = table([{"n": 1}] * 3, {"n": pl.Int64}), table([{"n": 1}], {"n": pl.Int64})
    assert run("Union", left, right).count() == 4
    assert run("Intersect", left, right).count() == 1
    assert run("Difference", left, right).count() == 0
    assert run("Difference", left, right, distinct=False).count() == 2


def test_distinct_tells_how_many_rows_fell_away() -> None:
    made = notes("Distinct", table([{"n": 1}, {"n": None}, {"n": None}], {"n": pl.Int64}))
    assert [fact.text for fact in made] == ["1 of 3 rows fell away as duplicates"]


@every_engine
def test_decimals_stay_exact(engine: str, tmp_path: Path) -> None:
    big = Decimal("90071992547409.93")  # as floats, both would be one number
    left = open_on(engine, [{"d": big}], {"d": pl.Decimal(18, 2)}, tmp_path)
    right_rows = [{"d": big + Decimal("0.001")}]
    right = open_on(engine, right_rows, {"d": pl.Decimal(20, 3)}, tmp_path, "right")
    for name, count in {"Union": 2, "Intersect": 0, "Difference": 1}.items():
        assert run(name, left, right, distinct=True).count() == count


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_rows_of_no_table_leave_a_typed_frame(engine: str, tmp_path: Path) -> None:
    left = open_on(engine, [], SCHEMA, tmp_path)
    right = open_on(engine, [], RIGHT, tmp_path, "right")
    for name in ("Union", "Intersect", "Difference"):
        for distinct in (True, False):
            made = run(name, left, right, distinct=distinct)
            assert made.count() == 0
            assert [made.kind(c) for c in made.columns] == [
                "number",
                "number",
                "text",
                "boolean",
                "datetime",
            ]


def named(*names: str, kind: Any = pl.Int64) -> Table:
    cell = {pl.Int64: 1, pl.String: "1"}.get(kind)
    return table([dict.fromkeys(names, cell)], dict.fromkeys(names, kind))


def test_columns_pair_by_name_whatever_their_order_and_case() -> None:
    left = table([{"low": 1, "high": 2}], {"low": pl.Int64, "high": pl.Int64})
    right = table([{"High ": 2, "LOW": 1}], {"High ": pl.Int64, "LOW": pl.Int64})
    assert run("Intersect", left, right).rows(2) == [{"low": 1, "high": 2}]
    assert not any(fact.caveat for fact in notes("Intersect", left, right))


def test_columns_of_unlike_names_pair_by_position_and_it_says_so() -> None:
    left, right = named("a", "b"), named("a", "c")
    assert run("Union", left, right).columns == ("a", "b")
    [caveat] = [fact for fact in notes("Union", left, right) if fact.caveat]
    assert caveat.text == "Columns were paired by position: 'b' with 'c'"


@pytest.mark.parametrize(
    ("left", "right", "kind", "said"),
    [
        (named("a", "b"), named("a"), "other columns", "only left has 'b'"),
        (named("a", "b"), named("b", "c"), "other columns", "'b'"),
        (named("a"), named("a", kind=pl.String), "wrong type", "left 'a' is Int64"),
        (named("a"), named("a", kind=pl.Boolean), "wrong type", "right 'a' is Boolean"),
        (
            named("a", kind=pl.Datetime("us")),
            named("a", kind=pl.Datetime("us", "UTC")),
            "wrong type",
            "time_zone='UTC'",
        ),
        (
            named("a", kind=pl.Date),
            named("a", kind=pl.Datetime("us", "UTC")),
            "wrong type",
            "Date",
        ),
        (
            named("a", kind=pl.List(pl.Int64)),
            named("a", kind=pl.List(pl.Int64)),
            "wrong type",
            "not compared",
        ),
    ],
)
@pytest.mark.parametrize("name", ["Union", "Intersect", "Difference"])
def test_columns_that_do_not_fit_are_refused(
    name: str, left: Table, right: Table, kind: str, said: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run(name, left, right, distinct=True)
    assert caught.value.kind == kind
    assert said in caught.value.text


def test_lists_may_be_stacked_though_not_compared() -> None:
    lists = named("a", kind=pl.List(pl.Int64))
    assert run("Union", lists, lists).count() == 2


def test_distinct_refuses_a_column_that_is_not_there() -> None:
    with pytest.raises(ActionError, match="'hieght'"):
        Distinct.model_validate({"columns": "hieght"}).resolve(named("height"))
