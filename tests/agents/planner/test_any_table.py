"""Whatever a table holds, the planner answers or refuses, and does not break."""

from datetime import date

import polars as pl
import pytest
from odd_frames import random_frame

import wideleaf as wl
from wideleaf.tools.errors import BugError

ROWS = 12
ODD = pl.DataFrame(
    {
        "Code": [f"A. {n % 3}. 39{n:03d}" for n in range(ROWS)],
        "Date Planted": [f"2015-04-{n + 1:02d}" for n in range(ROWS)],
        "Number": [str(n) for n in range(ROWS)],
        "Lane": [1, 2, 3, 4] * 3,
        "Amount of rain (mm)": [f"{n},5 mm" for n in range(ROWS)],
        "depth": [0.5, float("nan"), float("inf"), -float("inf"), None, 1.0] * 2,
        "empty": pl.Series([None] * ROWS, dtype=pl.String),
        "none": pl.Series([None] * ROWS, dtype=pl.Float64),
        "big": [2**62] * ROWS,
        "site": ["Rome", "", " ", "São Paulo", "7", None] * 2,
        "flag": [True, None, False] * 4,
        "day": [date(2020, 1, 1 + n) for n in range(ROWS)],
        "year": [2019, 2020, 2021] * 4,
    }
)
QUESTIONS = (
    "What is the mean {a}?",
    "the {a} of each {b}",
    "how much {a} is there per {b}?",
    "Which {b} has the highest {a}?",
    "list the {a} and {b} where {a} is over 3",
    "top 3 {b} by {a}",
    "how many {a} are there?",
    "how many different {a} by {b}, most first",
    "is there any {a} with {b} 7?",
    "the sum of {a} without {b} Rome, between 1 and 5",
    "plot {a} by {b}",
)
FURTHER = (
    "and by {b}?",
    "only those over 2",
    "how many is that?",
    "the {a} instead",
    "now the median",
    "the second one",
    "and for Rome?",
    "sort it by {a}, smallest first",
    "as a bar chart",
    "why?",
)


def _conversations(frame: pl.DataFrame, *, of: int) -> list[list[str]]:
    """Each column beside the next, a different question and way to go on for each."""
    names = frame.columns
    asked = []
    for at, name in enumerate(names):
        for turn in range(of):
            pick = at * of + turn
            words = {"a": name, "b": names[(at + 1 + turn) % len(names)]}
            first = QUESTIONS[pick % len(QUESTIONS)]
            then = [FURTHER[(pick + step * 3) % len(FURTHER)] for step in range(2)]
            asked.append([text.format(**words) for text in (first, *then)])
    return asked


TABLES = {
    "odd": ODD,
    "random": random_frame(7),
    "one": random_frame(8).head(1),
}


@pytest.mark.parametrize("which", TABLES)
def test_a_question_is_answered_or_refused_whatever_the_cells(tmp_path, which):
    frame = TABLES[which]
    for messages in _conversations(frame, of=2 if which == "odd" else 1):
        with wl.Session({"trials": frame}, folder=str(tmp_path / "w")) as session:
            for message in messages:
                try:
                    result = session.ask(message)
                except BugError as error:
                    pytest.fail(f"{messages}: {error}")
                assert result.status in ("answered", "unanswered", "given up"), result.status


LONG = {
    "words": "word " * 200_000,
    "slots": "AbC12_" * 170_000,
    "no ends": "(" * 1_000_000,
    "different words": ", ".join(f"w{n}" for n in range(150_000)),
}


@pytest.mark.parametrize("header", LONG)
def test_a_header_of_a_million_characters_is_no_burden(tmp_path, header):
    """What is counted of every part of a name grew with the square of its length, to 22 GB."""
    frame = pl.DataFrame({LONG[header]: [1, 2, 3], "yield": [1.0, 2.0, 3.0]})
    result = wl.ask("What is the mean yield?", {"trials": frame}, folder=str(tmp_path / "w"))
    assert result.value == 2.0
