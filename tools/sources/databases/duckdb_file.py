"""A DuckDB file: opened for reading alone, closed to other files, and how its columns are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import repair_headers
from wideleaf.tools.engines.duckdb_lock import lock
from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    FLOAT_DIGITS,
    IN_UTC,
    KEPT_TEXT,
    LONG_DIGITS,
    NO_DATES,
    ROUNDED,
    CellKind,
    ColumnExpression,
    Note,
    System,
    Type,
    column_of,
)
from wideleaf.tools.sources.reading_errors import end_in_time

if TYPE_CHECKING:
    import duckdb

ALIAS = "the file"
"""What the file is called beside the connection's own, empty database."""
CALENDAR = "BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
"""What all engines and Python have dates for."""
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)$")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_TIMES = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
TYPES: dict[str, CellKind | None] = {
    **dict.fromkeys(_WHOLE, "integer"),
    **dict.fromkeys(("HUGEINT", "UHUGEINT", "UBIGINT", "BIGNUM"), "whole"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), "number"),
    **dict.fromkeys(_TIMES, "time"),
    **dict.fromkeys(("BLOB", "GEOMETRY"), None),
    "DECIMAL": "decimal",
    "BOOLEAN": "boolean",
    "DATE": "date",
    **dict.fromkeys(("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS"), "zoned"),
}
_KEPT = f"CASE WHEN CAST({{0}} AS DATE) {CALENDAR} THEN %s END"
DUCKDB = System(
    TYPES,
    {
        **dict.fromkeys(("boolean", "VARCHAR", "whole")),
        **dict.fromkeys(("LIST", "STRUCT", "MAP", "UNION"), "CAST(to_json({}) AS VARCHAR)".format),
        **dict.fromkeys(("number", "decimal"), "CAST({} AS DOUBLE)".format),
        "integer": "CAST({} AS BIGINT)".format,
        "text": "CAST({} AS VARCHAR)".format,
        "date": (_KEPT % "{0}").format,
        "time": (_KEPT % "CAST({0} AS TIMESTAMP)").format,
        "zoned": (_KEPT % "make_timestamp(epoch_us(CAST({0} AS TIMESTAMP WITH TIME ZONE)))").format,
    },
)


@contextmanager
def open_connection(
    path: Path, table: str = "", writable: Path | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own to a file, for reading alone; its views reach no other file.

    The file is attached, not opened: a session that the user has on it keeps settings of its own.
    To close a file that is open elsewhere in this process ends that other hold on it (as locks of
    files go on POSIX), so a file is looked at before an engine attaches it.
    """
    import duckdb

    with clear_duckdb_errors(path, table):
        connection = duckdb.connect()
        try:
            connection.execute(
                f"ATTACH ? AS {quote_name(ALIAS)} (READ_ONLY)", [str(path.resolve())]
            )
            connection.execute(f"USE {quote_name(ALIAS)}")
            folders = [] if writable is None else [writable.resolve()]
            lock(connection, folders=folders, spill=writable)
            what = f"reading {table or 'the tables'} of {path.name}"
            with end_in_time(what, connection.interrupt):
                yield connection
        finally:
            connection.close()


@contextmanager
def clear_duckdb_errors(path: Path, table: str = "") -> Iterator[None]:
    """Turn DuckDB's errors into one clear sentence; its own may quote cells."""
    import duckdb

    what = f"table {table!r} of {str(path)!r}" if table else repr(str(path))
    try:
        yield
    except duckdb.Error as error:
        text = str(error)
        if "different configuration" in text or "already attached" in text:
            why = "is open for writing in this process; close that connection first"
        elif "lock" in text.lower() and isinstance(error, duckdb.IOException):
            why = "is open for writing in another process; close it there first"
        elif isinstance(error, duckdb.PermissionException):
            why = "stands on files that were not handed in; hand those in themselves"
        elif isinstance(error, duckdb.CatalogException | duckdb.BinderException):
            why = "cannot be read; a view may stand on something that is not there any more"
        elif "version" in text:
            why = "was written by a newer DuckDB; upgrade the package duckdb"
        else:
            why = f"cannot be read ({type(error).__name__}); it may be damaged"
        raise SourceError(f"{what} {why}") from None


def decide_columns(
    relation: duckdb.DuckDBPyRelation, hidden: Collection[str]
) -> list[ColumnExpression]:
    """Decide how each column is read, in the types that all engines have.

    Args:
        relation: The table.
        hidden: Columns that are not to be read.
    """
    columns = [
        _checked(relation, column_of(name, quote_name(name), _type(str(dtype)), DUCKDB))
        for name, dtype in zip(relation.columns, relation.types, strict=True)
        if name not in hidden
    ]
    names, repairs = repair_headers([column.name for column in columns])
    notes = {name: Note(repair.text) for repair in repairs for name in repair.columns}
    return [
        column
        if name == column.name
        else column._replace(name=name, notes=(*column.notes, notes[name]))
        for column, name in zip(columns, names, strict=True)
    ]


def reads_of(columns: Iterable[ColumnExpression]) -> str:
    """What is selected of a table to read its columns."""
    return ", ".join(f"{c.expression} AS {quote_name(c.name)}" for c in columns if c.kind)


def _type(text: str) -> Type:
    if text.endswith("]"):
        return Type("LIST")
    if decimal := _DECIMAL.match(text):
        precision, scale = int(decimal[1]), int(decimal[2])
        fits = not scale and precision <= LONG_DIGITS
        return Type("BIGINT") if fits else Type("DECIMAL", precision, scale)
    return Type(text.partition("(")[0])


def _checked(relation: duckdb.DuckDBPyRelation, column: ColumnExpression) -> ColumnExpression:
    """What depends on the cells."""
    cell, notes = quote_name(column.name), column.notes
    if column.kind in ("date", "time", "zoned"):
        if column.kind == "zoned":
            notes = (*notes, IN_UTC)
        lost = f"coalesce(bool_or(NOT coalesce(CAST({cell} AS DATE) {CALENDAR}, true)), false)"
        if _one(relation, lost):
            notes = (*notes, NO_DATES)
    elif column.kind == "whole":
        if _one(relation, f"count({cell}) = count(TRY_CAST({cell} AS BIGINT))"):
            return column._replace(expression=f"CAST({cell} AS BIGINT)", kind="integer")
        return column._replace(expression=f"CAST({cell} AS VARCHAR)", notes=(*notes, KEPT_TEXT))
    elif column.kind == "decimal":
        digits = f"regexp_replace(CAST({cell} AS VARCHAR), '[^0-9]', '', 'g')"
        if _one(relation, f"coalesce(max(length(trim({digits}, '0'))), 0) > {FLOAT_DIGITS}"):
            notes = (*notes, ROUNDED)
    return column._replace(notes=notes)


def _one(relation: duckdb.DuckDBPyRelation, expression: str) -> bool:
    return bool(relation.aggregate(expression).fetchall()[0][0])
