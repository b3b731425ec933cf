"""In case: cards that may be meant where names alone leave a question open, by several ranks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.cover import Cover
from wideleaf.retrieval.words.query import Query, QueryTerm

EARLY = 10
"""How far apart the first places of a ranking are (k of reciprocal rank fusion)."""
SAID = 0.5
"""So much of a name at least is said where it alone is sure."""
RARE = 0.6
"""So rare among the columns a word is at least that names an operation elsewhere."""
RANKED = 60
"""So many of each ranking count."""
PHRASES = 8
"""So many phrases of a question are compared by themselves."""
ACRONYMS, SHORT = range(2, 4), range(2, 9)
"""So many words a header may join in one that is short for them, and so many letters it has."""


def is_sure(cover: Cover, rest: Collection[int]) -> bool:
    """Whether names, categories and cells explain a question, all of what it tells.

    Args:
        cover: The cards that explain it.
        rest: Places of the telling words that nothing explains.
    """
    return (
        bool(cover.chosen)
        and not rest
        and all(
            one.evidence.how in ("written", "cells", "level")
            or (one.evidence.how == "name" and one.evidence.covered >= SAID)
            for one in cover.chosen
        )
    )


def likely_cards(
    query: Query,
    cards: CardIndex,
    ranked: Sequence[int],
    near: Sequence[Mapping[int, float]] = (),
) -> list[int]:
    """Cards by how likely they are meant: rankings by words and by meaning, fused.

    Rankings are joined by reciprocal ranks (Cormack, Clarke and Büttcher, SIGIR 2009). Over tables
    of six fields, 134 questions, 20 columns hold 76 % of those that are needed; those that names
    explain, and their rivals, 54 % (`benchmarks/figures.md`).

    Args:
        query: The question.
        cards: The cards.
        ranked: Those that some telling word speaks for, best first.
        near: Cards with their nearness in meaning to the whole question, then to each phrase of it;
            a card counts by the phrase that it is nearest to.

    Returns:
        Places of cards, the likeliest first.
    """
    phrases: defaultdict[int, float] = defaultdict(float)
    for hits in near[1:]:
        for card, score in hits.items():
            phrases[card] = max(score, phrases[card])
    rankings = (
        ranked,
        _by_words(cards, {w.stem: 1.0 for w in query.words if w.tells or _is_rare(cards, w)}),
        _by_score(near[0] if near else {}),
        _by_score(phrases),
        _by_words(cards, _joined(cards, query)),
    )
    fused: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for place, card in enumerate(ranking[:RANKED]):
            fused[card] += 1 / (EARLY + place)
    return sorted(fused, key=lambda card: (-fused[card], card))


def _by_words(cards: CardIndex, stems: Mapping[str, float]) -> list[int]:
    """Cards by BM25 over their words."""
    gained: defaultdict[int, float] = defaultdict(float)
    for word, weight in stems.items():
        for card, gain in cards.bm25.gains(word):
            gained[card] += weight * gain
    return _by_score(gained)


def _by_score(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda card: (-scores[card], card))


def _is_rare(cards: CardIndex, word: QueryTerm) -> bool:
    """Whether a word that seldom names a column does so here: showings, of the column for them."""
    return bool(word.weight) and cards.rarity.get(word.stem, 0.0) >= RARE


def _joined(cards: CardIndex, query: Query) -> dict[str, float]:
    """Words of headers that are short for words that follow one another: ni for net income.

    Returns:
        Each with the share of those words that may name a column.
    """
    words = [word for word in query.words if word.weight and word.text.isalpha()]
    runs = [words[at : at + size] for size in ACRONYMS for at in range(len(words) - size + 1)]
    acronyms: defaultdict[str, list[str]] = defaultdict(list)
    for one in cards.bm25.rarity:
        if len(one) in SHORT and one.isalpha():
            acronyms[one[0]].append(one)
    shares: dict[str, float] = {}
    for run in runs:
        texts, sure = [word.text for word in run], sum(word.tells for word in run) / len(run)
        for one in acronyms.get(texts[0][0], ()):
            if _fits(one, texts):
                shares[one] = max(sure, shares.get(one, 0.0))
    return shares


def _fits(short: str, words: Sequence[str]) -> bool:
    """Whether a short form has a piece of each word, in order, its first letter at least."""
    if not words:
        return not short
    if short[:1] != words[0][0]:
        return False
    letters, place = words[0], 0
    for size in range(1, len(short) - len(words) + 2):
        place = letters.find(short[size - 1], place) + 1
        if not place:
            return False
        if _fits(short[size:], words[1:]):
            return True
    return False
