"""Levels of categories that a question names: which rows it, or one of its values, is of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.columns import QUOTES, Spot
from wideleaf.agents.report_form import Demand, quoted_in, words_in

MOST_LEVELS = 30
SHORTEST = 3
"""A level of fewer letters counts only in quotation marks."""
_EXPLAINED = re.compile(r"\b([A-Za-z]{3,})\s*\(\s*[\"'“`]$")
NEAR = 80
_TRAINS = re.compile(r"\btrain(?:ed|ing)?\b|\bfit(?:ted)?\b", re.I)
_JUDGES = re.compile(r"\btest(?:ed|ing)?\b|\bevaluat\w*|\bvalidat\w*", re.I)
_COMMON = {"yes", "no", "true", "false", "none", "other", "others", "unknown", "null", "all"}
"""Levels that a question may have for itself; they count in quotation marks alone."""


class Level(NamedTuple):
    """A level and where a text has it.

    Attributes:
        column: The category.
        value: The level as the cells have it; of a category in numbers one of them.
        start: Where it begins.
        quoted: Whether it stands in quotation marks.
        alias: The word that it explains, as in *male ("M")*.
    """

    column: str
    value: str | float
    start: int
    quoted: bool
    alias: str = ""


def find_levels(text: str, index: TableIndex, spots: Sequence[Spot]) -> list[Level] | None:
    """The levels of text columns that a text names; None where one may be of several columns.

    Args:
        text: What is asked.
        index: The table's.
        spots: The columns it names, whose own words are no levels; of several columns that have
            a level, one that is named is meant.
    """
    taken = {place for spot in spots for place in range(spot.start, spot.end)}
    named = {spot.column for spot in spots}
    found: dict[tuple[int, int], list[Level]] = {}
    known = dict.fromkeys([*_known(index), *_quoted_cells(text, index, named)])
    for column, value, written in known:
        for hit in re.finditer(rf"(?<![\w-]){re.escape(written)}(?![\w-])", text, re.IGNORECASE):
            marks = text[max(0, hit.start() - 1) : hit.start()] + text[hit.end() : hit.end() + 1]
            quoted = len(marks) == 2 and all(mark in QUOTES for mark in marks)
            loose = len(written) >= SHORTEST and written.lower() not in _COMMON
            if written != value and hit[0] != written:
                continue  # a first word alone is a name, with its capital
            if fills_with(text[: hit.start()]):
                continue
            if (quoted or loose) and taken.isdisjoint(range(*hit.span())):
                before = _EXPLAINED.search(text[: hit.start()]) if quoted else None
                alias = before[1].lower() if before else ""
                alias = written.lower() if written != value else alias
                level = Level(column, value, hit.start(), quoted, alias)
                found.setdefault(hit.span(), []).append(level)
    levels: list[Level] = []
    covered: set[int] = set()
    for span, meant in sorted(found.items(), key=lambda one: one[0][0] - one[0][1]):
        if not covered.isdisjoint(range(*span)):
            continue
        covered.update(range(*span))
        sure = [one for one in meant if one.column in named] or meant
        if len({one.column for one in sure}) > 1:
            return None
        levels.append(sure[0])
    return sorted(levels, key=lambda one: one.start)


def fills_with(before: str) -> bool:
    """Whether what comes next is what gaps are filled with: *replace nulls with 'No'*."""
    clause = re.split(r"[.;\n]", before)[-1]
    filled = re.search(r"\b(?:fill|replac|imput|substitut)", clause, re.I)
    by = re.search(r"\b(?:with|by)\s+(?:the )?(?:string |value )?[\"'“`]?$", clause, re.I)
    return bool(filled and by)


def words_of(level: Level) -> list[str]:
    """The words of a level: of a number its digits."""
    text = level.value if isinstance(level.value, str) else f"{level.value:g}"
    return [*words_in(text)]


def excludes(text: str, level: Level) -> bool:
    """Whether a text has the rows of a level left out."""
    before = text[max(0, level.start - NEAR) : level.start]
    clause = re.split(r"[.;\n]", before)[-1]
    after = re.split(r"[.;\n]", text[level.start : level.start + NEAR])[0]
    told = r"\b(?:exclud|except|other than|remov|drop|leav\w* out|ignor)\w*"
    left = r"\b(?:(?:should|must|to) be|is|are|was|were) (?:exclud|remov|drop|ignor|left out)"
    return bool(re.search(told, clause, re.I) or re.search(left, after, re.I))


def level_of(demand: Demand, levels: Iterable[Level]) -> Level | None:
    """The level whose words a value has in its name; None where it has none, or several."""
    own = [*demand.words, *words_in(demand.slot)]
    meant = {
        one.value: one
        for one in levels
        if _within(words_of(one), own) or (one.alias and one.alias in own)
    }  # of two levels of which one holds the other's words the longer is meant
    longest = max((len(words_of(one)) for one in meant.values()), default=0)
    best = [one for one in meant.values() if len(words_of(one)) == longest]
    return best[0] if len(best) == 1 else None


def read_sides(text: str, levels: Sequence[Level]) -> Level | None:
    """The level of the rows that a model is judged by, where those of another one train it."""
    for test in levels:
        before = _before(text, test)
        judges = [hit.start() for hit in _JUDGES.finditer(before)]
        trains = [hit.start() for hit in _TRAINS.finditer(before)]
        others = [one for one in levels if one.column == test.column and one.value != test.value]
        if judges and (not trains or trains[-1] < judges[-1]):
            for other in others:
                own = _before(text, other)
                if _TRAINS.search(own) and not _JUDGES.search(own):
                    return test
    return None


def _before(text: str, level: Level) -> str:
    return text[max(0, level.start - NEAR) : level.start]


def as_rows(column: str, values: Sequence[str | float]) -> JsonValue:
    """The condition of rows that have one of some levels."""
    if len(values) == 1:
        return {"column": column, "op": "==", "value": values[0]}
    return {"column": column, "op": "in", "value": [*values]}


def _within(words: Sequence[str], others: Sequence[str]) -> bool:
    size = len(words)
    return bool(words) and any(
        [*words] == [*others[at : at + size]] for at in range(len(others) - size + 1)
    )


def _known(index: TableIndex) -> Iterable[tuple[str, str, str]]:
    """Each level of the text columns that have few, as it may be written; the column first.

    The first word stands for a level where no other of its column begins so: *Gentoo*.
    """
    for column in index.of_kind("text"):
        cells = index.distinct(column) if index.knows_cells(column) else []
        values = [str(one) for one in cells if str(one).strip()]
        if len(values) > MOST_LEVELS:
            continue
        firsts = [value.split()[0] for value in values]
        for value, first in zip(values, firsts, strict=True):
            yield column, value, value
            if first != value and len(first) > SHORTEST and firsts.count(first) == 1:
                yield column, value, first


def _quoted_cells(
    text: str, index: TableIndex, named: Collection[str]
) -> Iterable[tuple[str, str, str]]:
    """Cells in quotation marks of the columns with many values that a text names."""
    for column in index.of_kind("text"):
        if column in named and index.knows_cells(column):
            cells = {str(one) for one in index.distinct(column)}
            yield from ((column, one, one) for one in quoted_in(text) if one in cells)
