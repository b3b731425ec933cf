"""Waiting: a line that tells a person at a terminal or notebook what takes long, while it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Lock, Timer
from typing import TextIO

from wideleaf.tools.words import one_line

Tell = Callable[[str], None]
PATIENCE = 2.0
"""Seconds that nobody needs a word about."""
CHARACTERS = 100


class WaitingLine:
    """Tells what long work is under way, once it has been waited for, on a line that goes again.

    Args:
        stream: Where the line is; by default standard error.
        patience: Seconds before the first word.
    """

    def __init__(self, stream: TextIO | None = None, patience: float = PATIENCE) -> None:
        self.stream, self.patience = stream or sys.stderr, patience
        self._turn = Lock()
        self._text, self._drawn = "", 0
        self._timer: Timer | None = None

    def __call__(self, text: str) -> None:
        """Say what is under way from now on."""
        with self._turn:
            self._text = one_line(text, CHARACTERS)
            if self._drawn:
                self._draw()
            elif self._timer is None:
                self._timer = Timer(self.patience, self._show)
                self._timer.daemon = True
                self._timer.start()

    def rest(self) -> None:
        """Take the line away: what was waited for has ended."""
        with self._turn:
            if self._timer is not None:
                self._timer.cancel()
            if self._drawn:
                print(f"\r{' ' * self._drawn}\r", end="", file=self.stream, flush=True)
            self._timer, self._text, self._drawn = None, "", 0

    def _show(self) -> None:
        with self._turn:
            if self._text:
                self._draw()

    def _draw(self) -> None:
        line = f"... {self._text}"
        print(f"\r{line.ljust(self._drawn)}", end="", file=self.stream, flush=True)
        self._drawn = max(len(line), self._drawn)


def teller_of(progress: Tell | bool | None) -> Tell | None:
    """Who is told of long work.

    Args:
        progress: Whom the caller names; True for a line on standard error and False for nobody;
            by default that line where a person sees it, at a terminal or in a notebook.
    """
    if callable(progress):
        return progress
    # A notebook's stream is no terminal, but a line in it can be written over.
    seen = sys.stderr is not None and (sys.stderr.isatty() or hasattr(sys.stderr, "pub_thread"))
    return WaitingLine() if (seen if progress is None else progress) else None


def rest(tell: Tell | None) -> None:
    """Take the line away, where it is one."""
    if isinstance(tell, WaitingLine):
        tell.rest()
