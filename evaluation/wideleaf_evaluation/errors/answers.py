"""The classes of an answer that is not the gold one, though its program ran."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wideleaf.agents.answer.spans import number_of
from wideleaf_evaluation.errors.cells import CellReader
from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.errors.program_reading import (
    BEST,
    GROUPING,
    ORDERING,
    REDUCING,
    SPREAD,
    TEXT_TESTS,
    ProgramReading,
)
from wideleaf_evaluation.scorers.rows import same_bag

_AGGREGATES = REDUCING | SPREAD | BEST
_COUNTS = {"count", "size", "len", "nunique", "value_counts"}
_ASKED: tuple[tuple[str, set[str]], ...] = (
    (r"\bhow many\b|\bnumber of\b|\bcount of\b", _COUNTS | {"sum", "shape"}),
    (r"\baverage\b|\bmean\b", {"mean", "agg", "describe"}),
    (r"\bmedian\b", {"median", "agg", "quantile", "describe"}),
    (r"\btotal\b|\bsum of\b", {"sum", "agg", "size", "count", "len"}),
)
"""What a question asks for, and what a program that answers it does."""
_READ = 200


def of_answer(
    cells: Sequence[Any], expected: Sequence[Any], reading: ProgramReading, gold: ProgramReading
) -> set[ErrorClass]:
    """Classes by what came beside what was expected, and by the gold program where there is one.

    Args:
        cells: The answer's cells.
        expected: The gold's.
        reading: The program.
        gold: The gold program; one that is not known reads as nothing.
    """
    values = [cell for cell in cells if cell is not None]
    if not values:
        return {ErrorClass.CONDITION if reading.conditions else ErrorClass.EXPECTATION}
    classes: set[ErrorClass] = set()
    if (
        len(cells) != len(expected)
        or same_bag(expected, cells)
        or _differ_by_scale(cells, expected)
    ):
        classes.add(ErrorClass.EXPECTATION)
    elif len(values) == 1 and number_of(values[0]) == 0 and reading.conditions:
        classes.add(ErrorClass.CONDITION)  # nothing matched, and nothing was counted
    classes |= _beside(reading, gold)
    return classes or ({ErrorClass.EXPECTATION} if _kind(cells) != _kind(expected) else set())


def of_question(reading: ProgramReading, question: str) -> set[ErrorClass]:
    """Classes by what the question asks for and the program does not, without a gold program."""
    text = question.casefold()
    classes: set[ErrorClass] = set()
    reduces = reading.methods & (_AGGREGATES | {"agg", "describe"})
    for pattern, methods in _ASKED:
        if re.search(pattern, text) and reduces and not reading.methods & methods:
            classes.add(ErrorClass.TYPE)
    tests = {condition.test for condition in reading.conditions}
    at_least = re.search(r"\bat least\b|\bat most\b|\bor (more|less|fewer|older|younger)\b", text)
    more = re.search(r"\b(more|less|fewer|greater|older|younger|higher|lower) than\b", text)
    if (at_least and tests & {"<", ">"} and not tests & {"<=", ">="}) or (
        more and not at_least and tests & {"<=", ">="} and not tests & {"<", ">"}
    ):
        classes.add(ErrorClass.CONDITION)
    return classes


def of_text_numbers(
    reading: ProgramReading, kinds: Mapping[str, str], cells: CellReader | None
) -> set[ErrorClass]:
    """Whether numbers that are texts are added or put in order: 5 and 31 make 531."""
    if cells is None or not reading.methods & (ORDERING | BEST | {"sum", "max", "min"}):
        return set()
    if reading.methods & {"astype", "to_numeric", "float", "int"}:
        return set()
    for column in reading.columns:
        # A column that is only a condition's is neither added nor ordered.
        if kinds.get(column) == "text" and column not in {c.column for c in reading.conditions}:
            there = [cell for cell in list(cells(column))[:_READ] if cell not in (None, "")]
            if there and sum(number_of(c, marks=True) is not None for c in there) > len(there) / 2:
                return {ErrorClass.TYPE}
    return set()


def _beside(reading: ProgramReading, gold: ProgramReading) -> set[ErrorClass]:
    """What a program does otherwise than the gold one."""
    if not gold.parsed or not reading.parsed:
        return set()
    classes: set[ErrorClass] = set()
    if _conditions(reading) != _conditions(gold):
        classes.add(ErrorClass.CONDITION)
    parts = {(c.column, c.value) for c in gold.conditions if c.test in TEXT_TESTS}
    if parts & {(c.column, c.value) for c in reading.conditions if c.test == "=="}:
        classes.add(ErrorClass.STRING)
    mine, theirs = reading.columns - reading.made, gold.columns - gold.made
    conditioned = {c.column for c in (*reading.conditions, *gold.conditions)}
    if (mine ^ theirs) - conditioned and not mine >= theirs:
        classes.add(ErrorClass.STRUCTURE)
    aggregates = _AGGREGATES - {"len", "size"}
    if (reading.methods & aggregates) != (gold.methods & aggregates):
        classes.add(ErrorClass.TYPE)
    if bool(reading.methods & GROUPING) != bool(gold.methods & GROUPING):
        classes.add(ErrorClass.EXPECTATION)
    return classes


def _conditions(reading: ProgramReading) -> set[tuple[str, str, str]]:
    return {(c.column, c.test, repr(c.value)) for c in reading.conditions}


def _kind(cells: Sequence[Any]) -> str:
    numbers = [number_of(cell, marks=True) is not None for cell in cells if cell is not None]
    return "number" if all(numbers) else "text" if not any(numbers) else "both"


def _differ_by_scale(cells: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Whether numbers are off by a power of ten of at least 100, a sign or a rounding alone."""
    pairs = [
        (number_of(a, marks=True), number_of(b, marks=True))
        for a, b in zip(cells, expected, strict=True)
    ]
    if any(one is None or two is None for one, two in pairs):
        return False
    unlike = [(one, two) for one, two in pairs if one and two and one != two]
    return bool(unlike) and all(
        any(abs(one / two / by - 1) < 0.006 for by in (1, -1, 100, 0.01, 1000, 0.001))
        for one, two in unlike
    )
