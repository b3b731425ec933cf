"""Enrichment: what is added to a program's prompt against the eight ways in which programs fail.

Table 3 and Figures 9 to 16 of the DataFrame QA paper (Ye, Du and Wang 2024) name eight types of
failure, and show for each a prompt that a person mended by hand. Here each type has a step that
mends the prompt of any question over any table, out of names, types and what the user wrote; and
out of cells only where the privacy level lets them out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pydantic import BaseModel

from wideleaf.agents.coding.enrichment_columns import (
    PromptLine,
    formats,
    kinds_of_text,
    meanings,
    strange_words,
)
from wideleaf.agents.coding.enrichment_spans import characters, is_adjacent, spans_of_words
from wideleaf.agents.coding.enrichment_words import (
    BREAKS,
    FUNCTIONS,
    NUMBER_OPERATIONS,
    ColumnMention,
    QuestionReading,
    Span,
    TableSketch,
)
from wideleaf.prompts import render
from wideleaf.retrieval.words.values import find_values
from wideleaf.tools.privacy import Policy

NUMBERS = ("int", "float")


def quote_question(reading: QuestionReading, *, values: bool = True, functions: bool = True) -> str:
    """The question with quotes around what could be read as something else.

    Args:
        reading: The question beside its tables.
        values: Whether values of several words are quoted.
        functions: Whether columns that are named like functions are.
    """
    spans: list[Span] = []
    if values:
        spans += value_spans(reading)
    if functions:
        spans += function_spans(reading)
    text = reading.question
    taken = list(reading.quoted)
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if all(end <= first or start >= last for first, last in taken):
            taken.append((start, end))
    for start, end in sorted(set(taken) - set(reading.quoted), reverse=True):
        mark = '"' if re.search("['’]", text[start : end + 1]) else "'"
        text = f"{text[:start]}{mark}{text[start:end]}{mark}{text[end:]}"
    return text


def value_spans(reading: QuestionReading) -> list[Span]:
    """The parts of a question that are one value of several words each (Figure 9).

    Where cells may be told, those that the question has. Else by the words alone, and only where
    little else could be meant: after ``<column> is``, and names in capitals.
    """
    spans = [characters(reading, span) for span in spans_of_words(reading)]
    if reading.policy.allows("values"):
        spans = _known_values(reading) + spans
    return spans


def _known_values(reading: QuestionReading) -> list[Span]:
    text = reading.question.casefold()
    if len(text) != len(reading.question):  # a letter that folds to two would shift all places
        text = reading.question.lower()
    found: list[Span] = []
    for sketch in reading.tables:
        for values in find_values(reading.question, sketch.profiles).values():
            for value in values:
                words = list(map(re.escape, re.findall(r"\w+|[^\w\s]", value.casefold())))
                pattern = r"(?<!\w)" + r"\s*".join(words) + r"(?!\w)"
                if len(re.findall(r"[^\W_]+", value)) > 1:
                    found += [match.span() for match in re.finditer(pattern, text)]
    return found


def function_spans(reading: QuestionReading) -> list[Span]:
    """The words by which a question means a column that is named like a function (Figure 13)."""
    return [
        characters(reading, (mention.first, mention.last))
        for mention in reading.mentions
        if _has_function(reading, mention) and _means_column(reading, mention)
    ]


def _has_function(reading: QuestionReading, mention: ColumnMention) -> bool:
    said = [word.flat for word in reading.words[mention.first : mention.last]]
    return any(word in FUNCTIONS for word in said)


def _means_column(reading: QuestionReading, mention: ColumnMention) -> bool:
    """Whether the column is meant, and not the function of another column."""
    words = reading.words
    if mention.last - mention.first > 1:
        return True
    before = words[mention.first - 1].flat if mention.first else ""
    after = words[mention.last].flat if mention.last < len(words) else ""
    if after == "of":
        return False
    word = words[mention.first].flat
    for place in range(mention.last, len(words)):
        if not is_adjacent(reading, place) or words[place].flat in BREAKS:
            break
        other = reading.mention_at(place)
        counts = FUNCTIONS[word] in ("count", "size")
        if other is not None and (counts or other.type in NUMBERS):
            return False  # "the average price"
    told = ("the", "its", "their", "whose", "with", "by", "highest", "lowest", "same", "a", "s")
    if before in told or before in NUMBER_OPERATIONS:
        return True
    compared = ("is", "was", "above", "below", "over", "under", "between", "greater", "less")
    return after in compared or after.isdigit()


__all__ = ["REMEDIES", "Enrichment", "PromptLine", "Remedy", "TableSketch", "enrich"]

METHODS_NAMED = 6
_METHODS_LIST = """abs add agg all any apply assign at clip columns copy corr count cov describe
diff div dot drop dtypes eq empty explode filter first ge get groupby gt head idxmax idxmin iloc
index info insert isin items join keys kurt last le loc lt map mask max mean median melt merge
min mod mode mul ndim ne nunique pipe pivot plot pop pow prod product quantile query rank rename
round sample set shape shift size skew squeeze stack std style sub sum tail transform truncate
unstack update values var where"""
_METHODS = frozenset(_METHODS_LIST.split())
"""Names of a frame: ``df.count`` is a method even where there is a column of that name."""


class Enrichment(BaseModel, frozen=True):
    """What a question's prompt is enriched with.

    Attributes:
        question: The question, with quotes where something could be read as something else.
        facts: Lines about tables and columns, those that matter most first.
        requirements: Lines about the code, beyond those of every prompt.
    """

    question: str
    facts: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()


class Remedy(NamedTuple):
    """What is done about one type of failure.

    Attributes:
        failure: The type, as the paper's Table 3 names it.
        figure: The figure that shows it.
        facts: What is said of tables and columns.
        requires: What is said of the code.
        quotes: Whether the step puts a part of the question in quotes.
    """

    failure: str
    figure: int
    facts: Callable[[QuestionReading], Iterable[PromptLine]] = lambda _: ()
    requires: Callable[[QuestionReading], Iterable[str]] = lambda _: ()
    quotes: bool = False


def _instructed(reading: QuestionReading) -> Iterator[str]:
    yield render("pandas_no_import")
    if reading.lower_case:
        yield render("pandas_lower_case")


def _methods(reading: QuestionReading) -> Iterator[str]:
    named = [
        column
        for sketch in reading.tables
        for column in sketch.chosen
        if column.casefold() in _METHODS
    ]
    if named:
        listed = ", ".join(map(repr, dict.fromkeys(named[:METHODS_NAMED])))
        yield render("pandas_methods", columns=listed, first=repr(named[0]))


def _order(reading: QuestionReading) -> Iterator[str]:
    """Columns before the aggregation, where one is asked for and not every column is a number."""
    asked = any(word.flat in NUMBER_OPERATIONS | FUNCTIONS.keys() for word in reading.words)
    text = any(t not in ("int", "float") for s in reading.tables for t in s.types.values())
    if asked and text:
        yield render("pandas_order")


def _no_others(reading: QuestionReading) -> Iterator[str]:
    hidden = any(len(sketch.chosen) < len(sketch.types) for sketch in reading.tables)
    yield render("pandas_columns_shown" if hidden else "pandas_columns")


REMEDIES: tuple[Remedy, ...] = (
    Remedy("value retrieval", 9, quotes=True),
    Remedy("column reference", 10, facts=meanings),
    Remedy("instruction misalignment", 11, requires=_instructed),
    Remedy("aggregation", 12, facts=kinds_of_text),
    Remedy("function-column ambiguity", 13, requires=_methods, quotes=True),
    Remedy("insufficient column data or format", 14, facts=formats),
    Remedy("coding syntax", 15, requires=_order),
    Remedy("hallucination", 16, facts=strange_words, requires=_no_others),
)
"""The eight types of failure and what is done about each."""


def enrich(
    question: str,
    tables: Sequence[TableSketch],
    policy: Policy,
    *,
    lower_case: bool = False,
    steps: Sequence[Remedy] = REMEDIES,
) -> Enrichment:
    """Make out of a question and its tables what a prompt says beyond the bare one.

    Args:
        question: The user's words.
        tables: The tables.
        policy: What may be told of cells.
        lower_case: Whether text is compared in small letters.
        steps: What is done; all of it if not given.
    """
    reading = QuestionReading(
        question=question, tables=tuple(tables), policy=policy, lower_case=lower_case
    )
    quotes = {step.figure for step in steps if step.quotes}
    asked = quote_question(reading, values=9 in quotes, functions=13 in quotes)
    lines = [line for step in steps for line in step.facts(reading) if policy.allows(line.matter)]
    lines.sort(key=lambda line: -line.weight)
    requirements = [line for step in steps for line in step.requires(reading)]
    if asked != question:
        requirements.append(render("pandas_quotes"))
    return Enrichment(
        question=asked.lower() if lower_case else asked,
        facts=tuple(dict.fromkeys(line.text for line in lines)),
        requirements=tuple(dict.fromkeys(requirements)),
    )
