"""Tables of a server where they stand: their columns as ibis has them, and the one state asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock, Timer
from typing import Any
from weakref import ref

from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.queries.database import Database, Fetch
from wideleaf.tools.sources.databases.columns import (
    FLOAT_DIGITS,
    IN_UTC,
    LONG_DIGITS,
    ROUNDED,
    Declared,
    SQLiteColumn,
    System,
    column_of,
)
from wideleaf.tools.sources.databases.server import Server, find_held
from wideleaf.tools.sources.databases.server_columns import postgresql

DIALECTS = {"postgresql": "postgres"}
"""Servers whose tables can be asked where they stand, as `Database` calls them."""
TYPES = {
    **dict.fromkeys(("TEXT", "VARCHAR"), "string"),
    **{"SMALLINT": "int16", "INTEGER": "int32", "BIGINT": "int64", "OID": "int64"},
    **{"REAL": "float32", "FLOAT": "float64", "DOUBLE_PRECISION": "float64"},
    **{"BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "timestamp(6)"},
    "TIMESTAMPTZ": "timestamp('UTC', 6)",
}
"""PostgreSQL's types that ibis knows, as SQLAlchemy calls them; any other is read as text."""
IDLE_SECONDS = 300.0
"""Nothing is asked for so long: the transaction ends."""
STATE = {
    "postgresql": "SELECT txid_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text,"
    " lower('Ä') = 'ä'"
}
"""What differs as soon as anything was written that a transaction which begins now would see; and
whether letters beyond the plain ones are lowered."""


class ServerState:
    """The one state of a server's tables that a run sees, in a transaction that only reads.

    Args:
        server: Where they stand.

    Attributes:
        database: What asks it for queries of ibis.
        fingerprint: Of the state.
    """

    def __init__(self, server: Server) -> None:
        self._server, self._lock = server, RLock()
        self.fingerprint, self._idle = "", Timer(IDLE_SECONDS, self.hang_up)
        self.database = Database(DIALECTS[server.kind], server.origin, self.ask)

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
            connection = self.connection()
            try:
                with connection.begin_nested():
                    if seconds is not None:
                        self._limit(connection, str(round(seconds * 1_000)))
                    how = {"no_parameters": True, "stream_results": stream}  # a % is no sign
                    with connection.exec_driver_sql(query, execution_options=how) as result:
                        yield result.fetchmany
                    if seconds is not None:
                        self._limit(connection, "DEFAULT")
            except sa.exc.DBAPIError as error:
                if error.connection_invalidated or connection.invalidated or connection.closed:
                    self._server.close()
                    raise SourceError(
                        f"{self._server.origin} hung up; ask again, and it is asked anew"
                    ) from None
                raise ActionError(
                    f"{self._server.origin} cannot do this: {_meaning(error.orig)}; take another "
                    "step, or Select and Filter first so that it runs here",
                    kind="database",
                ) from None

    def connection(self) -> Any:
        """The connection, after a loss only where the tables are what they were.

        Raises:
            SourceError: If the server cannot be reached, or its tables were written to since.
        """
        with self._lock:
            connection = self._server.connection()
            if connection.info.get("state") is not self:
                with self._server.clear_errors():
                    rows = connection.exec_driver_sql(STATE[self._server.kind])
                    found, lowers = rows.one()
                if self.fingerprint and found != self.fingerprint:
                    self._server.close()
                    raise SourceError(
                        f"the connection to {self._server.origin} was lost, and the database was "
                        "written to since; begin anew, so that all of an answer is of one state"
                    )
                self.fingerprint = found
                self.database.letters = bool(lowers)
                connection.info["state"] = self
            return connection

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """Hang up when nothing was asked for a while: an open transaction keeps locks and rows."""
        self._idle.cancel()
        try:
            yield
        finally:
            self._idle = Timer(IDLE_SECONDS, _hang_up, [ref(self)])
            self._idle.daemon = True
            self._idle.start()

    def hang_up(self) -> None:
        """End the transaction; the next query begins another, if the state is still the same."""
        with self._lock:
            self._server.close()

    @staticmethod
    def _limit(connection: Any, milliseconds: str) -> None:
        connection.exec_driver_sql(f"SET LOCAL statement_timeout TO {milliseconds}")

    def rows(self, table: Any) -> int:
        """How many rows the server expects a table to have, without reading it."""
        query = f"EXPLAIN (FORMAT JSON) {self.database.write(table.select(one=1))}"
        with self.ask(query) as fetch:
            plan = fetch(1)[0][0]
        return int(plan[0]["Plan"]["Plan Rows"])


