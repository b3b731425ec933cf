"""SQLite's cells: their types are by cell; one type is found for each column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from wideleaf.tools.repair import Repair
from wideleaf.tools.rows import FLOAT_DIGITS, Kind

FLOAT_WHOLE = 2**53
"""A larger whole number may lose digits as a float."""


class Column(NamedTuple):
    """A column as it is declared."""

    name: str
    declared: str


class Cells(NamedTuple):
    """How many cells of a column are of which type, and the range of the whole numbers."""

    whole: int
    real: int
    text: int
    blob: int
    least: int
    most: int

    @property
    def alike(self) -> bool:
        """Whether all cells are of one type, so that none has to be looked at."""
        return sum(count > 0 for count in self[:4]) <= 1


def column_kinds(
    columns: Sequence[Column], cells: Sequence[Cells]
) -> tuple[list[Kind | None], list[Repair]]:
    """Find what each column is read as.

    A column declared as text stays text, or becomes dates if every cell is one, for SQLite has no
    dates; text in a column declared otherwise is read as text of a file is.

    Returns:
        The kinds, None for a column that is left out, and what was done.
    """
    kinds: list[Kind | None] = []
    told: dict[str, list[str]] = {}
    for column, count in zip(columns, cells, strict=True):
        numbers = count.whole + count.real
        kind: Kind | None
        if not numbers and not count.text:
            kind = None if count.blob else _declared(column.declared)
        elif count.text:
            kind = "dates" if _is_text(column.declared) else "forms"
            if numbers:
                told.setdefault("Cells of several kinds were read as text first", []).append(
                    column.name
                )
        elif count.real:
            kind = "number"
            if max(-count.least, count.most) > FLOAT_WHOLE:
                told.setdefault(f"Rounded to about {FLOAT_DIGITS} digits", []).append(column.name)
        else:
            kind = "flag" if "BOOL" in column.declared else "integer"
        if count.blob:
            text = "Cells of bytes became null" if kind else "Left out columns of bytes"
            told.setdefault(text, []).append(column.name)
        kinds.append(kind)
    return kinds, [Repair(text=text, columns=tuple(names)) for text, names in told.items()]


def _is_text(declared: str) -> bool:
    return "INT" not in declared and any(word in declared for word in ("CHAR", "CLOB", "TEXT"))


def _declared(declared: str) -> Kind | None:
    """The kind of a column without cells, by SQLite's own rules and the names people use."""
    if "BOOL" in declared:
        return "boolean"
    if "INT" in declared:
        return "integer"
    if _is_text(declared) or not declared:
        return "text"
    if "DATE" in declared or "TIME" in declared:
        return "date" if "TIME" not in declared else "time"
    return None if "BLOB" in declared else "number"


def _text(cell: Any) -> str | None:
    if isinstance(cell, str):
        return cell
    return None if cell is None or isinstance(cell, bytes) else repr(cell)


def _whole(cell: Any) -> int | None:
    return cell if isinstance(cell, int) else None


def _number(cell: Any) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


PLAIN: dict[str, Callable[[Any], Any]] = {
    "integer": _whole,
    "flag": _whole,
    "boolean": _whole,
    "number": _number,
    "text": _text,
}
"""How a cell of each kind is made one of the type that is written; the others are text."""
