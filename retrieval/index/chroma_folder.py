"""A folder that Chroma keeps its files in: one client a process, one writer at a time."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from filelock import FileLock

SCHEMA = 1
"""Version of what is kept, and how; a folder of another is set aside."""
_NOT_DAMAGE = (
    *(f"(code: {code})" for code in (5, 6, 8, 10, 13, 14)),  # busy, read only, disk, no access
    *(f"(os error {code})" for code in (1, 5, 11, 13, 24, 28, 30)),
)
Tell = Callable[[str], None]


class Contents(NamedTuple):
    """What the folder holds, as its one file `contents.json` says.

    Attributes:
        sets: By collection and table, a digest of the records; only of those that are whole.
        stamp: Another one after each write, of this process or another.
    """

    sets: Mapping[str, Mapping[str, str]]
    stamp: str = ""


class Damage(Exception):
    """What Chroma holds cannot be read."""


class ChromaFolder:
    """Chroma's files, what is whole among them, and who may write.

    Chroma's client does not see what another process writes, so a write changes a stamp, and a
    client that is older than the stamp is opened anew. Nothing is imported until it is opened.

    Args:
        folder: The folder of the index; Chroma's own is ``chroma`` in it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "chroma"
        self._contents_path = folder / "contents.json"
        self._turn = RLock()
        self._client: tuple[str, ClientAPI] | None = None
        self._seen: tuple[tuple[int, int, int] | None, Contents] = (None, Contents({}))
        self._checked: tuple[tuple[int, int, int] | None, str] = (None, "")
        self._spelling = f"{self.path}/."  # Chroma shares clients by the spelling of their path

    @property
    def contents(self) -> Contents:
        """What is whole now; costs a look at one file's time."""
        try:
            status = self._contents_path.stat()
        except OSError:
            return Contents({})
        signature = (status.st_ino, status.st_mtime_ns, status.st_size)
        if self._seen[0] != signature:
            self._seen = (signature, self._read_contents())
        return self._seen[1]

    @contextmanager
    def alone(self, work: str = "store") -> Iterator[None]:
        """Hold a lock against other threads and processes; others of the same work wait.

        Raises:
            SettingsError: If the folder cannot be written to.
        """
        lock = _lock(str(self.folder / "locks" / f"{work}.lock"))
        try:
            (self.folder / "locks").mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except OSError as error:
            raise self._refuse(error) from error
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def open_client(self) -> Iterator[ClientAPI]:
        """Chroma's client, up to date, held alone; close nothing.

        Raises:
            Damage: If Chroma, SQLite or the file system fail on what is on disk; whatever else is
                raised while the client is used rises as it is.
            SettingsError: If the disk is full, or the folder cannot be written to.
        """
        with self.alone(), self._turn:
            try:
                yield self._fresh_client()
            except Exception as error:
                self.close()
                if not _is_of_disk(error):
                    raise  # a fault of ours, and no reason to build the index anew
                raise self._judge_error(error) from error

    def note(self, collection: str, table: str, digest: str | None) -> None:
        """Write down that a table's records are whole (or are not, without a digest)."""
        with self.alone(), self._turn:
            current = self.contents.sets
            sets = {name: dict(tables) for name, tables in current.items()}
            if digest is None:
                sets.get(collection, {}).pop(table, None)
            else:
                sets.setdefault(collection, {})[table] = digest
            self._write_contents(sets)

    def set_aside(self, why: str, tell: Tell) -> None:
        """Rename Chroma's own folder, tell it, and begin anew; nothing else is touched."""
        with self.alone(), self._turn:
            self.close()
            if self.path.exists() or self.path.is_symlink():
                aside = self.path.with_name(f"chroma-aside-{time.strftime('%Y%m%d-%H%M%S')}")
                if aside.exists():
                    aside = aside.with_name(f"{aside.name}-{uuid4().hex[:8]}")
                self.path.rename(aside)
                tell(
                    f"the index in {str(self.path)!r} could not be used ({why}); it was set aside "
                    f"as {aside.name!r} and is built anew"
                )
            self._write_contents({})

    def unsound(self) -> str:
        """What is wrong with Chroma's database, by SQLite's own check; needs no Chroma."""
        database = self.path / "chroma.sqlite3"
        try:
            status = database.stat()
        except OSError:
            return ""
        signature = (status.st_ino, status.st_mtime_ns, status.st_size)
        if signature != self._checked[0]:
            self._checked = (signature, self._quick_check(database))
        return self._checked[1]

    def _quick_check(self, database: Path) -> str:
        try:
            with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
                row = connection.execute("PRAGMA quick_check(1)").fetchone()
            return "" if row == ("ok",) else f"SQLite: {row[0] if row else 'nothing'}"
        except sqlite3.OperationalError:  # locked or not readable: Chroma will say it
            return ""
        except sqlite3.DatabaseError as error:
            return f"SQLite: {error}"

    def close(self) -> None:
        """Close the client, if one is open; the next use opens another."""
        with self._turn:
            if self._client is not None:
                client: Any = self._client[1]  # its type does not tell of `close`
                self._client = None
                with suppress(Exception):
                    client.close()

    def _fresh_client(self) -> ClientAPI:
        stamp = self.contents.stamp
        if self._client is not None and self._client[0] == stamp and self.path.is_dir():
            return self._client[1]
        self.close()
        if wrong := self.unsound():
            raise Damage(wrong)
        from chromadb import PersistentClient
        from chromadb.config import Settings

        try:
            client = PersistentClient(self._spelling, settings=Settings(anonymized_telemetry=False))
        except Exception as error:  # of many kinds; Chroma reads nothing but the disk here
            self._spelling += "/."  # Chroma keeps a client that failed under this spelling
            if isinstance(error, MemoryError):
                raise
            raise self._judge_error(error) from error
        self._client = (stamp, client)
        return client

    def _read_contents(self) -> Contents:
        try:
            root: Any = json.loads(self._contents_path.read_text("utf-8"))
            if root["schema"] != SCHEMA:
                return Contents({}, str(root["stamp"]))
            sets = {str(c): {str(t): str(d) for t, d in s.items()} for c, s in root["sets"].items()}
            return Contents(sets, str(root["stamp"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return Contents({})  # then nothing counts as whole, and what is there is looked at

    def _write_contents(self, sets: Mapping[str, Mapping[str, str]]) -> None:
        stamp = uuid4().hex
        text = json.dumps({"schema": SCHEMA, "stamp": stamp, "sets": sets})
        beside = self._contents_path.with_name(f"contents-{stamp}.tmp")
        try:
            beside.write_text(text, "utf-8")
            os.replace(beside, self._contents_path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise self._refuse(error) from error
        if self._client is not None:  # what this process wrote, its own client knows
            self._client = (stamp, self._client[1])

    def _judge_error(self, error: Exception) -> Damage | SettingsError:
        if isinstance(error, PermissionError) or any(sign in str(error) for sign in _NOT_DAMAGE):
            return self._refuse(error)
        return Damage(f"{type(error).__name__}: {str(error)[:200]}")

    def _refuse(self, error: Exception) -> SettingsError:
        return SettingsError(
            f"the index in {str(self.folder)!r} cannot be used: {error}; make room, allow writing, "
            "or name another folder"
        )


def _is_of_disk(error: Exception) -> bool:
    """Whether Chroma, SQLite or the file system raised an error."""
    from chromadb.errors import ChromaError

    return isinstance(error, (ChromaError, sqlite3.Error, OSError))


@cache
def open_folder(folder: Path) -> ChromaFolder:
    """The one `ChromaFolder` of a resolved path in this process."""
    return ChromaFolder(folder)


@cache
def _lock(path: str) -> FileLock:
    """The one lock of a path in this process: threads exclude each other, none excludes itself."""
    from filelock import FileLock

    return FileLock(path)
