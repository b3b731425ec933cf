"""Columns that a text speaks of: by headers as they are written, else by what the planner links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.report_form import words_in

NAMED = 0.8
QUOTES = "\"'“”`"
SHORT = 4
"""A header of fewer letters counts as written where its capitals are the same."""

_COUNT = re.compile(r"(?:number|count|total|sum|percentage|rate) of\b")
"""What is counted or summed, whatever a header may be called."""


class Spot(NamedTuple):
    """A column and where a text speaks of it.

    Attributes:
        column: The column.
        start: Where its name begins.
        end: Where it ends.
        quoted: Whether it stands in quotation marks.
        written: Whether it stands there as the header does.
    """

    column: str
    start: int
    end: int
    quoted: bool = False
    written: bool = False


def find_spots(text: str, index: TableIndex, more: Collection[str] = ()) -> list[Spot]:
    """The columns that a text names, in its order.

    Args:
        text: Some sentences.
        index: The table's.
        more: Columns that are made before.
    """
    found = [*_written(text, (*index.table.columns, *more))]
    taken = {place for spot in found for place in range(spot.start, spot.end)}
    question = Question(text)
    for mention in index.names.mentions(question):
        if mention.score < NAMED or mention.several or mention.column not in index.kinds:
            continue
        start, end = (
            question.words[mention.start].start,
            question.words[mention.end - 1].end,
        )
        if taken.isdisjoint(range(start, end)) and not _COUNT.match(text, start):
            found.append(Spot(mention.column, start, end))
            taken.update(range(start, end))
    return sorted(found, key=lambda spot: spot.start)


def distinct(spots: Iterable[Spot]) -> list[str]:
    """The columns of spots, each once."""
    return list(dict.fromkeys(spot.column for spot in spots))


def by_words(words: Collection[str], columns: Iterable[str]) -> str:
    """The column whose name has most of some words, of several the first; empty if none has any.

    Args:
        words: In lower case.
        columns: Whose names are looked at.
    """
    best, most = "", 0
    for column in columns:
        own = set(words_in(column))
        shared = len(own & set(words))
        together = "".join(words_in(column))
        joined = together in ("".join(words), *words)
        shared += 10 * joined
        if shared > most:
            best, most = column, shared
    return best


def _written(text: str, columns: Iterable[str]) -> Iterable[Spot]:
    """Headers that stand in the text as they are, the longest first."""
    taken: set[int] = set()
    for column in sorted(set(columns), key=len, reverse=True):
        if not any(sign.isalnum() for sign in column):
            continue
        plain = (len(column) >= SHORT or "_" in column) and not _is_common(column)
        for found in re.finditer(rf"(?<!\w){re.escape(column)}(?!\w)", text, re.IGNORECASE):
            places = range(*found.span())
            marks = text[max(0, found.start() - 1) : found.start()] + text[found.end() :][:1]
            quoted = len(marks) == 2 and all(mark in QUOTES for mark in marks)
            if not (quoted or plain or found[0] == column):
                continue
            if not quoted and found[0] != column and _COUNT.match(text, found.start()):
                continue
            if taken.isdisjoint(places):
                taken.update(places)
                yield Spot(column, *found.span(), quoted, written=True)


def _is_common(column: str) -> bool:
    """Whether a header is a plain word of lower case, which a text may have for itself."""
    return column.isalpha() and column.islower()
