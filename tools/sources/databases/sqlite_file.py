"""An SQLite file: opened for reading alone, what it declares, and a type for each column."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    ROUNDED,
    CellKind,
    ColumnExpression,
    Declared,
    Note,
    Type,
)
from wideleaf.tools.sources.parts import ForeignKey

BUSY_SECONDS = 3.0
READING = frozenset(
    [
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_TRANSACTION,
    ]
)
REACHING = frozenset(["load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"])
"""Functions that reach out of the file, in builds of SQLite that have them."""
TELLING = frozenset(
    ["table_list", "table_info", "table_xinfo", "foreign_key_list", "data_version", "page_count"]
)
"""What may be asked of the file itself; the last two are of full-text tables."""
FLOAT_WHOLE = 2**53
"""A larger whole number may lose digits as a float."""
SEVERAL = Note("Cells of several kinds were read as text first")
NO_BYTES = Note("Cells of bytes became null")
BYTES = Note("Left out columns of bytes")


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a file for reading alone."""
    address = path.resolve().as_uri() + "?mode=ro"
    try:
        return _connected(address)
    except sqlite3.OperationalError as error:
        if "unable to open" not in str(error) or path.with_name(f"{path.name}-wal").exists():
            raise
        # A file in WAL mode that lies where nothing may be written.
        return _connected(f"{address}&immutable=1")


def _connected(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.set_authorizer(_may)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _may(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Whether a part of a statement is run: only what reads, and only from this one file."""
    if action in READING:
        return sqlite3.SQLITE_OK
    name = (first or "").casefold()
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").casefold() not in REACHING
    elif action == sqlite3.SQLITE_PRAGMA:
        allowed = name in TELLING or (name in ("query_only", "encoding") and second is None)
    else:  # SQLite declares its own virtual tables so, in memory; the file is open read-only
        allowed = action == sqlite3.SQLITE_UPDATE and name == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def table_names(connection: sqlite3.Connection) -> list[str]:
    """Tables in the order they were made, then views; not what SQLite keeps for itself."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
        r"AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rootpage = 0, rowid"
    ).fetchall()
    inner = _shadows(connection)
    return [name for (name,) in rows if name not in inner]


def _shadows(connection: sqlite3.Connection) -> set[str]:
    """Tables in which virtual ones keep what they need."""
    try:
        rows = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'")
        return {name for (name,) in rows}
    except sqlite3.Error:  # an older SQLite, or a virtual table of an unknown module
        return set()


def columns_of(connection: sqlite3.Connection, table: str) -> list[Declared]:
    """The columns as they are declared; generated ones too, hidden ones of virtual tables not."""
    rows = connection.execute("SELECT name, type, hidden FROM pragma_table_xinfo(?)", [table])
    return [
        Declared(name, Type(declared.upper())) for name, declared, hidden in rows if hidden != 1
    ]


def primary_key_of(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns of the primary key, in its order."""
    rows = connection.execute(
        "SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk", [table]
    )
    return tuple(name for (name,) in rows)


def foreign_keys_of(connection: sqlite3.Connection, table: str) -> tuple[ForeignKey, ...]:
    """What a table points at, in the spelling of the tables themselves."""
    rows = connection.execute(
        'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', [table]
    ).fetchall()
    declared: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, other, ours, theirs in rows:
        declared.setdefault(number, []).append((other, ours, theirs))
    spelled = {
        name.casefold(): name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    own = {column.name.casefold(): column.name for column in columns_of(connection, table)}
    keys = []
    for pairs in declared.values():
        other = spelled.get(pairs[0][0].casefold())
        if other is None:  # points at a table that is not there
            continue
        theirs = {c.name.casefold(): c.name for c in columns_of(connection, other)}
        primary = primary_key_of(connection, other)
        if any(to is None for *_, to in pairs):
            right = primary if len(primary) == len(pairs) else ()
        else:
            right = tuple(theirs.get(str(to).casefold(), "") for *_, to in pairs)
        left = tuple(own.get(ours.casefold(), "") for _, ours, _ in pairs)
        if right and all(left) and all(right):
            keys.append(ForeignKey(columns=left, table=other, other_columns=right))
    return tuple(keys)


@contextmanager
def clear_sqlite_errors(path: Path, table: str = "") -> Iterator[None]:
    """Turn SQLite's errors into one clear sentence; its own may quote what the file holds."""
    what = f"table {table!r} of {str(path)!r}" if table else repr(str(path))
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:  # not what was counted before
        why = f"changed while it was read ({type(error).__name__})"
        raise SourceError(f"{what} {why}") from None
    except sqlite3.Error as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            why = "is locked by another program; try again when that has finished writing"
        elif "malformed" in text or "not a database" in text or "disk I/O" in text:
            why = "is damaged; SQLite's `.recover` or a backup may help"
        elif "unable to open" in text:
            why = "cannot be opened; its folder must be readable, and its -wal file beside it"
        elif "encrypted" in text:
            why = "is encrypted; decrypt it first"
        elif table:
            why = "cannot be read; a view may stand on something that is not there any more"
        else:
            why = "cannot be read"
        raise SourceError(f"{what} {why}") from None


class CellCounts(NamedTuple):
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


def type_column(declared: Declared, cells: CellCounts) -> ColumnExpression:
    """Find what a column is read as.

    A column declared as text stays text, or becomes dates if every cell is one, for SQLite has no
    dates; text in a column declared otherwise is read as text of a file is.
    """
    numbers, notes = cells.whole + cells.real, []
    kind: CellKind | None
    if not numbers and not cells.text:
        kind = None if cells.blob else _declared(declared.dtype.name)
    elif cells.text:
        kind = "dates" if _is_text(declared.dtype.name) else "forms"
        if numbers:
            notes.append(SEVERAL)
    elif cells.real:
        kind = "number"
        if max(-cells.least, cells.most) > FLOAT_WHOLE:
            notes.append(ROUNDED)
    else:
        kind = "flag" if "BOOL" in declared.dtype.name else "integer"
    if cells.blob:
        notes.append(NO_BYTES if kind else BYTES)
    return ColumnExpression(declared.name, f"t.{quote_name(declared.name)}", kind, tuple(notes))


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
