"""A run as it is kept: what it was asked, of which tables, when, how it stands and its size."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from wideleaf.tools.words import one_line

MIB = 1 << 20
TOLD = 60


class Run(BaseModel):
    """What is kept of a run.

    Attributes:
        name: By which it is shown, resumed, renamed and removed.
        kind: ``question`` or ``conversation`` of a named thread, ``saved`` for a file of the
            folder, or the kind that another part of the house adds.
        status: ``answered``, ``partial``, ``unanswered``, ``failed``; ``paused`` where it waits
            for a person, ``unfinished`` where it was cut off, ``unreadable`` where this version
            cannot read it.
        question: The question, or the last message.
        answer: The last answer in words.
        asked: How many questions or messages.
        sources: The tables, as ``name=path`` where that is known, else their names.
        settings: How it was asked, as far as it differs from the defaults.
        live: The class of a model that was handed in from Python, and so is not kept.
        changed: When it was last written to.
        bytes: What it takes without its frames.
        frames: How many of its frames are on disk.
        frame_bytes: What they take, those included that other runs have, too.
        note: What should be known of it.
        ids: Of the frames that it stands on.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    kind: str
    status: str
    question: str = ""
    answer: str = ""
    asked: int = 1
    sources: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    live: str = ""
    changed: datetime
    bytes: int = 0
    frames: int = 0
    frame_bytes: int = 0
    note: str = ""
    ids: frozenset[str] = Field(default=frozenset(), exclude=True, repr=False)

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.kind}, {self.status}",
            f"  changed   {when(self.changed)}",
            f"  question  {self.question or '(none)'}",
        ]
        if self.answer:
            lines.append(f"  answer    {self.answer}")
        if self.asked > 1:
            lines.append(f"  asked     {self.asked} messages")
        lines += [f"  source    {source}" for source in self.sources]
        lines += [f"  {name:<9} {value}" for name, value in self.settings.items()]
        if self.live:
            lines.append(f"  model     {self.live}, handed in from Python")
        frames = f"{self.frames} frames of {size(self.frame_bytes)}"
        lines.append(f"  takes     {size(self.bytes)} and {frames}")
        if self.note:
            lines.append(f"  note      {self.note}")
        return "\n".join(lines)


def table_of(runs: list[Run]) -> str:
    """Runs as lines of a table, the latest first."""
    if not runs:
        return "no runs are kept here"
    rows = [("name", "kind", "status", "changed", "size", "question")]
    rows += [
        (
            one_line(run.name, TOLD),
            run.kind,
            run.status,
            when(run.changed),
            size(run.bytes + run.frame_bytes),
            one_line(run.question, TOLD),
        )
        for run in runs
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (map(str.ljust, row, widths) for row in rows)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def when(moment: datetime) -> str:
    """A moment as a person of this place reads it."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def size(count: int) -> str:
    """Bytes as a person reads them."""
    return f"{count / MIB:.1f} MiB" if count >= MIB // 10 else f"{-(-count // 1024)} KiB"
