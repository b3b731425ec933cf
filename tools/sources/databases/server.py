"""A database server: its URL, and the one connection of a run, which reads one state of it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from threading import RLock, Timer
from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.queries.database import Database, Fetch
from wideleaf.tools.sources.databases.columns import ColumnExpression, TableSchema
from wideleaf.tools.sources.databases.server_access import (
    dial,
    explain_error,
    is_mariadb,
    name_error,
    need_driver,
    split_url,
)
from wideleaf.tools.sources.databases.server_columns import columns_of, open_table
from wideleaf.tools.sources.databases.server_schema import describe, expect_rows
from wideleaf.tools.sources.naming import database_id, redact_url

if TYPE_CHECKING:
    import sqlalchemy as sa

DIALECTS = {"postgresql": "postgres", "mysql": "mysql"}
IDLE_SECONDS = 300.0
"""Nothing is asked for so long: the transaction ends."""
STATE = {
    "postgresql": "SELECT txid_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text,"
    " lower('Ä') = 'ä'",
    "mysql": "SELECT uuid(), true",
}
"""What differs as soon as anything was written that a transaction which begins now would see; and
whether letters beyond the plain ones are lowered. MySQL keeps no such number: each is another."""
LIMITS = {
    "postgresql": ("SET LOCAL statement_timeout TO {}", 1_000, "DEFAULT"),
    "mysql": ("SET max_execution_time = {}", 1_000, "0"),
    "mariadb": ("SET max_statement_time = {}", 1, "0"),
}
"""How a query's time is limited, in which parts of a second, and what ends that."""


