"""Progress: how far a long step is, told now and then, and its end when time is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from wideleaf.graph.interrupts import is_stopping
from wideleaf.tools.errors import ActionError

TELL_SECONDS = 5.0
"""Between two lines; a step that is done sooner tells none."""


class Progress:
    """Watches the work of one node of the graph.

    Args:
        tell: Told a line now and then.
        seconds: Says how long the work may take; asked of work that is told of alone.
    """

    def __init__(self, tell: Callable[[str], None], seconds: Callable[[], float]) -> None:
        self._tell, self._limit = tell, seconds
        self._seconds: float | None = None
        self._began = self._told = time.monotonic()

    def __call__(self, purpose: str, done: int, total: int) -> None:
        """Take in how far the work is.

        Args:
            purpose: Who works.
            done: Rows or rounds.
            total: Of how many.

        Raises:
            ActionError: If there is no time left.
            KeyboardInterrupt: If Ctrl-C came meanwhile.
        """
        if is_stopping():
            raise KeyboardInterrupt
        if self._seconds is None:
            self._seconds = self._limit()
        now = time.monotonic()
        far = f" at {done} of {total}" if total else ""
        if now - self._began > self._seconds:
            raise ActionError(
                f"{purpose} was stopped{far}: the {self._seconds:.0f} seconds left "
                "to this question are over; raise max_seconds, or Filter rows or Sample first",
                kind="time",
            )
        if now - self._told > TELL_SECONDS:
            self._told = now
            self._tell(f"{purpose}: {done} of {total} rows read" if total else purpose)
