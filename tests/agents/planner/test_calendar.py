"""Parts of the calendar that a question groups by, and full dates in any spelling."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk

DAYS = [date(2022, 1, 3) + timedelta(days=n) for n in range(730)]
TRIPS = pl.DataFrame(
    {
        "date": DAYS,
        "station": ["North", "South"] * 365,
        "fare": [n % 97 + (200 if day.month == 7 else 0) for n, day in enumerate(DAYS)],
    }
)
CALLS = pl.DataFrame(
    {
        "called_at": [
            datetime(2023, 5, 1, n % 24, 10) + timedelta(days=n // 24) for n in range(96)
        ],
        "minutes": [n % 24 for n in range(96)],
    }
)
YEARLY = pl.DataFrame({"date": DAYS[:4], "year": [1, 1, 2, 2], "fare": [1, 2, 3, 4]})
DAY = pl.col("date")


def trips(folder: Path, *messages: str) -> list[tuple[Any, ...]]:
    said = Talk(folder, trips=TRIPS)
    rows: list[tuple[Any, ...]] = []
    for message in messages:
        rows = said.say(message)
    return rows


def grouped(key: pl.Expr, value: pl.Expr, frame: pl.DataFrame = TRIPS) -> list[tuple[Any, ...]]:
    return frame.group_by(key.alias("key")).agg(value).sort("key").rows()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total fare by year", grouped(DAY.dt.year(), pl.col("fare").sum())),
        ("average fare in each year", grouped(DAY.dt.year(), pl.col("fare").mean())),
        ("mean fare per weekday", grouped(DAY.dt.strftime("%A"), pl.col("fare").mean())),
        ("total fare per month", grouped(DAY.dt.strftime("%Y-%m"), pl.col("fare").sum())),
        ("mean fare per month", grouped(DAY.dt.month(), pl.col("fare").mean())),
        ("total fare by quarter", grouped(DAY.dt.truncate("1q"), pl.col("fare").sum())),
        ("Which day of the week has the lowest mean fare?",
         [(TRIPS.group_by(DAY.dt.strftime("%A").alias("d")).agg(pl.col("fare").mean())
           .sort("fare")["d"][0],)]),
    ],
)  # fmt: skip
def test_rows_are_grouped_by_a_part_of_their_date(
    tmp_path: Path, question: str, rows: list[tuple[Any, ...]]
) -> None:
    found = sorted(trips(tmp_path, question))
    close = [tuple(pytest.approx(c) if isinstance(c, float) else c for c in row) for row in rows]
    assert found == close


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("mean fare per month", "for each month of the year of date"),
        ("total fare per month", "for each month of date"),
        ("total fare in each calendar month", "for each month of the year of date"),
    ],
)
def test_a_month_has_two_readings_and_which_was_taken_is_told(
    tmp_path: Path, question: str, told: str
) -> None:
    said = Talk(tmp_path, trips=TRIPS)
    said.say(question)
    assert told in said.note


def test_hours_are_of_a_column_of_moments(tmp_path: Path) -> None:
    said = Talk(tmp_path, calls=CALLS)
    rows = said.say("mean minutes by hour of the day")
    assert sorted(rows) == [(hour, float(hour)) for hour in range(24)]


def test_weeks_begin_on_their_monday(tmp_path: Path) -> None:
    said = Talk(tmp_path, trips=TRIPS.head(21))
    rows = sorted(said.say("total fare per week"))
    assert [row[0] for row in rows] == [date(2022, 1, 3), date(2022, 1, 10), date(2022, 1, 17)]


def test_a_column_called_so_comes_before_a_part_of_a_date(tmp_path: Path) -> None:
    said = Talk(tmp_path, trips=YEARLY)
    assert sorted(said.say("total fare by year")) == [(1, 3), (2, 7)]


def test_a_message_goes_on_to_another_part(tmp_path: Path) -> None:
    rows = trips(tmp_path, "total fare by year", "by quarter instead")
    assert sorted(rows) == grouped(DAY.dt.truncate("1q"), pl.col("fare").sum())


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("How many trips were there on 5 March 2022?", date(2022, 3, 5) == DAY),
        ("How many trips were there since March 5, 2023?", date(2023, 3, 5) <= DAY),
        ("How many trips were there after 5 March 2023?", date(2023, 3, 5) < DAY),
        ("How many trips were there before 25/12/2022?", date(2022, 12, 25) > DAY),
        ("How many trips were there on 1 July 2023 or later?", date(2023, 7, 1) <= DAY),
        ("How many trips were there between 1 May 2022 and 31 May 2022?",
         DAY.is_between(date(2022, 5, 1), date(2022, 5, 31))),
        ("How many trips were there from 2022-05-01 to 2022-05-09?",
         DAY.is_between(date(2022, 5, 1), date(2022, 5, 9))),
    ],
)  # fmt: skip
def test_a_full_date_is_one_bound(tmp_path: Path, question: str, kept: pl.Expr) -> None:
    assert trips(tmp_path, question) == [(TRIPS.filter(kept).height,)]


def test_a_day_has_all_its_moments(tmp_path: Path) -> None:
    said = Talk(tmp_path, calls=CALLS)
    assert said.say("How many calls were called on 2 May 2023?") == [(24,)]


def test_a_date_with_two_meanings_is_not_guessed(tmp_path: Path) -> None:
    said = Talk(tmp_path, trips=TRIPS)
    assert "3/4/2022" in said.reply("How many trips were there after 3/4/2022?").problem


def test_of_a_wide_table_the_date_must_be_named(tmp_path: Path) -> None:
    wide = TRIPS.head(40).with_columns(pl.lit(n).alias(f"rent_{n}") for n in range(60))
    said = Talk(tmp_path, trips=wide)
    assert said.reply("mean fare per weekday").problem
    assert len(said.say("mean fare per weekday of the date")) == 7
