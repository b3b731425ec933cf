"""The live view of a run in a terminal: each thought, action and observation as it happens."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from wideleaf.graph.batches.batch import ProgressBar
    from wideleaf.graph.events import Event, EventKind

STYLES: dict[EventKind, tuple[str, str]] = {
    "columns": ("Columns", "2"),
    "thought": ("Thought", "1"),
    "action": ("Action", "36"),
    "observation": ("Observation", "32"),
    "failure": ("Observation", "31"),
    "move": ("Move", "33"),
    "note": ("Note", "33"),
    "code": ("Code", "36"),
}


class LiveView:
    """Prints events as they come; colours only on a terminal, and not under NO_COLOR."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.colour = self.stream.isatty() and not os.environ.get("NO_COLOR")

    def __call__(self, event: Event) -> None:
        """Print one event."""
        word, code = STYLES[event.kind]
        where = f" {event.label}" if event.label else ""
        of = f" (sample {event.sample})" if event.sample else ""
        head = f"{word}{where}{of}:"
        if self.colour:
            head = f"\x1b[{code}m{head}\x1b[0m"
        text = event.text.replace("\n", "\n    ")
        print(f"{head} {escape_controls(text)}", file=self.stream, flush=True)

    def progress(self, text: str) -> None:
        """Say what long work is under way."""
        print(f"... {escape_controls(text)}", file=self.stream, flush=True)


def live_view(options: argparse.Namespace) -> LiveView | None:
    """The view of a command's steps, where they are wanted."""
    return LiveView() if options.steps and not options.json else None


def escape_controls(text: str) -> str:
    """Text with control characters shown, so that a cell cannot drive the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


class PartBar:
    """How far each part of a build has come: a bar or lines a part, and what Ctrl-C leaves."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.part = ""
        self.bar: ProgressBar | None = None

    def __call__(self, part: str, current: int, total: int) -> None:
        """Tell of a part; of one of nothing, nothing is told."""
        from wideleaf.graph.batches.batch import ProgressBar

        if total <= 0:
            return
        if self.bar is None or part != self.part:
            self.close()
            self.part, self.bar = part, ProgressBar(self.stream, current)
        self.bar(current, total, escape_controls(part).replace("\n", " "))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is KeyboardInterrupt:
            print("stopped; what was done is kept, and the next run goes on", file=self.stream)

    def close(self) -> None:
        """End the line of a bar."""
        if self.bar is not None:
            self.bar.close()
