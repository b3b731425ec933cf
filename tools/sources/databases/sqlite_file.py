"""An SQLite file: the one connection of a run, for reading alone, and one state of its tables."""

from __future__ import annotations

import sqlite3
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

from wideleaf.tools.engines.process import end_work_in_time
from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.latest import Latest
from wideleaf.tools.queries.database import Database, Fetch
from wideleaf.tools.sources.databases import sqlite_schema
from wideleaf.tools.sources.databases.columns import ColumnExpression, TableSchema
from wideleaf.tools.sources.databases.sqlite_access import explain_error, open_read_only
from wideleaf.tools.sources.databases.sqlite_columns import (
    Cells,
    kind_of,
    look_at_cells,
    open_table,
    read_cell,
)
from wideleaf.tools.sources.fingerprint import derive_fingerprint, file_fingerprint
from wideleaf.tools.sources.naming import database_id
from wideleaf.tools.sources.reading_errors import end_in_time

RULES = "sqlite 2"
"""Changes when the same file would be read differently."""
STEPS = 10_000
"""Of SQLite's machine, between two looks at the clock."""
TABLES_KNOWN = 256
_cells: Latest[dict[str, Cells]] = Latest(TABLES_KNOWN)
"""What the cells of a table's columns are, by its content: to find it is to read the table."""


