"""The columns of a table of SQLite, which has types by cell: what all cells of each are."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.sources.databases.columns import ROUNDED, CellKind, Declared, Note

COLUMNS_AT_ONCE = 300
"""A condition is a thousand parts deep at most, and a query has 2,000 results."""
ROWS_LOOKED_AT = 1_000
FLOAT_WHOLE = 2**53
"""A larger whole number may lose digits as a float."""
SEVERAL = Note("Cells of several kinds were read as text first")
NO_BYTES = Note("Cells of bytes became null")
BYTES = Note("Left out columns of bytes")
TEXTS = ("date", "time", "moment", "text")
SORTS = {
    "date": "date({0}, '+0 days') IS {0}",
    "time": "datetime({0}, '+0 days') IS {0}",
    "moment": "datetime({0}, '+0 days') IS substr(replace({0}, 'T', ' '), 1, 19)"
    " AND ltrim(substr({0}, 20), '.0123456789') = ''",
}
"""Texts that are days, moments as SQLite writes them, and moments in others of its forms. Without
a modifier it lets 30 February pass."""
TYPES: dict[str, str] = {
    **{
        "integer": "int64",
        "flag": "int64",
        "boolean": "int64",
        "number": "float64",
        "text": "string",
    },
    **{"date": "date", "time": "timestamp(6)"},
}
"""What ibis calls a column whose cells are all of a kind."""


class Cells(NamedTuple):
    """What is known of all cells of a column.

    Attributes:
        sorts: Which there are: ``integer``, ``real``, ``blob`` or one of `TEXTS`.
        flags: Whether there is no other number than 0 and 1.
        long: Whether there are whole numbers that a float cannot hold.
    """

    sorts: frozenset[str]
    flags: bool = False
    long: bool = False


def look_at_cells(
    connection: sqlite3.Connection, table: str, columns: Sequence[Declared]
) -> dict[str, Cells]:
    """Find what the cells of each column are, in one reading of a table whose rows are alike.

    Its first rows tell what the others may be, and rows that have something else tell the rest.
    """
    kinds: dict[str, set[str]] = {column.name: set() for column in columns}
    source = f"main.{quote_name(table)}"
    for first in range(0, len(columns), COLUMNS_AT_ONCE):
        some = [column.name for column in columns[first : first + COLUMNS_AT_ONCE]]
        sorts = ", ".join(_sort(name) for name in some)
        while True:
            others = " OR ".join(_is_other(name, kinds[name]) for name in some)
            query = f"SELECT {sorts} FROM {source} AS t WHERE {others} LIMIT {ROWS_LOOKED_AT}"
            rows = connection.execute(query).fetchall()
            before = [len(kinds[name]) for name in some]
            for name, cells in zip(some, zip(*rows, strict=True), strict=False):
                kinds[name].update(cell for cell in cells if cell != "null")
            grown = before != [len(kinds[name]) for name in some]
            if len(rows) < ROWS_LOOKED_AT or not grown:  # cells of a view may be of chance
                break

    def has(name: str, condition: str) -> bool:
        statement = (
            f"SELECT EXISTS (SELECT 1 FROM {source} AS t WHERE {condition.format(_cell(name))})"
        )
        return bool(connection.execute(statement).fetchone()[0])

    most = f"typeof({{0}}) = 'integer' AND {{0}} NOT BETWEEN -{FLOAT_WHOLE} AND {FLOAT_WHOLE}"
    return {
        name: Cells(
            frozenset(kinds[name]),
            "BOOL" in dtype.name
            and kinds[name] == {"integer"}
            and not has(name, "{} NOT IN (0, 1)"),
            {"integer", "real"} <= kinds[name] and has(name, most),
        )
        for name, dtype in columns
    }


def _cell(name: str) -> str:
    return f"t.{quote_name(name)}"


def _sort(name: str) -> str:
    cell = _cell(name)
    texts = " ".join(f"WHEN {test.format(cell)} THEN '{sort}'" for sort, test in SORTS.items())
    return f"CASE WHEN typeof({cell}) <> 'text' THEN typeof({cell}) {texts} ELSE 'text' END"


def _is_other(name: str, sorts: set[str]) -> str:
    """Whether a cell is of none of the sorts that are known; cheap, for every row is asked."""
    cell = _cell(name)
    types = {"null", *sorts} - {*SORTS}
    other = " AND ".join(f"typeof({cell}) <> '{one}'" for one in sorted(types))
    if "text" not in sorts and (forms := sorts & {*SORTS}):
        tests = " OR ".join(SORTS[sort].format(cell) for sort in SORTS if sort in forms)
        return f"({other} AND NOT (typeof({cell}) = 'text' AND ({tests})))"
    return f"({other})"


def open_table(
    database: Any, table: str, cells: Mapping[str, Cells], kinds: Mapping[str, CellKind | None]
) -> Any:
    """A table as ibis has it; a column whose cells are of several sorts has no type there."""
    import ibis.expr.datatypes as dt

    types = {
        name: TYPES.get(kind or "", "string") if _alike(cells[name].sorts) else dt.unknown
        for name, kind in kinds.items()
    }
    return database.table(table, types)


def kind_of(
    declared: Declared, cells: Cells, *, in_place: bool
) -> tuple[CellKind | None, tuple[Note, ...]]:
    """What a column is read as, and what is said of that.

    A column declared as text stays text, or becomes dates if every cell is one, for SQLite has no
    dates; text in a column declared otherwise is read as text of a file is, where it is copied.
    """
    name, notes = declared.dtype.name, []
    numbers, texts = cells.sorts & {"integer", "real"}, cells.sorts & {*TEXTS}
    kind: CellKind | None
    if texts:
        if numbers:
            notes.append(SEVERAL)
        if not in_place:
            kind = "dates" if _is_text(name) else "forms"
        else:
            days, moments = cells.sorts == {"date"}, cells.sorts <= {"time", "moment"}
            kind = "date" if days else "time" if moments else "text"
    elif numbers:
        flags: CellKind = "boolean" if in_place else "flag"
        kind = "number" if "real" in numbers else flags if cells.flags else "integer"
        if cells.long:
            notes.append(ROUNDED)
    else:
        kind = None if "blob" in cells.sorts else _declared(name)
    if "blob" in cells.sorts:
        notes.append(NO_BYTES if kind else BYTES)
    return kind, tuple(notes)


def read_cell(cell: Any, kind: CellKind | None, sorts: frozenset[str]) -> Any:
    """How a column is read.

    Args:
        cell: The column, as `open_table` has it.
        kind: What it is read as.
        sorts: What its cells are.
    """
    import ibis

    from wideleaf.tools.queries.relations import call

    if kind == "boolean":
        return cell != 0
    if kind == "time" and "moment" in sorts:
        text = cell.cast("string").replace("T", " ")
        short = call("rtrim", call("rtrim", text, "0"), ".", made=datetime)
        return ibis.ifelse(text.contains("."), short, call("trim", text, made=datetime))
    if _alike(sorts):
        return cell
    typed = cell.cast(TYPES.get(kind or "", "string"))
    return ibis.ifelse(call("typeof", cell) == "blob", ibis.null(typed.type()), typed)


def _alike(sorts: frozenset[str]) -> bool:
    """Whether all cells are of one type, so that they are read as they are."""
    return len({"text" if sort in TEXTS else sort for sort in sorts}) <= 1


def _is_text(declared: str) -> bool:
    return "INT" not in declared and any(word in declared for word in ("CHAR", "CLOB", "TEXT"))


def _declared(declared: str) -> CellKind | None:
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