def _hang_up(state: ref[ServerState]) -> None:
    if (still := state()) is not None:
        still.hang_up()


def state_now(text: str) -> str:
    """The state that a held input has: that of its transaction, or what one would see now.

    Args:
        text: As `hold` makes it.

    Returns:
        Empty where that cannot be told.
    """
    server = find_held(text)
    if server is None or server.kind not in STATE:
        return ""
    if server.open and server.state is not None:
        return str(server.state.fingerprint)
    other = Server(server.text)
    try:
        state_of(other).connection()
        return str(other.state.fingerprint)
    except SourceError:
        return ""
    finally:
        other.close()


def state_of(server: Server) -> ServerState:
    """The state that is asked of a server, the same for all of its tables."""
    if server.state is None:
        server.state = ServerState(server)
    state: ServerState = server.state
    return state


def open_table(
    database: Database, name: str, space: str | None, declared: Sequence[Declared]
) -> Any:
    """A table of a database as ibis has it, in the server's own types."""
    return database.table(name, {one.name: _type(one) for one in declared}, space)


def columns_of(table: Any, declared: Sequence[Declared]) -> list[SQLiteColumn]:
    """How each column is read in the types that all engines have, and what to know of that.

    Args:
        table: As `open_table` makes it.
        declared: Its columns, as the server declares them.
    """
    made = []
    for one in declared:
        column = column_of(one.name, table[one.name], one.dtype, _postgresql())
        most = LONG_DIGITS if column.kind == "whole" else FLOAT_DIGITS
        if column.kind == "zoned":
            column = column._replace(notes=(IN_UTC,))
        elif column.kind in ("decimal", "whole") and (one.dtype.precision or 99) > most:
            column = column._replace(notes=(ROUNDED,))
        made.append(column)
    return made


@cache
def _postgresql() -> System:
    """PostgreSQL, its types as SQLAlchemy calls them, its cells as ibis has them."""
    import ibis.expr.datatypes as dt

    from wideleaf.tools.queries.operations import call

    return System(
        postgresql().types,
        {
            **dict.fromkeys(("boolean", "date", "time", "TEXT", "VARCHAR")),
            "integer": lambda cell: cell.cast("int64"),
            "number": _number,
            "decimal": _number,
            "whole": _whole,
            "zoned": lambda cell: cell.cast("timestamp(6)"),
            "text": lambda cell: cell.cast("string"),
            "MONEY": lambda cell: _number(cell.cast("decimal")),
            "ARRAY": lambda cell: call("to_jsonb", cell, made=dt.json).cast("string"),
        },
    )


def _number(cell: Any) -> Any:
    """A float in which a NaN is null (docs/semantics.md)."""
    from wideleaf.tools.queries.operations import call

    return call("nullif", cell, "NaN", made=cell.type()).cast("float64")


def _whole(cell: Any) -> Any:
    return cell.cast("int64") if cell.type().precision <= LONG_DIGITS else _number(cell)


def _type(column: Declared) -> Any:
    """What ibis calls a column's type; what it need not know is cast before anything is asked."""
    import ibis.expr.datatypes as dt

    name, precision, scale = column.dtype
    if name == "NUMERIC":
        return dt.Decimal(precision, scale)
    return TYPES.get(name, dt.unknown)


def _meaning(error: Any) -> str:
    """What kind of error a driver tells of; its own words may quote cells."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
