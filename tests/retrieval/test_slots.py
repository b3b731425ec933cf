"""Slots: where along an axis a question speaks of, the same to the planner and to the index."""

from itertools import product
from pathlib import Path

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.names import Names
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.retrieval.words.axes import members_at
from wideleaf.retrieval.words.number_words import parse_number_words
from wideleaf.retrieval.words.query import read_question
from wideleaf.retrieval.words.slots import find_slots
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table

DAYS = range(-90, 121)
WIDE = [
    "plot",
    "yield_t_ha",
    *(f"Sat_NDVI_{'.' if day < 0 else ''}{abs(day)}" for day in DAYS),
    *(f"Met_rain_{'.' if day < 0 else ''}{abs(day)}" for day in DAYS),
    *(f"Crop_height_obs_{number}" for number in range(1, 7)),
    *(f"Soil_carbon_{depth}cm" for depth in (10, 30, 45, 60)),
]
TABLE = Table(nw.from_native(pl.LazyFrame(schema=dict.fromkeys(WIDE, pl.Float64))))
NUMBERS = ("5", "10", "twenty", "twenty-five", "80")
EVENTS = ("harvest", "sowing", "the planting day")
SPANS = (
    "{n} days before {event}",
    "{n} days after {event}",
    "in the first {n} days after {event}",
    "in the first {n} days before {event}",
    "over the last {n} days before {event}",
    "during the {n} days before {event}",
    "from day 3 to day {n} after {event}",
    "between 2 and {n} days after {event}",
    "on day 3 and day {n} after {event}",
)
PHRASES = [
    f"What is the mean {what} {span.format(n=number, event=event)}?"
    for what, span, number, event in product(("NDVI", "rain"), SPANS, NUMBERS, EVENTS)
]
OTHERS = [
    "What is the mean NDVI two weeks before sowing?",
    "What is the mean crop height in the second observation?",
    "What is the mean crop height in the 3rd observation?",
    "What is the mean soil carbon at a depth of 30 cm?",
    "What is the mean soil carbon at 30 and 60 cm depth?",
    "What is the mean NDVI on the planting day?",
]


def by_planner(question: str) -> set[str]:
    """The columns of the planner's surest link of the question to some of a family."""
    best = max(Names(TABLE).mentions(Question(question)), key=lambda m: (m.score, len(m.slot)))
    return {*resolve_columns([best.column], TABLE)}


@pytest.mark.parametrize("part", range(6))
def test_planner_and_index_take_the_same_columns(part: int, tmp_path: Path) -> None:
    index = IndexRetriever(tmp_path)
    for question in [*PHRASES, *OTHERS][part::6]:
        meant = {*index.select(question, {"t": TABLE}).resolved()["t"]}
        assert by_planner(question) == meant, question
        assert len(meant) < len(DAYS)


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("rain in the last 5 days before harvest", (-5, -1)),
        ("rain in the first 80 days before sowing", (-80, -1)),
        ("rain twenty days after sowing", (20, 20)),
        ("rain twenty-five days after sowing", (25, 25)),
        ("rain one hundred and five days after sowing", (105, 105)),
        ("rain on day 10 and day 20", (10, 20)),
    ],
)
def test_a_slot_is_where_the_words_say(question: str, ends: tuple[float, float]) -> None:
    (slot,) = read_question(question).slots
    assert (slot.low, slot.high) == ends
    assert slot.apart == (question == "rain on day 10 and day 20")


def test_a_number_beside_a_name_is_a_place_along_an_axis_of_that_name_alone() -> None:
    sprints = [f"sprint_{n}" for n in range(1, 9)] + [f"lap_time_{n}" for n in range(1, 9)]
    table = Table(nw.from_native(pl.LazyFrame(schema=dict.fromkeys(sprints, pl.Float64))))
    best = Names(table).mentions(Question("What is the mean of sprints 3 to 5?"))[0]
    assert resolve_columns([best.column], table) == ("sprint_3", "sprint_4", "sprint_5")


def test_the_words_of_a_slot_are_told_by_their_places() -> None:
    words = ["mean", "rain", "twenty", "five", "days", "after", "sowing"]
    (slot,) = find_slots(words)
    assert (slot.first, slot.last) == (2, 7)
    question = read_question("Mean rain twenty-five days after sowing?")
    texts = [question.text[word.start : word.end] for word in question.words]
    assert texts == ["Mean", "rain", "twenty", "five", "days", "after", "sowing"]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("seven days", (7, 1)),
        ("twenty days", (20, 1)),
        ("ninety nine days", (99, 2)),
        ("hundred days", (100, 1)),
        ("two hundred days", (200, 2)),
        ("one hundred and twenty five days", (125, 5)),
        ("three hundred and sixty", (360, 4)),
        ("ten and five", (10, 1)),
        ("days", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_a_number_in_words_is_read_whole(said: str, read: tuple[int, int]) -> None:
    assert parse_number_words(said.split()) == read


@pytest.mark.parametrize(
    ("question", "values", "words", "meant"),
    [
        ("tenure in round 3", range(1, 9), {"tenure", "r"}, [3]),
        ("score in the third wave", range(1, 9), {"score", "w"}, [3]),
        ("first visit", range(4), {"visit"}, [0]),
        ("first visit", range(1, 5), {"visit"}, [1]),
        ("weight at baseline", range(4), {"weight", "instanc"}, [0]),
        ("the latest round", range(1, 9), {"r"}, [8]),
        ("load at 7 pm", range(24), {"load", "h"}, [19]),
        ("load at 14:30", [100 * h + m for h in range(24) for m in (0, 30)], {"load"}, [1430]),
        ("bill in March", range(1, 13), {"bill", "m"}, [3]),
        ("sales in Q3", range(1, 5), {"sale", "q"}, [3]),
        ("rights in 2003", [90, 99, 0, 3, 10], {"right"}, [3]),
        ("lag 4", range(1, 9), {"lag"}, [4]),
    ],
)
def test_occasions_are_read_in_many_notations(question, values, words, meant):
    values = [float(value) for value in values]
    slots = read_question(question).slots
    sure, places = max((members_at(slot, values, frozenset(words)) for slot in slots), key=max_sure)
    assert sure
    assert [values[place] for place in places] == meant


@pytest.mark.parametrize(
    ("values", "words"),
    [(range(1, 53), {"ps", "w"}), (range(1, 53), {"ps"}), (range(1, 32), {"rain", "day"})],
)
def test_numbers_that_are_no_years_are_not_the_end_of_one(values, words):
    (slot,) = read_question("the mean in 2017").slots
    assert members_at(slot, [*map(float, values)], frozenset(words)) == (0, [])


def max_sure(found):
    return found[0]


@pytest.mark.parametrize(
    "said", ["in 2017-18", "in the 2017/18 school year", "in 2017-2018", "in academic 2017–18"]
)
def test_a_school_year_is_one_member_of_an_axis_of_such(said):
    (slot,) = (slot for slot in read_question(f"the enrolment {said}").slots if slot.kind == "span")
    assert members_at(slot, [1617.0, 1718.0, 1819.0], frozenset()) == (3, [1])
    assert members_at(slot, [16.0, 17.0, 18.0], frozenset())[0] == 0


def test_a_range_of_years_is_no_school_year():
    assert not any(slot.kind == "span" for slot in read_question("sales 2015-2019").slots)
