"""Where named threads are kept: SQLite in the run's folder, or a database of PostgreSQL."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.writing import explain_writes, write_whole

CHECKPOINTS = "WIDELEAF_CHECKPOINTS"
"""The variable that names the place where the setting does not."""
SQLITE = "sqlite"
THREADS = "threads.sqlite"
"""Where checkpoints are in a run's folder, if no database is named."""
SPACE = "space"
"""The file of the name under which a folder's threads stand in a database of several folders."""
KINDS = ("postgresql://", "postgres://")
PATIENCE = 60.0
"""Seconds to wait for another run that is writing there."""


class Place(NamedTuple):
    """Where the threads of a folder are.

    Attributes:
        folder: The run's folder.
        url: Of the database, password and all; empty for SQLite in the folder.
        space: What the names of the folder's threads begin with there.
    """

    folder: Path
    url: str = ""
    space: str = ""

    @property
    def path(self) -> Path:
        """The file of SQLite."""
        return self.folder / THREADS

    @property
    def is_kept(self) -> bool:
        """Whether anything may be there; a file is made by the first thread."""
        return bool(self.url) or self.path.exists()

    def __str__(self) -> str:
        return redact_url(self.url) if self.url else str(self.path)

    def __repr__(self) -> str:
        return f"<threads in {str(self)!r}>"

    @property
    def prefix(self) -> str:
        """What the names of its threads begin with there."""
        return f"{self.space}/" if self.url else ""

    def key(self, thread: str) -> str:
        """What a thread is called there."""
        return f"{self.prefix}{thread}"


def place_of(checkpoints: str, folder: Path) -> Place:
    """The place that a setting names.

    In a database of several folders each folder's threads stand under a name of its own, so that
    none finds another's by giving a thread the same name; what follows ``#`` in the URL is such a
    name, for folders that share theirs.

    Args:
        checkpoints: The setting; where it is empty, the variable `CHECKPOINTS` counts.
        folder: The run's folder.

    Raises:
        SettingsError: If it is neither ``sqlite`` nor a URL of PostgreSQL.
    """
    setting = checkpoints or os.environ.get(CHECKPOINTS, "") or SQLITE
    if setting == SQLITE:
        return Place(folder)
    url, _, space = setting.partition("#")
    need_postgresql(url)
    return Place(folder, url, unquote(space) or _space_of(folder))


def need_postgresql(url: str) -> None:
    """Refuse what is no URL of PostgreSQL.

    Raises:
        SettingsError: Without the password.
    """
    if not url.startswith(KINDS):
        raise SettingsError(
            f"checkpoints={redact_url(url)!r} names no place for threads; right would be "
            f"{SQLITE!r} (a file in the folder) or a URL such as 'postgresql://user@host/database'"
        )


@contextmanager
def needs_postgresql() -> Iterator[None]:
    """Name the extra where what PostgreSQL needs is not installed.

    Raises:
        SettingsError: In place of an ImportError.
    """
    try:
        yield
    except ImportError as error:
        raise SettingsError(
            f"checkpoints in PostgreSQL need a package that is not here ({error}); "
            "pip install 'wideleaf[postgres]'"
        ) from None


def _space_of(folder: Path) -> str:
    """A folder's own name, made once; no other folder has it."""
    path = folder / SPACE
    with suppress(OSError):
        if space := path.read_text(encoding="ascii", errors="replace").strip():
            return space
    with explain_writes(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with write_whole(path) as part:
            part.write_text(secrets.token_hex(8), encoding="ascii")
    return path.read_text(encoding="ascii").strip()
