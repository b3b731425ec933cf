"""The sweep: frames beyond the limits of a folder are taken away, the longest unused first."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.checkpoints.shelf import open_shelf
from wideleaf.graph.context import Context
from wideleaf.graph.retention.contents import frame_files, measure_parts
from wideleaf.graph.retention.marks import count_runs
from wideleaf.tools.steps.sweeps import tell_sweep

DAY = 86_400.0
MIB = 1 << 20
REST = 3600.0
"""Seconds that a frame stays after its last use: a run may still be under way."""
AGAIN = 60.0
"""Seconds between two looks of a process at one folder."""
_looked: dict[Path, float] = {}
_lock = Lock()


class Frame(NamedTuple):
    """A frame on disk: its file, when it was used last, and its bytes."""

    path: Path
    used: float
    bytes: int


def keep_limits(context: Context, own_runs: int = 0) -> str:
    """Keep a folder within its limits, at the beginning of a question.

    Args:
        context: The settings, with the limits.
        own_runs: Runs that are known to use the folder and may.

    Returns:
        What was taken away, in words; empty if nothing was.
    """
    if context.keep_days is None and context.keep_mib is None:
        return ""
    folder = Path(context.folder)
    with _lock:
        now = time.monotonic()
        if now - _looked.get(folder, -AGAIN) < AGAIN:
            return ""
        _looked[folder] = now
    if count_runs(folder) > own_runs:  # another run may read any of them
        return ""
    return sweep(context)


def sweep(context: Context, now: float | None = None) -> str:
    """Take away what is beyond the limits; as `keep_limits`, whoever uses the folder.

    Args:
        context: The settings.
        now: The time, in seconds since 1970; the clock's if not given.
    """
    folder, now = Path(context.folder), time.time() if now is None else now
    frames = sorted(_frames(folder), key=lambda one: one.used)
    oldest = now - context.keep_days * DAY if context.keep_days else 0.0
    most = context.keep_mib * MIB if context.keep_mib else None
    size = sum(part.bytes for part in measure_parts(folder))
    if not any(one.used < oldest for one in frames) and (most is None or size <= most):
        return ""
    ids = _list_thread_frames(context, oldest)
    free = [one for one in frames if one.used < now - REST and one.path.stem not in ids]
    surplus = [one for one in free if one.used < oldest]
    if most is not None:
        size -= sum(one.bytes for one in surplus)
        for one in free[len(surplus) :]:
            if size <= most:
                break
            surplus.append(one)
            size -= one.bytes
    remove_frames(folder, surplus)
    return _told(context, surplus, size if most is not None and size > most else 0)


def remove_frames(folder: Path, frames: Iterable[Frame]) -> None:
    """Take frames away, and tell whoever holds them in memory."""
    frames = list(frames)
    if frames:
        tell_sweep(folder)
    for one in frames:
        with suppress(OSError):
            one.path.unlink()


def _frames(folder: Path) -> list[Frame]:
    frames = []
    for path in frame_files(folder).values():
        with suppress(OSError):
            status = path.stat()
            frames.append(Frame(path, status.st_mtime, status.st_size))
    return frames


def _list_thread_frames(context: Context, oldest: float) -> frozenset[str]:
    """The frames of named threads that are within the limit of days."""
    place = place_of(context.checkpoints, Path(context.folder))
    with open_shelf(place) as shelf:
        entries = shelf.entries() if shelf else []
    young = [
        one
        for one in entries
        if one.latest is None
        or datetime.fromisoformat(one.latest.checkpoint["ts"]).timestamp() >= oldest
    ]
    return frozenset().union(*(one.frames for one in young))


def _told(context: Context, surplus: list[Frame], over: float) -> str:
    limits = {"keep_days": context.keep_days, "keep_mib": context.keep_mib}
    bounds = ", ".join(f"{name}={value:g}" for name, value in limits.items() if value is not None)
    notes = []
    if surplus:
        size = sum(one.bytes for one in surplus) / MIB
        notes.append(
            f"{len(surplus)} frame{'s' * (len(surplus) > 1)} of {size:.1f} MiB, unused for "
            f"the longest, "
            f"went from the folder {context.folder!r} ({bounds}); each is made again when needed"
        )
    if over:
        notes.append(
            f"the folder {context.folder!r} holds {over / MIB:.1f} MiB ({bounds}), and the rest is "
            "of named threads, tables and the index; `wideleaf runs` shows it"
        )
    return "; ".join(notes)
