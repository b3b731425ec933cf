"""A message of several sentences is read by the one that asks, and what is passed over is told."""

from __future__ import annotations

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.planner.sentences import Antecedents, split_sentences, with_antecedents

FARES = pd.DataFrame({"ship": ["Aa", "Bb", "Cc"], "fare": [10.0, 20.0, 60.0]})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One only.", ["One only."]),
        ("I see. How many are there?", ["I see.", "How many are there?"]),
        ("Is 2.5 the mean of St. Louis? Say.", ["Is 2.5 the mean of St. Louis?", "Say."]),
        ("Now another thing: how many?", ["Now another thing:", "how many?"]),
        ("", []),
    ],
)
def test_where_sentences_end(text, found):
    assert split_sentences(text) == found


def test_the_sentence_that_asks_is_answered_and_the_other_told(tmp_path):
    asked = "The harbour was cold on Sunday. What is the mean fare?"
    result = wl.ask(asked, {"ships": FARES}, folder=str(tmp_path))
    assert result.value == 30.0
    assert "Passed over: 'The harbour was cold on Sunday.'." in result.caveats


def test_a_sentence_that_adds_a_condition_is_not_passed_over(tmp_path):
    asked = "Take the ships with a fare over 15. What is the mean fare?"
    result = wl.ask(asked, {"ships": FARES}, folder=str(tmp_path))
    assert result.status != "answered" or result.value == 40.0 or result.confidence < 0.9
    assert result.value != 30.0 or any("Passed over" in one for one in result.caveats)


TRIALS = pd.DataFrame(
    {
        "town": ["Madison", "Madison", "Ames"],
        "M23197_at": [200, 400, 350],
        "M23198_at": [1, 2, 3],
        "plant height (cm)": [100.0, 120.0, 300.0],
    }
)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("I want to check the probe M23197_at. How many are above 300?", 2),
        ("I want to check the probe M23197_at. In how many rows is it above 300?", 2),
        ("I'm after our Madison trial. What was the mean plant height there?", 110.0),
        ("I'm after our Madison trial. What is the mean plant height of Ames?", None),
    ],
)
def test_what_an_earlier_sentence_names_is_not_dropped(tmp_path, asked, value):
    result = wl.ask(asked, {"trials": TRIALS}, folder=str(tmp_path))
    if value is not None:
        assert result.value == value
    told = any("Read as" in one and "from" in one for one in result.caveats)
    assert result.value in (value, 300.0) or told or result.status != "answered"
    assert not any("could mean" in one for one in result.caveats)


def test_a_question_that_points_at_two_things_is_left_as_it_is():
    both = Antecedents(headers=("X1", "X2"), cells=())
    assert with_antecedents("How many is it over 3?", both) == "How many is it over 3?"
    one = Antecedents(headers=("X1",), cells=())
    assert with_antecedents("How many rows is it over 3?", one) == "How many rows is X1 over 3?"
    assert with_antecedents("How many is X1?", one) == "How many is X1?"
    place = Antecedents(headers=(), cells=("Rome",))
    assert with_antecedents("How much rain was there?", place) == "How much rain was for Rome?"
    assert with_antecedents("There are how many?", place) == "There are how many for Rome?"
