"""A database server: its URL, the one read-only connection of a run, and errors without secrets."""

from __future__ import annotations

import importlib.util
import os
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from uuid import uuid4
from weakref import WeakValueDictionary

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.naming import database_id, without_password

if TYPE_CHECKING:
    import sqlalchemy as sa

DRIVERS = {"postgresql": ("psycopg", "psycopg"), "mysql": ("pymysql", "pymysql")}
CONNECT_SECONDS = 10
READ_SECONDS = 3600
"""A view may take long for its first row; a network that is gone must not hang for ever."""
SET_UP = {
    "postgresql": (
        "SET LOCAL TimeZone = 'UTC'",
        "SET LOCAL DateStyle = 'ISO'",
        "SET LOCAL IntervalStyle = 'postgres'",
        "SET LOCAL extra_float_digits = 3",
        "SET LOCAL lock_timeout = '10s'",
    ),
    "mysql": (
        "SET SESSION TRANSACTION READ ONLY",
        "SET time_zone = '+00:00'",
        "SET lock_wait_timeout = 10",
    ),
}
# What the messages of drivers say, since connection errors come without a code.
_SAID = (
    (("password authentication failed", "no password supplied", "access denied for user",
      "fe_sendauth"), "refuses the user or the password; a password may stand in the URL, for "
     "PostgreSQL in PGPASSWORD or ~/.pgpass, for MySQL in MYSQL_PWD"),
    (("pg_hba.conf",), "refuses the connection (pg_hba.conf); ask whoever runs the server"),
    (("role ",), "does not know the user"),
    (("database ", "unknown database"), "has no such database"),
    (("timeout", "timed out"), "does not answer in time; is the host right, and the network?"),
    (("too many connections", "too many clients", "remaining connection slots"),
     "has no connection left; try again later"),
    (("ssl",), "and this machine agree on no encryption; see sslmode or ssl_ca in the URL"),
)  # fmt: skip
_UNREACHED = "cannot be reached; are host and port right, and does the server run?"
_STATES = {
    "28P01": _SAID[0][1],
    "28000": _SAID[1][1],
    "3D000": _SAID[3][1],
    "53300": _SAID[5][1],
    "42501": "may not be read by this user; a column that may not be read can be denied",
    "42P01": "is not there any more",
    "55P03": "is locked by another transaction; try again later",
    "57014": "took longer than the server allows",
    "25006": "would be written to by reading it, which is refused",
    "55000": "is not filled yet; refresh the materialized view",
}
_CODES = {
    1044: "may not be used by this user",
    1045: _SAID[0][1],
    1049: "has no such database",
    1142: _STATES["42501"],
    1143: _STATES["42501"],
    1146: _STATES["42P01"],
    1205: _STATES["55P03"],
    1356: "is a view on something that is not there any more, or that the user may not read",
    1698: _SAID[0][1],
    1792: _STATES["25006"],
    2003: _UNREACHED,
    2013: "hung up while it was read; try again",
    3024: _STATES["57014"],
}
"""MySQL's and MariaDB's numbers."""
_held: dict[str, str] = {}
"""URLs whose tables were asked where they stand, by words that nobody can guess."""
_live: WeakValueDictionary[str, Server] = WeakValueDictionary()


