"""The words of values and questions: which are numbers, which common, what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import telling_words
from wideleaf.tools.conditions.literals import fold_text, read_number

BEFORE, AFTER = 3, 2
"""So many words before a value, or after it, its header stands beside it."""
# A number with its sign, commas and point, where none of them belongs to something else; or a word.
_WORD = re.compile(
    r"(?:(?<![\w.)])[-−])?(?<!\w)(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?!\w)|(?:(?<![\w.)])[-−])?"
    r"(?<!\w)\d+(?!\w)|\w+"
)
# Words between the values of a list; one-letter words that stand before many others.
_JOINTS = ("and", "or")
ARTICLES = ("a", "i")
_COMMON_WORDS = """yes no true false none other unknown high low good bad new old open set may will
can one two more less most least same part general normal standard control na nan null or if"""
_COMMON = frozenset(_COMMON_WORDS.split())


class TextWord(NamedTuple):
    """A word of a text.

    Attributes:
        text: As it is written, a number without its commas.
        folded: Without regard to case.
        first: Whether a sentence begins with it.
    """

    text: str
    folded: str
    first: bool


def words_before(stems: Sequence[str], start: int) -> list[str]:
    """The words before a value, over those of a list (``fold 1, 2 or 3``)."""
    words = [word for word in stems[:start] if word not in _JOINTS and read_number(word) is None]
    return words[-BEFORE:]


def plainness(parts: Sequence[TextWord]) -> Literal["", "number", "common"]:
    """What makes a value too plain to be found by itself."""
    if len(parts) > 1:
        return "common" if all(plainness((part,)) == "common" for part in parts) else ""
    text = parts[0].folded
    if len(text) == 1 or read_number(text) is not None:
        return "number"
    short = len(text) == 2 and text.isalpha()
    return "common" if short or text in _COMMON or (text.isalpha() and not _tells(text)) else ""


@lru_cache(maxsize=4096)
def _tells(word: str) -> bool:
    return bool(telling_words(word))


def has_same_capitals(here: Sequence[TextWord], parts: Sequence[TextWord]) -> bool:
    """Whether words have the capitals of a value that has some, beyond those of any sentence."""
    if [word.text for word in here] != [part.text for part in parts]:
        return False
    capitals = [letter for word in here for letter in word.text if letter.isupper()]
    return len(capitals) > 1 or (bool(capitals) and not here[0].first)


@lru_cache(maxsize=65_536)
def header_stems(column: str) -> frozenset[str]:
    """The stems of a header's words."""
    return frozenset(stem(word) for word in header_words(column) if len(word) > 1)


@lru_cache(maxsize=65_536)
def words_of(text: str) -> tuple[TextWord, ...]:
    """The words of a text in order, ``NEH1_2022`` and ``-1,200.5`` one each."""
    words = []
    for hit in _WORD.finditer(text):
        word = hit[0].replace(",", "").replace("−", "-")
        before = text[: hit.start()].rstrip(" \t\n\"'“(")[-1:]
        words.append(TextWord(word, fold_text(word), before in ("", ".", "?", "!", ":")))
    return tuple(words)
