"""The words of a question as the index knows them, each with how much it tells."""

from __future__ import annotations

from wideleaf.retrieval.bm25 import stem
from wideleaf.retrieval.names import split_words

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


def telling_words(text: str) -> frozenset[str]:
    """Stems of a text's words without those that tell nothing."""
    stems = {stem(word) for word in split_words(text)}
    return frozenset(word for word in stems - _STOP - _LIGHT if word.isalpha())
