"""Checkpoints in one SQLite file of the run's folder."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from langgraph.checkpoint.sqlite import SqliteSaver

from wideleaf.graph.checkpoints.saver import WholeSaver, plain_serializer
from wideleaf.tools.errors import SettingsError

SIZES = {
    "checkpoints": "length(checkpoint) + coalesce(length(metadata), 0)",
    "writes": "coalesce(length(value), 0)",
}
"""By table, the bytes of a row."""


class ThreadSaver(WholeSaver, SqliteSaver):
    """LangGraph's saver, of whole tasks.

    Args:
        connection: To its file.
        folder: Of the file; locks of threads are beside it.
    """

    error = sqlite3.Error

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        super().__init__(connection, serde=plain_serializer())
        self.folder = folder

    @contextmanager
    def held(self, key: str) -> Iterator[bool]:
        """Hold a thread; False where another run does."""
        digest = hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
        path = self.folder / f"thread-{digest}.lock"
        try:
            # It may be left by another thread of the process than took it.
            lock = FileLock(path, timeout=0, thread_local=False).acquire()
        except Timeout:
            yield False
            return
        with lock:
            yield True

    def rename_thread(self, old: str, new: str) -> None:
        """Give a thread another name; put again, its writes would lose the paths of their tasks."""
        with self.lock, self.conn:
            for table in SIZES:
                self.conn.execute(
                    f"UPDATE {table} SET thread_id = ? WHERE thread_id = ?", (new, old)
                )

    def size(self, key: str) -> int:
        """The bytes of a thread."""
        with self.lock:
            sums = (
                self.conn.execute(f"SELECT sum({size}) FROM {table} WHERE thread_id = ?", (key,))
                for table, size in SIZES.items()
            )
            return sum(one.fetchone()[0] or 0 for one in sums)

    def compact(self) -> str:
        """Give back the room of what was deleted; what is left of it and why."""
        try:
            with self.lock:
                self.conn.execute("VACUUM")
                busy, *_ = self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            busy = 1
        warning = (
            "another run holds the threads, so what was deleted is in their journal until it ends"
        )
        return warning if busy else ""

    def close(self) -> None:
        """Close it: a thread that writes meanwhile would end the process."""
        with self.lock:
            self.conn.close()


@contextmanager
def open_checkpoints(path: Path, patience: float) -> Iterator[ThreadSaver]:
    """The checkpoints in a file.

    Args:
        path: The file, made where there is none.
        patience: Seconds to wait for another that is writing there.

    Raises:
        SettingsError: If it is no such file, or another does not let go of it.
    """
    with _explain(path, sqlite3.DatabaseError), ExitStack() as stack:
        with _explain(path, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=patience, check_same_thread=False)
            saver = ThreadSaver(connection, path.parent)
            stack.callback(saver.close)
            # What is deleted is written over, and not only forgotten.
            connection.execute("PRAGMA secure_delete = ON")
            # Its first use sets the journal's mode, for which SQLite does not wait its turn.
            with FileLock(f"{path}.lock", timeout=patience):
                saver.setup()
        yield saver


@contextmanager
def _explain(path: Path, error: type[Exception]) -> Iterator[None]:
    try:
        yield
    except error as one:
        raise SettingsError(
            f"the threads in {str(path)!r} cannot be used ({one}); they are left as they are: see "
            "that there is room, that you may write there and that no other run holds it, or name "
            "another folder"
        ) from one