class Server:
    """A database of a server; nothing is open until a table is read.

    Its one connection is a transaction that may only read and sees one state of all tables.

    Args:
        text: Its URL, with the tables that are wanted.

    Attributes:
        kept: Whether its tables are asked where they stand, so that the connection stays.
        state: What tells the state that is then read; empty where nothing was.
        replaced: Never: its driver gives whole texts.

    Raises:
        SourceError: If it is no URL of such a server or a driver is missing.
    """

    def __init__(self, text: str) -> None:
        self.text, self.origin = text, redact_url(text)
        self.title, self.replaced = self.origin, False
        self.kept, self.state = False, ""
        self.kind = "postgresql" if self.origin.startswith("postgres") else "mysql"
        need_driver(self.kind)
        self.url, self.wanted = split_url(text, self.kind)
        host, port, base = self.url.host, self.url.port, self.url.database
        where = host or self.url.query.get("host") or self.url.query.get("unix_socket")
        self.id = database_id(f"{self.kind} {where} {port} {base}")
        self._lock, self._idle = RLock(), Timer(0, str)
        self._line: dict[str, Any] = {}
        weakref.finalize(self, _hang_up, self._line)

    @cached_property
    def database(self) -> Database:
        """What asks its tables for queries of ibis."""
        return Database(DIALECTS[self.kind], self.origin, self.ask)

    def origin_of(self, key: str) -> str:
        """The server and a table of it, without the password."""
        return f"{self.origin}#{key}"

    def content_of(self, key: str) -> str:
        """Nothing: what a table holds is known when it is read."""
        return ""

    def describe(self, names: Sequence[str]) -> list[TableSchema]:
        """Describe the tables that are wanted, or all of the default schema.

        Raises:
            SourceError: If the server cannot be reached, refuses, or has no such table.
        """
        with self.clear_errors():
            return describe(self.connection(), names, self.origin)

    def expect_rows(self, described: TableSchema) -> int:
        """How many rows the server expects a table to have, without reading it."""
        with self.clear_errors(described.key):
            return expect_rows(self.connection(), described)

    def columns(
        self, described: TableSchema, hidden: Sequence[str], *, in_place: bool
    ) -> tuple[Any, list[ColumnExpression]]:
        """A table as ibis has it, and how its columns are read; hidden ones are not asked for.

        Args:
            described: The table.
            hidden: Columns to leave out.
            in_place: Whether steps run on what is read; else it is copied.
        """
        selection = [column for column in described.columns if column.name not in hidden]
        _, space, name, columns, *_ = described
        table = open_table(self.kind, self.database, name, space, columns)
        return table, columns_of(self.kind, table, selection, in_place=in_place)

    @contextmanager
    def ask(
        self, query: str, stream: bool = False, seconds: float | None = None
    ) -> Iterator[Fetch]:
        """Run one query; its error leaves the transaction as it was.

        Args:
            query: A SELECT.
            stream: Whether the server keeps rows until they are fetched, for which PostgreSQL has
                no parallel plan.
            seconds: How long it may take; None for as long as the server lets it.

        Raises:
            ActionError: If the server cannot run it.
            SourceError: If the connection is lost, and the state with it.
        """
        import sqlalchemy as sa

        with self._lock, self._busy():
            connection = self._seen()
            try:
                with (
                    self._limit_time(connection, seconds),
                    self.rows(query, stream=stream) as fetch,
                ):
                    yield fetch
            except sa.exc.DBAPIError as error:
                if error.connection_invalidated or connection.invalidated or connection.closed:
                    self.close()
                    raise SourceError(
                        f"{self.origin} hung up; ask again, and it is asked anew"
                    ) from None
                raise ActionError(
                    f"{self.origin} cannot do this: {name_error(error.orig)}; take another step, "
                    "or Select and Filter first so that it runs here",
                    kind="database",
                ) from None

    @contextmanager
    def rows(self, query: str, *, stream: bool = False) -> Iterator[Fetch]:
        """Run one query, with the driver's own errors; see `ask`."""
        connection = self.connection()
        with connection.begin_nested():
            how = {"no_parameters": True, "stream_results": stream}  # a % is no sign
            with connection.exec_driver_sql(query, execution_options=how) as result:
                try:
                    yield result.fetchmany
                except BaseException:
                    if stream:
                        self._stop()
                    raise

    def connection(self) -> sa.Connection:
        """The one connection, in a transaction that may only read and sees one state."""
        current: sa.Connection | None = self._line.get("connection")
        if current is not None:
            return current
        with self.clear_errors():
            engine, connection = dial(self.url, self.kind)
            self._line.update(engine=engine, connection=connection)
        return connection

    def _seen(self) -> sa.Connection:
        """The connection, after a loss only where the tables are what they were.

        Raises:
            SourceError: If the server cannot be reached, or its tables were written to since.
        """
        was_open, connection = self.open, self.connection()
        if not (was_open and self.state):
            with self.clear_errors():
                state, lowers = connection.exec_driver_sql(STATE[self.kind]).one()
            if self.state and state != self.state:
                self.close()
                raise SourceError(
                    f"the connection to {self.origin} was lost, and the database may have been "
                    "written to since; begin anew, so that all of an answer is of one state"
                )
            self.state, self.database.letters = state, bool(lowers)
        return connection

    def keep(self) -> str:
        """Stay connected, for tables that are asked where they stand; what tells their state."""
        self.kept = True
        with self._lock, self._busy():
            self._seen()
        return self.state

    @contextmanager
    def _limit_time(self, connection: sa.Connection, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        statement, parts, none = LIMITS["mariadb" if is_mariadb(connection) else self.kind]
        connection.exec_driver_sql(statement.format(round(seconds * parts)))
        try:
            yield
        finally:
            connection.exec_driver_sql(statement.format(none))

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """Hang up when nothing was asked for a while: an open transaction keeps locks and rows."""
        self._idle.cancel()
        try:
            yield
        finally:
            self._idle = Timer(IDLE_SECONDS, _leave, [weakref.ref(self)])
            self._idle.daemon = True
            self._idle.start()

    @property
    def open(self) -> bool:
        """Whether it is connected, in its one transaction."""
        return "connection" in self._line

    def _stop(self) -> None:
        """Stop a query whose other rows are not wanted: MySQL would send all of them first."""
        import sqlalchemy as sa

        if self.kind == "postgresql" or not self._line:
            return
        driver = self._line["connection"].connection.dbapi_connection
        with suppress(sa.exc.SQLAlchemyError), self._line["engine"].connect() as other:
            other.exec_driver_sql("KILL QUERY %s", (driver.thread_id(),))

    def close(self) -> None:
        """End the transaction and hang up."""
        self._idle.cancel()
        _hang_up(self._line)

    @contextmanager
    def clear_errors(self, table: str = "") -> Iterator[None]:
        """Turn the driver's errors into one clear sentence; theirs may quote cells."""
        import sqlalchemy as sa

        what = f"table {table!r} of {self.origin}" if table else self.origin
        try:
            yield
        except sa.exc.DBAPIError as error:
            raise SourceError(f"{what} {explain_error(error.orig)}") from None
        except (sa.exc.SQLAlchemyError, UnicodeDecodeError, OSError, TypeError) as error:
            raise SourceError(f"{what} cannot be read ({type(error).__name__})") from None


def _leave(server: weakref.ref[Server]) -> None:
    if (still := server()) is not None:
        with still._lock:
            still.close()


def _hang_up(line: dict[str, Any]) -> None:
    connection, engine = line.pop("connection", None), line.pop("engine", None)
    if connection is not None:
        connection.invalidate()  # nothing was written, and what was not fetched need not be
        connection.close()
    if engine is not None:
        engine.dispose()
