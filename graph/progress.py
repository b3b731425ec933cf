"""Progress: how far long work is, told to whoever waits, on a line that is written over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Any, TextIO

from wideleaf.graph.interrupts import is_stopping
from wideleaf.tools.errors import ActionError

TELL_SECONDS = 5.0
"""Between two lines; a step that is done sooner tells none."""
PROGRESS = {"wideleaf": "progress"}
"""What a notebook says of such a display, by which it is told from an answer."""


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

    def __call__(self, purpose: str, current: int, total: int) -> None:
        """Take in how far the work is.

        Args:
            purpose: Who works.
            current: Rows or rounds.
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
        far = f" at {current} of {total}" if total else ""
        if now - self._began > self._seconds:
            raise ActionError(
                f"{purpose} was stopped{far}: the {self._seconds:.0f} seconds left "
                "to this question are over; raise max_seconds, or Filter rows or Sample first",
                kind="time",
            )
        if now - self._told > TELL_SECONDS:
            self._told = now
            self._tell(f"{purpose}: {current} of {total} rows read" if total else purpose)


class LiveLine:
    """A line that is drawn again and again, and stays or goes at its end.

    Args:
        stream: Where it is; by default standard error.

    Attributes:
        seen: Whether a person looks there: at a terminal or in a notebook.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        # A notebook's stream is no terminal, and keeps each line that is written over.
        self._in_notebook = hasattr(self.stream, "pub_thread")
        self.seen = self._in_notebook or (self.stream is not None and self.stream.isatty())
        self.drawn = 0
        self._display: Any = None

    def draw(self, text: str) -> None:
        """Write it over."""
        if self._in_notebook:
            self._show({"text/plain": text})
        else:
            text = text[: get_terminal_size().columns - 1]  # a wrapped line is not written over
            print(f"\r{text.ljust(self.drawn)}", end="", file=self.stream, flush=True)
        self.drawn = max(len(text), self.drawn)

    def wipe(self) -> None:
        """Take it away."""
        if self.drawn and self._in_notebook:
            self._show({})
        elif self.drawn:
            print(f"\r{' ' * self.drawn}\r", end="", file=self.stream, flush=True)
        self.drawn = 0

    def close(self) -> None:
        """Leave it there; what is written next stands under it."""
        if self.drawn and not self._in_notebook:
            print(file=self.stream, flush=True)
        self.drawn, self._display = 0, None

    def _show(self, data: dict[str, str]) -> None:
        import IPython.display

        display: Any = IPython.display.display

        if self._display is None:
            self._display = display(data, raw=True, metadata=PROGRESS, display_id=True)
        else:
            self._display.update(data, raw=True, metadata=PROGRESS)
