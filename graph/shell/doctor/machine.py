"""The doctor on the machine: the folder of runs, its room, and memory."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Finding, state_of
from wideleaf.tools.engines.memory import container_limit
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context

GIBIBYTE = 1 << 30
LITTLE_DISK, LITTLE_MEMORY = 1 * GIBIBYTE, 2 * GIBIBYTE
MEMINFO = Path("/proc/meminfo")


def room(context: Context) -> Iterator[Finding]:
    """Whether the folder can be written to, and what room it has."""
    folder = Path(context.folder)
    place = _nearest(folder.absolute())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"wideleaf")
    except OSError as error:
        text = f"{str(folder)!r} cannot be written to ({error.strerror or error})"
        code = SettingsError.exit_code
        yield Finding("folder", "missing", f"{text}; name another by --folder", code)
    else:
        new = "" if folder.exists() else " (will be made)"
        yield Finding("folder", "ok", f"{str(folder)!r} can be written to{new}")
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        yield Finding("disk", "note", f"free room is unknown ({error.strerror or error})")
    else:
        few = free < LITTLE_DISK
        advice = "; frames and indexes of large tables need more" if few else ""
        yield Finding("disk", state_of(not few), f"{_sized(free)} free{advice}")


def memory(context: Context) -> Iterator[Finding]:
    """What memory there is."""
    free, limit = available_memory(), container_limit()
    if free is None:
        yield Finding("memory", "note", f"how much is free is not told by {sys.platform}")
        return
    told = f"{_sized(free)} free, {os.cpu_count() or 1} processors"
    if limit is not None:
        told += f", this container may take {_sized(limit)}"
    wanted = max(LITTLE_MEMORY, 2 * context.craft_memory * (1 << 20))
    few = min(free, limit or free) < wanted
    if few:
        told += f"; less than {_sized(wanted)} is little for large tables and model-written code"
    yield Finding("memory", state_of(not few), told)


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping; None where that is not told."""
    try:
        for line in MEMINFO.read_text("utf-8").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _nearest(folder: Path) -> Path:
    """The folder, or the first above it that is there."""
    return next((one for one in (folder, *folder.parents) if one.exists()), Path.cwd())


def _sized(size: int) -> str:
    return f"{size / GIBIBYTE:.1f} GiB"
