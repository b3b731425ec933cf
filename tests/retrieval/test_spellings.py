"""Spellings: a word of a question meets the words of headers in every notation they have."""

from __future__ import annotations

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.links.lexicon import Question, read_words
from wideleaf.agents.planner.links.names import Names
from wideleaf.retrieval.cards.card_index import card_index
from wideleaf.retrieval.words.query import read_question
from wideleaf.tools.tables.table import Table

HEADERS = (
    "frplc",
    "windspeed",
    "water_logging",
    "env_temp",
    "enr_g08",
    "rainfall",
    "region",
    "household",
)


def met(text: str, place: int) -> dict[str, float]:
    spellings = card_index(HEADERS).spellings
    words = read_words(text)
    return {**dict(spellings.near(words[place])), **dict(spellings.meet(words, place))}


@pytest.mark.parametrize(
    ("text", "place", "known"),
    [
        ("a fireplace", 1, "frplc"),
        ("the waterlogging", 1, "log"),
        ("wind speed", 0, "windspe"),
        ("environment", 0, "env"),
        ("eighth grade", 0, "8"),
        ("rain", 0, "rainfal"),
        ("houshold", 0, "household"),
    ],
)
def test_a_word_meets_the_header_in_another_notation(text: str, place: int, known: str):
    found = met(text, place)
    assert any(one.startswith(known) for one in found), found


def test_an_english_word_is_no_slip_of_another():
    assert "region" not in met("which religion", 1)


@pytest.mark.parametrize("text", ["fireplace", "windspeed", "environment"])
def test_planner_and_descent_meet_the_same_header(text: str):
    rows = pl.LazyFrame({name: [1, 2] for name in HEADERS})
    planner = Names(Table(nw.from_native(rows)))
    (term,) = read_question(text).words
    index = card_index(HEADERS)
    meets = (*index.spellings.meet([term], 0), *index.spellings.near(term))
    held = {card for known, _ in meets for card, _ in index.holders.get(known, ())}
    (reference,) = {index.cards[card].reference for card in held}
    asked = planner.mentions(Question(f"the mean {text}"))
    assert asked[0].column == reference
