"""What a prompt says of single columns: meanings, kinds of text, formats, words no header has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.coding.enrichment_words import (
    FUNCTION_WORDS,
    FUNCTIONS,
    MONTHS,
    NUMBER_OPERATIONS,
    ColumnMention,
    QuestionReading,
    TableSketch,
)
from wideleaf.retrieval.words.names import header_words, spell_out, tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Matter
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.words import CELL_CHARACTERS, one_line

ABOUT_CHARACTERS = 220
"""Of a description; a dictionary's longer ones are cut."""
NAME_CHARACTERS = 200
MOST_CATEGORIES = 20
"""A text column of more values has no categories that are worth listing."""
CATEGORIES_LISTED = 12
LEAST_SHAPED = 0.8
"""The share of values that must look alike for their look to be a format."""
MOST_SPEAKING = 2
"""A word that more descriptions have tells no column from another."""
_DATED_LIST = """date day month time datetime timestamp birthday deadline released"""
_DATED = frozenset(_DATED_LIST.split())


class PromptLine(NamedTuple):
    """One line of a prompt.

    Attributes:
        text: The line.
        weight: How much it matters where there is no room for all; higher first.
        matter: What it is made of.
    """

    text: str
    weight: float = 0.5
    matter: Matter = "names"


def meanings(reading: QuestionReading) -> Iterator[PromptLine]:
    """What the user says of tables and columns, those nearest the question first (Figure 10)."""
    asked = _telling(reading.question)
    many = len(reading.tables) > 1
    for sketch in reading.tables:
        if sketch.text:
            yield PromptLine(one_line(sketch.text, 2 * ABOUT_CHARACTERS), 1.0)
        for column, about in sketch.about.items():
            if column not in sketch.types and "{" not in column and "*" not in column:
                continue
            shared = len(asked & (_telling(about) | _stems_of(column)))
            short = len(column) <= 6
            weight = 0.6 + 0.1 * min(shared, 3) + 0.05 * short
            yield PromptLine(_meaning(column, sketch, many), weight)
    yield from _abbreviations(reading)


def _meaning(column: str, sketch: TableSketch, many: bool) -> str:
    told = one_line(sketch.about[column], ABOUT_CHARACTERS)
    return f"Column {_name(column, sketch, many)}: {told}"


def _abbreviations(reading: QuestionReading) -> Iterator[PromptLine]:
    """What abbreviations in headers stand for, where the question writes them out."""
    plain = FUNCTIONS.keys() | NUMBER_OPERATIONS
    asked = _telling(reading.question) - {stem(word) for word in plain}
    many = len(reading.tables) > 1
    for sketch in reading.tables:
        for column in sketch.chosen:
            if column in sketch.about:
                continue
            told = [long for _, long in spell_out(header_words(column)) if asked & _telling(long)]
            if told and not _is_named(reading, column):
                name = _name(column, sketch, many)
                yield PromptLine(f"Column {name} may stand for {', '.join(told)}.", 0.7)


def _is_named(reading: QuestionReading, column: str) -> bool:
    return any(mention.column == column for mention in reading.mentions)


def kinds_of_text(reading: QuestionReading) -> Iterator[PromptLine]:
    """Text columns that a number is asked of, and columns of few values (Figure 12)."""
    many = len(reading.tables) > 1
    seen: set[tuple[str, str]] = set()
    for mention in reading.mentions:
        key = (mention.table, mention.column)
        if mention.type == "str" and key not in seen and _counted(reading, mention):
            seen.add(key)
            name = _name(mention.column, _sketch(reading, mention.table), many)
            yield PromptLine(
                f"Column {name} holds text, not numbers: an amount or a total of it is a count of "
                "its rows.",
                0.95,
            )
    for sketch in reading.tables:
        for column in sketch.chosen:
            profile = sketch.profiles.get(column)
            if profile is not None:
                yield from _values_told(reading, sketch, column, profile)


def _is_whole(value: str) -> bool:
    """Whether a value is short enough to be shown as it is; a part of one would equal no cell."""
    return len(value) <= CELL_CHARACTERS and not value.endswith("…")


def _counted(reading: QuestionReading, mention: ColumnMention) -> bool:
    """Whether a number operation is asked of the column: ``the total amount of <column>``."""
    words = reading.words
    place = mention.first - 1
    while place >= 0 and mention.first - place <= 4:
        word = words[place].flat
        if word in ("total", "sum", "amount") or word in ("average", "mean"):
            return True
        if word not in ("of", "the", "all", "in", "s", "for"):
            return False
        place -= 1
    return False


