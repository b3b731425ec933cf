"""PostgreSQL and MySQL: tables asked where they stand, or copied in batches, in one state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import narwhals as nw

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    ColumnExpression,
    denied_of,
    fields_of,
    readable,
    repairs_of,
)
from wideleaf.tools.sources.databases.held_servers import find_held, hold
from wideleaf.tools.sources.databases.rows import convert_types, teller, write_batches
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.databases.server_columns import columns_of, open_table
from wideleaf.tools.sources.databases.server_schema import TableSchema, describe, expect_rows
from wideleaf.tools.sources.fingerprint import salt
from wideleaf.tools.sources.naming import TableName
from wideleaf.tools.sources.normal import Normal, scratch_folder
from wideleaf.tools.sources.parts import Facts, Progress

RULES = "server 2"
"""Changes when the same rows would be read differently."""


@dataclass(frozen=True)
class ServerTable:
    """A table or view of a server, not read yet.

    Attributes:
        server: Where it is; if that is kept, it is asked where it stands, else it is copied.
        described: Its columns and keys.
    """

    server: Server
    described: TableSchema

    def on(self, server: Server) -> ServerTable:
        """The same by another connection to its server."""
        return replace(self, server=server)

    @property
    def origin(self) -> str:
        """The server and the table, without the password."""
        return f"{self.server.origin}#{self.described.key}"

    def close(self) -> None:
        """Hang up, unless tables are asked where they stand."""
        if not self.server.kept:
            self.server.close()

    @property
    def address(self) -> str:
        """An input by which this process finds the same state again, and another the table."""
        return f"{hold(self.server)}#{quote(self.described.key, safe='')}"

    @property
    def cells(self) -> int:
        """About how many cells it has, by what the server expects; nothing is read."""
        with self.server.clear_errors(self.described.key):
            rows = expect_rows(self.server.connection(), self.described)
        return rows * len(self.described.columns)

    def describe(self, denied: Sequence[str]) -> tuple[Normal, Facts]:
        """What is known of the table before it is opened where it stands.

        Raises:
            SourceError: If it cannot be read.
        """
        withheld = self._withheld(denied)
        state = self.server.keep()
        every = self._in_place(withheld)
        shown = readable(every, self.origin)
        facts = self._facts(salt(state, self.origin, repr(self.described.columns)), withheld)
        return Normal(Path(), facts.fingerprint, -1, len(shown), tuple(repairs_of(every))), facts

    def open(self, hidden: Sequence[str]) -> nw.LazyFrame[Any]:
        """Open it where it stands, without the hidden columns, in types that all engines have."""
        reads = {c.name: c.expression for c in self._in_place(hidden) if c.kind}
        frame: nw.LazyFrame[Any] = nw.from_native(self._table.select(**reads))
        return frame

    @cached_property
    def _table(self) -> Any:
        _, space, name, columns, *_ = self.described
        return open_table(self.server.kind, self.server.database, name, space, columns)

    def _in_place(self, hidden: Sequence[str]) -> list[ColumnExpression]:
        shown = [column for column in self.described.columns if column.name not in hidden]
        return columns_of(self.server.kind, self._table, shown, in_place=True)

    def _withheld(self, denied: Sequence[str]) -> tuple[str, ...]:
        if not self.described.columns:
            raise SourceError(
                f"table {self.described.key!r} of {self.server.origin} shows no column; a view may "
                "stand on something that is not there any more, or that the user may not read"
            )
        return denied_of((column.name for column in self.described.columns), denied)

    def _facts(self, fingerprint: str, withheld: tuple[str, ...]) -> Facts:
        return Facts(
            fingerprint=fingerprint,
            database=self.server.id,
            table=self.described.key,
            primary_key=self.described.primary_key,
            foreign_keys=self.described.foreign_keys,
            withheld=withheld,
        )

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Read the table into Parquet; a denied column is not asked for.

        Raises:
            SourceError: If it cannot be read.
        """
        withheld = self._withheld(denied)
        asked = [c for c in self.described.columns if c.name not in withheld]
        every = columns_of(self.server.kind, self._table, asked, in_place=False)
        columns, fields, repairs = fields_of(every, self.origin)
        cells = {f"c{place}": column.expression for place, column in enumerate(columns)}
        query = self.server.database.write(self._table.select(**cells))
        key = self.described.key
        what = f"reading {key} of {self.server.origin}"
        if progress:
            progress(what)
        with scratch_folder(folder) as scratch:
            raw = scratch / "raw.parquet"
            try:
                with self.server.clear_errors(key), self.server.rows(query, stream=True) as fetch:
                    content = write_batches(fetch, fields, raw, teller(progress, what))
            except BaseException:
                self.server.close()  # the next table connects anew
                raise
            facts = self._facts(salt(content, RULES), withheld)
            normal = convert_types(raw, fields, folder, repairs, facts)
        if progress:
            progress(f"read {normal.rows:,} rows of {key}")
        return normal


def server_tables(text: str) -> list[TableName]:
    """The tables and views of a URL.

    Raises:
        SourceError: If the server cannot be reached, refuses, or has no such table.
    """
    held = find_held(text, anew=True)
    server = held or Server(text)
    server.kept = held is not None
    wanted = Server(text).wanted
    try:
        with server.clear_errors():
            found = describe(server.connection(), wanted, server.origin)
    finally:
        if not server.kept:
            server.close()
    return [TableName(one.table, ServerTable(server, one), bool(wanted)) for one in found]
