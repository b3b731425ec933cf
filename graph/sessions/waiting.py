"""Waiting: a line that tells a person at a terminal or notebook what takes long, while it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock, Timer
from typing import TYPE_CHECKING, TextIO

from wideleaf.graph.progress import LiveLine
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.graph.events import Event

Tell = Callable[[str], None]
PATIENCE = 0.5
"""Seconds that nobody needs a word about."""
CHARACTERS = 100


class WaitingLine(LiveLine):
    """Tells what long work is under way, once it has been waited for, on a line that goes again.

    Args:
        stream: Where the line is; by default standard error.
        patience: Seconds before the first word.
    """

    def __init__(self, stream: TextIO | None = None, patience: float = PATIENCE) -> None:
        super().__init__(stream)
        self.patience = patience
        self._turn = RLock()  # Ctrl-C may be told of while the line is drawn
        self._text = ""
        self._timer: Timer | None = None

    def begin(self, text: str) -> None:
        """Say it at once: what comes is long."""
        self(text)
        self._tell()

    def __call__(self, text: str) -> None:
        """Say what is under way from now on."""
        with self._turn:
            self._text = one_line(text, CHARACTERS)
            if self.drawn:
                self._tell()
            elif self._timer is None:
                self._timer = Timer(self.patience, self._tell)
                self._timer.daemon = True
                self._timer.start()

    def rest(self) -> None:
        """Take the line away: what was waited for has ended."""
        with self._turn:
            if self._timer is not None:
                self._timer.cancel()
            self.wipe()
            self._timer, self._text = None, ""

    def _tell(self) -> None:
        with self._turn:
            if self._text:
                self.draw(f"... {self._text}")


def teller_of(progress: Tell | bool | None) -> Tell | None:
    """Who is told of long work.

    Args:
        progress: Whom the caller names; True for a line on standard error and False for nobody;
            by default that line where a person sees it, at a terminal or in a notebook.
    """
    if callable(progress):
        return progress
    return WaitingLine() if (LiveLine().seen if progress is None else progress) else None


@contextmanager
def waiting(text: str) -> Iterator[Tell | None]:
    """Where a person sees it, a line that tells what is under way, from now until the end."""
    tell = teller_of(None)
    if isinstance(tell, WaitingLine):
        tell.begin(text)
    try:
        yield tell
    finally:
        rest(tell)


def tell_event(tell: Tell | None, event: Event) -> None:
    """Say on the line, where it is one, what happened last in a run that nobody else hears of."""
    if isinstance(tell, WaitingLine):
        tell(f"{event.kind} {event.label}: {event.text}".replace(" :", ":"))


def rest(tell: Tell | None) -> None:
    """Take the line away, where it is one."""
    if isinstance(tell, WaitingLine):
        tell.rest()
