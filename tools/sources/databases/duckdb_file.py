"""A DuckDB file: opened for reading alone, closed to other files, and how its columns are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.repairs import repair_headers
from wideleaf.tools.engines.duckdb_lock import lock
from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.rows import FLOAT_DIGITS, CellKind

if TYPE_CHECKING:
    import duckdb

ALIAS = "the file"
"""What the file is called beside the connection's own, empty database."""
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)$")
_LONG = ("HUGEINT", "UHUGEINT", "UBIGINT", "BIGNUM")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_NESTED = ("STRUCT(", "MAP(", "UNION(")
_BYTES = ("BLOB", "GEOMETRY")
LONG_DIGITS = 18
"""Whole numbers of so many digits fit into 64 bits."""
CALENDAR = "BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
"""What all engines and Python have dates for."""


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


class DuckDBColumn(NamedTuple):
    """A column, the expression that reads it and what that gives; no kind if it is left out."""

    name: str
    expression: str
    kind: CellKind | None
    told: tuple[tuple[str, bool], ...] = ()
    """What was done to it, and whether that is ordinary."""


def decide_columns(
    relation: duckdb.DuckDBPyRelation, hidden: Collection[str], *, in_place: bool
) -> list[DuckDBColumn]:
    """Decide how each column is read.

    Args:
        relation: The table.
        hidden: Columns that are not to be read.
        in_place: Whether an engine works on what is read; else it goes to `convert_types`.
    """
    pairs = zip(relation.columns, map(str, relation.types), strict=True)
    columns = [_column(name, dtype, in_place) for name, dtype in pairs if name not in hidden]
    if not in_place:
        return columns
    names, repairs = repair_headers([column.name for column in columns])
    told = {name: (repair.text, False) for repair in repairs for name in repair.columns}
    checked = (_checked(relation, column) for column in columns)
    return [
        column
        if name == column.name
        else column._replace(name=name, told=(*column.told, told[name]))
        for column, name in zip(checked, names, strict=True)
    ]


def _column(name: str, dtype: str, in_place: bool) -> DuckDBColumn:
    cell = quote_name(name)
    text = f"CAST({cell} AS VARCHAR)"
    decimal = _DECIMAL.match(dtype)
    precision, scale = (int(decimal[1]), int(decimal[2])) if decimal else (0, 0)
    if dtype in _WHOLE or (decimal and not scale and precision <= LONG_DIGITS):
        return DuckDBColumn(name, f"CAST({cell} AS BIGINT)", "integer")
    if dtype in _LONG or (decimal and not scale):
        return DuckDBColumn(name, cell if in_place else text, "whole")
    if decimal and precision > FLOAT_DIGITS and not in_place:
        return DuckDBColumn(name, text, "decimal")
    if decimal:
        return DuckDBColumn(name, f"CAST({cell} AS DOUBLE)", "decimal" if in_place else "number")
    if dtype in ("FLOAT", "DOUBLE"):
        return DuckDBColumn(name, f"CAST({cell} AS DOUBLE)" if dtype == "FLOAT" else cell, "number")
    if dtype == "BOOLEAN":
        return DuckDBColumn(name, cell, "boolean")
    if dtype == "DATE":
        kept = f"CASE WHEN {cell} {CALENDAR} THEN {cell} END"
        return DuckDBColumn(name, kept if in_place else text, "date")
    if dtype.startswith("TIMESTAMP"):
        zoned = dtype == "TIMESTAMP WITH TIME ZONE"
        plain = f"make_timestamp(epoch_us({cell}))" if zoned else f"CAST({cell} AS TIMESTAMP)"
        kept = f"CASE WHEN CAST({cell} AS DATE) {CALENDAR} THEN {plain} END"
        told = (("Times are in UTC", True),) if zoned else ()
        if in_place:
            return DuckDBColumn(name, kept, "time", told)
        return DuckDBColumn(name, text, "zoned" if zoned else "time")
    if dtype in _BYTES:
        return DuckDBColumn(name, cell, None, (("Left out columns of bytes or shapes", False),))
    if dtype.startswith(_NESTED) or dtype.endswith("]"):
        return DuckDBColumn(name, f"CAST(to_json({cell}) AS VARCHAR)", "text")
    return DuckDBColumn(name, cell if dtype == "VARCHAR" else text, "text")


def _checked(relation: duckdb.DuckDBPyRelation, column: DuckDBColumn) -> DuckDBColumn:
    """What depends on the cells, where `convert_types` will not see to it."""
    cell = quote_name(column.name)
    if column.kind in ("date", "time"):
        lost = f"coalesce(bool_or(NOT coalesce(CAST({cell} AS DATE) {CALENDAR}, true)), false)"
        if _one(relation, lost):
            told = ("Dates outside the calendar became null", False)
            return column._replace(told=(*column.told, told))
    elif column.kind == "whole":
        if _one(relation, f"count({cell}) = count(TRY_CAST({cell} AS BIGINT))"):
            return column._replace(expression=f"CAST({cell} AS BIGINT)", kind="integer")
        told = ("Kept as text because of too many digits", False)
        return column._replace(expression=f"CAST({cell} AS VARCHAR)", told=(told,))
    elif column.kind == "decimal":
        digits = f"regexp_replace(CAST({cell} AS VARCHAR), '[^0-9]', '', 'g')"
        counted = f"length(trim({digits}, '0'))"
        if _one(relation, f"coalesce(max({counted}), 0) > {FLOAT_DIGITS}"):
            return column._replace(told=((f"Rounded to about {FLOAT_DIGITS} digits", False),))
    return column


def _one(relation: duckdb.DuckDBPyRelation, expression: str) -> bool:
    return bool(relation.aggregate(expression).fetchall()[0][0])
