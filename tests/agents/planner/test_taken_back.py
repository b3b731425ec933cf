"""Messages that take a condition, a limit or a group of the question before back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from planner_talk import Talk

OTTERS = pl.DataFrame(
    {
        "otter": ["Bram", "Cato", "Dune", "Elva", "Fern", "Gorm", "Hild", "Iver"],
        "river": ["Alder", "Alder", "Birch", "Birch", "Cedar", "Cedar", "Alder", "Birch"],
        "country": ["Norway", "Norway", "Norway", "Norway", "Latvia", "Latvia", "Norway", "Norway"],
        "sex": ["male", "female", "female", "male", "female", "male", "female", "female"],
        "year": [2018, 2018, 2018, 2019, 2019, 2019, 2019, 2019],
        "weight": [8.5, 6.0, 7.0, 9.0, 5.5, 10.0, 6.5, 7.5],
        "length": [101, 90, 95, 110, 88, 115, 92, 97],
    }
)

MEAN = "What is the mean weight of otters in Norway?"
BY_RIVER = "What is the mean weight for each river?"
NORWAY, ALL = 44.5 / 6, 7.5
RIVERS = [("Alder", 7.0), ("Birch", 23.5 / 3), ("Cedar", 7.75)]
LONG = "How many otters have a length over 100?"


@pytest.mark.parametrize(
    ("messages", "rows"),
    [
        ((MEAN, "and only for 2019?", "forget the year"), [(NORWAY,)]),
        ((MEAN, "and only for 2019?", "forget the 2019 part, please"), [(NORWAY,)]),
        ((MEAN, "and only for 2019?", "drop the condition on country"), [(7.7,)]),
        ((MEAN, "and only for 2019?", "never mind Norway"), [(7.7,)]),
        ((MEAN, "without the filter"), [(ALL,)]),
        ((MEAN, "disregard Norway, take all countries"), [(ALL,)]),
        ((MEAN, "ok, forget Norway"), [(ALL,)]),
        ((MEAN, "never mind the country, take the median instead"), [(7.25,)]),
        ((BY_RIVER, "just the top 2", "forget the limit"), RIVERS),
        ((BY_RIVER, "just the top 2", "not just the two, all of them"), RIVERS),
        ((BY_RIVER, "just the top 2", "forget the two, how many is that then?"), [(3,)]),
        (("What is the mean weight for each river and sex?", "forget the sex"), RIVERS),
        ((BY_RIVER, "never mind the river"), [(ALL,)]),
        ((LONG, "forget the 100"), [(8,)]),
        ((LONG, "now forget the length, how many are from Latvia?"), [(2,)]),
        ((MEAN, "and only for 2019?", "leave out the year condition and group by sex"),
         [("female", 6.75), ("male", 8.75)]),
        ((MEAN, "and only for 2019?", "remove all filters, what is it then?"), [(ALL,)]),
        ((MEAN, "forget the restriction to Norway, and by country"),
         [("Latvia", 7.75), ("Norway", NORWAY)]),
        ((MEAN, "and only for 2019?", "it doesn't have to be in Norway"), [(7.7,)]),
        ((MEAN, "and only for 2019?", "the year doesn't matter, take the maximum"), [(9.0,)]),
        ((MEAN, "just the females", "scratch the 'females' bit, by year"),
         [(2018, 21.5 / 3), (2019, 23.0 / 3)]),
        ((LONG, "only the males", "drop the 100 and take the females instead"), [(5,)]),
        ((MEAN, "and only for 2019?", "take the year off again"), [(NORWAY,)]),
        ((MEAN, "and only for 2019?", "all years again, but by sex"),
         [("female", 6.75), ("male", 8.75)]),
        ((MEAN, "for all countries again"), [(ALL,)]),
        ((MEAN, "and count the females only"), [(6.75,)]),
        ((MEAN, "use 2019 only"), [(23.0 / 3,)]),
        ((MEAN, "consider the females only please"), [(6.75,)]),
        ((MEAN, "take the ones in 2018 only"), [(21.5 / 3,)]),
        ((BY_RIVER, "and only for 2018?", "forget the year, the median for each river"),
         [("Alder", 6.5), ("Birch", 7.5), ("Cedar", 7.75)]),
        ((BY_RIVER, "and the median by river"), [("Alder", 6.5), ("Birch", 7.5), ("Cedar", 7.75)]),
        # what is said of rows is read as before
        ((MEAN, "without the males"), [(6.75,)]),
        ((BY_RIVER, "leave out Birch"), [("Alder", 7.0), ("Cedar", 7.75)]),
        ((MEAN, "ignore the females"), [(8.75,)]),
    ],
)  # fmt: skip
def test_what_is_taken_back_is_gone_from_the_plan(
    tmp_path: Path, messages: tuple[str, ...], rows: list[tuple[Any, ...]]
) -> None:
    close = [tuple(pytest.approx(c) if isinstance(c, float) else c for c in row) for row in rows]
    said = Talk(tmp_path, otters=OTTERS)
    found = [said.say(message) for message in messages]
    assert sorted(found[-1]) == close


@pytest.mark.parametrize(
    "message",
    ["forget the river", "forget the five, how many are there?", "never mind Finland",
     "forget the limit", "forget the 2019"],
)  # fmt: skip
def test_what_the_plan_does_not_hold_cannot_be_taken_back(tmp_path: Path, message: str) -> None:
    said = Talk(tmp_path, otters=OTTERS)
    said.say(MEAN)
    reply = said.reply(message)
    assert "to take back" in reply.problem
