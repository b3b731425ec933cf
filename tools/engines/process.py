"""The process that engines run in: its forks, its signals, its memory and its time limits."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from threading import Event, Thread

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.work import tell_progress

GROUPS = Path("/proc/self/cgroup")
MOUNT = Path("/sys/fs/cgroup")
NO_LIMIT = 1 << 60


def memory_limit() -> int | None:
    """Bytes that this process may take at most; None where that is not told."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return container_limit()
    return min(machine, container_limit() or machine)


def container_limit() -> int | None:
    """Bytes that the containers around this process may take; None without one or a limit."""
    limits = []
    for path in _limit_files():
        try:
            limit = int(path.read_text("utf-8"))
        except (OSError, ValueError):  # "max"
            continue
        if limit < NO_LIMIT:
            limits.append(limit)
    return min(limits, default=None)


def _limit_files() -> Iterator[Path]:
    """Where limits stand, of this process' group and of those around it, in both versions."""
    yield MOUNT / "memory.max"
    yield MOUNT / "memory" / "memory.limit_in_bytes"
    try:
        lines = GROUPS.read_text("utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, group = line.split(":", 2)
        inner = Path(group.lstrip("/"))
        for one in (inner, *inner.parents):
            if not kinds:
                yield MOUNT / one / "memory.max"
            elif "memory" in kinds.split(","):
                yield MOUNT / "memory" / one / "memory.limit_in_bytes"


def let_interrupts_in() -> None:
    """Let Ctrl-C break off the wait of a thread for others, as it does without Polars.

    On its first import Polars registers a hook for Ctrl-C, so that a query under way ends. The hook
    has system calls started anew after the signal, the wait for a lock among them: the main thread
    would hear of it when the work of all others is done.
    """
    import polars  # noqa: F401 - so that its hook is there

    if hasattr(signal, "siginterrupt"):  # not on Windows
        signal.siginterrupt(signal.SIGINT, True)


_opened_in: list[int] = []


def need_own_process() -> None:
    """Note in which process tables were opened first, and refuse to open any in a fork of it.

    Raises:
        SettingsError: If this process was forked off one that had opened tables; in it a query
            would wait for ever.
    """
    if not _opened_in:
        _opened_in.append(os.getpid())
    if _opened_in[0] != os.getpid():
        raise SettingsError(
            f"process {os.getpid()} was forked off one that had asked before ({_opened_in[0]}), "
            "and the engine's threads do not live on in a fork; start processes by 'spawn' or "
            "'forkserver', as in multiprocessing.get_context('spawn')"
        )


LOOK_SECONDS = 0.05
"""Between two looks at whether work is to end."""


@contextmanager
def end_work_in_time(purpose: str, stop: Callable[[], object]) -> Iterator[None]:
    """Let whoever watches end what an engine does.

    Args:
        purpose: What is done.
        stop: Interrupts the engine, from another thread.

    Raises:
        ActionError: As the watch says it, if there is no time left.
    """
    ended: list[BaseException] = []
    over, here = Event(), copy_context()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            try:
                if not ended:
                    here.run(tell_progress, purpose, 0, 0)
            except BaseException as error:  # raised below, where the work is
                ended.append(error)
            if ended:  # again and again: it may have stood between two queries
                stop()

    looker = Thread(target=look, name="wideleaf-watch", daemon=True)
    looker.start()
    try:
        yield
    except Exception:
        if not ended:
            tell_progress(purpose, 0, 0)  # another watch of the same work may have ended it
            raise
        raise ended[0] from None
    finally:
        over.set()
        looker.join()
