"""Interrupts: Ctrl-C is told of at once, and what cannot be broken off is no longer waited for."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event, Thread, current_thread, main_thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
STOPPING = "stopping"
LEAVES = "; Ctrl-C once more leaves at once"
EXIT_CODE = 130
LOOK_SECONDS = 0.1
TELL_SECONDS = 5.0
_stopping = Event()
_under_way: set[Thread] = set()


class _Heed(NamedTuple):
    """Who is told of Ctrl-C, and what comes of a further one."""

    came: list[int]
    tell: Callable[[str], None] | None
    leave: bool


_heeding: list[_Heed] = []


@contextmanager
def heed_interrupts(
    tell: Callable[[str], None] | None = None, *, leave: bool = False
) -> Iterator[list[int]]:
    """Note that Ctrl-C came, and let it do what it does; what `wait_for` waits for is left.

    Outside the main thread nothing is noted, for signals come to that one alone. A handler that is
    set again would put out the hook by which Polars ends a query, so within another the same one
    is used.

    Args:
        tell: Told at once that what runs is stopping.
        leave: Whether a further Ctrl-C ends the process, whatever runs.

    Yields:
        The signals that came.
    """
    heed = _Heed([], tell, leave)
    if current_thread() is not main_thread():
        yield heed.came
        return
    old = signal.getsignal(signal.SIGINT)
    if old is not _note:
        signal.signal(signal.SIGINT, _note)
    _heeding.append(heed)
    _stopping.clear()
    try:
        yield heed.came
    finally:
        _heeding.pop()
        _stopping.clear()
        if old is not _note:
            signal.signal(signal.SIGINT, old)


def is_stopping() -> bool:
    """Whether Ctrl-C came and what is under way is to end."""
    return _stopping.is_set()


def _note(number: int, frame: Any) -> None:
    if _heeding:
        came, tell, leave = _heeding[-1]
        if leave and came:
            os._exit(EXIT_CODE)
        came.append(number)
        _stopping.set()
        if tell:
            tell(STOPPING + LEAVES * leave)
    raise KeyboardInterrupt


def wait_for(work: Callable[[], T], tell: Callable[[int], None] | None = None) -> T:
    """Do what cannot be broken off in a thread of its own, and wait for it until Ctrl-C comes.

    Args:
        work: What is done; it goes on where it is no longer waited for.
        tell: Told now and then for how many seconds it has been under way.

    Raises:
        KeyboardInterrupt: If Ctrl-C came meanwhile.
    """
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # it is the caller's
            future.set_exception(error)
        finally:
            _under_way.discard(current_thread())

    thread = Thread(target=do, name="wideleaf-work", daemon=True)
    _under_way.add(thread)
    thread.start()
    began = last = time.monotonic()
    while not future.done():
        if _stopping.is_set():
            raise KeyboardInterrupt
        thread.join(LOOK_SECONDS)
        if tell and (now := time.monotonic()) - last >= TELL_SECONDS:
            last = now
            tell(round(now - began))
    return future.result()


def leave_work(code: int) -> None:
    """End the process where work is under way that nobody waits for: a library could not be."""
    if _under_way:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
