"""Offers: the actions that a question speaks of, and that a model is therefore told of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.registry import actions
from wideleaf.tools.telling.schema import tool_schema

COMMON = ("Load", "Select", "Filter", "Derive", "Sort", "Group", "Aggregate", "Join")
"""Described in every request; the others when they are asked for, in use, or spoken of."""
MAX_MATCHED = 3
MAX_READ = 20_000
PHRASE_GAP = 2
"""So many other words may stand between two of a phrase: in both *of the* tables."""
_ANY_WORD = re.compile(r"[^\W_]+(?:'s)?")
_NAME = re.compile(r"[A-Za-z]{3,}")
_ASKED = re.compile(r"\b[Uu]s(?:e|ing) ([A-Za-z]{3,})")
_HEADER = re.compile(r"^ +(.*?) \(", re.M)
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
OVER_YEARS = (
    "by year", "per year", "each year", "every year", "which year", "what year", "over the years",
    "over time", "yearly", "annual", "annually", "years", "decade", "trend",
)  # fmt: skip
UNPIVOT = "Unpivot"


@lru_cache(maxsize=256)
def match_actions(question: str) -> tuple[str, ...]:
    """Actions out of the common whose phrases a question has, those with most of them first.

    No single word of an action tells by itself, not even its name: there is a union in "The
    Washboard Union", and a difference in many a mean. An action without phrases is told by its
    name as it is written; one that is to be used, as in "use Craft", comes first.
    """
    words, phrases = words_of(question[:MAX_READ]), _phrases()
    scores = {name: _spoken(words, variants) for name, variants in phrases.items()}
    names = {*_NAME.findall(question[:MAX_READ])} - {*COMMON, *phrases}  # "using PCA"
    requests = {*_ASKED.findall(question[:MAX_READ])} - {*COMMON}
    scores |= {name: 1 for name in names | requests if name in _names()}
    best = sorted(
        (name for name in scores if scores[name]),
        key=lambda name: (name not in requests, -scores[name]),
    )
    return tuple(best[:MAX_MATCHED])


@cache
def _names() -> frozenset[str]:
    return frozenset(action.__name__ for action in actions())


@cache
def _phrases() -> dict[str, tuple[tuple[str, ...], ...]]:
    return {
        action.__name__: tuple(map(words_of, action.phrases))
        for action in actions()
        if action.phrases
    }


def speaks_of_years(question: str, columns: str) -> bool:
    """Whether a question goes over years that stand in headers, which Unpivot makes rows.

    Args:
        question: The user's words.
        columns: What is shown of the columns.
    """
    years = {year for header in _HEADER.findall(columns) for year in _YEAR.findall(header)}
    return len(years) > 1 and bool(_spoken(words_of(question[:MAX_READ]), _OVER_YEARS))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in their order."""
    return tuple(_ANY_WORD.findall(text.lower()))


_OVER_YEARS = tuple(map(words_of, OVER_YEARS))


def _spoken(words: Sequence[str], phrases: Iterable[Sequence[str]]) -> int:
    """How many of the phrases stand among words, each word soon after the one before it.

    Forms of a word are alike within a phrase; a word that is a phrase of its own, as *monthly*, is
    meant as it stands: by its stem it would be any month.
    """
    stems = [*map(stem, words)]
    return sum(
        phrase[0] in words if len(phrase) == 1 else _stand_in(stems, [*map(stem, phrase)])
        for phrase in phrases
    )


def _stand_in(words: Sequence[str], phrase: Sequence[str]) -> bool:
    return any(_follows(words, place, phrase) for place in range(len(words)))


def _follows(words: Sequence[str], place: int, phrase: Sequence[str]) -> bool:
    if words[place] != phrase[0]:
        return False
    for word in phrase[1:]:
        ahead = words[place + 1 : place + 2 + PHRASE_GAP]
        if word not in ahead:
            return False
        place += 1 + ahead.index(word)
    return True


@cache
def choices() -> frozenset[str]:
    """The words among which parameters of actions choose, such as ``==`` or ``mean``."""
    return frozenset(word for action in actions() for word in _choices(tool_schema(action)))


def _choices(schema: Any) -> Iterable[str]:
    if isinstance(schema, dict):
        yield from (str(value) for value in schema.get("enum", ()))
        for value in schema.values():
            yield from _choices(value)
