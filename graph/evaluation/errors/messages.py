"""The classes of an error that a program raised, by its type and its message."""

from __future__ import annotations

import re

from wideleaf.agents.evaluating.error_judge import ErrorClass
from wideleaf.graph.evaluation.errors.program_reading import ProgramReading

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
    said = re.sub(r"in line \d+, `[^`]*`", "", error)
    attribute = re.search(r"attribute '(\w+)'|\.(\w+): \w+ is not among", said)
    if "is not among the attributes" in said or "has no attribute" in said:
        name = (attribute[1] or attribute[2]) if attribute else ""
        # df.Age read as a column, or a method that there is none of.
        called = name in reading.methods
        return {ErrorClass.FUNCTION if called else ErrorClass.STRUCTURE}
    if kind == "code refused":
        parsed = "does not parse" not in said
        return {ErrorClass.FUNCTION} if parsed and "attribute" in said else {ErrorClass.OTHERS}
    if re.search(_KEYED, said):
        return _of_key(said, reading, columns)
    for pattern, classes in _RULES:
        if re.search(pattern, said, re.I):
            return set(classes)
    return {ErrorClass.OTHERS}


def _of_key(said: str, reading: ProgramReading, columns: frozenset[str]) -> set[ErrorClass]:
    """A key that was not found: a column that there is not, or a row's label."""
    named = set(re.findall(r"'([^']*)'", said)) | set(re.findall(r'"([^"]*)"', said))
    missing = reading.columns - reading.made - columns
    if missing or (named and named & reading.made):
        found = {ErrorClass.STRUCTURE}
        if not missing:
            found.add(ErrorClass.ACCESS)
        if missing & {condition.column for condition in reading.conditions}:
            found.add(ErrorClass.CONDITION)
        return found
    if "UndefinedVariableError" in said:
        return {ErrorClass.STRUCTURE, ErrorClass.CONDITION}
    # A column that there is, taken after a step that left it behind, is a matter of structure.
    return {ErrorClass.STRUCTURE if named & columns else ErrorClass.ACCESS}


def has_error(text: str) -> bool:
    """Whether a text names an error's type."""
    return bool(_TYPE.search(text))
