"""Tables of PostgreSQL, MySQL and SQLite, asked where they stand or copied, in one state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import narwhals as nw

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    ColumnExpression,
    Field,
    TableSchema,
    denied_of,
    fields_of,
)
from wideleaf.tools.sources.databases.held_servers import find_held, hold
from wideleaf.tools.sources.databases.rows import convert_types, find_typed, teller, write_batches
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.databases.sqlite_file import SQLiteFile
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.naming import TableName
from wideleaf.tools.sources.normal import Normal, scratch_folder
from wideleaf.tools.sources.source import Facts, Progress

RULES = "server 2"
"""Changes when the same rows would be read differently."""
REPLACED = Repair(text="Bytes that are no UTF-8 text were replaced")
Backend = Server | SQLiteFile


@dataclass(frozen=True)
class DatabaseTable:
    """A table or view of a database, not read yet.

    Attributes:
        backend: Where it is; if that is kept, it is asked where it stands, else it is copied.
        described: Its columns and keys.
    """

    backend: Backend
    described: TableSchema

    def on(self, backend: Backend) -> DatabaseTable:
        """The same by another connection to its database."""
        return replace(self, backend=backend)

    @property
    def origin(self) -> str:
        """The database and the table, without a password."""
        return self.backend.origin_of(self.described.key)

    def close(self) -> None:
        """Hang up, unless tables are asked where they stand."""
        if not self.backend.kept:
            self.backend.close()

    @property
    def address(self) -> str:
        """An input by which this process finds the same state again, and another the table."""
        if isinstance(self.backend, SQLiteFile):
            return self.origin
        return f"{hold(self.backend)}#{quote(self.described.key, safe='')}"

    @property
    def cells(self) -> int:
        """About how many cells it has, by what its database expects; nothing is read."""
        return self.backend.expect_rows(self.described) * len(self.described.columns)

    def describe(self, denied: Sequence[str]) -> tuple[Normal, Facts]:
        """What is known of the table before it is opened where it stands.

        Raises:
            SourceError: If it cannot be read.
        """
        withheld = self._withheld(denied)
        state = self.backend.keep()
        _, _, fields, repairs = self._reads(withheld, in_place=True)
        content = self.backend.content_of(self.described.key)
        content = content or derive_fingerprint(state, self.origin, repr(self.described.columns))
        facts = self._facts(content, withheld)
        return Normal(Path(), facts.fingerprint, -1, len(fields), tuple(repairs)), facts

    def open(self, hidden: Sequence[str]) -> nw.LazyFrame[Any]:
        """Open it where it stands, without the hidden columns, in types that all engines have."""
        table, columns, fields, _ = self._reads(hidden, in_place=True)
        reads = {field.name: c.expression for field, c in zip(fields, columns, strict=True)}
        frame: nw.LazyFrame[Any] = nw.from_native(table.select(**reads))
        return frame

    def _reads(
        self, hidden: Sequence[str], *, in_place: bool
    ) -> tuple[Any, list[ColumnExpression], list[Field], list[Repair]]:
        table, columns = self.backend.columns(self.described, hidden, in_place=in_place)
        return table, *fields_of(columns, self.origin)

    def _withheld(self, denied: Sequence[str]) -> tuple[str, ...]:
        if not self.described.columns:
            raise SourceError(
                f"table {self.described.key!r} of {self.backend.origin} shows no column; a view may"
                " stand on something that is not there any more, or that the user may not read"
            )
        return denied_of((column.name for column in self.described.columns), denied)

    def _facts(self, fingerprint: str, withheld: tuple[str, ...]) -> Facts:
        return Facts(
            fingerprint=fingerprint,
            database=self.backend.id,
            table=self.described.key,
            primary_key=self.described.primary_key,
            foreign_keys=self.described.foreign_keys,
            withheld=withheld,
        )

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Read the table into Parquet, or find it there; a denied column is not asked for.

        Raises:
            SourceError: If it cannot be read.
        """
        withheld, key = self._withheld(denied), self.described.key
        fingerprint = self.backend.content_of(key)
        if fingerprint and (before := find_typed(folder, self._facts(fingerprint, withheld))):
            return before
        what = f"reading {key} of {self.backend.title}"
        if progress:
            progress(what)
        table, columns, fields, repairs = self._reads(withheld, in_place=False)
        cells = {f"c{place}": column.expression for place, column in enumerate(columns)}
        query = self.backend.database.write(table.select(**cells))
        with scratch_folder(folder) as scratch:
            raw = scratch / "raw.parquet"
            try:
                with (
                    self.backend.clear_errors(key),
                    self.backend.rows(query, stream=True) as fetch,
                ):
                    content = write_batches(fetch, fields, raw, teller(progress, what))
            except BaseException:
                self.backend.close()  # the next table connects anew
                raise
            if self.backend.replaced:
                repairs.append(REPLACED)
            facts = self._facts(fingerprint or derive_fingerprint(content, RULES), withheld)
            normal = convert_types(raw, fields, folder, repairs, facts)
        if progress:
            progress(f"read {normal.rows:,} rows of {key}")
        return normal


def server_tables(text: str) -> list[TableName]:
    """The tables and views of a URL.

    Raises:
        SourceError: If the server cannot be reached, refuses, or has no such table.
    """
    earlier = find_held(text, anew=True)
    server = earlier or Server(text)
    server.kept = earlier is not None
    return _tables_of(server, Server(text).wanted)


def sqlite_tables(path: Path, names: Sequence[str]) -> list[TableName]:
    """The tables and views of an SQLite file.

    Raises:
        SourceError: If it is no whole SQLite file, is locked, or has no such table.
    """
    return _tables_of(SQLiteFile(path), names)


def _tables_of(backend: Backend, names: Sequence[str]) -> list[TableName]:
    try:
        schemas = backend.describe(names)
    finally:
        if not backend.kept:
            backend.close()
    return [TableName(one.table, DatabaseTable(backend, one), bool(names)) for one in schemas]
