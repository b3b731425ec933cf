"""A line that is written over: on a terminal, and in a notebook as the one display of its cell."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import Any, TextIO

PROGRESS = {"wideleaf": "progress"}
"""What a notebook says of such a display, by which it is told from an answer."""


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
