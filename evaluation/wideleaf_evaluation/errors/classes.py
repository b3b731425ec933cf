"""The error classes of the DataFrame QA paper (Table 6), by rules over what is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wideleaf_evaluation.errors.answers import of_answer, of_question, of_text_numbers
from wideleaf_evaluation.errors.cells import CellReader, of_conditions
from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.errors.program_reading import (
    ProgramCondition,
    ProgramReading,
    read_program,
)
from wideleaf_evaluation.scorers.cells import Prediction

_TYPE = re.compile(r"\b([A-Z]\w*(?:Error|Exception)|Exception|KeyError)\b")
_KEYED = r"KeyError|UndefinedVariableError|not in index|not found in axis|Column not found"

_RULES: tuple[tuple[str, frozenset[ErrorClass]], ...] = tuple(
    (pattern, frozenset(classes))
    for pattern, classes in (
        (r"does not parse|SyntaxError|IndentationError", {ErrorClass.OTHERS}),
        (
            r"unexpected keyword|positional argument|required (positional |keyword)|"
            r"multiple values for|not callable|No axis named|not a valid function name",
            {ErrorClass.FUNCTION},
        ),
        (r"\.(str|dt|cat) accessor", {ErrorClass.TYPE}),
        (
            r"not subscriptable|invalid index to scalar|string indices must|has no len|"
            r"not iterable|cannot reshape|Length mismatch|Length of values|Unalignable|"
            r"Item wrong length|truth value of an? (Series|DataFrame|array)",
            {ErrorClass.STRUCTURE},
        ),
        (
            r"could not convert|invalid literal|unknown (datetime )?string format|time data|"
            r"unable to parse|out of bounds nanosecond|dtype|not supported|unsupported operand|"
            r"can only concatenate|no kernel matching|Invalid comparison|reduction",
            {ErrorClass.TYPE},
        ),
        (r"IndexError|out[ -]of[ -]bounds|Too many indexers", {ErrorClass.ACCESS}),
        (r"NameError|ZeroDivisionError|RecursionError|TimeoutError", {ErrorClass.OTHERS}),
        (r"TypeError", {ErrorClass.TYPE}),
        (r"AttributeError|ValueError", {ErrorClass.FUNCTION}),
    )
)
"""The first that is found counts."""
_KINDS = {
    "code time": ErrorClass.OTHERS,
    "code memory": ErrorClass.OTHERS,
    "code output": ErrorClass.EXPECTATION,
    "code result": ErrorClass.EXPECTATION,
}


def of_error(
    error: str, kind: str, reading: ProgramReading, columns: frozenset[str]
) -> set[ErrorClass]:
    """The classes of an error.

    Args:
        error: Its type and message, however they are worded.
        kind: The kind of the action's error, such as ``code time``.
        reading: The program.
        columns: Names of the columns there are.
    """
    if kind in _KINDS:
        return {_KINDS[kind]}
    # Where the sandbox quotes the line of code, its words are no part of the message.
    message = re.sub(r"in line \d+, `[^`]*`", "", error)
    attribute = re.search(r"attribute '(\w+)'|\.(\w+): \w+ is not among", message)
    if "is not among the attributes" in message or "has no attribute" in message:
        name = (attribute[1] or attribute[2]) if attribute else ""
        # df.Age read as a column, or a method that there is none of.
        called = name in reading.methods
        return {ErrorClass.FUNCTION if called else ErrorClass.STRUCTURE}
    if kind == "code refused":
        parsed = "does not parse" not in message
        return {ErrorClass.FUNCTION} if parsed and "attribute" in message else {ErrorClass.OTHERS}
    if re.search(_KEYED, message):
        return _of_key(message, reading, columns)
    for pattern, classes in _RULES:
        if re.search(pattern, message, re.I):
            return set(classes)
    return {ErrorClass.OTHERS}


def _of_key(message: str, reading: ProgramReading, columns: frozenset[str]) -> set[ErrorClass]:
    """A key that was not found: a column that there is not, or a row's label."""
    keys = set(re.findall(r"'([^']*)'", message)) | set(re.findall(r'"([^"]*)"', message))
    missing = reading.columns - reading.made - columns
    if missing or (keys and keys & reading.made):
        labels = {ErrorClass.STRUCTURE}
        if not missing:
            labels.add(ErrorClass.ACCESS)
        if missing & {condition.column for condition in reading.conditions}:
            labels.add(ErrorClass.CONDITION)
        return labels
    if "UndefinedVariableError" in message:
        return {ErrorClass.STRUCTURE, ErrorClass.CONDITION}
    # A column that there is, taken after a step that left it behind, is a matter of structure.
    return {ErrorClass.STRUCTURE if keys & columns else ErrorClass.ACCESS}


def has_error(text: str) -> bool:
    """Whether a text names an error's type."""
    return bool(_TYPE.search(text))


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
        labels = {_STEPS.get(kind.split(" ")[0], _STEP) for kind, _ in failed}
        labels |= of_conditions(reading, columns, cells, question)
        return _sort_classes(labels)
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
    labels: set[ErrorClass] = set()
    if answer is None:
        labels |= of_error(error, kind, reading, frozenset(columns))
        if labels == {ErrorClass.ACCESS}:  # nothing was left to take: why?
            labels |= of_conditions(reading, columns, cells, question)
            if cells is None and labels == {ErrorClass.ACCESS}:
                labels |= _unmet(reading, error)
        return _sort_classes(labels)
    if answer.rows and has_error(str(answer.rows[0][0]) if answer.rows[0] else ""):
        labels.add(ErrorClass.EXPECTATION)
    came = answer.cells()
    labels |= of_conditions(reading, columns, cells, question)
    labels |= of_text_numbers(reading, columns, cells)
    labels |= of_answer(came, expected, reading, gold)
    if not gold.parsed:
        labels |= of_question(reading, question)
    return _sort_classes(labels)


def _unmet(reading: ProgramReading, error: str) -> set[ErrorClass]:
    """A condition that left nothing, as far as the program tells where no cell can be read."""
    empty = "IndexError" in error or "bounds" in error
    return {ErrorClass.CONDITION} if reading.conditions and empty else set()


def _sort_classes(labels: set[ErrorClass]) -> tuple[ErrorClass, ...]:
    """In the order of the table; Others stands alone or not at all."""
    rest = labels - {ErrorClass.OTHERS}
    return tuple(one for one in ErrorClass if one in rest) or (ErrorClass.OTHERS,)
