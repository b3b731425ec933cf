"""Checkpoints in a database of PostgreSQL, by LangGraph's own saver."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.base import BasePostgresSaver
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row

from wideleaf.graph.checkpoints.place import need_postgresql
from wideleaf.graph.checkpoints.threaded import ThreadedSaver, plain_serializer
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.words import one_line

SETUP = 0x77_69_64_65_6C_65_61_66
"""The number of the lock under which the tables are made."""
SECONDS = 10
"""To wait for an answer of a server that is not there."""
LETS_GO = 2.0
"""To wait for the end of a run that has just ended."""
TOLD = 200
OWN = "wideleaf"
"""What the server lists its connections as."""
WAYS: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0}


class DatabaseSaver(ThreadedSaver, PostgresSaver):
    """LangGraph's saver, for runs that are waited for, too.

    Attributes:
        connection: What it writes through; it holds locks.
    """

    def __init__(self, connection: psycopg.Connection[DictRow]) -> None:
        super().__init__(connection, serde=plain_serializer())
        self.connection = connection


@contextmanager
def open_database(url: str, patience: float) -> Iterator[DatabaseSaver]:
    """The checkpoints in a database; their tables are made where there are none.

    Args:
        url: Of the database.
        patience: Seconds to wait for another that makes the tables.

    Raises:
        SettingsError: If there is no such database, it lets nobody in, it ends the connection, or
            its tables are of a later version.
    """
    with explain_database(url), psycopg.connect(**parts_of(url), row_factory=dict_row) as one:
        prepare_tables(one, patience)
        yield DatabaseSaver(one)


@contextmanager
def explain_database(url: str) -> Iterator[None]:
    """Tell what a database says in one line, without the password.

    Raises:
        SettingsError: In place of what psycopg raises.
    """
    try:
        yield
    except psycopg.Error as error:
        raise SettingsError(
            f"the checkpoints in {redact_url(url)!r} cannot be used ({_told(error)}); see "
            "that the server runs, lets you in and takes writes, or leave the setting checkpoints "
            "out: threads are then kept in the folder"
        ) from error


def parts_of(url: str) -> dict[str, Any]:
    """What `psycopg.connect` takes, of a URL.

    Raises:
        SettingsError: If it is none; the password is not told.
    """
    need_postgresql(url)
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise SettingsError(
            f"checkpoints={redact_url(url)!r} is no URL of a database; right would be such "
            "as 'postgresql://user@host:5432/database', its signs percent-encoded"
        ) from None
    return {"connect_timeout": SECONDS, "application_name": OWN, **parts, **WAYS}


def prepare_tables(one: psycopg.Connection[DictRow], patience: float) -> None:
    """Make the tables of checkpoints, or bring those of an earlier version up to date.

    Raises:
        SettingsError: If they are of a later version, or another does not come to an end with them.
    """
    latest = len(BasePostgresSaver.MIGRATIONS) - 1
    if _version(one) == latest:
        return
    deadline = time.monotonic() + patience
    # Tried again and again: a statement that waits would hold up the making of an index.
    while not take_lock(one, SETUP):
        if time.monotonic() > deadline:
            raise SettingsError("another process is making the tables of checkpoints; try again")
        time.sleep(0.1)
    try:
        if (version := _version(one)) > latest:
            raise SettingsError(
                f"the tables of checkpoints are of version {version}, and this installation knows "
                f"{latest}; install a later langgraph-checkpoint-postgres, or name another database"
            )
        PostgresSaver(one).setup()
    finally:
        one.execute("SELECT pg_advisory_unlock(%s)", (SETUP,))


def take_lock(one: psycopg.Connection[DictRow], number: int) -> bool:
    """Take a lock that the connection holds to its end; False where another has it.

    The server lets go of a lock some moments after its connection was closed.
    """
    given_up = time.monotonic() + LETS_GO
    while True:
        row = one.execute("SELECT pg_try_advisory_lock(%s) AS taken", (number,)).fetchone()
        if row and row["taken"]:
            return True
        if time.monotonic() > given_up:
            return False
        time.sleep(0.05)


def lock_number(key: str) -> int:
    """The number of a thread's lock."""
    digest = hashlib.blake2b(key.encode(), digest_size=8, person=b"wideleaf").digest()
    return int.from_bytes(digest, "big", signed=True)


def _version(one: psycopg.Connection[DictRow]) -> int:
    """Of the tables; -1 where there are none."""
    there = one.execute("SELECT to_regclass('checkpoint_migrations') AS name").fetchone()
    if there is None or there["name"] is None:
        return -1
    row = one.execute("SELECT max(v) AS v FROM checkpoint_migrations").fetchone()
    return -1 if row is None or row["v"] is None else int(row["v"])


def _told(error: psycopg.Error) -> str:
    """What a server said, without its guesses at why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[0] if lines else type(error).__name__, TOLD)
