"""In case: where names leave a question open, likely columns fill the selection; else none do."""

from __future__ import annotations

from pathlib import Path

import narwhals as nw
import polars as pl

from wideleaf.retrieval.cards.card_index import card_index
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.retrieval.evidence.in_case import likely_cards
from wideleaf.retrieval.words.query import read_question
from wideleaf.tools.tables.table import Table

HEADERS = (
    "store",
    "ni_2018",
    "at_2019",
    *(f"sales_dep_{place}" for place in ("ash", "birch", "cedar")),
    *(f"q{number}_code" for number in range(60)),
)


def references(question: str, limit: int = 12) -> list[tuple[str, bool]]:
    table = Table(nw.from_native(pl.LazyFrame({name: [1, 2] for name in HEADERS})))
    picks = IndexRetriever(Path("unused")).select(question, {"t": table}, limit).picks
    return [(pick.reference, pick.resolved) for pick in picks]


def test_what_names_leave_open_is_filled_up_with_the_likeliest():
    shown = references("What were the sales of bread in the ash department?")
    assert ("sales_dep_ash", True) in shown
    assert ("sales_dep_birch", False) in shown
    assert ("sales_dep_cedar", False) in shown


def test_what_names_explain_is_not_filled_up():
    assert references("What were the sales dep ash?")[0] == ("sales_dep_ash", True)
    assert ("sales_dep_cedar", False) not in references("What is sales_dep_ash?")


def test_initials_of_words_that_follow_one_another_rank_a_header():
    cards = card_index(HEADERS)
    (first, *_) = likely_cards(read_question("the net income of 2018"), cards, [])
    assert "ni_2018" in cards.cards[first].columns


def test_rankings_by_words_and_by_meaning_are_joined():
    cards = card_index(HEADERS)
    asked = read_question("the sales of cedar")
    place = {card.reference: n for n, card in enumerate(cards.cards)}
    near = [{place["at_2019"]: 0.6, place["sales_dep_cedar"]: 0.5}, {place["store"]: 0.4}]
    best = likely_cards(asked, cards, [], near)
    assert best[0] == place["sales_dep_cedar"]
    assert {place["at_2019"], place["store"]} <= {*best}
