"""PostgreSQL and MySQL: tables read through SQLAlchemy, in batches, in a read-only transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    Declared,
    SQLiteColumn,
    column_of,
    denied_of,
    fields_of,
)
from wideleaf.tools.sources.databases.rows import convert_types, teller, write_batches
from wideleaf.tools.sources.databases.server import Server
from wideleaf.tools.sources.databases.server_columns import mysql, postgresql
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
    """A table or view of a server, not read yet."""

    server: Server
    described: TableSchema

    @property
    def origin(self) -> str:
        """The server and the table, without the password."""
        return f"{self.server.origin}#{self.described.key}"

    def close(self) -> None:
        """Hang up."""
        self.server.close()

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Read the table into Parquet; a denied column is not asked for.

        Raises:
            SourceError: If it cannot be read.
        """
        if not self.described.columns:
            raise SourceError(
                f"table {self.described.key!r} of {self.server.origin} shows no column; a view may "
                "stand on something that is not there any more, or that the user may not read"
            )
        withheld = denied_of((column.name for column in self.described.columns), denied)
        every = [self._column(c) for c in self.described.columns if c.name not in withheld]
        columns, fields, repairs = fields_of(every, self.origin)
        key = self.described.key
        what = f"reading {key} of {self.server.origin}"
        if progress:
            progress(what)
        with scratch_folder(folder) as scratch:
            raw = scratch / "raw.parquet"
            with self.server.clear_errors(key), self._rows(columns) as fetch:
                content = write_batches(fetch, fields, raw, teller(progress, what))
            facts = Facts(
                fingerprint=salt(content, RULES),
                database=self.server.id,
                table=key,
                primary_key=self.described.primary_key,
                foreign_keys=self.described.foreign_keys,
                withheld=withheld,
            )
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
    server = Server(text)
    try:
        with server.clear_errors():
            found = describe(server.connection(), server.wanted, server.origin)
    finally:
        server.close()
    asked = bool(server.wanted)
    return [TableName(one.table, ServerTable(server, one), asked) for one in found]
