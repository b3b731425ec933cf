"""Evidence by description: which of many described columns a whole question is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.by_name import Evidence
from wideleaf.retrieval.words.query import Query

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.search import Near

MEANING = 2.0
"""What a cosine counts beside the share of the best score by words."""
CANDIDATES, TAKEN = 200, 8
SURE = 0.9
OWN = 0.5
"""Where names and cells explain so much of a question, descriptions need not be searched."""


def name_coverage(asked: Query, cards: CardIndex, evidence: Collection[Evidence]) -> float:
    """Share of what the question tells that names, codes and cells explain, without descriptions.

    Args:
        asked: The question.
        cards: The cards.
        evidence: What speaks for each card.
    """
    weights = {place: cards.weigh(asked.words[place]) for place in asked.telling}
    own = {
        place
        for one in evidence
        if one.how in ("written", "cells", "level") or not cards.cards[one.card].about
        for place in one.named & asked.telling
        if one.covered >= OWN
    }
    whole = sum(weights.values())
    return sum(weights[place] for place in own) / whole if whole else 1.0


def core(asked: Query, left: Collection[int]) -> str:
    """The telling words of a question, in order, as a text to compare with descriptions."""
    return " ".join(w.text for place, w in enumerate(asked.words) if place in left)


def by_description(
    asked: Query,
    cards: CardIndex,
    left: Collection[int],
    near: Sequence[Near],
    places: Mapping[str, int],
) -> dict[int, Evidence]:
    """The described cards that a question is about, by words (BM25) and meaning fused.

    Measured on 200 paraphrases of descriptions of 7,129 probes, the right one came first for 56 %
    by words, 60 % by meaning, 63 % by both (`benchmarks/column_retrieval.py`, set d).

    Args:
        asked: The question.
        cards: The cards.
        left: Places of the words that are compared.
        near: The nearest cards by meaning, best first; empty where none was asked for.
        places: Reference of a card to its place.
    """
    words: defaultdict[int, float] = defaultdict(float)
    for word in {asked.words[place].stem for place in left}:
        for card, gain in cards.bm25.gains(word):
            words[card] += gain
    most = max(words.values(), default=1.0) or 1.0
    cosines = {places[hit.reference]: hit.score for hit in near if hit.reference in places}
    least = min(cosines.values(), default=0.0)
    fused = {
        card: words.get(card, 0.0) / most + MEANING * cosines.get(card, least)
        for card in {*words, *cosines}
    }
    best = sorted(fused, key=lambda card: (-fused[card], card))[:TAKEN]
    found = {}
    for card in best:
        sure = SURE * fused[card] / fused[best[0]]
        spoken = dict.fromkeys(left, sure)
        found[card] = Evidence(card, spoken, sure, how="description")
    return found
