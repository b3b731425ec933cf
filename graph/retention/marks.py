"""Marks of who uses a folder: a locked file a run, which is free again however it ends."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

RUNNING = "running"


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Mark a folder as used by a run. One that cannot be written to is left unmarked."""
    path = folder.resolve() / RUNNING / f"{secrets.token_hex(8)}.lock"
    mark = FileLock(path, timeout=1, thread_local=False)
    with ExitStack() as stack:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            mark.acquire()
            stack.callback(_let_go, mark)
        yield


def count_runs(folder: Path) -> int:
    """How many runs use a folder now."""
    return sum(map(_is_held, (folder / RUNNING).glob("*.lock")))


def _let_go(mark: FileLock) -> None:
    with suppress(OSError):  # unlinked first: whoever locks it now locks what is no mark any more
        Path(mark.lock_file).unlink()
    mark.release()


def _is_held(path: Path) -> bool:
    """Whether somebody holds a mark; what a process left behind that was killed is taken away."""
    mark = FileLock(path, timeout=0, thread_local=False)
    try:
        mark.acquire()
    except Timeout:
        return True
    except OSError:
        return False
    _let_go(mark)
    return False
