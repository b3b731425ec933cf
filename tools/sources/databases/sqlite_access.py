"""How an SQLite file is opened, for reading alone, and what its errors mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path

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
_SAID = (
    (("locked", "busy"), "is locked by another program; try again when that has finished writing"),
    (
        ("malformed", "not a database", "disk I/O"),
        "is damaged; SQLite's `.recover` or a backup may help",
    ),
    (
        ("unable to open",),
        "cannot be opened; its folder must be readable, and its -wal file beside it",
    ),
    (("encrypted",), "is encrypted; decrypt it first"),
)


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a file for reading alone."""
    address = path.resolve().as_uri() + "?mode=ro"
    try:
        return _connect(address)
    except sqlite3.OperationalError as error:
        if "unable to open" not in str(error) or path.with_name(f"{path.name}-wal").exists():
            raise
        # A file in WAL mode that lies where nothing may be written.
        return _connect(f"{address}&immutable=1")


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
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


def explain_error(error: sqlite3.Error, *, of_table: bool) -> str:
    """What an error of SQLite means, as the end of a sentence; its own may quote cells."""
    text = str(error)
    for words, meaning in _SAID:
        if any(word in text for word in words):
            return meaning
    ending = "; a view may stand on something that is not there any more" if of_table else ""
    return f"cannot be read{ending}"
