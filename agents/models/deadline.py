"""The time that a run has left, and how whatever asks a model is held to it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from threading import Event, Thread
from typing import TypeVar

from wideleaf.tools.errors import ModelError

T = TypeVar("T")
LOOK_MILLISECONDS = 100
"""Between two looks whether anybody waits."""


class DeadlineError(ModelError):
    """A model that did not answer in the time that the run had left."""


class Deadline:
    """The moment at which a run's time is over.

    Args:
        limit: Seconds that the run has in all.
        spent: Seconds of them that are gone.

    Attributes:
        heard: What a server said last instead of a reply, such as ``status 429``.
    """

    def __init__(self, limit: float, spent: float = 0.0) -> None:
        self.limit = limit
        self.heard = ""
        self._end = time.monotonic() + limit - spent

    def remaining(self) -> float:
        """Seconds that are left; 0 or less if it is over."""
        return self._end - time.monotonic()

    def give_up(self) -> None:
        """Nobody waits any longer: what is under way may send nothing more."""
        self._end = -math.inf

    def error(self) -> DeadlineError:
        """What to say when the time is over."""
        heard = f"; its server's last word was {self.heard}" if self.heard else ""
        return DeadlineError(
            f"the limit of {self.limit:g} seconds was reached while the model was asked{heard}"
        )


@contextmanager
def limit_time(limit: float, spent: float = 0.0) -> Iterator[None]:
    """Hold every request to a model that is made inside to the time that is left.

    Args:
        limit: Seconds that the run has in all.
        spent: Seconds of them that are gone.
    """
    before = _deadline.set(Deadline(limit, spent))
    try:
        yield
    finally:
        _deadline.reset(before)


def heed_stop(stop: Event) -> None:
    """Have what is under way from here on end where a signal is set: nobody waits for it."""
    _stop.set(stop)


def is_stopped() -> bool:
    """Whether nobody waits any longer for what is under way here."""
    stop = _stop.get()
    return stop is not None and stop.is_set()


def current_deadline() -> Deadline | None:
    """The deadline of what is under way here; None if it has none."""
    return _deadline.get()


def need_time() -> None:
    """Go on only while there is time.

    Raises:
        DeadlineError: If the deadline is over.
    """
    due = _deadline.get()
    if due is not None and due.remaining() <= 0:
        raise due.error()


def in_time(work: Callable[[], T]) -> T:
    """Do a piece of work, and wait for it no longer than the deadline, or than anybody waits.

    No class of chat model can be stopped from outside, so with a deadline the work is done in a
    thread of its own, which is left behind when the time is over; it keeps no process alive.

    Raises:
        DeadlineError: If the deadline comes first, or the signal of `heed_stop`.
    """
    due = _deadline.get()
    if due is None:
        return work()
    need_time()
    future: Future[T] = Future()
    context = copy_context()  # callbacks, tracing and the deadline itself go with the work
    Thread(target=context.run, args=(_settle, future, work), daemon=True).start()
    try:
        while not (future.done() or is_stopped()) and (left := due.remaining()) > 0:
            wait([future], min(left, LOOK_MILLISECONDS / 1_000))
    finally:
        if not future.done():
            due.give_up()
    if not future.done():
        raise due.error()
    return future.result()


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # it rises where the work is waited for
        future.set_exception(error)


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)
_stop: ContextVar[Event | None] = ContextVar("stop", default=None)