def _values_told(
    reading: QuestionReading, sketch: TableSketch, column: str, profile: ColumnProfile
) -> Iterator[PromptLine]:
    name = _name(column, sketch, len(reading.tables) > 1)
    weight = 0.4 + 0.2 * _is_named(reading, column)
    cells = profile.rows - profile.nulls
    few = profile.distinct is not None and profile.distinct <= MOST_CATEGORIES
    whole = [value for value in profile.values if _is_whole(value)]
    if profile.kind == "text" and few and whole:
        listed = [repr(value) for value in whole[:CATEGORIES_LISTED]]
        if reading.lower_case:
            listed = [value.lower() for value in listed]
        more = len(profile.values) - len(listed)
        told = ", ".join(listed) + (f" and {more} more" if more > 0 else "")
        text = f"Column {name} has categorical values: {told}."
        yield PromptLine(text, weight + 0.1, "values")
        if reading.policy.allows("values"):
            return
    if few and cells >= LEAST_FOR_STATISTICS and profile.kind in ("text", "number"):
        share = f", {profile.nulls / profile.rows:.0%} null" if profile.nulls else ""
        text = f"Column {name} has {profile.distinct} different values{share}."
        yield PromptLine(text, weight, "statistics")


def formats(reading: QuestionReading) -> Iterator[PromptLine]:
    """How text that is made of parts is written, and where that is not known (Figure 14)."""
    many = len(reading.tables) > 1
    timed = any(_timed(word.flat) for word in reading.words)
    for sketch in reading.tables:
        for column in sketch.chosen:
            if sketch.types.get(column) != "str":
                continue
            name = _name(column, sketch, many)
            profile = sketch.profiles.get(column)
            values = [value for value in profile.values if _is_whole(value)] if profile else []
            example = format_of(values)
            if example:
                shown = example.lower() if reading.lower_case else example
                weight = 0.6 + 0.3 * _dated(column)
                text = f"Column {name}'s format is {shown!r}."
                yield PromptLine(text, weight, "values")
            known = example and reading.policy.allows("values")
            if _dated(column) and column in sketch.about:
                yield PromptLine(_meaning(column, sketch, many), 0.8)
            elif _dated(column) and not known and (timed or _is_named(reading, column)):
                yield PromptLine(
                    f"Column {name} holds text, not dates, in a form that is not told: look for "
                    "the words of the question in it instead of parsing it.",
                    0.8,
                )


def format_of(values: Sequence[str]) -> str:
    """A value that shows how all are written; empty where they are not written alike.

    Args:
        values: Values of one text column, most frequent first.
    """
    shapes = Counter(map(_shape, values[:200]))
    if not shapes:
        return ""
    shape, count = shapes.most_common(1)[0]
    if count < LEAST_SHAPED * sum(shapes.values()) or len(shapes) == len(values) > 1:
        return ""
    if "9" not in shape or not re.search(r"[^9]", shape):
        return ""
    return next(value for value in values if _shape(value) == shape)


def _shape(value: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", value))


def _timed(word: str) -> bool:
    """Whether a word of the question speaks of a moment."""
    return word in MONTHS or word in _DATED or bool(re.fullmatch(r"(?:1[5-9]|20)\d\d", word))


def _dated(column: str) -> bool:
    return any(word in _DATED for word in header_words(column))


def strange_words(reading: QuestionReading) -> Iterator[PromptLine]:
    """Words of the question that no header has and a description does (Figure 16)."""
    headers = reading.column_stems
    many = len(reading.tables) > 1
    spoken = {
        (sketch.name, column): _telling(about)
        for sketch in reading.tables
        for column, about in sketch.about.items()
        if column in sketch.types
    }
    tables = _telling(" ".join(sketch.name for sketch in reading.tables))
    for word in dict.fromkeys(w.flat for w in reading.words):
        root = stem(word)
        if root in headers or root in tables or len(word) < 3 or word in FUNCTION_WORDS:
            continue
        if word in FUNCTIONS or word in NUMBER_OPERATIONS or word.isdigit():
            continue
        columns = [place for place, words in spoken.items() if root in words]
        if 0 < len(columns) <= MOST_SPEAKING:
            names = [_name(c, _sketch(reading, table), many) for table, c in columns]
            text = f"There is no column {word!r}; the note on {' and '.join(names)} speaks of it."
            yield PromptLine(text, 0.85)
            for table, column in columns:
                yield PromptLine(_meaning(column, _sketch(reading, table), many), 0.9)


def _sketch(reading: QuestionReading, name: str) -> TableSketch:
    return next(sketch for sketch in reading.tables if sketch.name == name)


def _name(column: str, sketch: TableSketch, many: bool) -> str:
    """A column as code writes it; of several tables with its table."""
    shown = repr(one_line(column, NAME_CHARACTERS)) if column not in sketch.types else repr(column)
    return f"{shown} of `{sketch.name}`" if many else shown


def _telling(text: str) -> frozenset[str]:
    words = tokenise(text[:2000])
    return frozenset(
        stem(w) for w in words if len(w) > 2 and w not in FUNCTION_WORDS and not w.isdigit()
    )


def _stems_of(column: str) -> frozenset[str]:
    return frozenset(map(stem, header_words(column)))
