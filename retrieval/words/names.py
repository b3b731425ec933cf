"""Names: what a header says, split into words with its abbreviations written out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

LONGEST_HEADER = 200
"""Characters of a header that are read; what follows is no name any more."""

MIN_CODE = 4
"""Signs of the shortest code; of fewer, such as ``d40`` and ``w7``, a table has too many."""
_SEPARATORS = re.compile(r"[^0-9a-z]+")
# R puts an X before a name that starts with a digit: "X1000.grain.weight".
_R_PREFIX = re.compile(r"(?:^|(?<=[_.]))X(?=\d)")
# "cropWheat" and "NDVIMean" are two words; "pH", "CO2" and "PM25" are one.
_WORD = re.compile(
    r"[A-Z]{2,}\d{1,2}(?![A-Za-z\d])|[A-Z]{2,}(?![a-z])|[A-Z]+(?=[A-Z][a-z])|pH|[A-Z]?[^\W\d_A-Z]+"
    r"|[A-Z]+|\d+(?:\.\d+)?"
)


def tokenise(header: str) -> tuple[str, ...]:
    """Split a header or a question into lower-case words and numbers.

    Camel case, separators, changes from letters to digits, and R's mangling are understood.
    """
    return tuple(word.lower() for word in _WORD.findall(_R_PREFIX.sub("", header)))


def codes_of(name: str) -> tuple[str, ...]:
    """The pieces of a header or question that are codes, case folded: ``M19507`` of M19507_at.

    A code has letters and digits between two separators, and is no shorter than four signs.
    """
    pieces = _SEPARATORS.split(name[:LONGEST_HEADER].casefold())
    return tuple(one for one in pieces if len(one) >= MIN_CODE and _is_code(one))


def _is_code(piece: str) -> bool:
    return any(sign.isdigit() for sign in piece) and any(sign.isalpha() for sign in piece)


@lru_cache(maxsize=65_536)
def header_words(header: str) -> tuple[str, ...]:
    """The words of a header, of bounded length, without those that only repeat."""
    return tuple(dict.fromkeys(tokenise(header[:LONGEST_HEADER])))


def is_abbreviation(short: str, word: str) -> bool:
    """Whether a header's piece is a word that lost letters, as ``bdrms`` of bedrooms.

    It begins with the word's first letter, keeps the order of its letters, has the first two of
    its further consonants, and half of them or the last letter; or, as ``ctry`` of country, three
    consonants with the last two.
    """
    if not 3 <= len(short) < len(word) or short[0] != word[0] or not short.isalpha():
        return False
    rest = iter(word)
    if not all(letter in rest for letter in short):
        return False
    bones, own = (_consonants(text) for text in (word, short))
    if len(own) >= 3 and own[-2:] == bones[-2:]:
        return True
    begun = len(own) >= 2 and own[:2] == bones[:2]
    return begun and (2 * len(own) > len(bones) or short[-1] == word[-1])


def _consonants(text: str) -> str:
    return "".join(letter for letter in text[1:] if letter not in "aeiou")


def spell_out(words: Sequence[str]) -> list[tuple[str, str]]:
    """The abbreviations among these words, one word or two, and what each stands for."""
    return list(_spell_out(tuple(words)))


@lru_cache(maxsize=65_536)
def _spell_out(words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    long_forms = abbreviations()
    expansions: dict[str, str] = {}
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        key = pair if pair in long_forms else words[place]
        if key in long_forms:
            expansions[key] = long_forms[key]
        place += 2 if pair in long_forms and pair != words[place] else 1
    return tuple(expansions.items())


def expand(words: Sequence[str]) -> tuple[str, ...]:
    """The words that the abbreviations among these stand for, in order, each once."""
    return _expand(tuple(words))


@lru_cache(maxsize=65_536)
def _expand(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for _, long in _spell_out(words) for word in long.split()))


@cache
def abbreviations() -> dict[str, str]:
    """The dictionary of general abbreviations, lower case."""
    text = files("wideleaf.retrieval.words").joinpath("abbreviations.txt").read_text("utf-8")
    lines = (line.partition(":") for line in text.splitlines() if line and line[0] != "#")
    return {key.strip(): words.strip() for key, _, words in lines}
