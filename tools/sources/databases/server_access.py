"""How a database server is reached, and what its errors mean."""

from __future__ import annotations

import importlib.util
import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.naming import redact_url

if TYPE_CHECKING:
    import sqlalchemy as sa


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
        "SET sql_mode = ''",  # with signs escaped as queries are written
        "SET time_zone = '+00:00'",
        "SET lock_wait_timeout = 10",
    ),
}
DRIVERS = {"postgresql": ("psycopg", "psycopg"), "mysql": ("pymysql", "pymysql")}


def need_driver(kind: str) -> None:
    """See that the driver of a kind of server is installed.

    Raises:
        SourceError: If it is not.
    """
    for module in ("sqlalchemy", DRIVERS[kind][1]):
        if importlib.util.find_spec(module) is None:
            raise SourceError(
                f"a {kind} server needs {module}, which is not installed: "
                "pip install 'wideleaf[databases]'"
            )


def split_url(text: str, kind: str) -> tuple[sa.URL, list[str]]:
    """The URL for the driver and the tables that are wanted.

    Raises:
        SourceError: If it cannot be read, or names no database.
    """
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
        raise SourceError(f"{redact_url(text)} names no database; add it, as in .../database")
    tables = url.query.get("table", ())
    names = [tables] if isinstance(tables, str) else list(tables)
    if fragment:
        names.append(unquote(fragment))
    password = url.password
    if password is None and kind == "mysql":
        password = os.environ.get("MYSQL_PWD")  # libpq looks for its own
    url = url.difference_update_query(["table", "held"])
    return url.set(drivername=f"{kind}+{DRIVERS[kind][0]}", password=password), names


def dial(url: sa.URL, kind: str) -> tuple[sa.Engine, sa.Connection]:
    """Connect, in a transaction that may only read and sees one state of all tables."""
    options: dict[str, Any] = {"isolation_level": "REPEATABLE READ"}
    if kind == "postgresql":
        options["postgresql_readonly"] = True
    else:  # PyMySQL waits for a greeting as long as for rows
        _engine(url, kind, CONNECT_SECONDS).connect().close()
    engine = _engine(url, kind, READ_SECONDS)
    connection = engine.connect().execution_options(**options)
    try:
        for statement in SET_UP[kind]:
            connection.exec_driver_sql(statement)
        if kind == "mysql":  # texts are alike by their signs alone
            signs = "utf8mb4_nopad_bin" if is_mariadb(connection) else "utf8mb4_0900_bin"
            connection.exec_driver_sql(f"SET NAMES utf8mb4 COLLATE {signs}")
    except BaseException:
        connection.close()
        raise
    return engine, connection


def is_mariadb(connection: sa.Connection) -> bool:
    """Whether a server of the kind of MySQL is MariaDB."""
    return bool(getattr(connection.dialect, "is_mariadb", False))


def _engine(url: sa.URL, kind: str, patience: int) -> sa.Engine:
    import sqlalchemy as sa

    arguments: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS}
    if kind == "postgresql":
        arguments |= {"client_encoding": "utf-8", "application_name": "wideleaf"}
        arguments |= {"keepalives_idle": 60, "keepalives_interval": 10}
        arguments["prepare_threshold"] = None  # poolers between may not know them
    else:
        arguments |= {"charset": "utf8mb4", "read_timeout": patience}
    arguments = {name: value for name, value in arguments.items() if name not in url.query}
    pool = sa.pool.NullPool
    return sa.create_engine(url, connect_args=arguments, poolclass=pool, hide_parameters=True)


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


def name_error(error: Any) -> str:
    """What kind of error a driver tells of; its own words may quote cells."""
    code = error.args[0] if getattr(error, "args", ()) else None
    if isinstance(code, int):
        return _CODES.get(code, f"error {code}")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
