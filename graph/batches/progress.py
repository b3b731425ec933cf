"""Progress of many questions: a bar on a terminal or in a notebook, else a line now and then."""

from __future__ import annotations

import time
from typing import TextIO

from wideleaf.graph.progress import LiveLine

WIDTH = 30
LINES = 10
"""So many lines tell of the whole way where no bar can be drawn."""


class ProgressBar:
    """How far something has come, and how long it will still take at this pace."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._line = LiveLine(stream)
        self.live = self._line.seen
        self._began = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, total: int, told: str = "") -> None:
        """Tell of one more.

        Args:
            done: How many are done.
            total: How many there are.
            told: What else is said.
        """
        if self._first is None:  # what an earlier call has done says nothing of the pace
            self._first = done - 1
        text = f"{done}/{total} {told}".rstrip()
        if self.live:
            filled = WIDTH * done // max(total, 1)
            bar = "#" * filled + "." * (WIDTH - filled)
            self._line.draw(f"[{bar}] {text}{self._left(done, total)}")
        elif done == total or done % max(1, total // LINES) == 0:
            print(f"... {text}{self._left(done, total)}", file=self._line.stream, flush=True)

    def _left(self, done: int, total: int) -> str:
        made = done - (self._first or 0)
        if done >= total or made < 1:
            return ""
        seconds = (time.monotonic() - self._began) / made * (total - done)
        minutes, seconds = divmod(round(seconds), 60)
        return f", {minutes} min {seconds:02} s left" if minutes else f", {seconds} s left"

    def close(self) -> None:
        """End the line of a bar."""
        self._line.close()
