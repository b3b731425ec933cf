"""Long-term memory: what is remembered of tables, in a store of LangGraph in the run's folder."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from langgraph.store.base import BaseStore, Op, PutOp, Result

from wideleaf.tools.errors import SettingsError

MEMORY = "memory.sqlite"


class FolderStore(BaseStore):
    """LangGraph's SQLite store in one file of a folder, which is open while it is used alone.

    Args:
        folder: The folder of a run.
    """

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / MEMORY

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations; where nothing is remembered, reading opens nothing.

        Raises:
            SettingsError: If the file cannot be used; says why.
        """
        ops = list(ops)
        writes = any(isinstance(op, PutOp) for op in ops)
        if not (writes or self.path.exists()):
            return [[] if hasattr(op, "limit") else None for op in ops]
        from filelock import FileLock
        from langgraph.store.sqlite.base import SqliteStore

        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.touch(mode=0o600)
            # The lock: the first use lays the file out, and two at the same time break it.
            with (
                FileLock(f"{self.path}.lock", timeout=20),
                SqliteStore.from_conn_string(str(self.path)) as store,
            ):
                # What is deleted is written over; and the file may be a stranger's.
                store.conn.executescript("PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
                return store.batch(ops)
        except (OSError, sqlite3.Error, TypeError, ValueError) as error:
            raise SettingsError(
                f"{str(self.path)!r}, which keeps what is remembered of tables, cannot be used: "
                f"{error}; make room or allow writing, move the file away, or name another folder"
            ) from error

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations in a thread."""
        return await asyncio.to_thread(self.batch, ops)
