"""Evidence by meaning: what the words that no name explains are near to, by their vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from wideleaf.retrieval.evidence.by_name import Evidence
from wideleaf.retrieval.words.query import Query

if TYPE_CHECKING:
    from wideleaf.retrieval.index.vector_store import Near

FAR, SAME = 0.35, 0.85
"""Cosine at which a text means nothing for a card, and at which it says the same."""
MEANT = 0.9
"""How surely a text that says the same means a card; a name that has the words means it more."""
NEIGHBOURS = 12


def by_meaning(
    asked: Query,
    spans: Sequence[tuple[int, int]],
    near: Sequence[Sequence[Near]],
    places: Mapping[str, int],
    left: Collection[int],
) -> dict[int, Evidence]:
    """What spans of a question say of the cards whose texts are near to them.

    Args:
        asked: The question.
        spans: Pairs of a first place and one past the last.
        near: For each span its nearest cards, best first.
        places: Reference of a card to its place.
        left: Places of the words that no name explains.
    """
    found: dict[int, Evidence] = {}
    for (first, last), hits in zip(spans, near, strict=True):
        for hit in hits:
            card = places.get(hit.reference)
            sure = MEANT * min(max((hit.score - FAR) / (SAME - FAR), 0.0), 1.0)
            if card is None or not sure:
                continue
            words = {
                place: sure
                for place in range(first, last)
                if place in left and asked.words[place].weight
            }
            known = found.get(card)
            if known is None or sum(words.values()) > sum(known.words.values()):
                found[card] = Evidence(card, words, sure, how="meaning")
    return found


def merge_evidence(
    name: Mapping[int, Evidence], *others: Mapping[int, Evidence]
) -> dict[int, Evidence]:
    """Evidence of several ways as one: of each word the surest."""
    merged = dict(name)
    for other in others:
        for card, more in other.items():
            known = merged.get(card)
            if known is None:
                merged[card] = more
                continue
            words = dict(known.words)
            for place, sure in more.words.items():
                words[place] = max(sure, words.get(place, 0.0))
            better = more if more.covered > known.covered else known
            merged[card] = better._replace(
                words=words,
                bonus=max(known.bonus, more.bonus),
                columns=known.columns or more.columns,
                named=known.named | more.named,
            )
    return merged
