"""The sweep: frames beyond the limits of a folder are taken away, the longest unused first."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock

from langgraph.checkpoint.base import CheckpointTuple

from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.checkpoints.shelf import frames_of, open_shelf
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
    frames = [(path, path.stat()) for path in frame_files(folder).values()]
    frames.sort(key=lambda frame: frame[1].st_mtime)
    oldest = now - context.keep_days * DAY if context.keep_days else 0.0
    size = sum(part.bytes for part in measure_parts(folder))
    over = size - (size if context.keep_mib is None else context.keep_mib * MIB)
    if over <= 0 and not any(status.st_mtime < oldest for _, status in frames):
        return ""
    needed = _list_thread_frames(context, oldest)
    surplus, freed = [], 0
    for path, status in frames:
        is_free = status.st_mtime < now - REST and path.stem not in needed
        if is_free and (status.st_mtime < oldest or over > freed):
            surplus.append(path)
            freed += status.st_size
    if surplus:
        tell_sweep(folder)
    for path in surplus:
        with suppress(OSError):
            path.unlink()
    return _told(context, len(surplus), freed, size - freed if over > freed else 0)


def _list_thread_frames(context: Context, oldest: float) -> frozenset[str]:
    """The frames of named threads that are within the limit of days."""
    place = place_of(context.checkpoints, Path(context.folder))
    if not place.is_kept:
        return frozenset()

    def read(latest: CheckpointTuple) -> frozenset[str]:
        changed = datetime.fromisoformat(latest.checkpoint["ts"]).timestamp()
        return frames_of(latest) if changed >= oldest else frozenset()

    with open_shelf(place) as shelf:
        frames = [shelf.find(name, read) for name in shelf.names()]
    return frozenset().union(*(one for one in frames if isinstance(one, frozenset)))


def _told(context: Context, gone: int, freed: int, rest: int) -> str:
    limits = {"keep_days": context.keep_days, "keep_mib": context.keep_mib}
    bounds = ", ".join(f"{name}={value:g}" for name, value in limits.items() if value is not None)
    notes = []
    if gone:
        notes.append(
            f"{gone} frame{'s' * (gone > 1)} of {freed / MIB:.1f} MiB, unused for the longest, "
            f"went from the folder {context.folder!r} ({bounds}); each is made again when needed"
        )
    if rest:
        notes.append(
            f"the folder {context.folder!r} holds {rest / MIB:.1f} MiB ({bounds}), and the rest is "
            "of named threads, tables and the index; `wideleaf runs` shows it"
        )
    return "; ".join(notes)
