"""Checkpoints in one SQLite file of the run's folder."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from langgraph.checkpoint.sqlite import SqliteSaver

from wideleaf.graph.checkpoints.threaded import ThreadedSaver, plain_serializer


class ThreadSaver(ThreadedSaver, SqliteSaver):
    """LangGraph's saver, for runs that are waited for, too."""


@contextmanager
def open_checkpoints(path: Path, patience: float) -> Iterator[ThreadSaver]:
    """The checkpoints in a file.

    Args:
        path: The file, made where there is none.
        patience: Seconds to wait for another that is writing there.

    Raises:
        sqlite3.DatabaseError: If it is no such file, or another does not let go of it.
        TimeoutError: Likewise.
    """
    connection = sqlite3.connect(path, timeout=patience, check_same_thread=False)
    # What is deleted is written over, and not only forgotten.
    connection.execute("PRAGMA secure_delete = ON")
    saver = ThreadSaver(connection, serde=plain_serializer())
    try:
        # Its first use sets the journal's mode, for which SQLite does not wait its turn.
        with FileLock(f"{path}.lock", timeout=patience):
            saver.setup()
        yield saver
    finally:
        # The lock: a thread that writes into a connection while it is closed ends the process.
        with saver.lock:
            connection.close()


def lock_path(folder: Path, thread: str) -> Path:
    """The file that is locked while a thread of a folder runs."""
    digest = hashlib.blake2b(thread.encode(), digest_size=8).hexdigest()
    return folder / f"thread-{digest}.lock"
