"""Enrichment: what is added to a program's prompt against the eight ways in which programs fail.

Table 3 and Figures 9 to 16 of the DataFrame QA paper (Ye, Du and Wang 2024) name eight types of
failure, and show for each a prompt that a person mended by hand. Here each type has a step that
mends the prompt of any question over any table, out of names, types and what the user wrote; and
out of cells only where the privacy level lets them out.
"""

from __future__ import annotations

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
from wideleaf.agents.coding.enrichment_quotes import function_spans, quote, value_spans
from wideleaf.agents.coding.enrichment_words import (
    NUMBERS,
    OPERATIONS,
    QuestionReading,
    Span,
    TableSketch,
)
from wideleaf.prompts import render
from wideleaf.tools.privacy import Policy

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
        quotes: The parts of the question that the step puts in quotes.
    """

    failure: str
    figure: int
    facts: Callable[[QuestionReading], Iterable[PromptLine]] = lambda _: ()
    requires: Callable[[QuestionReading], Iterable[str]] = lambda _: ()
    quotes: Callable[[QuestionReading], Iterable[Span]] = lambda _: ()


def _instructions(reading: QuestionReading) -> list[str]:
    lower = [render("pandas_lower_case")] if reading.lower_case else []
    return [render("pandas_no_import"), *lower]


def _methods(reading: QuestionReading) -> Iterator[str]:
    methods = [column for _, column in reading.columns if column.casefold() in _METHODS]
    if methods:
        listing = ", ".join(map(repr, dict.fromkeys(methods[:METHODS_NAMED])))
        yield render("pandas_methods", columns=listing, first=repr(methods[0]))


def _order(reading: QuestionReading) -> Iterator[str]:
    """Columns before the aggregation, where one is asked for and not every column is a number."""
    has_operation = any(word.flat in OPERATIONS for word in reading.words)
    text = any(t not in NUMBERS for s in reading.tables for t in s.types.values())
    if has_operation and text:
        yield render("pandas_order")


def _no_others(reading: QuestionReading) -> Iterator[str]:
    hidden = any(len(sketch.chosen) < len(sketch.types) for sketch in reading.tables)
    yield render("pandas_columns_shown" if hidden else "pandas_columns")


REMEDIES: tuple[Remedy, ...] = (
    Remedy("value retrieval", 9, quotes=value_spans),
    Remedy("column reference", 10, facts=meanings),
    Remedy("instruction misalignment", 11, requires=_instructions),
    Remedy("aggregation", 12, facts=kinds_of_text),
    Remedy("function-column ambiguity", 13, requires=_methods, quotes=function_spans),
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
    wording = quote(reading, [span for step in steps for span in step.quotes(reading)])
    lines = [line for step in steps for line in step.facts(reading) if policy.allows(line.matter)]
    lines.sort(key=lambda line: -line.weight)
    requirements = [line for step in steps for line in step.requires(reading)]
    if wording != question:
        requirements.append(render("pandas_quotes"))
    return Enrichment(
        question=reading.as_compared(wording),
        facts=tuple(dict.fromkeys(line.text for line in lines)),
        requirements=tuple(dict.fromkeys(requirements)),
    )
