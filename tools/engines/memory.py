"""Memory: how much of it this process may take, by the machine and the containers around it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")
MOUNT = Path("/sys/fs/cgroup")
NO_LIMIT = 1 << 60


def memory_limit() -> int | None:
    """Bytes that this process may take at most; None where that is not told."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return container_limit()
    return min(machine, container_limit() or machine)


def container_limit() -> int | None:
    """Bytes that the containers around this process may take; None without one or a limit."""
    limits = []
    for path in _limit_files():
        try:
            limit = int(path.read_text("utf-8"))
        except (OSError, ValueError):  # "max"
            continue
        if limit < NO_LIMIT:
            limits.append(limit)
    return min(limits, default=None)


def _limit_files() -> Iterator[Path]:
    """Where limits stand, of this process' group and of those around it, in both versions."""
    yield MOUNT / "memory.max"
    yield MOUNT / "memory" / "memory.limit_in_bytes"
    try:
        lines = GROUPS.read_text("utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, group = line.split(":", 2)
        inner = Path(group.lstrip("/"))
        for one in (inner, *inner.parents):
            if not kinds:
                yield MOUNT / one / "memory.max"
            elif "memory" in kinds.split(","):
                yield MOUNT / "memory" / one / "memory.limit_in_bytes"
