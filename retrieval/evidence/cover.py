"""The cover: the fewest columns that together explain what a question says, and what is unsure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.by_name import Evidence
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.word_classes import is_generic

MIN_GAIN = 0.2
"""So much a column must explain that no other does, in words of the rarest kind."""
MIN_SCORE = 0.22
WHOLE = 0.99
COMPOUND = 0.85
"""So much of a name is a mention of its own, though a word of it served another: plant height and
ear height."""
HALF = 0.5
"""One word is enough where it is at least so much of the name."""
BASE = 0.35
"""Share of a score that does not ask how much of the column's own name was said."""
APART = 0.6
"""What is left of a score for each telling word of another column between two of its own."""
SEVERAL = 0.6
"""Of several things in the plural all are meant that explain the words so nearly as well."""
MODIFIER = 0.25
"""What a word still tells by itself that stands beside one explained: trial in "trial series
names"; a category or a cell tells as much as before: wheat in "wheat yield"."""
MAX_TIED = 60


_Scored = tuple[float, Evidence]


class CoverCard(NamedTuple):
    """A card that the cover took.

    Attributes:
        evidence: What speaks for it.
        score: How well it explains what nothing else did.
        places: The words that it explains.
        tied: Whether others explain them as well.
    """

    evidence: Evidence
    score: float
    places: frozenset[int]
    tied: bool = False


class Cover(NamedTuple):
    """What a question means, as far as evidence tells.

    Attributes:
        chosen: Cards that explain it, in the order they were found.
        ranked: All cards with their scores by themselves, best first.
        open: Places of the telling words that nothing explains.
    """

    chosen: tuple[CoverCard, ...]
    ranked: tuple[tuple[int, float], ...]
    open: frozenset[int]

    @property
    def explained(self) -> float:
        """How much of the question its cards explain together."""
        return sum(one.score for one in self.chosen if not one.tied)


def cover(query: Query, index: CardIndex, evidence: Iterable[Evidence]) -> Cover:
    """Explain a question by cards, each in turn the one that explains most of what is left.

    Args:
        query: The question.
        index: The cards.
        evidence: What speaks for each, at most one entry a card.
    """
    entries = list(evidence)
    weights = {place: index.weigh(word) for place, word in enumerate(query.words)}
    telling = {place for place, word in enumerate(query.words) if word.tells}
    alone = {one.card: score_of(one, weights, telling) for one in entries}
    rest, beside = dict(weights), dict(weights)
    cards: list[CoverCard] = []
    while True:
        card_ids = {one.evidence.card for one in cards}
        left = [one for one in entries if one.card not in card_ids]
        scored = _score(left, rest, beside, telling)
        if not scored:
            break
        best = max(scored, key=lambda pair: (pair[0], pair[1].covered, -pair[1].card))
        first, places = best[1], _explains(best[1], rest)
        kin = index.kin.get(first.card, frozenset())
        for rank, (score, one) in enumerate(_find_tied(best, scored, query, kin, rest)):
            cards.append(CoverCard(one, score, places, tied=rank > 0))
        for place in places:
            rest[place] = beside[place] = 0.0
        for place in _beside(query, places & first.named):
            beside[place] *= MODIFIER
    ranked = sorted(alone.items(), key=lambda item: (-item[1], item[0]))
    cover_places = {place for one in cards for place in one.places}
    return Cover(tuple(cards), tuple(ranked), frozenset(telling - cover_places))


def _score(
    entries: Iterable[Evidence],
    rest: Mapping[int, float],
    beside: Mapping[int, float],
    telling: Collection[int],
) -> list[_Scored]:
    """Evidence that explains enough of what is left, with how well it does."""
    scored = []
    for one in entries:
        apart = one.how in ("level", "cells", "description") or one.covered >= COMPOUND
        still = rest if apart else beside
        score = score_of(one, still, telling)
        if _good(one, score, still, telling):
            scored.append((score, one))
    return scored


def _find_tied(
    best: _Scored,
    scored: Iterable[_Scored],
    query: Query,
    kin: Collection[int],
    rest: Mapping[int, float],
) -> list[_Scored]:
    """The best, then what explains the same words: its kin, or other things in the plural."""
    top, first = best
    places = _explains(first, rest)
    several = not kin and first.how != "description" and _several(query, places)
    spoken = places & first.named
    same = [
        (score, one)
        for score, one in scored
        if one is first
        or (one.card in kin and _explains(one, rest) & one.named == spoken)
        or (several and _explains(one, rest) == places and score >= SEVERAL * top)
    ][:MAX_TIED]
    return sorted(same, key=lambda pair: (pair[1] is not first, -pair[0], pair[1].card))


def _several(query: Query, places: Collection[int]) -> bool:
    """Whether the words speak of several things: the last telling one is in the plural."""
    last = max((place for place in places if query.words[place].tells), default=None)
    if last is None:
        return False
    word, behind = query.words[last], query.words[last + 1 : last + 2]
    plural = word.text.endswith("s") and word.text != word.stem
    return plural or any(is_generic(one.text) and one.clause == word.clause for one in behind)


def _beside(query: Query, places: Collection[int]) -> Iterable[int]:
    """Words right before or after what was explained; they say more of it than of another."""
    for place in places:
        for other in (place - 1, place + 1):
            if (
                0 <= other < len(query.words)
                and query.words[other].text.isalpha()
                and other not in places
                and (query.words[other].clause == query.words[place].clause)
            ):
                yield other


def score_of(
    one: Evidence,
    rest: Mapping[int, float],
    telling: Collection[int],
) -> float:
    """How well a card explains the words that are left, by itself.

    Args:
        one: What speaks for it.
        rest: What each word still tells.
        telling: Places of the words that may name a column.
    """
    gain = sum(rest[place] * sure for place, sure in one.words.items())
    if gain <= 0:
        return 0.0
    return (gain + one.bonus) * (BASE + (1 - BASE) * one.covered) * _compact(one, rest, telling)


def _compact(one: Evidence, rest: Mapping[int, float], telling: Collection[int]) -> float:
    """Whether a card's words stand together, or are gathered from all over the question."""
    own = sorted(place for place in one.words if rest[place] > 0)
    between = [
        place
        for first, second in pairwise(own)
        for place in range(first + 1, second)
        if place in telling and place not in one.words
    ]
    return APART ** min(len(between), 2)


def _explains(one: Evidence, rest: Mapping[int, float]) -> frozenset[int]:
    return frozenset(place for place in one.words if rest[place] > 0)


def _good(one: Evidence, score: float, rest: Mapping[int, float], telling: Collection[int]) -> bool:
    """Whether a card explains enough to be meant: new telling words, or all of its own name."""
    new = _explains(one, rest)
    if one.how == "name" and len(new & set(telling)) == 1 and one.covered < HALF:
        return False
    gain = sum(rest[place] * one.words[place] for place in new)
    if new & set(telling):
        return gain >= MIN_GAIN and score >= MIN_SCORE
    return one.covered >= WHOLE and bool(new) and len(one.words) > len(new)
