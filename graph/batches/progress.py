"""Progress of many questions: a bar on a terminal or in a notebook, else a line now and then."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 30
LINES = 10
"""So many lines tell of the whole way where no bar can be drawn."""


class ProgressBar:
    """How far something has come, and how long it will still take at this pace."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        # A notebook's stream is no terminal, but a line in it can be written over.
        self.live = self.stream.isatty() or hasattr(self.stream, "pub_thread")
        self._began = time.monotonic()
        self._first: int | None = None
        self._drawn = 0

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
            line = f"[{bar}] {text}{self._left(done, total)}"
            print(f"\r{line.ljust(self._drawn)}", end="", file=self.stream, flush=True)
            self._drawn = len(line)
        elif done == total or done % max(1, total // LINES) == 0:
            print(f"... {text}{self._left(done, total)}", file=self.stream, flush=True)

    def _left(self, done: int, total: int) -> str:
        made = done - (self._first or 0)
        if done >= total or made < 1:
            return ""
        seconds = (time.monotonic() - self._began) / made * (total - done)
        minutes, seconds = divmod(round(seconds), 60)
        return f", {minutes} min {seconds:02} s left" if minutes else f", {seconds} s left"

    def close(self) -> None:
        """End the line of a bar."""
        if self.live and self._drawn:
            print(file=self.stream, flush=True)
            self._drawn = 0
