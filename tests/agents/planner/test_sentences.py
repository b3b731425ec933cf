"""A message of several sentences is read by the one that asks, and what is passed over is told."""

from __future__ import annotations

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.agents.planner.sentences import split_sentences

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
    asked = "I have been wondering about a journey. What is the mean fare?"
    result = wl.ask(asked, {"ships": FARES}, folder=str(tmp_path))
    assert result.value == 30.0
    assert "Passed over: 'I have been wondering about a journey.'." in result.caveats


def test_a_sentence_that_adds_a_condition_is_not_passed_over(tmp_path):
    asked = "Take the ships with a fare over 15. What is the mean fare?"
    result = wl.ask(asked, {"ships": FARES}, folder=str(tmp_path))
    assert result.status != "answered" or result.value == 40.0 or result.confidence < 0.9
    assert result.value != 30.0 or any("Passed over" in one for one in result.caveats)
