"""Work: what watches an action that takes long, and may end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread

from wideleaf.tools.errors import ActionError, SourceError

Watch = Callable[[str, int, int], None]
LOOK_SECONDS = 0.05
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


def tell_progress(purpose: str, done: int, total: int) -> None:
    """Tell whoever watches that so much is done.

    Args:
        purpose: Who works, such as an action.
        done: Rows or rounds.
        total: Of how many.
    """
    if watch := _watch.get():
        watch(purpose, done, total)


@contextmanager
def end_in_time(purpose: str, stop: Callable[[], None]) -> Iterator[None]:
    """Let whoever watches end what an engine does without a word, such as a view without an end.

    Args:
        purpose: What is done.
        stop: Interrupts the engine, from another thread.

    Raises:
        SourceError: If there is no time left.
    """
    watch = _watch.get()
    if watch is None:
        yield
        return
    ended: list[BaseException] = []
    over = Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            try:
                if not ended:
                    watch(purpose, 0, 0)
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
            raise
        if isinstance(ended[0], ActionError):
            raise SourceError(
                f"{purpose} takes longer than max_seconds lets it; if it is a view without an end, "
                "name other tables alone (path::table), else raise max_seconds"
            ) from None
        raise ended[0] from None
    finally:
        over.set()
        looker.join()
