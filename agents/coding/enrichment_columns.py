"""What a prompt says of single columns: meanings, kinds of text, formats, words no header has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.coding.enrichment_words import (
    FUNCTION_WORDS,
    MONTHS,
    NO_NAMES,
    OPERATIONS,
    ColumnMention,
    QuestionReading,
    TableSketch,
)
from wideleaf.retrieval.words.names import header_words, spell_out, tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Matter
from wideleaf.tools.words import CELL_CHARACTERS, one_line

ABOUT_CHARACTERS = 220
"""Of a description; a dictionary's longer ones are cut."""
NAME_CHARACTERS = 200
MAX_CATEGORIES = 20
"""A text column of more values has no categories that are worth listing."""
CATEGORIES_LISTED = 12
MIN_SHAPED = 0.8
"""The share of values that must look alike for their look to be a format."""
MAX_SPEAKING = 2
"""A word that more descriptions have tells no column from another."""
_DATED_LIST = """date day month time datetime timestamp birthday deadline released"""
_DATED = frozenset(_DATED_LIST.split())
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SUMS = ("total", "sum", "amount", "average", "mean")
_BETWEEN = ("of", "the", "all", "in", "s", "for")
"""Words between an operation and the column that it is asked of."""


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
    stems = _telling(reading.question)
    for sketch in reading.tables:
        if sketch.text:
            yield PromptLine(one_line(sketch.text, 2 * ABOUT_CHARACTERS), 1.0)
        for column, about in sketch.about.items():
            if column in sketch.types or "{" in column or "*" in column:
                own = _telling(about) | {stem(word) for word in header_words(column)}
                weight = 0.6 + 0.1 * min(len(stems & own), 3) + 0.05 * (len(column) <= 6)
                yield PromptLine(_meaning(reading, sketch, column), weight)
    # What abbreviations in headers stand for, where the question writes them out.
    stems -= {stem(word) for word in OPERATIONS}
    for sketch, column in reading.columns:
        if column not in sketch.about and column not in reading.named:
            expansions = [long for _, long in spell_out(header_words(column))]
            if candidates := [long for long in expansions if stems & _telling(long)]:
                text = f"may stand for {', '.join(candidates)}."
                yield PromptLine(f"Column {_name(reading, sketch, column)} {text}", 0.7)


def kinds_of_text(reading: QuestionReading) -> Iterator[PromptLine]:
    """Text columns that a number is asked of, and columns of few values (Figure 12)."""
    for mention in reading.mentions:
        if mention.type == "str" and _is_summed(reading, mention):
            text = "holds text, not numbers: an amount or a total of it is a count of its rows."
            name = _name(reading, mention.sketch, mention.column)
            yield PromptLine(f"Column {name} {text}", 0.95)
    for sketch, column in reading.columns:
        profile = sketch.profiles.get(column)
        few = profile and profile.distinct is not None and profile.distinct <= MAX_CATEGORIES
        if profile is None or not few or profile.kind not in ("text", "number"):
            continue
        head = f"Column {_name(reading, sketch, column)} has"
        weight = 0.4 + 0.2 * (column in reading.named)
        whole = _whole_values(sketch, column)
        if profile.kind == "text" and whole:
            categories = [reading.as_compared(repr(value)) for value in whole[:CATEGORIES_LISTED]]
            more = len(profile.values) - len(categories)
            listing = ", ".join(categories) + (f" and {more} more" if more > 0 else "")
            yield PromptLine(f"{head} categorical values: {listing}.", weight + 0.1, "values")
            if reading.policy.allows("values"):
                continue
        if profile.rows - profile.nulls >= MIN_FOR_STATISTICS:
            share = f", {profile.nulls / profile.rows:.0%} null" if profile.nulls else ""
            text = f"{head} {profile.distinct} different values{share}."
            yield PromptLine(text, weight, "statistics")


