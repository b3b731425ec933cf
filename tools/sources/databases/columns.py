"""The columns of an SQL table: a kind for each type, what is asked for, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.source import ForeignKey

CellKind = Literal[
    "integer",
    "number",
    "boolean",
    "text",
    "flag",  # whole numbers; true or false if there are only 0 and 1
    "whole",  # text of whole numbers of any length
    "decimal",  # text of numbers of any length
    "date",  # text of dates
    "time",  # text of dates and times
    "zoned",  # the same in UTC
    "dates",  # text that may turn out to be dates or times
    "forms",  # text that may turn out to be anything
]
FLOAT_DIGITS = 15
LONG_DIGITS = 18
"""Whole numbers of so many digits fit into 64 bits."""


class Note(NamedTuple):
    """What was done to a column, and whether that is ordinary."""

    text: str
    ordinary: bool = False


LEFT_OUT = Note("Left out columns of bytes or shapes")
KEPT_TEXT = Note("Kept as text because of too many digits")
ROUNDED = Note(f"Rounded to about {FLOAT_DIGITS} digits")
NO_DATES = Note("Dates outside the calendar became null")
IN_UTC = Note("Times are in UTC", ordinary=True)


class Type(NamedTuple):
    """A type as a system calls it, with the digits of a decimal one."""

    name: str
    precision: int | None = None
    scale: int | None = None


class Declared(NamedTuple):
    """A column as a database declares it."""

    name: str
    dtype: Type


class TableSchema(NamedTuple):
    """A table or view as its database describes it.

    Attributes:
        key: What its database calls it, ``schema.table`` outside the default schema.
        schema: Its schema; None for the default one.
        table: Its name.
        columns: Its columns, in order.
        primary_key: Names of columns; none if none is declared.
        foreign_keys: What it points at.
    """

    key: str
    schema: str | None
    table: str
    columns: tuple[Declared, ...]
    primary_key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...]


class System(NamedTuple):
    """A kind of database.

    Attributes:
        types: The kind of each type, None for what is left out; any other type is text.
        reads: What is asked for, by type, else by kind, else as of text; None for the bare cell.
    """

    types: Mapping[str, CellKind | None]
    reads: Mapping[str, Callable[[Any], Any] | None]


class ColumnExpression(NamedTuple):
    """A column, the expression that reads it and what that gives; no kind if it is left out."""

    name: str
    expression: Any
    kind: CellKind | None
    notes: tuple[Note, ...] = ()


class Field(NamedTuple):
    """A column to read: its clean name, and what its cells are."""

    name: str
    kind: CellKind


def column_of(name: str, cell: Any, dtype: Type, system: System) -> ColumnExpression:
    """Decide how a column is read.

    Args:
        name: Its name.
        cell: The same as the system's expressions have it.
        dtype: Its type.
        system: The kinds of its types.
    """
    kind = system.types.get(dtype.name, "text")
    if kind is None:
        return ColumnExpression(name, cell, None, (LEFT_OUT,))
    if kind == "decimal" and dtype.precision is not None:
        short = dtype.precision <= FLOAT_DIGITS
        kind = "whole" if not dtype.scale else "number" if short else kind
    convert = next(
        system.reads[word] for word in (dtype.name, kind, "text") if word in system.reads
    )
    return ColumnExpression(name, convert(cell) if convert else cell, kind)


def fields_of(
    columns: Sequence[ColumnExpression], origin: str
) -> tuple[list[ColumnExpression], list[Field], list[Repair]]:
    """The columns that are read, the same under clean names, and what was done to all.

    Raises:
        SourceError: If there is none.
    """
    selection = readable(columns, origin)
    names, renamed = repair_headers([column.name for column in selection])
    fields = [Field(name, c.kind) for name, c in zip(names, selection, strict=True) if c.kind]
    return selection, fields, [*repairs_of(columns), *renamed]


def readable(columns: Iterable[ColumnExpression], origin: str) -> list[ColumnExpression]:
    """The columns that are not left out.

    Raises:
        SourceError: If there is none.
    """
    if selection := [column for column in columns if column.kind]:
        return selection
    raise SourceError(f"{origin} has no column that can be read; a table needs at least one")


def denied_of(names: Iterable[str], denied: Sequence[str]) -> tuple[str, ...]:
    """Those of a table's columns that are denied, however they are spelled there."""
    hidden = {name.strip().casefold() for name in denied}
    return tuple(name for name in names if name.strip().casefold() in hidden)


def repairs_of(columns: Iterable[ColumnExpression]) -> list[Repair]:
    """What was done to columns, each thing once."""
    return gather((column.name, note) for column in columns for note in column.notes)


def gather(notes: Iterable[tuple[str, Note]]) -> list[Repair]:
    """Notes on columns, those of the same words as one."""
    columns: dict[Note, list[str]] = {}
    for name, note in notes:
        columns.setdefault(note, []).append(name)
    return [Repair(text=n.text, columns=tuple(c), ordinary=n.ordinary) for n, c in columns.items()]
