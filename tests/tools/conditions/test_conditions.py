"""Conditions: dates in part and relative to today, parts of dates, spellings and emptiness."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import few, notes, run, table
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pydantic import ValidationError

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.conditions import dates
from wideleaf.tools.conditions.dates import iso_text, read_period
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.derivation import Builder
from wideleaf.tools.expressions.expression import Truth
from wideleaf.tools.tables.table import Table

SCHEMA = {"i": pl.Int64, "d": pl.Date, "m": pl.Datetime("us"), "t": pl.String, "n": pl.Float64}
NOW = datetime(2024, 5, 15, 14, 30, 5, 99, tzinfo=UTC)  # a Wednesday
DAYS = (
    date(2022, 12, 31), date(2023, 1, 1), date(2023, 5, 1), date(2023, 5, 31), date(2023, 6, 1),
    date(2023, 12, 31), date(2024, 1, 1), date(2024, 2, 29), date(2024, 4, 30), date(2024, 5, 13),
    date(2024, 5, 14), date(2024, 5, 15), date(2024, 5, 16), date(2024, 5, 19), date(2024, 6, 30),
    date(2025, 1, 1), None,
)  # fmt: skip
CELLS = ["a", "", " \u00a0", None, "A ", "ab"]
ROWS = [
    {"i": i, "d": day, "m": day and datetime(day.year, day.month, day.day, i % 24, 30), "t": text,
     "n": i / 2}
    for i, (day, text) in enumerate(zip(DAYS, CELLS * 3, strict=False))
]  # fmt: skip


@pytest.fixture(autouse=True)
def a_fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dates, "now", lambda: NOW)


def where(column: str, op: str, value: Any = None, **more: Any) -> dict[str, Any]:
    return {"column": column, "op": op} | ({} if value is None else {"value": value}) | more


def resolved(condition: Any) -> Any:
    action = find_action("Filter").model_validate({"where": condition})
    return action.resolve(table(ROWS, SCHEMA)).arguments()["where"]


def kept(condition: Any) -> list[int]:
    found = run("Filter", table(ROWS, SCHEMA), where=condition).rows(100)
    return sorted(row["i"] for row in found)


def those(test: Any) -> list[int]:
    return [row["i"] for row in ROWS if row["d"] is not None and test(row["d"])]


MAY, YEAR = (date(2023, 5, 1), date(2023, 5, 31)), (date(2023, 1, 1), date(2023, 12, 31))
PERIODS: dict[str, tuple[dict[str, Any], list[int]]] = {
    "a month": (where("d", "==", "2023-05"), those(lambda d: MAY[0] <= d <= MAY[1])),
    "not a month": (where("d", "!=", "May 2023"), those(lambda d: not MAY[0] <= d <= MAY[1])),
    "after a year": (where("d", ">", "2023"), those(lambda d: d > YEAR[1])),
    "from a year": (where("m", ">=", 2023), those(lambda d: d >= YEAR[0])),
    "before a year": (where("m", "<", 2023), those(lambda d: d < YEAR[0])),
    "up to a year": (where("d", "<=", "2023"), those(lambda d: d <= YEAR[1])),
    "between months": (
        where("m", "between", ["2023-05", "2024-02"]),
        those(lambda d: MAY[0] <= d <= date(2024, 2, 29)),
    ),
    "in years": (where("m", "in", ["2022", 2025]), those(lambda d: d.year in (2022, 2025))),
    "not in": (where("d", "not in", ["2024", "2023"]), those(lambda d: d.year in (2022, 2025))),
    "a quarter": (where("d", "==", "Q2 2023"), [2, 3, 4]),
    "a week": (where("m", "==", "2024-W20"), those(lambda d: d.isocalendar()[:2] == (2024, 20))),
    "this week": (where("d", "==", "this week"), [9, 10, 11, 12, 13]),
    "last month": (where("d", "==", "last month"), those(lambda d: (d.year, d.month) == (2024, 4))),
    "last days": (where("m", ">=", "today - 1 day"), those(lambda d: d >= date(2024, 5, 14))),
    "a part": (where("d", "in", [5, "June"], part="month"), those(lambda d: d.month in (5, 6))),
    "a weekday": (where("m", "==", "Sunday", part="weekday"), those(lambda d: d.isoweekday() == 7)),
    "weeks": (
        where("d", "between", [1, 20], part="week"), those(lambda d: d.isocalendar()[1] <= 20)
    ),
    "an hour": (where("m", ">", 12, part="hour"), [i for i in range(13, 16)]),
    "not a part": (where("d", "not in", [2023, 2024], part="year"),
                   those(lambda d: d.year not in (2023, 2024))),
    "empty": (where("t", "is empty"), [1, 2, 3, 7, 8, 9, 13, 14, 15]),
    "not empty": (where("t", "is not empty"), [0, 4, 5, 6, 10, 11, 12, 16]),
    "empty number": (where("d", "is empty"), [16]),
    "not contains": (where("t", "doesn't contain", "b"), [0, 1, 2, 4, 6, 7, 8, 10, 12, 13, 14, 16]),
    "exact part": (where("t", "contains", "A", match="exact"), [4, 10, 16]),
    "folded": (where("t", "==", "a", match="folded"), [0, 4, 6, 10, 12, 16]),
    "matches": (where("t", "regex", "^(?:a|b)"), [0, 5, 6, 11, 12]),
    "not matches": (where("t", "not matches", "a"), [1, 2, 4, 7, 8, 10, 13, 14, 16]),
    "like": (where("t", "like", "a_"), [4, 5, 10, 11, 16]),
    "not like": (where("t", "not like", "%a%"), [1, 2, 7, 8, 13, 14]),
    "days beside times": ({"column": "d", "op": "==", "other": "m"}, list(range(16))),
    "texts": ({"not": where("n", "between", [1, 7])}, [0, 1, 15, 16]),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PERIODS))
def test_a_filter_keeps_what_the_condition_means(name: str) -> None:
    condition, expected = PERIODS[name]
    assert kept(condition) == expected


@every_engine
def test_conditions_mean_the_same_on_every_engine(engine: str, tmp_path: Path) -> None:
    pl.DataFrame(ROWS, schema=SCHEMA).write_parquet(tmp_path / "rows.parquet")
    given_table = Table(engine_for(engine).scan(tmp_path / "rows.parquet"))
    tests = {f"= {name}": Truth(test=resolved(PERIODS[name][0])) for name in PERIODS}
    found = Builder(given_table).columns(dict(tests)).collect("polars").to_native()
    for name, (_, expected) in PERIODS.items():
        assert sorted(found.filter(pl.col(f"= {name}"))["i"].to_list()) == expected, name


@every_engine
def test_a_literal_that_is_called_like_a_column_is_a_literal(engine: str, tmp_path: Path) -> None:
    rows = {"low": ["m", "a", "z"], "high": ["m", "z", "a"], "t": ["i", "a", "lower"]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    given_table = Table(engine_for(engine).scan(tmp_path / "rows.parquet"))
    for condition, found in {
        ("between", ("high", "low")): ["i"],
        ("==", "low"): [],
        (">", "high"): ["i", "lower"],
        ("in", ("low", "lower")): ["lower"],
        ("contains", "low"): ["lower"],
    }.items():
        made = run("Filter", given_table, where=where("t", condition[0], condition[1]))
        assert sorted(row["t"] for row in made.rows(9)) == found, condition


def test_a_date_literal_compares_like_python_on_any_day() -> None:
    @given(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), st.sampled_from(DAYS[:-1]))
    @few
    def check(op: str, day: date) -> None:
        tests = {
            "==": lambda d: d == day, "!=": lambda d: d != day, "<": lambda d: d < day,
            "<=": lambda d: d <= day, ">": lambda d: d > day, ">=": lambda d: d >= day,
        }  # fmt: skip
        for column in "dm":
            assert kept(where(column, op, day.isoformat())) == those(tests[op])

    check()


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("today", "2024-05-15"), ("Yesterday", "2024-05-14"), ("tomorrow", "2024-05-16"),
        ("today - 30 days", "2024-04-15"), ("3 months ago", "2024-02-15"),
        ("in 2 weeks", "2024-05-29"), ("a year ago", "2023-05-15"),
        ("start of month", "2024-05-01"),
        ("start of this year", "2024-01-01"), ("end of last quarter", "2024-03-31"),
        ("beginning of the week", "2024-05-13"), ("this year", "2024"), ("last quarter", "2024-Q1"),
        ("next week", "2024-W21"), ("now", "2024-05-15"), ("5 May 2023", "2023-05-05"),
        ("May 5th, 2023", "2023-05-05"), ("05/31/2024", "2024-05-31"), ("31/05/2024", "2024-05-31"),
        ("31.5.2024", "2024-05-31"), ("2024/5/3", "2024-05-03"), ("Sept 2023", "2023-09"),
        ("2023-05-01T00:00", "2023-05-01"), (2023, "2023"), ("04/04/2024", "2024-04-04"),
    ],
)  # fmt: skip
def test_a_moment_is_resolved_once_into_iso_text(text: Any, iso: str) -> None:
    once = resolved(where("d", "<", text))
    assert once == {"column": "d", "op": "<", "value": iso}
    assert resolved(json.loads(json.dumps(once))) == once


def test_now_beside_times_is_the_second_and_a_time_the_other_way_round() -> None:
    assert resolved(where("m", "<", "now"))["value"][:17] == NOW.astimezone().isoformat()[:17]
    zoned = table([], {"m": pl.Datetime("us", "Asia/Tokyo")})
    action = find_action("Filter").model_validate({"where": where("m", "<", "now - 1 hour")})
    assert action.resolve(zoned).arguments()["where"]["value"] == "2024-05-15T22:30:05"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (where("d", "<", "04/05/2024"), "'04/05/2024' could be 4 May or 5 April"),
        (where("d", "<", "soon"), "write '2024-05-31', '2024-05' or 'today'"),
        (where("d", "<", "2023-02-30"), "is no date"),
        (where("d", "<", "2024-05-31T14:00"), "is no date"),
        (where("d", "<", 20.5), "is no date"),
        (where("m", "<", "2024-05-31T14:00+02:00"), "is no datetime"),
        (where("n", "==", 5, part="month"), "the month needs a date"),
        (where("d", "==", 5, part="hour"), "the hour needs a datetime"),
        (where("d", "==", "Junly", part="month"), "a number or a name such as 'June'"),
        (where("n", "matches", "a"), "'matches' needs a text"),
        (where("t", "matches", "(a+)+"), "may never end"),
    ],
)
def test_a_literal_that_could_mean_two_things_or_none_is_refused(
    condition: Any, words: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run("Filter", table(ROWS, SCHEMA), where=condition)
    assert words in caught.value.text


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (where("d", "contains", "5", part="month"), "takes no part"),
        ({"column": "d", "op": "==", "other": "m", "part": "month"}, "not with a column"),
        (where("t", "is empty", 1), "takes no value"),
        (where("t", "sounds like", 1), "Input should be"),
    ],
)
def test_a_condition_of_the_wrong_shape_is_refused(condition: Any, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        find_action("Filter").model_validate({"where": condition})
    assert words in str(caught.value)


def test_a_part_stands_in_what_is_told() -> None:
    [fact] = notes("Filter", table(ROWS, SCHEMA), where=where("d", "==", 11, part="month"))
    assert fact.text == "No row has month of d == 11"


def test_periods_are_read_whole() -> None:
    assert read_period("2024-W01") == (date(2024, 1, 1), date(2024, 1, 7))
    assert read_period("2024-02") == (date(2024, 2, 1), date(2024, 2, 29))
    assert read_period("2024-Q4") == (date(2024, 10, 1), date(2024, 12, 31))
    assert [read_period(text) for text in ("2024-13", "0000", "2024-W54", "24", "x")] == [None] * 5
    assert iso_text("no date") == "no date"


@pytest.mark.parametrize(
    ("literal", "number"),
    [("5.2%", 5.2), ("5.2 %", 5.2), ("7 kg", 7), ("$1,250", 1250), ("5,2", 5.2), ("-3 °C", -3)],
)
def test_a_literal_beside_numbers_is_read_with_its_unit(literal: str, number: float) -> None:
    amounts = table([{"n": number}, {"n": number + 1}], {"n": pl.Float64})
    kept = run("Filter", amounts, where={"column": "n", "op": "==", "value": literal})
    assert kept.rows(9) == [{"n": number}]


@pytest.mark.parametrize("literal", ["T7", "7 plots", "kg", "1,2,3"])
def test_a_literal_that_is_no_amount_is_refused_beside_numbers(literal: str) -> None:
    amounts = table([{"n": 7.0}], {"n": pl.Float64})
    with pytest.raises(ActionError, match="is no number"):
        run("Filter", amounts, where={"column": "n", "op": "==", "value": literal})
