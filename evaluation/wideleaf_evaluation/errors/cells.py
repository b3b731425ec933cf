"""What the cells say of a program's conditions: values that are nowhere, or in another writing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unicodedata import combining, normalize

from wideleaf.agents.answer.spans import number_of
from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.errors.program_reading import (
    TEXT_TESTS,
    ProgramCondition,
    ProgramReading,
)

CellReader = Callable[[str], Sequence[Any]]
READ = 20_000
"""So many cells of a column are looked at."""
MIN_ALIKE = 85
"""Texts are the same in another spelling if they are at least so much alike, of 100."""
_COMPARES: dict[str, Callable[[float, float], bool]] = {
    "<": lambda cell, value: cell < value,
    "<=": lambda cell, value: cell <= value,
    ">": lambda cell, value: cell > value,
    ">=": lambda cell, value: cell >= value,
}


def of_conditions(
    reading: ProgramReading, kinds: Mapping[str, str], cells: CellReader | None, question: str
) -> set[ErrorClass]:
    """Classes of what is wrong with the conditions by themselves.

    Args:
        reading: The program.
        kinds: Kinds of the columns, by name.
        cells: Gives the cells of a column; without it only types and the question tell.
        question: The question, whose own writing of a value is looked at where no cell can be.
    """
    classes: set[ErrorClass] = set()
    for condition in reading.conditions:
        if condition.column not in kinds or condition.test == "!=":
            continue
        kind = kinds[condition.column]
        words, number = isinstance(condition.value, str), _is_number(condition.value)
        text_for_number = kind == "number" and words and condition.test in ("==", "isin")
        if text_for_number or (kind == "text" and number):
            classes |= {ErrorClass.TYPE, ErrorClass.CONDITION}
        elif cells is not None:
            classes |= _of_value(condition, list(cells(condition.column))[:READ])
        elif words and _in_other_case(condition.value, question):
            classes |= {ErrorClass.STRING, ErrorClass.CONDITION}
    return classes


def _of_value(condition: ProgramCondition, cells: Sequence[Any]) -> set[ErrorClass]:
    value, test = condition.value, condition.test
    there = [cell for cell in cells if cell is not None]
    if isinstance(value, str):
        return _of_text(condition, {str(cell) for cell in there})
    if test in _COMPARES and _is_number(value):
        numbers = [n for cell in there if (n := number_of(cell)) is not None]
        met = not numbers or any(_COMPARES[test](n, float(value)) for n in numbers)
    else:
        met = test not in ("==", "isin") or value in there
    return set() if met else {ErrorClass.CONDITION}


def _of_text(condition: ProgramCondition, texts: set[str]) -> set[ErrorClass]:
    value, folded = condition.value, _fold_text(condition.value)
    if condition.test in ("==", "isin"):
        if value in texts or (condition.folded and folded in map(_fold_text, texts)):
            # "ROSE" against lower-cased cells is never met.
            return set() if not condition.folded or _meets(value) else _STRING
        alike = _alike(value, texts)
    elif condition.test in TEXT_TESTS:
        if any(_is_part(condition, text) for text in texts):
            return set()
        alike = any(folded in _fold_text(text) for text in texts)
    else:
        return set()
    return _STRING if alike else {ErrorClass.CONDITION}


def _is_part(condition: ProgramCondition, text: str) -> bool:
    value = condition.value
    folded = condition.folded and value in _fold_text(text)
    return value in text or folded or _matches(value, text)


_STRING = {ErrorClass.STRING, ErrorClass.CONDITION}


def _meets(value: str) -> bool:
    return value in (value.lower(), value.upper(), value.title(), value.capitalize())


def _matches(pattern: str, text: str) -> bool:
    # A model's pattern is not run as one here: it may take for ever.
    return bool(re.fullmatch(r"[\w\s|]+", pattern)) and any(p in text for p in pattern.split("|"))


def _alike(value: str, texts: set[str]) -> bool:
    """Whether a cell is this text in another writing, or holds it, or is held by it."""
    from rapidfuzz import fuzz, process

    folded = _fold_text(value)
    if not folded:
        return False
    cells = {_fold_text(text) for text in texts} - {""}
    if folded in cells:
        return True
    needle = f" {folded} "
    if any(needle in f" {cell} " or (len(cell) > 3 and f" {cell} " in needle) for cell in cells):
        return True
    return process.extractOne(folded, cells, scorer=fuzz.ratio, score_cutoff=MIN_ALIKE) is not None


def _fold_text(text: str) -> str:
    plain = "".join(c for c in normalize("NFKD", text) if not combining(c))
    return " ".join(re.findall(r"\w+", plain.casefold()))


def _in_other_case(value: str, question: str) -> bool:
    return value not in question and value.casefold() in question.casefold()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
