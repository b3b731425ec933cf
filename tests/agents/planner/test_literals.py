"""Values as people write them: lists, months of a year, numbers with a scale."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.retrieval.words.number_words import scaled_numbers

DAYS = [date(2020, 11, 15) + timedelta(days=9 * n) for n in range(12)]
SALES = pl.DataFrame(
    {
        "shop": ["Ely", "Hull", "Bath", "York"] * 12,
        "day": [day for day in DAYS for _ in range(4)],
        "takings": [1_000 * (n % 12) ** 4 + n for n in range(48)],
    }
)


def of(rows: pl.Expr, value: pl.Expr) -> Any:
    return SALES.filter(rows).select(value).item()


JANUARY = (pl.col("day").dt.year() == 2021) & (pl.col("day").dt.month() == 1)
DECEMBER = (pl.col("day").dt.year() == 2020) & (pl.col("day").dt.month() == 12)
THREE = pl.col("shop").is_in(["Ely", "Hull", "York"])
MEAN = pl.col("takings").mean()


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        (["mean takings in Ely, Hull and York"], [(of(THREE, MEAN),)]),
        (["mean takings in Ely, Hull, or York"], [(of(THREE, MEAN),)]),
        (["total takings in January 2021"], [(of(JANUARY, pl.col("takings").sum()),)]),
        (["What are the mean takings in Jan 2021?"], [(of(JANUARY, MEAN),)]),
        (["mean takings in January 2021", "and Dec 2020?"], [(of(DECEMBER, MEAN),)]),
        (["mean takings in January 2020", "and in 2021?"], [(of(JANUARY, MEAN),)]),
        (
            ["How many rows have takings over 2 million?"],
            [(of(pl.col("takings") > 2_000_000, pl.len()),)],
        ),
        (
            ["How many rows have takings above 600k?"],
            [(of(pl.col("takings") > 600_000, pl.len()),)],
        ),
        (
            ["mean takings in Bath", "instead of Bath show me Ely, Hull and York"],
            [(of(THREE, MEAN),)],
        ),
    ],
)
def test_values_are_read_as_people_write_them(tmp_path, messages, rows) -> None:
    talk = Talk(tmp_path, sales=SALES)
    told = [talk.say(message) for message in messages][-1]
    assert told == [tuple(pytest.approx(cell) for cell in row) for row in rows]


def test_a_month_of_the_year_before_keeps_its_year(tmp_path) -> None:
    talk = Talk(tmp_path, sales=SALES)
    talk.say("mean takings in January 2021")
    wanted = (pl.col("day").dt.year() == 2021) & (pl.col("day").dt.month() == 2)
    assert talk.say("and Feb?") == [(pytest.approx(of(wanted, MEAN)),)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("over 2.5 million", ["2500000"]),
        ("15k", ["15000"]),
        ("1,200 thousand and 3 dozen", ["1200000", "36"]),
        ("half a million", ["500000"]),
        ("5 km, 12 m", []),
        ("a million and two hundred thousand", ["1000000", "200000"]),
    ],
)
def test_scaled_numbers_are_written_in_digits(text, numbers) -> None:
    assert [digits for _, digits in scaled_numbers(text)] == numbers


def test_a_scale_that_stands_in_cells_is_left_there(tmp_path) -> None:
    bands = SALES.with_columns(
        pl.when(pl.col("takings") > 2e6)
        .then(pl.lit(">2 million"))
        .otherwise(pl.lit("less"))
        .alias("band")
    )
    talk = Talk(tmp_path, bands=bands)
    assert talk.say("How many rows have band >2 million?") == [
        (of(pl.col("takings") > 2e6, pl.len()),)
    ]


def test_an_amount_that_could_be_a_year_is_one_of_money(tmp_path) -> None:
    homes = pl.DataFrame(
        {
            "city": ["Elm", "Oak", "Ash", "Fir"],
            "year": [1990, 2004, 2011, 2019],
            "price": [1500, 2500, 1900, 3100],
            "age": [34, 20, 13, 5],
        }
    )
    talk = Talk(tmp_path, homes=homes)
    told = talk.reply("Which cities were sold for more than $2000?").problem
    assert "the city of homes, where price is over 2000" in told


def test_a_time_of_day_is_no_pair_of_numbers():
    question = Question("Of 12 rows, how many lie between 22:00 and 05:59:30, and not at 3:75?")
    assert [number.value for number in question.numbers] == [12, 3, 75]