class Server:
    """A database of a server; nothing is open until a table is read.

    Args:
        text: Its URL, with the tables that are wanted.

    Attributes:
        kept: Whether its tables are asked where they stand, so that the connection stays.
        state: The one state that is then asked, a `ServerState`; None where nothing was.

    Raises:
        SourceError: If it is no URL of such a server or a driver is missing.
    """

    def __init__(self, text: str) -> None:
        self.text, self.origin = text, without_password(text)
        self.kept = False
        self.state: Any = None
        self.kind = "postgresql" if self.origin.startswith("postgres") else "mysql"
        _need_driver(self.kind)
        self.url, self.wanted = _split(text, self.kind)
        host, port, base = self.url.host, self.url.port, self.url.database
        where = host or self.url.query.get("host") or self.url.query.get("unix_socket")
        self.id = database_id(f"{self.kind} {where} {port} {base}")
        self._line: dict[str, Any] = {}
        weakref.finalize(self, _hang_up, self._line)

    def connection(self) -> sa.Connection:
        """The one connection, in a transaction that may only read and sees one state."""
        known: sa.Connection | None = self._line.get("connection")
        if known is not None:
            return known
        with self.clear_errors():
            options: dict[str, Any] = {"isolation_level": "REPEATABLE READ"}
            if self.kind == "postgresql":
                options["postgresql_readonly"] = True
            else:  # PyMySQL waits for a greeting as long as for rows
                self._dialled(CONNECT_SECONDS).connect().close()
            engine = self._dialled(READ_SECONDS)
            connection = engine.connect().execution_options(**options)
            try:
                for statement in SET_UP[self.kind]:
                    connection.exec_driver_sql(statement)
            except BaseException:
                connection.close()
                raise
            self._line.update(engine=engine, connection=connection)
        return connection

    def _dialled(self, patience: int) -> sa.Engine:
        import sqlalchemy as sa

        arguments: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS}
        if self.kind == "postgresql":
            arguments |= {"client_encoding": "utf-8", "application_name": "wideleaf"}
            arguments |= {"keepalives_idle": 60, "keepalives_interval": 10}
            arguments["prepare_threshold"] = None  # poolers between may not know them
        else:
            arguments |= {"charset": "utf8mb4", "read_timeout": patience}
        arguments = {k: v for k, v in arguments.items() if k not in self.url.query}
        pool = sa.pool.NullPool
        return sa.create_engine(
            self.url, connect_args=arguments, poolclass=pool, hide_parameters=True
        )

    @property
    def open(self) -> bool:
        """Whether it is connected, in its one transaction."""
        return "connection" in self._line

    def stop(self) -> None:
        """Stop a query whose other rows are not wanted: MySQL would send all of them first."""
        import sqlalchemy as sa

        if self.kind == "postgresql" or not self._line:
            return
        driver = self._line["connection"].connection.dbapi_connection
        with suppress(sa.exc.SQLAlchemyError), self._line["engine"].connect() as other:
            other.exec_driver_sql("KILL QUERY %s", (driver.thread_id(),))

    def close(self) -> None:
        """End the transaction and hang up."""
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


def hold(server: Server) -> str:
    """An input without a password, by which this process finds the same server again."""
    held = next((key for key, live in _live.items() if live is server), None) or uuid4().hex
    _held[held], _live[held] = server.text, server
    return f"{server.origin}?held={held}"


def find_held(text: str, *, anew: bool = False) -> Server | None:
    """The server that `hold` made an input of.

    Args:
        text: The input.
        anew: Whether one that hung up is another from now on, which may have another state.
    """
    found = re.search(r"\?held=([0-9a-f]{32})(?:#|\Z)", text)
    if found is None or found[1] not in _held:
        return None
    server = _live.get(found[1])
    if server is None or (anew and not server.open):
        server = Server(_held[found[1]])
    _live[found[1]] = server
    return server


def _hang_up(line: dict[str, Any]) -> None:
    connection, engine = line.pop("connection", None), line.pop("engine", None)
    if connection is not None:
        connection.invalidate()  # nothing was written, and what was not fetched need not be
        connection.close()
    if engine is not None:
        engine.dispose()


def _need_driver(kind: str) -> None:
    for module in ("sqlalchemy", DRIVERS[kind][1]):
        if importlib.util.find_spec(module) is None:
            raise SourceError(
                f"a {kind} server needs {module}, which is not installed: "
                "pip install 'wideleaf[databases]'"
            )


def _split(text: str, kind: str) -> tuple[sa.URL, list[str]]:
    """The URL for the driver and the tables that are wanted."""
    import sqlalchemy as sa

    # After the last @, for a password that was not percent-encoded may hold a # or a ?.
    before, at, rest = text.rpartition("@")
    rest, _, fragment = rest.partition("#")
    try:
        url = sa.make_url(f"{before}{at}{rest}")
    except (sa.exc.ArgumentError, ValueError):
        raise SourceError(
            "a database URL cannot be read; write it as postgresql://user@host:5432/database, with "
            "signs such as @ / : # in a password percent-encoded"
        ) from None
    if not url.database:
        raise SourceError(f"{without_password(text)} names no database; add it, as in .../database")
    tables = url.query.get("table", ())
    wanted = [tables] if isinstance(tables, str) else list(tables)
    if fragment:
        wanted.append(unquote(fragment))
    password = url.password
    if password is None and kind == "mysql":
        password = os.environ.get("MYSQL_PWD")  # libpq looks for its own
    url = url.difference_update_query(["table", "held"])
    return url.set(drivername=f"{kind}+{DRIVERS[kind][0]}", password=password), wanted


def explain_error(error: Any) -> str:
    """What an error of psycopg or PyMySQL means, as the end of a sentence."""
    text = str(error)
    code = error.args[0] if getattr(error, "args", ()) else None
    if isinstance(code, int):
        if code in (2003, 2013) and "timed out" in text:
            return _SAID[4][1]
        return _CODES.get(code, f"cannot be read (error {code})")
    state = getattr(error, "sqlstate", None)
    if state in _STATES:
        return _STATES[state]
    if state:
        return f"cannot be read (SQLSTATE {state})"
    folded = text.casefold()
    for words, meaning in _SAID:
        if any(word in folded for word in words):
            return meaning
    return _UNREACHED
