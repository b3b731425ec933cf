"""Checkpoints in a database of PostgreSQL, by LangGraph's own saver."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.base import BasePostgresSaver
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row

from wideleaf.graph.checkpoints.place import need_postgresql
from wideleaf.graph.checkpoints.saver import WholeSaver, plain_serializer
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.words import one_line

SETUP = "wideleaf"
"""The name of the lock under which the tables are made; a thread's has a slash."""
SIZES = {
    "checkpoints": "pg_column_size(checkpoint) + pg_column_size(metadata)",
    "checkpoint_blobs": "length(blob)",
    "checkpoint_writes": "length(blob)",
}
"""By table, the bytes of a row."""
SECONDS = 10
"""To wait for an answer of a server that is not there."""
TOLD = 200
OWN = "wideleaf"
"""What the server lists its connections as."""
WAYS: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0}


class DatabaseSaver(WholeSaver, PostgresSaver):
    """LangGraph's saver, of whole tasks.

    Attributes:
        connection: What it writes through; it holds locks.
    """

    error = psycopg.Error

    def __init__(self, connection: psycopg.Connection[DictRow]) -> None:
        super().__init__(connection, serde=plain_serializer())
        self.connection = connection

    @contextmanager
    def held(self, key: str) -> Iterator[bool]:
        """Hold a thread, from whatever machine; False where another run does."""
        taken = take_lock(self.connection, key)
        try:
            yield taken
        finally:
            if taken:
                free_lock(self.connection, key)

    def rename_thread(self, old: str, new: str) -> None:
        """Give a thread another name; put again, its writes would lose the paths of their tasks."""
        with self.lock, self.connection.transaction():
            for table in SIZES:
                self.connection.execute(
                    f"UPDATE {table} SET thread_id = %s WHERE thread_id = %s", (new, old)
                )

    def size(self, key: str) -> int:
        """The bytes of a thread; told by the server, for to read them all may take long."""
        sums = (
            self.connection.execute(
                f"SELECT sum({size})::bigint AS size FROM {table} WHERE thread_id = %s", (key,)
            )
            for table, size in SIZES.items()
        )
        return sum((one.fetchone() or {}).get("size") or 0 for one in sums)

    def compact(self) -> str:
        """Give back the room of what was deleted; what is left of it and why."""
        try:
            with self.lock:
                self.connection.execute("SET lock_timeout = '5s'")
                self.connection.execute(f"VACUUM (FULL) {', '.join(SIZES)}")
        except psycopg.Error as error:
            return (
                "the database deleted the threads and did not give back their room "
                f"({_told(error)}); its next VACUUM FULL does"
            )
        return ""


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
        free_lock(one, SETUP)


def take_lock(one: psycopg.Connection[DictRow], name: str) -> bool:
    """Take a lock, which ends with the connection; False where another has it."""
    row = one.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0)) AS taken", (name,))
    return bool((row.fetchone() or {}).get("taken"))


def free_lock(one: psycopg.Connection[DictRow], name: str) -> None:
    """Let go of a lock; a connection that was lost has done so."""
    with suppress(psycopg.Error):
        one.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (name,))


def _version(one: psycopg.Connection[DictRow]) -> int:
    """Of the tables; -1 where there are none."""
    try:
        row = one.execute("SELECT max(v) AS v FROM checkpoint_migrations").fetchone()
    except psycopg.errors.UndefinedTable:
        return -1
    return -1 if row is None or row["v"] is None else int(row["v"])


def _told(error: psycopg.Error) -> str:
    """What a server said, without its guesses at why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[0] if lines else type(error).__name__, TOLD)
