"""How many are wanted, and per what: limits, groups in everyday words, sums that are counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk

COUNTIES = ("Kent", "Devon", "Essex", "Dorset", "Surrey", "Rutland")
FRUITS = ("apple", "pear", "plum", "apple", "cherry", "pear")
HARVEST = pl.DataFrame(
    {
        "grove": [f"Grove {place // 2:02d}" for place in range(24)],
        "county": [COUNTIES[place // 2 % 6] for place in range(24)],
        "fruit": [FRUITS[place // 2 * 5 % 6] for place in range(24)],
        "year": [2019 + place % 2 for place in range(24)],
        "crates": [40 + place * 37 % 61 for place in range(24)],
        "trees": [1 + place * 7 % 11 for place in range(24)],
        "spoiled": [int(place % 5 == 0) for place in range(24)],
        "lot": range(1, 25),
        "pruned": [("Yes", "No", None)[place % 3] for place in range(24)],
        "visits": [place % 6 for place in range(24)],
    }
)
Rows = list[tuple[Any, ...]]
H = HARVEST


def top(by: str, measure: pl.Expr, limit: int, down: bool = True, rows: pl.DataFrame = H) -> Rows:
    made = rows.group_by(by).agg(measure.alias("m")).sort("m", descending=down)
    return made.head(limit).rows()


def per(by: str, measure: pl.Expr, rows: pl.DataFrame = H) -> Rows:
    return sorted(rows.group_by(by).agg(measure).rows())


MEAN, TOTAL, TREES = pl.col("crates").mean(), pl.col("crates").sum(), pl.col("trees").mean()
IN_2020 = H.filter(year=2020)
BY_COUNTY = "What is the mean crates for each county?"
BY_FRUIT = "How many groves are there for each fruit?"
KENT = H.filter(county="Kent")


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        (("Which three counties have the most crates?",), top("county", TOTAL, 3)),
        (("Which 4 counties have the highest mean crates?",), top("county", MEAN, 4)),
        (("Name the two fruits with the lowest mean crates",), top("fruit", MEAN, 2, False)),
        (("the 3 counties with the least crates in 2020",),
         top("county", TOTAL, 3, False, IN_2020)),
        (("Who are the 5 groves with the most crates in 2020?",),
         IN_2020.sort("crates", descending=True).head(5).select("grove", "crates").rows()),
        (("Which five groves got furthest with crates in 2019?",),
         H.filter(year=2019).sort("crates", descending=True).head(5).select("grove").rows()),
        ((BY_COUNTY, "only need the three best"), top("county", MEAN, 3)),
        ((BY_COUNTY, "just the two counties with the most"), top("county", MEAN, 2)),
        ((BY_COUNTY, "only the 4 biggest"), top("county", MEAN, 4)),
        ((BY_COUNTY, "ok but only the 3 counties with the least"), top("county", MEAN, 3, False)),
        ((BY_COUNTY, "now give me just the best four"), top("county", MEAN, 4)),
        ((BY_COUNTY, "the bottom 3, lowest first"), top("county", MEAN, 3, False)),
        ((BY_COUNTY, "the three worst please"), top("county", MEAN, 3, False)),
        ((BY_COUNTY, "the 2 smallest, smallest first"), top("county", MEAN, 2, False)),
        ((BY_COUNTY, "only need the three best", "and the 2 at the bottom, lowest first?"),
         top("county", MEAN, 2, False)),
        ((BY_COUNTY, "only need the three best", "and who were the best two in 2020?"),
         top("county", MEAN, 2, True, IN_2020)),
        ((BY_COUNTY, "only the three best", "make that five"), top("county", MEAN, 5)),
        (("What is the total of crates in 2020?",
          "can you break that down by county, only the 2 biggest"),
         top("county", TOTAL, 2, True, IN_2020)),
        (("What is the total of crates in 2020?",
          "split it by fruit, just the three with the least"),
         top("fruit", TOTAL, 3, False, IN_2020)),
        ((BY_COUNTY, "only the three best", "how many is that?", "and the 2 at the bottom?"),
         top("county", MEAN, 2, False)),
        ((BY_COUNTY, "the top 3, lowest first"), top("county", MEAN, 3)[::-1]),
        ((BY_COUNTY, "only the three best", "forget the three"), top("county", MEAN, 6)),
        (("What is the mean crates where trees is 5?",), [(H.filter(trees=5)["crates"].mean(),)]),
        (("How many groves had 5 trees in 2020?",), [(len(IN_2020.filter(trees=5)),)]),
        (("How many groves had 3 visits?",), [(len(H.filter(visits=3)),)]),
    ],
)  # fmt: skip
def test_a_number_that_says_how_many_are_wanted_is_a_limit(
    tmp_path: Path, messages: tuple[str, ...], rows: Rows
) -> None:
    assert _answer(tmp_path, messages, len(rows[0])) == _close(rows)


KENT_DEVON = H.filter(pl.col("county").is_in(["Kent", "Devon"]))
BEST = [name for name, _ in top("county", MEAN, 3)]
AMONG = H.filter(pl.col("county").is_in(BEST))


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        (("What is the mean crates in 2020?", "one figure per fruit"), per("fruit", MEAN, IN_2020)),
        (("What is the mean crates in 2020?", "one number for each county please"),
         per("county", MEAN, IN_2020)),
        (("What is the mean crates in 2020?", "county by county"), per("county", MEAN, IN_2020)),
        (("What is the mean crates county by county?",), per("county", MEAN)),
        (("What is the mean crates in Kent?", "and in Devon and Essex, one figure for each"),
         per("county", MEAN, H.filter(pl.col("county").is_in(["Devon", "Essex"])))),
        ((BY_FRUIT, "now the average crates for each kind"), per("fruit", MEAN)),
        ((BY_FRUIT, "what about the mean of trees for each of them?"), per("fruit", TREES)),
        ((BY_FRUIT, "in percent", "now the average crates for each kind"), per("fruit", MEAN)),
        (("What is the mean crates in Kent?", "did that change between the years?"),
         per("year", MEAN, KENT)),
        (("What is the mean crates in Kent?",
          "how did it change over the years? one number per year"),
         per("year", MEAN, KENT)),
        (("What is the mean crates in Kent?", "year by year please"), per("year", MEAN, KENT)),
        (("Count the rows where crates was above 60, for each county that has any.",),
         per("county", pl.len(), H.filter(pl.col("crates") > 60))),
        ((BY_COUNTY, "only the three best", "what was the mean of trees at each of these?"),
         per("county", TREES, AMONG)),
        ((BY_COUNTY, "only the three best", "and the trees at each of these?"),
         per("county", TREES, AMONG)),
        ((BY_COUNTY, "give it to me year by year", "of all years together, but only in Kent"),
         [(KENT["crates"].mean(),)]),
        (("What is the mean crates in Kent?", "county by county for Devon and Kent"),
         per("county", MEAN, KENT_DEVON)),
        ((BY_COUNTY, "only the three best", "what is the total visits for these three?"),
         [(AMONG["visits"].sum(),)]),
        ((BY_COUNTY, "only the three best", "how many of these three have a mean under 72?"),
         [(sum(one < 72 for _, one in top("county", MEAN, 3)),)]),
    ],
)  # fmt: skip
def test_groups_are_asked_for_in_everyday_words(
    tmp_path: Path, messages: tuple[str, ...], rows: Rows
) -> None:
    assert sorted(_answer(tmp_path, messages, len(rows[0]))) == _close(rows)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many crates were picked in all the groves of Kent?", lambda r: r["crates"].sum()),
        ("How many crates did Kent pick altogether?", lambda r: r["crates"].sum()),
        ("how many crates in Kent put together?", lambda r: r["crates"].sum()),
        ("How many trees stand in Kent?", lambda r: r["trees"].sum()),
        ("the number of visits in Kent", lambda r: r["visits"].sum()),
        (
            "How many crates of the good sort (apple) were picked?",
            lambda _: H.filter(fruit="apple")["crates"].sum(),
        ),
        ("How many groves got pruned in Kent?", lambda r: len(r.filter(pruned="Yes"))),
        (
            "How many lots have over 90 crates in Kent?",
            lambda r: len(r.filter(pl.col("crates") > 90)),
        ),
        ("How many boxes got spoiled in Kent?", lambda r: r["spoiled"].sum()),
        ("how many were spoiled in Kent", lambda r: r["spoiled"].sum()),
        ("How many rows are of Kent?", len),
        ("How many lots are there in Kent?", len),
        ("How many different years are there in Kent?", lambda r: r["year"].n_unique()),
    ],
)
def test_what_a_number_column_counts_is_summed(
    tmp_path: Path, question: str, value: Callable[[pl.DataFrame], int]
) -> None:
    assert _answer(tmp_path, (question,), 1) == [(value(KENT),)]


def _answer(folder: Path, messages: tuple[str, ...], width: int) -> Rows:
    said = Talk(folder, harvest=HARVEST)
    rows: Rows = []
    for message in messages:
        rows = said.say(message)
    return [row[:width] for row in rows]


def _close(rows: Rows) -> Rows:
    return [tuple(pytest.approx(c) if isinstance(c, float) else c for c in row) for row in rows]


def test_a_measure_that_stands_in_no_table_is_no_number_of_rows(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"home": ["a", "b", "c"]} | {f"kwh_d{n:03d}": [1.0, 2.0, float("inf")] for n in range(9)}
    )
    assert Talk(tmp_path, homes=frame).say("mean kwh on day 4 and day 5 by home")
