"""The named threads of a place: which there are, what they hold, renamed and deleted."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from langgraph.checkpoint.base import CheckpointTuple

from wideleaf.graph.checkpoints.place import Place
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.plain_data import texts_in

PATIENCE = 60.0
"""Seconds to wait for another that is writing there."""
FRAME = re.compile(r"(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])")
FILE_SIZES = {
    "checkpoints": "length(checkpoint) + length(metadata)",
    "writes": "coalesce(length(value), 0)",
}
DATABASE_SIZES = {
    "checkpoints": "pg_column_size(checkpoint) + pg_column_size(metadata)",
    "checkpoint_blobs": "coalesce(length(blob), 0)",
    "checkpoint_writes": "length(blob)",
}
"""By table, the bytes of a row."""


class Entry(NamedTuple):
    """A thread on its shelf.

    Attributes:
        thread: Its name.
        bytes: What its checkpoints take.
        latest: Its last checkpoint; None where it cannot be read.
        problem: Why it cannot.
    """

    thread: str
    bytes: int
    latest: CheckpointTuple | None
    problem: str = ""

    @property
    def values(self) -> dict[str, Any]:
        """The state of the thread."""
        return self.latest.checkpoint["channel_values"] if self.latest else {}

    @property
    def frames(self) -> frozenset[str]:
        """The ids of all frames that it speaks of."""
        pending = self.latest.pending_writes if self.latest else None
        return frames_in([self.values, [value for _, _, value in pending or ()]])


def frames_in(plain: Any) -> frozenset[str]:
    """The ids of frames that stand anywhere in plain data."""
    return frozenset(id for text in texts_in(plain) for id in FRAME.findall(text))


class Shelf:
    """The threads of one place, whichever it is.

    Args:
        place: Where they are.
        saver: LangGraph's, opened there.
        errors: What is raised there where the place itself fails.
    """

    def __init__(self, place: Place, saver: Any, errors: type[Exception]) -> None:
        self.place, self._saver = place, saver
        self._sizes = DATABASE_SIZES if place.url else FILE_SIZES
        self._errors = errors

    def names(self) -> list[str]:
        """The names of all threads."""
        rows = self._run(f"SELECT DISTINCT thread_id AS one FROM checkpoints {self._own}")
        return sorted(self.place.name(row[0]) for row in rows)

    def find(self, thread: str) -> Entry | None:
        """A thread; None if there is none of that name."""
        key = self.place.key(thread)
        of = "WHERE thread_id = ?"
        if not self._run(f"SELECT 1 AS one FROM checkpoints {of} LIMIT 1", key):
            return None
        sums = (
            self._run(f"SELECT coalesce(sum({size}), 0) AS one FROM {table} {of}", key)[0][0]
            for table, size in self._sizes.items()
        )
        total, config = int(sum(sums)), {"configurable": {"thread_id": key, "checkpoint_ns": ""}}
        try:
            entry = Entry(thread, total, self._saver.get_tuple(config))
            frames_in([*entry.frames])  # reads all of it
            return entry
        except self._errors:
            raise
        except Exception as error:
            # Whatever a checkpoint of another version, or a stranger's, makes of itself.
            return Entry(thread, total, None, type(error).__name__)

    def entries(self) -> list[Entry]:
        """All threads."""
        return [entry for name in self.names() if (entry := self.find(name))]

    def rename(self, old: str, new: str) -> None:
        """Give a thread another name; the caller holds both."""
        with self._saver.lock:
            for table in self._sizes:
                self._execute(
                    f"UPDATE {table} SET thread_id = ? WHERE thread_id = ?",
                    (self.place.key(new), self.place.key(old)),
                )
            self._commit()

    def remove(self, threads: Sequence[str]) -> None:
        """Delete threads, and write over what they took where the place lets us."""
        for thread in threads:
            self._saver.delete_thread(self.place.key(thread))

    def compact(self) -> str:
        """Give back the room of what was deleted, so that nothing of it is left on disk.

        Returns:
            What is left of it and why; empty if nothing is.
        """
        with self._saver.lock:
            return self._compact_database() if self.place.url else self._compact_file()

    @property
    def _own(self) -> str:
        # Nothing but hexadecimal digits and the user's own word, doubled where it is a quote.
        space = self.place.space.replace("'", "''").replace("%", "%%")
        return f"WHERE starts_with(thread_id, '{space}/')" if self.place.url else ""

    def _run(self, sql: str, *given: Any) -> list[Any]:
        with self._saver.lock:
            if not self.place.url:
                self._saver.setup()
            rows = self._execute(sql, given).fetchall()
        return [tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in rows]

    def _execute(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        if self.place.url:
            return self._saver.connection.execute(sql.replace("?", "%s"), tuple(parameters))
        return self._saver.conn.execute(sql, tuple(parameters))

    def _commit(self) -> None:
        if not self.place.url:
            self._saver.conn.commit()

    def _compact_file(self) -> str:
        try:
            self._execute("VACUUM")
            busy, *_ = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            busy = 1
        warning = (
            "another run holds the threads, so what was deleted is in their journal until it ends"
        )
        return warning if busy else ""

    def _compact_database(self) -> str:
        import psycopg

        try:
            self._execute("SET lock_timeout = '5s'")
            for table in self._sizes:
                self._execute(f"VACUUM (FULL) {table}")
        except psycopg.Error as error:
            with suppress(psycopg.Error):
                for table in self._sizes:
                    self._execute(f"VACUUM {table}")
            return (
                f"the database deleted the threads and did not give back their room "
                f"({str(error).splitlines()[0]}); its next VACUUM FULL does"
            )
        return ""


@contextmanager
def open_shelf(place: Place) -> Iterator[Shelf | None]:
    """The threads of a place; None where none was ever kept.

    Raises:
        SettingsError: If the place cannot be used.
    """
    if place.url:
        import psycopg

        from wideleaf.graph.checkpoints.postgres import open_database

        with open_database(place.url, PATIENCE) as saver:
            yield Shelf(place, saver, psycopg.Error)
    elif place.path.exists():
        from wideleaf.graph.checkpoints.sqlite import open_checkpoints

        try:
            with open_checkpoints(place.path, PATIENCE) as saver:
                yield Shelf(place, saver, sqlite3.Error)
        except (sqlite3.DatabaseError, TimeoutError) as error:
            raise SettingsError(
                f"the threads in {str(place)!r} cannot be used ({error}); they are left as they are"
            ) from error
    else:
        yield None