def _is_summed(reading: QuestionReading, mention: ColumnMention) -> bool:
    """Whether a number operation is asked of the column: ``the total amount of <column>``."""
    near = reading.words[max(mention.first - 4, 0) : mention.first]
    telling = [word.flat for word in near if word.flat not in _BETWEEN]
    return bool(telling) and telling[-1] in _SUMS


def _whole_values(sketch: TableSketch, column: str) -> list[str]:
    """Values short enough to be shown as they are; a part of one would equal no cell."""
    profile = sketch.profiles.get(column)
    values = profile.values if profile else ()
    return [one for one in values if len(one) <= CELL_CHARACTERS and not one.endswith("…")]


def formats(reading: QuestionReading) -> Iterator[PromptLine]:
    """How text that is made of parts is written, and where that is not known (Figure 14)."""
    words = [word.flat for word in reading.words]
    timed = any(word in MONTHS | _DATED or _YEAR.fullmatch(word) for word in words)
    for sketch, column in reading.columns:
        if sketch.types.get(column) != "str":
            continue
        head = f"Column {_name(reading, sketch, column)}"
        dated = not _DATED.isdisjoint(header_words(column))
        example = format_of(_whole_values(sketch, column))
        if example:
            text = f"{head}'s format is {reading.as_compared(example)!r}."
            yield PromptLine(text, 0.6 + 0.3 * dated, "values")
        has_example = example and reading.policy.allows("values")
        if dated and column in sketch.about:
            yield PromptLine(_meaning(reading, sketch, column), 0.8)
        elif dated and not has_example and (timed or column in reading.named):
            text = "holds text, not dates, in a form that is not told: look for the words of the "
            yield PromptLine(f"{head} {text}question in it instead of parsing it.", 0.8)


def format_of(values: Sequence[str]) -> str:
    """A value that shows how all are written; empty where they are not written alike.

    Args:
        values: Values of one text column, most frequent first.
    """
    shapes = Counter(map(_shape, values[:200]))
    if not shapes or len(shapes) == len(values) > 1:
        return ""
    shape, count = shapes.most_common(1)[0]
    if count < MIN_SHAPED * sum(shapes.values()) or not re.search(r"9[^9]|[^9]9", shape):
        return ""
    return next(value for value in values if _shape(value) == shape)


def _shape(value: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", value))


def strange_words(reading: QuestionReading) -> Iterator[PromptLine]:
    """Words of the question that no header has and a description does (Figure 16)."""
    notes = [
        (sketch, column, _telling(about))
        for sketch in reading.tables
        for column, about in sketch.about.items()
        if column in sketch.types
    ]
    stems = reading.column_stems | _telling(" ".join(sketch.name for sketch in reading.tables))
    for word in dict.fromkeys(word.flat for word in reading.words):
        root = stem(word)
        if root in stems or word in NO_NAMES or len(word) < 3 or word.isdigit():
            continue
        speaking = [(sketch, column) for sketch, column, note_stems in notes if root in note_stems]
        if 0 < len(speaking) <= MAX_SPEAKING:
            names = " and ".join(_name(reading, *one) for one in speaking)
            yield PromptLine(
                f"There is no column {word!r}; the note on {names} speaks of it.", 0.85
            )
            yield from (PromptLine(_meaning(reading, *one), 0.9) for one in speaking)


def _meaning(reading: QuestionReading, sketch: TableSketch, column: str) -> str:
    meaning = one_line(sketch.about[column], ABOUT_CHARACTERS)
    return f"Column {_name(reading, sketch, column)}: {meaning}"


def _name(reading: QuestionReading, sketch: TableSketch, column: str) -> str:
    """A column as code writes it; of several tables with its table."""
    header = repr(column if column in sketch.types else one_line(column, NAME_CHARACTERS))
    return f"{header} of `{sketch.name}`" if len(reading.tables) > 1 else header


def _telling(text: str) -> frozenset[str]:
    """The stems of the words of a text that tell something."""
    words = {word for word in tokenise(text[:2000]) if len(word) > 2 and not word.isdigit()}
    return frozenset(map(stem, words - FUNCTION_WORDS))
