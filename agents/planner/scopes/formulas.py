"""Columns a question builds out of others: a range of a family, one column minus another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.categories import Category
from wideleaf.agents.planner.links.lexicon import Cue, Question
from wideleaf.agents.planner.links.mentions import WHOLE, Mention, WordHit, clusters, measure
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.number_values import MAX_LEVELS
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.tools.tables.families import Family

ROW_FUNCTIONS = ("sum", "mean", "max", "min")
MAX_RANGES = 2
RATIOS, MAX_RATIOS = 2, 3
RATIO_NAMED = 0.4
"""How well both columns of a ratio must be named."""


class ColumnFormula(NamedTuple):
    """A column to be made row by row before anything else.

    Attributes:
        mention: Where the question speaks of it, under the name it gets.
        expression: As Derive writes it.
        cue: The word that says how a row's cells become one, if any does.
        category: The category to be made out of its indicator columns instead, if it is one.
        groups: Whether its values are made to group by, as decades are.
        kind: Of what kind they are.
    """

    mention: Mention
    expression: dict[str, JsonValue]
    cue: Cue | None = None
    category: Category | None = None
    groups: bool = False
    kind: str = "number"


def find_formulas(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ColumnFormula]:
    """Find the columns that the question builds out of others."""
    return [
        *_measures(question, index),
        *_ranges(question, index, mentions),
        *_differences(question, index, mentions),
        *_ratios(question, index, mentions),
        *_decades(question, index, mentions),
    ]


def _measures(question: Question, index: TableIndex) -> list[ColumnFormula]:
    """The measures of the user's data dictionary that the question names in full."""
    formulas: list[ColumnFormula] = []
    for one in index.table.measures:
        parts = name_parts(one.name)
        hits = [
            WordHit(place, part, "", 1.0)
            for place, word in enumerate(question.words)
            for part, name_word in enumerate(parts)
            if word.stem == name_word.stem
        ]
        for cluster in clusters(hits, question):
            mention = measure(one.name, parts, cluster, question.words)
            if mention.score >= WHOLE:
                formulas.append(ColumnFormula(mention, one.expression))
    return formulas


def _ranges(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ColumnFormula]:
    """Row-wise aggregates of the best families of which several members are meant."""
    formulas: list[ColumnFormula] = []
    for mention in mentions:
        family = mention.family
        if not mention.several or family is None or len(formulas) == MAX_RANGES:
            continue
        if any(index.kinds.get(column) != "number" for column in family.columns):
            continue
        cue, function = _row_function(question, mention, family)
        name = f"{function} {mention.column}".translate({123: "(", 125: ")", 42: "all"})
        expression: dict[str, JsonValue] = {"row": function, "columns": [mention.column]}
        formulas.append(ColumnFormula(mention._replace(column=name), expression, cue))
    return formulas


def _row_function(question: Question, mention: Mention, family: Family) -> tuple[Cue | None, str]:
    """What makes one cell of a row's several, and the word that says so; a mean where none does."""
    kinds = ["sum", "mean", "extreme"]
    before = [c for c in question.cue(*kinds) if c.end <= mention.start]
    if not before and not family.stem:  # of columns called by a day alone the cells are counts
        counts = [c for c in question.cue("count") if c.end <= mention.start]
        return (counts[-1], "sum") if counts else (None, "mean")
    cue = before[-1] if before else None
    return cue, cue.value if cue and cue.value in ROW_FUNCTIONS else "mean"


def _differences(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ColumnFormula]:
    formulas = []
    for cue in question.cue("minus"):
        left = [m for m in mentions if 0 <= cue.start - m.end <= 1]
        right = [m for m in mentions if 0 <= m.start - cue.end <= 1]
        left = [m for m in left if index.kinds.get(m.column) == "number"]
        right = [m for m in right if index.kinds.get(m.column) == "number"]
        if left and right:
            first, second = (max(side, key=lambda m: m.score) for side in (left, right))
            name = f"{first.column} minus {second.column}"
            args: list[JsonValue] = [first.column, second.column]
            places = first.places | cue.places | second.places
            mention = Mention(name, first.start, second.end, 1.0, places)
            formulas.append(ColumnFormula(mention, {"op": "-", "args": args}))
    return formulas


def _ratios(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ColumnFormula]:
    """One column through another: price per square foot, brain relative to body, waist to hip."""
    formulas: list[ColumnFormula] = []
    numeric = [
        m for m in mentions
        if index.kinds.get(m.column) == "number" and m.score >= RATIO_NAMED and not m.several
    ]  # fmt: skip
    through = [c for c in question.cue("each") if question.words[c.start].text == "per"]
    ends = {place for cue in question.cue("extreme") for place in cue.places}
    for cue in (*question.cue("ratio"), *through):
        for first, second in _ratio_sides(question, numeric, cue):
            if cue.kind == "each" and _are_groups(question, index, first, second.column):
                continue
            name = f"{first.column} per {second.column}"
            args: list[JsonValue] = [first.column, second.column]
            places = (first.places | cue.places | second.places) - ends
            mention = Mention(name, min(places), second.end, 1.0, places)
            formulas.append(ColumnFormula(mention, {"op": "/", "args": args}))
    return formulas[:MAX_RATIOS]


def _ratio_sides(
    question: Question, numeric: list[Mention], cue: Cue
) -> Iterator[tuple[Mention, Mention]]:
    """What may be divided by what: the best named column before a cue by the first behind it."""
    left = [m for m in numeric if min(m.places) < cue.start]
    right = [m for m in numeric if m.start >= cue.end]
    if cue.kind == "each":
        right = [m for m in right if not question.content(cue.end, m.start)]
    if cue.value == "behind":  # the waist to hip ratio
        right = left
    for first in sorted(left, key=lambda m: (-m.score, -m.end))[:RATIOS]:
        if "per" in first.column.casefold():
            continue  # gdp per person is there already
        for second in sorted(right, key=lambda m: (m.start, -m.score))[:RATIOS]:
            beside = first.places - second.places and second.places - first.places
            if first.column != second.column and beside and first.start < second.start:
                yield first, second


def _are_groups(question: Question, index: TableIndex, first: Mention, column: str) -> bool:
    """Whether a mean per a few whole numbers is one of groups: average sodium per shelf."""
    numbers = index.numbers(column)
    few = len(numbers) <= MAX_LEVELS and all(number.is_integer() for number in numbers)
    means = question.cue("mean", "median")
    return few and any(0 <= question.content(c.end, first.start) <= 1 for c in means)


def _decades(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ColumnFormula]:
    """The first year of ten, for groups by decade."""
    places = [p for p, word in enumerate(question.words) if word.text in ("decade", "decades")]
    formulas: list[ColumnFormula] = []
    for place in places[:1]:
        years = [column for column in index.of_kind("number") if index.yearly(column)]
        for year in years[:MAX_RANGES]:
            tens: JsonValue = {"op": "floor", "args": [{"op": "/", "args": [year, 10]}]}
            mention = Mention(f"decade of {year}", place, place + 1, 1.0, frozenset([place]))
            decade: dict[str, JsonValue] = {"op": "*", "args": [tens, 10]}
            formulas.append(ColumnFormula(mention, decade, groups=True))
    return formulas