class SQLiteFile:
    """The tables of a file; nothing is open until one is looked at.

    No transaction stands open between two queries, for it would keep others from writing.

    Args:
        path: The file.

    Attributes:
        origin: Its path.
        title: Its name.
        id: Tells it from other databases.
        kept: Whether its tables are asked where they stand, so that the connection stays.
        state: What tells the state that is then read; empty where nothing was.
        replaced: Whether a text was read whose bytes are no UTF-8.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.url = path, path.resolve()
        self.origin, self.title, self.id = str(path), path.name, database_id(str(self.url))
        self.kept, self.state, self.replaced = False, "", False
        self._version = 0
        self._lock = RLock()
        self._line: dict[str, sqlite3.Connection] = {}
        weakref.finalize(self, _hang_up, self._line)

    @cached_property
    def database(self) -> Database:
        """What asks its tables for queries of ibis."""
        return Database("sqlite", self.origin, self.ask, self.check)

    def origin_of(self, key: str) -> str:
        """The file and a table of it, as an input, too."""
        return f"{self.path}::{key}"

    def content_of(self, key: str) -> str:
        """A fingerprint of a table's content, before it is read."""
        with self._lock, self.clear_errors():
            self.connection()  # first, so that whatever is written from here on is seen
        return derive_fingerprint(self._fingerprint, RULES, key)

    @cached_property
    def _fingerprint(self) -> str:
        """Of the file's content, what was not yet merged into it included."""
        journal = self.path.with_name(f"{self.path.name}-wal")
        words = [file_fingerprint(journal)] if journal.is_file() and journal.stat().st_size else []
        return derive_fingerprint(file_fingerprint(self.path), *words)

    @contextmanager
    def ask(
        self, query: str, stream: bool = False, seconds: float | None = None
    ) -> Iterator[Fetch]:
        """Run one query, of the state that was read first.

        Args:
            query: A SELECT.
            stream: Whether rows come as they are fetched, which they always do here.
            seconds: How long it may take; None for as long as the run may.

        Raises:
            ActionError: If SQLite cannot run it.
            SourceError: If the file was written to since it was first read.
        """
        try:
            with self.rows(query, seconds=seconds) as fetch:
                yield fetch
        except sqlite3.Error as error:
            raise ActionError(
                f"{self.origin} cannot do this ({type(error).__name__}); take another step, or "
                "Select and Filter first so that it runs here",
                kind="database",
            ) from None

    def check(self, query: str) -> None:
        """Refuse a query that is nested too deep, or has functions that this build lacks.

        Raises:
            ActionError: If SQLite does not take it.
        """
        try:
            with self._lock:
                self.connection().execute(f"EXPLAIN {query}").close()
        except sqlite3.Error:  # whose words may quote the query
            raise ActionError(
                "SQLite lacks a function, or it is nested too deep", kind="sql"
            ) from None

    @contextmanager
    def rows(
        self, query: str, *, stream: bool = False, seconds: float | None = None
    ) -> Iterator[Fetch]:
        """Run one query, with SQLite's own errors; see `ask`."""
        with self._lock, end_work_in_time(f"reading {self.title}", self._interrupt):
            connection = self.connection()
            if seconds is not None:
                end = time.monotonic() + seconds
                connection.set_progress_handler(lambda: time.monotonic() > end, STEPS)
            cursor = connection.execute(query)  # from here on it sees one state
            try:
                if connection.execute("PRAGMA data_version").fetchone()[0] != self._version:
                    raise SourceError(self._written())
                yield cursor.fetchmany
            finally:
                cursor.close()
                connection.set_progress_handler(None, STEPS)

    def connection(self) -> sqlite3.Connection:
        """The one connection, for reading alone."""
        if (current := self._line.get("connection")) is not None:
            return current
        self._line["connection"] = connection = open_read_only(self.path)
        connection.text_factory = self._read_text
        (self._version,) = connection.execute("PRAGMA data_version").fetchone()
        self.__dict__.pop("_fingerprint", None)
        if self.state and self._fingerprint != self.state:
            self.close()
            raise SourceError(self._written())
        return connection

    def _written(self) -> str:
        return (
            f"{self.origin} was written to since it was opened; begin anew, so that all of an "
            "answer is of one state"
        )

    def _read_text(self, cell: bytes) -> str:
        try:
            return cell.decode()
        except UnicodeDecodeError:
            self.replaced = True
            return cell.decode("utf-8", "replace")

    def _interrupt(self) -> None:
        if (current := self._line.get("connection")) is not None:
            current.interrupt()

    def keep(self) -> str:
        """Stay connected, for tables that are asked where they stand; what tells their state."""
        self.kept = True
        with self._lock, self.clear_errors():
            self.connection()
            self.state = self.state or self._fingerprint
        return self.state

    def describe(self, names: Sequence[str]) -> list[TableSchema]:
        """Describe the tables and views that are wanted, or all.

        Raises:
            SourceError: If it is no whole SQLite file, is locked, or has no such table.
        """
        with self.clear_errors():
            return sqlite_schema.describe(self.connection(), names, repr(self.origin))

    def expect_rows(self, described: TableSchema) -> int:
        """How many rows a table may have, without reading it; 0 where SQLite does not say."""
        query = f"SELECT max(rowid) FROM main.{quote_name(described.table)}"
        kind = "SELECT type FROM sqlite_master WHERE name = ?"
        try:
            if self.connection().execute(kind, [described.table]).fetchone() != ("table",):
                return 0  # to count the rows of a view is to read it
            return int(self.connection().execute(query).fetchone()[0] or 0)
        except sqlite3.Error:  # a table without that column
            return 0

    def columns(
        self, described: TableSchema, hidden: Sequence[str], *, in_place: bool
    ) -> tuple[Any, list[ColumnExpression]]:
        """A table as ibis has it, and how its columns are read; hidden ones are not looked at.

        Args:
            described: The table.
            hidden: Columns to leave out.
            in_place: Whether steps run on what is read; else it is copied.
        """
        selection = [column for column in described.columns if column.name not in hidden]
        key = (self.content_of(described.table), *(column.name for column in selection))
        if (cells := _cells.get(key)) is None:
            with self._lock, self.clear_errors(described.table):
                entry = look_at_cells(self.connection(), described.table, selection)
            cells = _cells.keep(key, entry)
        kinds = {one.name: kind_of(one, cells[one.name], in_place=in_place) for one in selection}
        only = {name: kind for name, (kind, _) in kinds.items()}
        table = open_table(self.database, described.table, cells, only)
        return table, [
            ColumnExpression(name, read_cell(table[name], kind, cells[name].sorts), kind, notes)
            for name, (kind, notes) in kinds.items()
        ]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            _hang_up(self._line)

    @contextmanager
    def clear_errors(self, table: str = "") -> Iterator[None]:
        """Turn SQLite's errors into one clear sentence; its own may quote what the file holds."""
        what = f"table {table!r} of {str(self.path)!r}" if table else repr(str(self.path))
        try:
            reading = f"reading {table or 'the tables'} of {self.title}"
            with end_in_time(reading, self._interrupt):
                yield
        except (TypeError, ValueError, OverflowError) as error:  # not what was counted before
            why = f"changed while it was read ({type(error).__name__})"
            raise SourceError(f"{what} {why}") from None
        except sqlite3.Error as error:
            why = explain_error(error, of_table=bool(table))
            raise SourceError(f"{what} {why}") from None


def _hang_up(line: dict[str, sqlite3.Connection]) -> None:
    if (connection := line.pop("connection", None)) is not None:
        connection.close()
