"""SQLite files: opened read-only by the standard library, a type found for each column."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.sources.databases.columns import (
    ColumnExpression,
    Declared,
    denied_of,
    fields_of,
)
from wideleaf.tools.sources.databases.rows import convert_types, find_typed, teller, write_batches
from wideleaf.tools.sources.databases.sqlite_file import (
    PLAIN,
    CellCounts,
    clear_sqlite_errors,
    columns_of,
    foreign_keys_of,
    open_read_only,
    primary_key_of,
    table_names,
    type_column,
)
from wideleaf.tools.sources.fingerprint import file_fingerprint, salt
from wideleaf.tools.sources.naming import TableName, choose_tables, database_id
from wideleaf.tools.sources.normal import Normal, scratch_folder
from wideleaf.tools.sources.parts import Facts, Progress
from wideleaf.tools.sources.reading_errors import end_in_time

RULES = "sqlite 1"
"""Changes when the same file would be read differently."""
COLUMNS_COUNTED = 300
"""A query has 2,000 results at most, and six are counted of a column."""


@dataclass(frozen=True)
class SQLiteTable:
    """A table or view of an SQLite file.

    Attributes:
        path: The file.
        table: Its name.
    """

    path: Path
    table: str

    @property
    def origin(self) -> str:
        """The file and the table."""
        return f"{self.path}::{self.table}"

    @cached_property
    def fingerprint(self) -> str:
        """Of the file's content, what was not yet merged into it included."""
        journal = self.path.with_name(f"{self.path.name}-wal")
        words = [RULES, self.table]
        if journal.is_file() and journal.stat().st_size:
            words.append(file_fingerprint(journal))
        return salt(file_fingerprint(self.path), *words)

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Read the table into Parquet, or find it there from the last time.

        Raises:
            SourceError: If it cannot be read.
        """
        with clear_sqlite_errors(self.path, self.table):
            connection = open_read_only(self.path)
            try:
                connection.execute("BEGIN")  # one state of the file for all queries
                with end_in_time(f"reading {self.table} of {self.path.name}", connection.interrupt):
                    return self._read(connection, folder, denied, progress)
            finally:
                connection.close()

    def close(self) -> None:
        """Nothing is held open."""

    def _read(
        self,
        connection: sqlite3.Connection,
        folder: Path,
        denied: Sequence[str],
        progress: Progress,
    ) -> Normal:
        every = columns_of(connection, self.table)
        withheld = denied_of((column.name for column in every), denied)
        declared = [column for column in every if column.name not in withheld]
        facts = Facts(
            fingerprint=self.fingerprint,
            database=database_id(str(self.path.resolve())),
            table=self.table,
            primary_key=primary_key_of(connection, self.table),
            foreign_keys=foreign_keys_of(connection, self.table),
            withheld=withheld,
        )
        if before := find_typed(folder, facts):
            return before
        what = f"reading {self.table} of {self.path.name}"
        if progress:
            progress(what)
        cells = _cells(connection, self.table, declared)
        typed = [type_column(*pair) for pair in zip(declared, cells, strict=True)]
        plain = [
            None if one.alike else PLAIN.get(column.kind, PLAIN["text"])
            for one, column in zip(cells, typed, strict=True)
            if column.kind
        ]
        columns, fields, repairs = fields_of(typed, self.origin)
        tell = teller(progress, what)
        with scratch_folder(folder) as scratch:
            raw = scratch / "raw.parquet"
            try:
                write_batches(_fetch(connection, self.table, columns), fields, raw, tell, plain)
            except sqlite3.OperationalError as error:
                if "decode" not in str(error):
                    raise
                repairs.append(Repair(text="Bytes that are no UTF-8 text were replaced"))
                connection.text_factory = lambda cell: cell.decode("utf-8", "replace")
                write_batches(_fetch(connection, self.table, columns), fields, raw, tell, plain)
            return convert_types(raw, fields, folder, repairs, facts)


def sqlite_tables(path: Path, wanted: Sequence[str]) -> list[TableName]:
    """The tables and views of a file.

    Raises:
        SourceError: If it is no whole SQLite file, is locked, or has no such table.
    """
    with clear_sqlite_errors(path):
        connection = open_read_only(path)
        try:
            names = dict.fromkeys(table_names(connection))
        finally:
            connection.close()
    picked = choose_tables(names, wanted, repr(str(path)), "main")
    return [TableName(name, SQLiteTable(path, name), bool(wanted)) for name in picked]


def _cells(
    connection: sqlite3.Connection, table: str, columns: Sequence[Declared]
) -> list[CellCounts]:
    """Count the types of all cells; SQLite has them by cell, not by column."""
    found = []
    for first in range(0, len(columns), COLUMNS_COUNTED):
        counts = []
        for column in columns[first : first + COLUMNS_COUNTED]:
            cell = f"t.{quote_name(column.name)}"
            counts += [
                f"total(typeof({cell}) = '{t}')" for t in ("integer", "real", "text", "blob")
            ]
            whole = f"CASE WHEN typeof({cell}) = 'integer' THEN {cell} END"
            counts += [f"coalesce(min({whole}), 0)", f"coalesce(max({whole}), 0)"]
        query = f"SELECT {', '.join(counts)} FROM main.{quote_name(table)} AS t"
        row = [int(value) for value in connection.execute(query).fetchone()]
        found += [CellCounts(*row[place : place + 6]) for place in range(0, len(row), 6)]
    return found


def _fetch(
    connection: sqlite3.Connection, table: str, columns: Sequence[ColumnExpression]
) -> Callable[[int], Sequence[Sequence[Any]]]:
    names = ", ".join(column.expression for column in columns)
    return connection.execute(f"SELECT {names} FROM main.{quote_name(table)} AS t").fetchmany
