"""Words alike: which words of names a word of a question may stand for, and how surely."""

from __future__ import annotations

from collections.abc import Iterable

from wideleaf.retrieval.cards.card_index import LEAST_SHORT, LONG, CardIndex
from wideleaf.retrieval.words.names import abbreviations, expand
from wideleaf.retrieval.words.query import YEAR_NUMBER, Query
from wideleaf.retrieval.words.stems import stem

SHORT, COMPOUND = 0.8, 0.7
"""How surely precipitation means precip, and rain rainfall."""
NEAR, NEAR_SPELLING = 0.75, 84.0
LEAST_LETTERS, LONGEST_SHORT, LEAST_CUT = 5, 6, 3


def alike(index: CardIndex, asked: Query, place: int) -> Iterable[tuple[str, float]]:
    """Stems of cards that a word may stand for, each with how sure that is."""
    word = asked.words[place]
    if YEAR_NUMBER.match(word.text) and "year" in index.holders:
        yield "year", 1.0
    if word.stem in index.holders:
        yield word.stem, 1.0
    elif word.text in index.holders:
        yield word.text, 1.0
    for other in (place - 1, place + 1):  # "water logging" is "waterlogging"
        if 0 <= other < len(asked.words):
            first, second = sorted((place, other))
            joined = asked.words[first].text + asked.words[second].stem
            if joined in index.holders and joined.isalpha():
                yield joined, 1.0
    if word.text in abbreviations():
        yield from ((stem(long), LONG) for long in expand([word.text]))
    if word.stem not in index.holders:
        yield from ((piece, 1.0) for piece in index.joined.get(word.text, ()))
    if word.stem in index.holders or not word.tells or not word.stem.isalpha():
        return
    if len(word.stem) < LEAST_SHORT:
        return
    yield from _near(index, word.stem)


def _near(index: CardIndex, word: str) -> Iterable[tuple[str, float]]:
    from rapidfuzz import fuzz

    for known in index.by_letter.get(word[0], ()):
        short, long = sorted((known, word), key=len)
        # A name may cut a word short; a question may have the first part of a compound.
        if long.startswith(short) and len(long) - len(short) >= LEAST_CUT:
            if short == known and len(short) <= LONGEST_SHORT:
                yield known, SHORT
            elif short == word and len(short) > LEAST_SHORT:
                yield known, COMPOUND
        elif len(short) >= LEAST_LETTERS and fuzz.ratio(known, word) >= NEAR_SPELLING:
            yield known, NEAR
