"""Time limits: what an engine does without a word ends when whoever watches lets it no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event, Thread

from wideleaf.tools.work import tell_progress

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
