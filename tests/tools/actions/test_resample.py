"""Resample on random small tables against the calendar of plain Python, and what it refuses."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for
from pydantic import ValidationError

from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {
    "g": pl.String,
    "d": pl.Date,
    "s": pl.Datetime("us"),
    "z": pl.Datetime("ms", "UTC"),
    "n": pl.Int32,
}
days = st.integers(-800, 800).map(lambda one: date(1970, 1, 1) + timedelta(one))
moments = st.integers(-4_000_000, 4_000_000).map(
    lambda one: datetime(1970, 1, 1) + timedelta(seconds=one)
)
cells = {
    "g": st.sampled_from(["a", "10", "É"]),
    "d": days | st.dates(date(1582, 10, 15), date(2400, 12, 31)),
    "s": moments | st.datetimes(datetime(1600, 1, 1), datetime(2400, 1, 1)),
    "z": moments.map(lambda one: one.replace(tzinfo=UTC)),
    "n": st.integers(-3, 3),
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()}), max_size=8
)
MEASURES = [
    {"function": "count"},
    {"function": "sum", "column": "n"},
    {"function": "mean", "column": "n"},
]
COARSE = ["day", "3 days", "week", "2 weeks", "month", "5 months", "quarter", "year", "10 years"]
FINE = ["hour", "6 hours", "5 hours", "7 minutes", "90 seconds"]


def start_of(moment: Any, every: str) -> Any:
    """The start of the period that a moment falls into."""
    number, unit = every.split(" ") if " " in every else ("1", every)
    size, unit = int(number), unit.rstrip("s")
    if unit in ("quarter", "month", "year"):
        size *= {"month": 1, "quarter": 3, "year": 12}[unit]
        months = (moment.year * 12 + moment.month - 1) // size * size
        day = date(months // 12, months % 12 + 1, 1)
    elif unit in ("day", "week"):
        whole = moment.date() if isinstance(moment, datetime) else moment
        size *= 7 if unit == "week" else 1
        first = date(1970, 1, 5) if unit == "week" else date(1970, 1, 1)
        day = first + timedelta((whole - first).days // size * size)
    else:
        size *= {"hour": 3600, "minute": 60, "second": 1}[unit]
        epoch = datetime(1970, 1, 1, tzinfo=moment.tzinfo)
        return epoch + (moment - epoch) // timedelta(seconds=size) * timedelta(seconds=size)
    if isinstance(moment, datetime):
        return datetime(day.year, day.month, day.day, tzinfo=moment.tzinfo)
    return day


def after(start: Any, every: str) -> Any:
    """The start of the next period: the first moment of another one, found by a look ahead."""
    number, unit = every.split(" ") if " " in every else ("1", every)
    unit = unit.rstrip("s")
    if unit in ("month", "quarter", "year"):
        size = {"month": 1, "quarter": 3, "year": 12}[unit] * int(number)
        months = start.year * 12 + start.month - 1 + size
        return start.replace(year=months // 12, month=months % 12 + 1)
    return start + int(number) * timedelta(**{f"{unit}s": 1})


def measured(members: Rows) -> dict[str, Any]:
    numbers = [one["n"] for one in members if one["n"] is not None]
    return {
        "count": len(members),
        "sum_n": sum(numbers) if numbers else None,
        "mean_n": sum(numbers) / len(numbers) if numbers else None,
    }


def reference(given_rows: Rows, time: str, every: str, by: bool, fill: str) -> Rows:
    groups: dict[Any, dict[Any, Rows]] = {}
    for one in given_rows:
        if one[time] is not None:
            of_group = groups.setdefault(one["g"] if by else None, {})
            of_group.setdefault(start_of(one[time], every), []).append(one)
    made = []
    for group in sorted(groups, key=lambda one: (one is None, one or "")):
        periods = groups[group]
        if fill == "none":
            key = {"g": group} if by else {}
            made += [key | {time: at} | measured(periods[at]) for at in sorted(periods)]
            continue
        at, last, before = min(periods), max(periods), {}
        while at <= last:
            if at in periods:
                before = measured(periods[at])
                filling = before
            else:
                filling = {"previous": before}.get(fill, dict.fromkeys(before, None))
                if fill == "zero":
                    filling = dict.fromkeys(before, 0)
            made.append({"g": group} | {time: at} | filling if by else {time: at} | filling)
            at = after(at, every)
    return made


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def asked(time: str, every: str, by: bool, fill: str) -> dict[str, Any]:
    made = {"time": time, "every": every, "fill": fill, "measures": MEASURES}
    return made | ({"by": "g"} if by else {})


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("time", ["d", "s", "z"])
def test_rows_fall_into_the_periods_of_the_calendar(engine: str, time: str, tmp_path: Path) -> None:
    @settings(
        derandomize=True,
        max_examples=tries({"polars": 15, "duckdb": 8}[engine]),
    )
    @given(rows, st.sampled_from(COARSE if time == "d" else COARSE + FINE), st.booleans())
    def check(given_rows: Rows, every: str, by: bool) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        made = run("Resample", opened, **asked(time, every, by, "none"))
        assert made.schema[time] == opened.schema[time]
        assert made.rows(100) == reference(given_rows, time, every, by, "none")

    check()


near = {
    "d": st.integers(-40, 40).map(lambda one: date(2024, 2, 28) + timedelta(one)),
    "s": st.integers(-200_000, 200_000).map(
        lambda one: datetime(2024, 2, 28) + timedelta(seconds=one)
    ),
}
near_rows = st.lists(
    st.fixed_dictionaries({name: st.none() | near.get(name, cell) for name, cell in cells.items()}),
    max_size=6,
)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("time", ["d", "s"])
def test_filled_periods_go_from_each_groups_first_to_its_last(
    engine: str, time: str, tmp_path: Path
) -> None:
    lengths = ["day", "3 days", "week", "month", "quarter"] if time == "d" else ["6 hours", "day"]

    @settings(
        derandomize=True,
        max_examples=tries({"polars": 15, "duckdb": 8}[engine]),
    )
    @given(
        near_rows,
        st.sampled_from(lengths),
        st.booleans(),
        st.sampled_from(["null", "zero", "previous"]),
    )
    def check(given_rows: Rows, every: str, by: bool, fill: str) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        made = run("Resample", opened, **asked(time, every, by, fill))
        assert made.schema[time] == opened.schema[time]
        assert made.rows(1_000) == reference(given_rows, time, every, by, fill)

    check()


FIXED: Rows = [
    {"g": g, "d": d, "s": s, "z": s and s.replace(tzinfo=UTC), "n": n}
    for g, d, s, n in [
        ("a", date(2023, 12, 31), datetime(2023, 12, 31, 23, 59, 59, 999_999), 1),
        ("a", date(2024, 2, 29), datetime(2024, 1, 2, 0, 0), None),
        (None, date(1969, 12, 28), datetime(1969, 12, 31, 1, 0), 2),
        (None, date(1970, 3, 1), datetime(1970, 1, 1, 13, 0), 3),
        ("É", None, None, 4),
    ]
]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("time", "every", "fill"),
    [
        ("d", "2 weeks", "none"),
        ("d", "month", "zero"),
        ("s", "5 hours", "null"),
        ("z", "day", "previous"),
        ("z", "quarter", "none"),
    ],
)
def test_spark_has_the_same_calendar(time: str, every: str, fill: str, tmp_path: Path) -> None:
    made = run("Resample", open_on("spark", FIXED, tmp_path), **asked(time, every, True, fill))
    wanted = reference(FIXED, time, every, True, fill)
    found = made.rows(1_000)
    if time == "s":  # Spark keeps every moment in the session's zone, which is UTC
        found = [one | {"s": one["s"].replace(tzinfo=None)} for one in found]
    assert found == wanted


def test_any_measure_can_be_taken() -> None:
    shared = table(FIXED, SCHEMA)
    measures = [
        {"function": "last", "column": "n", "order": "s", "name": "newest"},
        {"function": "max", "column": "d", "name": "late"},
    ]
    made = run("Resample", shared, time="d", every="year", measures=measures).rows(9)
    assert made == [
        {"d": date(1969, 1, 1), "newest": 2, "late": date(1969, 12, 28)},
        {"d": date(1970, 1, 1), "newest": 3, "late": date(1970, 3, 1)},
        {"d": date(2023, 1, 1), "newest": 1, "late": date(2023, 12, 31)},
        {"d": date(2024, 1, 1), "newest": None, "late": date(2024, 2, 29)},
    ]


@pytest.mark.parametrize(
    ("written", "every"),
    [
        ("1 day", "day"),
        ("Daily", "day"),
        ("1d", "day"),
        ("weekly", "week"),
        ("2 Weeks", "2 weeks"),
        ("1mo", "month"),
        ("per month", "month"),
        ("QUARTERS", "quarter"),
        ("1y", "year"),
        ("annual", "year"),
        ("6h", "6 hours"),
        ("15min", "15 minutes"),
    ],
)
def test_lengths_are_read_as_people_write_them(written: str, every: str) -> None:
    assert Resample(time="d", every=written).every == every


@pytest.mark.parametrize("written", ["", "m", "0 days", "month 2", "1.5 days", "-1 day", "99999 s"])
def test_what_is_no_length_is_refused_with_examples(written: str) -> None:
    with pytest.raises(ValidationError, match="write such as 'day', '2 weeks'"):
        Resample(time="d", every=written)


BAD = [
    ({"time": "n", "every": "day"}, "Resample needs a date or datetime column, but 'n' is number"),
    ({"time": "d", "every": "hour"}, "'d' is a date and knows no hours"),
    ({"time": "d", "every": "day", "by": "d"}, "by names 'd'"),
    ({"time": "dd", "every": "day"}, "no column 'dd'"),
    ({"time": "s", "every": "second", "fill": "null"}, "more than 10000000 periods"),
    (
        {
            "time": "d",
            "every": "day",
            "measures": [{"function": "max", "column": "n", "name": "d"}],
        },
        "two results are called 'd'",
    ),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Resample", table(FIXED, SCHEMA), **wish)
    assert text in caught.value.text


def test_rows_without_a_time_and_periods_put_in_are_told() -> None:
    told = notes("Resample", table(FIXED, SCHEMA), time="d", every="year", by="g", fill="zero")
    assert [fact.text for fact in told if fact.caveat] == ["1 rows with a null 'd' are left out"]
    told = notes("Resample", table(FIXED, SCHEMA), time="d", every="year", fill="zero")
    assert "52 periods without rows were put in, filled with zero" in [f.text for f in told]
    told = notes("Resample", table(FIXED, SCHEMA), time="z", every="year")
    assert "Periods are those of the clock in UTC" in [fact.text for fact in told]
