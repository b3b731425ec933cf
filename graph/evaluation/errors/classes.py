"""The error classes of the DataFrame QA paper (Table 6), by rules over what is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wideleaf.agents.evaluating.error_judge import CLASSES, ErrorClass
from wideleaf.graph.evaluation.errors.answers import of_answer, of_question, of_text_numbers
from wideleaf.graph.evaluation.errors.cells import CellReader, of_conditions
from wideleaf.graph.evaluation.errors.messages import has_error, of_error
from wideleaf.graph.evaluation.errors.program_reading import (
    ProgramCondition,
    ProgramReading,
    read_program,
)
from wideleaf.graph.evaluation.scorers.cells import Prediction

__all__ = ["CLASSES", "ErrorClass", "classify", "classify_steps"]


def classify(
    code: str,
    outcome: Prediction | str,
    expected: Sequence[Any],
    columns: Mapping[str, str],
    question: str = "",
    *,
    kind: str = "",
    cells: CellReader | None = None,
    gold_code: str = "",
) -> tuple[ErrorClass, ...]:
    """Say of which classes a wrong program's mistake is; several may apply.

    First what it raised; then what its conditions say to the cells; then what came beside what
    was expected, and beside the gold program. What none of that explains is of the class Others.

    Args:
        code: The program.
        outcome: Its answer, or the error that it raised, in words.
        expected: The gold's cells.
        columns: Kinds of the table's columns, by name.
        question: The question.
        kind: Of an error, the kind of the action's error, such as ``code time``.
        cells: Gives a column's cells.
        gold_code: The gold program, where there is one.
    """
    reading = read_program(code, frozenset(columns))
    answer = None if isinstance(outcome, str) else outcome
    error = outcome if isinstance(outcome, str) else ""
    gold = read_program(gold_code) if gold_code.strip() else ProgramReading()
    return _classes(reading, answer, error, kind, expected, columns, question, cells, gold)


def classify_steps(
    conditions: Iterable[ProgramCondition],
    failed: Iterable[tuple[str, str]],
    answer: Prediction | None,
    expected: Sequence[Any],
    columns: Mapping[str, str],
    question: str = "",
    *,
    cells: CellReader | None = None,
) -> tuple[ErrorClass, ...]:
    """The same of a run by typed actions, which has steps in place of a program.

    Args:
        conditions: What its steps chose rows by.
        failed: Kind and text of each step's error, where these kept it from an answer.
        answer: What came; None if nothing did.
        expected: The gold's cells.
        columns: Kinds of the tables' columns.
        question: The question.
        cells: Gives a column's cells.
    """
    reading = ProgramReading(parsed=True, conditions=tuple(conditions))
    if answer is None:
        found = {_STEPS.get(kind.split(" ")[0], _STEP) for kind, _ in failed}
        found |= of_conditions(reading, columns, cells, question)
        return _sorted(found)
    return _classes(reading, answer, "", "", expected, columns, question, cells, ProgramReading())


_STEP = ErrorClass.FUNCTION
_STEPS: dict[str, ErrorClass] = {
    "unknown": ErrorClass.STRUCTURE,
    "other": ErrorClass.STRUCTURE,
    "several": ErrorClass.STRUCTURE,
    "taken": ErrorClass.STRUCTURE,
    "name": ErrorClass.STRUCTURE,
    "wrong": ErrorClass.TYPE,
    "integer": ErrorClass.TYPE,
    "one": ErrorClass.EXPECTATION,
    "too": ErrorClass.OTHERS,
    "tried": ErrorClass.OTHERS,
    "forced": ErrorClass.OTHERS,
    "untraceable": ErrorClass.OTHERS,
}
"""The first word of a step's error's kind."""


def _classes(
    reading: ProgramReading,
    answer: Prediction | None,
    error: str,
    kind: str,
    expected: Sequence[Any],
    columns: Mapping[str, str],
    question: str,
    cells: CellReader | None,
    gold: ProgramReading,
) -> tuple[ErrorClass, ...]:
    found: set[ErrorClass] = set()
    if answer is None:
        found |= of_error(error, kind, reading, frozenset(columns))
        if found == {ErrorClass.ACCESS}:  # nothing was left to take: why?
            found |= of_conditions(reading, columns, cells, question)
            if cells is None and found == {ErrorClass.ACCESS}:
                found |= _unmet(reading, error)
        return _sorted(found)
    if answer.rows and has_error(str(answer.rows[0][0]) if answer.rows[0] else ""):
        found.add(ErrorClass.EXPECTATION)
    came = answer.cells()
    found |= of_conditions(reading, columns, cells, question)
    found |= of_text_numbers(reading, columns, cells)
    found |= of_answer(came, expected, reading, gold)
    if not gold.parsed:
        found |= of_question(reading, question)
    return _sorted(found)


def _unmet(reading: ProgramReading, error: str) -> set[ErrorClass]:
    """A condition that left nothing, as far as the program tells where no cell can be read."""
    empty = "IndexError" in error or "bounds" in error
    return {ErrorClass.CONDITION} if reading.conditions and empty else set()


def _sorted(found: set[ErrorClass]) -> tuple[ErrorClass, ...]:
    """In the order of the table; Others stands alone or not at all."""
    named = found - {ErrorClass.OTHERS}
    return tuple(one for one in ErrorClass if one in named) or (ErrorClass.OTHERS,)
