"""Marks of who uses a folder: a locked file a process, which is free again however it ends."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from filelock import FileLock, Timeout

RUNNING = "running"
_here: dict[tuple[int, Path], list[FileLock]] = {}
"""By process and folder: the lock, once for each run that is under way."""
_lock = Lock()


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Mark a folder as used by a run. One that cannot be written to is left unmarked."""
    key = (os.getpid(), folder.resolve())
    with _lock:
        marks = _here.setdefault(key, [])
        with suppress(OSError):
            marks.append(marks[0] if marks else _marked(key[1]))
        is_marked = bool(marks)
    try:
        yield
    finally:
        with _lock:
            if is_marked:
                mark = marks.pop()
                if not marks:
                    _let_go(mark)


def count_runs(folder: Path) -> int:
    """How many runs use a folder now; those of another process count as one."""
    own = (os.getpid(), folder.resolve())
    with _lock:
        marks = list(_here.get(own, ()))
    mine = {mark.lock_file for mark in marks}
    others = [path for path in (folder / RUNNING).glob("*.lock") if str(path) not in mine]
    return len(marks) + sum(map(_is_held, others))


def _marked(folder: Path) -> FileLock:
    (folder / RUNNING).mkdir(parents=True, exist_ok=True)
    path = folder / RUNNING / f"{os.getpid()}-{secrets.token_hex(4)}.lock"
    mark = FileLock(str(path), timeout=0, thread_local=False)
    mark.acquire()
    return mark


def _let_go(mark: FileLock) -> None:
    path = Path(mark.lock_file)
    with suppress(OSError):  # unlinked first: whoever locks it now locks what is no mark any more
        path.unlink()
    mark.release()


def _is_held(path: Path) -> bool:
    """Whether somebody holds a mark; what a process left behind that was killed is taken away."""
    mark = FileLock(str(path), timeout=0, thread_local=False)
    try:
        mark.acquire()
    except Timeout:
        return True
    except OSError:
        return False
    _let_go(mark)
    return False
