"""The words of a question as the index knows them, each with how much it tells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

from wideleaf.retrieval.words.bm25 import stem
from wideleaf.retrieval.words.names import expand, header_words, split_words

IMPLIED, LIGHT = 0.5, 0.3
"""What a word of the question weighs that only stands behind an abbreviation; that is a number,
or names an operation, a unit of time or the table itself more often than a column."""
NEAR_SPELLING = 84.0
LEAST_LETTERS = 5
MOST_STRANGE = 200
"""Of so many words that no name has, near spellings are looked for: the first and the last."""
_FUNCTION_WORDS = """a all an and any are as at be been between by calculate compare compute did do
does each find for from given had has have how i in is it its list many me much of on or per
recorded show tell than that the their there these this those to value was were what when where
which who whose will with you your"""
_LIGHT_WORDS = """after average before count daily day different distinct first highest hour largest
last lowest max maximum mean median min minimum month number record smallest sum top total week
year"""
_STOP, _LIGHT = (frozenset(map(stem, words.split())) for words in (_FUNCTION_WORDS, _LIGHT_WORDS))


def is_function_word(word: str) -> bool:
    """Whether a word tells nothing of a column."""
    return stem(word) in _STOP


def is_light_word(word: str) -> bool:
    """Whether a word names an operation or a unit of time more often than a column."""
    return stem(word) in _LIGHT


def asked_words(question: str, table: str = "") -> dict[str, float]:
    """Stems of the question's words in order, and of what its abbreviations stand for."""
    about = {stem(word) for word in header_words(table)}
    words = split_words(question)
    asked: dict[str, float] = {}
    for word in map(stem, words):
        if word not in _STOP:
            light = word in _LIGHT or word in about or not word.isalpha()
            asked[word] = LIGHT if light else 1.0
    for word in expand(words):
        if stem(word) not in _STOP:
            asked.setdefault(stem(word), LIGHT if stem(word) in _LIGHT else IMPLIED)
    return asked


def telling_words(text: str) -> frozenset[str]:
    """Stems of a text's words without those that tell nothing."""
    return frozenset(word for word, weight in asked_words(text).items() if weight >= 1.0)


def known_words(asked: Mapping[str, float], vocabulary: Collection[str]) -> dict[str, float]:
    """The question's words as the index spells them, near spellings for less."""
    from rapidfuzz import fuzz, process

    known = {word: weight for word, weight in asked.items() if word in vocabulary}
    long = [word for word in vocabulary if len(word) >= LEAST_LETTERS and word.isalpha()]
    for first, second in pairwise(asked):  # "water logging"
        if first + second in vocabulary:
            known[first + second] = 1.0
    strange = [
        word
        for word in asked
        if word not in vocabulary and len(word) >= LEAST_LETTERS and word.isalpha()
    ]
    if len(strange) > MOST_STRANGE:  # each is compared with the whole vocabulary
        strange = strange[: MOST_STRANGE // 2] + strange[-MOST_STRANGE // 2 :]
    for word, weight in ((word, asked[word]) for word in strange):
        for near, ratio, _ in process.extract(
            word, long, scorer=fuzz.ratio, score_cutoff=NEAR_SPELLING, limit=3
        ):
            known.setdefault(near, weight * ratio / 100)
    return known
