"""PostgreSQL and MySQL: tables read through SQLAlchemy, in batches, in a read-only transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import narwhals as nw

from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.databases.columns import (
    Declared,
    SQLiteColumn,
    column_of,
    denied_of,
    fields_of,
    readable,
    repairs_of,
)
from wideleaf.tools.sources.databases.rows import convert_types, teller, write_batches
from wideleaf.tools.sources.databases.server import Server, find_held, hold
from wideleaf.tools.sources.databases.server_columns import mysql, postgresql
from wideleaf.tools.sources.databases.server_queries import (
    DIALECTS,
    columns_of,
    open_table,
    state_of,
)
from wideleaf.tools.sources.databases.server_schema import TableSchema, describe
from wideleaf.tools.sources.fingerprint import salt
from wideleaf.tools.sources.naming import TableName
from wideleaf.tools.sources.normal import Normal, scratch_folder
from wideleaf.tools.sources.parts import Facts, Progress

if TYPE_CHECKING:
    import sqlalchemy as sa

RULES = "server 1"
"""Changes when the same rows would be read differently."""
SYSTEMS = {"postgresql": postgresql, "mysql": mysql}


@dataclass(frozen=True)
class ServerTable:
    """A table or view of a server, not read yet.

    Attributes:
        server: Where it is.
        described: Its columns and keys.
        stays: Whether it is asked where it stands; else it is copied.
    """

    server: Server
    described: TableSchema
    stays: bool = False

    def left(self, server: Server) -> ServerTable:
        """The same, to be asked where it stands, if that can be done.

        Args:
            server: The one connection by which all tables of its database are asked.
        """
        return replace(self, server=server, stays=server.kind in DIALECTS)

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
        if self.server.kind not in DIALECTS:
            return 0
        try:
            return state_of(self.server).rows(self._table) * len(self.described.columns)
        except ActionError:  # whoever reads it will say why it cannot be read
            return 0

    def describe(self, denied: Sequence[str]) -> tuple[Normal, Facts]:
        """What is known of the table before it is opened where it stands.

        Raises:
            SourceError: If it cannot be read.
        """
        columns = self._need_columns()
        withheld = denied_of((column.name for column in columns), denied)
        every = [c for c in columns_of(self._table, columns) if c.name not in withheld]
        shown = readable(every, self.origin)
        state = state_of(self.server)
        self.server.kept = True
        state.connection()
        facts = self._facts(salt(state.fingerprint, self.origin, repr(columns)), withheld)
        return Normal(Path(), facts.fingerprint, -1, len(shown), tuple(repairs_of(every))), facts

    def open(self, hidden: Sequence[str]) -> nw.LazyFrame[Any]:
        """Open it where it stands, without the hidden columns, in types that all engines have."""
        columns = columns_of(self._table, self.described.columns)
        reads = {c.name: c.expression for c in columns if c.kind and c.name not in hidden}
        frame: nw.LazyFrame[Any] = nw.from_native(self._table.select(**reads))
        return frame

    @cached_property
    def _table(self) -> Any:
        described, database = self.described, state_of(self.server).database
        return open_table(database, described.table, described.schema, described.columns)

    def _need_columns(self) -> tuple[Declared, ...]:
        if not self.described.columns:
            raise SourceError(
                f"table {self.described.key!r} of {self.server.origin} shows no column; a view may "
                "stand on something that is not there any more, or that the user may not read"
            )
        return self.described.columns

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
        declared = self._need_columns()
        withheld = denied_of((column.name for column in declared), denied)
        every = [self._column(c) for c in declared if c.name not in withheld]
        columns, fields, repairs = fields_of(every, self.origin)
        key = self.described.key
        what = f"reading {key} of {self.server.origin}"
        if progress:
            progress(what)
        with scratch_folder(folder) as scratch:
            raw = scratch / "raw.parquet"
            with self.server.clear_errors(key), self._rows(columns) as fetch:
                content = write_batches(fetch, fields, raw, teller(progress, what))
            facts = self._facts(salt(content, RULES), withheld)
            normal = convert_types(raw, fields, folder, repairs, facts)
        if progress:
            progress(f"read {normal.rows:,} rows of {key}")
        return normal

    def _column(self, declared: Declared) -> SQLiteColumn:
        import sqlalchemy as sa

        name = declared.name
        cell: sa.ColumnElement[Any] = sa.column(sa.sql.quoted_name(name, quote=True))
        return column_of(name, cell, declared.dtype, SYSTEMS[self.server.kind]())

    @contextmanager
    def _rows(self, asked: Sequence[SQLiteColumn]) -> Iterator[Callable[[int], Sequence[Any]]]:
        import sqlalchemy as sa

        connection = self.server.connection()
        schema = self.described.schema
        table = sa.table(
            sa.sql.quoted_name(self.described.table, quote=True),
            schema=None if schema is None else sa.sql.quoted_name(schema, quote=True),
        )
        columns = [one.expression.label(f"c{place}") for place, one in enumerate(asked)]
        query = sa.select(*columns).select_from(table)
        try:
            with connection.execute(query, execution_options={"stream_results": True}) as result:
                try:
                    yield result.fetchmany
                except BaseException:
                    self.server.stop()
                    raise
        except BaseException:
            self.server.close()  # the next table connects anew
            raise


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
