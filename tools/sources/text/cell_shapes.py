"""Cell shapes: whether text looks like a number, a date or time, or no value at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wideleaf.tools.cells.forms import NULL_WORDS
from wideleaf.tools.words import short_text

TextRow = Sequence[str | None]

SEARCHED_ROWS = 60
"""How far down a header is looked for."""
MOSTLY = 0.8

_DATE = re.compile(
    r"(?:\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}\.\d{1,2}\.\d{1,2})"
    r"(?:[T ]+\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d.*)?"
)
_NUMBER = re.compile(
    r"[+\-−(]?\s*[€$£¥]?\s*[+-]?\.?\d[\d.,'’\s]*(?:e[+-]?\d+)?\s*(?:%|[€$£¥])?\)?-?|true|false",
    re.IGNORECASE,
)


def is_date(cell: str | None) -> bool:
    """Whether a cell is a date or a time of day."""
    return bool(cell and _DATE.fullmatch(short_text(cell)))


def is_typed(cell: str | None) -> bool:
    """Whether a cell is a number, a date, a time or a truth value."""
    return is_date(cell) or bool(cell and _NUMBER.fullmatch(short_text(cell)))


def is_null(cell: str | None) -> bool:
    """Whether a cell holds a word for no value."""
    return bool(cell) and (cell or "").strip() in NULL_WORDS


def is_column_typed(rows: Sequence[TextRow], column: int) -> bool:
    """Whether most cells of a column are typed."""
    valid = [cell for cell in column_cells(rows, column) if not is_null(cell)]
    return bool(valid) and sum(map(is_typed, valid)) >= MOSTLY * len(valid)


def column_cells(rows: Sequence[TextRow], column: int) -> list[str]:
    """The cells of a column's first rows, without blank ones."""
    cells = [row[column] for row in rows[:SEARCHED_ROWS] if column < len(row)]
    return [cell.strip() for cell in cells if cell and cell.strip()]
