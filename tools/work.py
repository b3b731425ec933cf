"""Work: what watches an action that takes long, and may end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watch = Callable[[str, int, int], None]
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watch_work(watch: Watch) -> Iterator[None]:
    """Have long work tell how far it is, now and then.

    Args:
        watch: Told who works, how many of how many rows or rounds are done; what it raises ends
            the work.
    """
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


@contextmanager
def one_thread() -> Iterator[None]:
    """Calculate by one thread: several add up in another order, and wait for each other."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        yield


def tell_progress(purpose: str, count: int, total: int) -> None:
    """Tell whoever watches that so much is done.

    Args:
        purpose: Who works, such as an action.
        count: Rows or rounds.
        total: Of how many.
    """
    if watch := _watch.get():
        watch(purpose, count, total)
