"""A trial: a table that came with a message is first opened in a process of its own, under limits.

A workbook of a kilobyte may have a cell at its far end, and a header may be as long as a file: the
process that reads such a table may be ended for want of memory, and a server must not be.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from wideleaf.tools.sources.file_kinds import WORKBOOKS

SMALL = 32 * 2**10
"""Bytes of a file that needs no trial, unless it is a workbook: so few can ask for little."""
MOST_COLUMNS = 20_000
SECONDS = 60
"""Of processor time."""
WAIT = 180.0
"""Seconds until it is given up."""
MEMORY = 2**30
"""Bytes beside what Python has of its own, and a hundred for each that an attachment may have."""
CELLS = 3
"""A table may have so many cells for each byte that an attachment may have."""
_turn = BoundedSemaphore(2)
"""More trials at once could together take what one may not."""
_RUN = "from wideleaf.graph.attachments.trial import open_alone; open_alone()"
_ONE = {"POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
"""Each thread more asks for address space of its own."""


def try_table(path: Path, folder: Path, most: int) -> str:
    """Why a file is not to be opened in this process; empty if it may be.

    What was read is kept in the folder, as by any other opening, so it is not read twice.

    Args:
        path: The file.
        folder: Of the run.
        most: The most bytes of an attachment.
    """
    if path.stat().st_size <= SMALL and path.suffix not in WORKBOOKS:
        return ""
    given = json.dumps([str(path), str(folder), MEMORY + 100 * most])
    paths = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    try:
        with _turn:
            done = subprocess.run(
                [sys.executable, "-s", "-P", "-c", _RUN, given],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=WAIT,
                env={**os.environ, **_ONE, "PYTHONPATH": paths},
                check=False,
            )
        told = json.loads(done.stdout) if done.returncode == 0 else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        told = {}
    if problem := told.get("problem"):
        return str(problem)
    if not told:
        return f"'{path}' would take more memory or time to open than this server gives a message"
    if told["columns"] > MOST_COLUMNS:
        return f"'{path}' has {told['columns']} columns, and {MOST_COLUMNS} may be attached"
    if told["cells"] > CELLS * most:
        return f"'{path}' has {told['cells']} cells, which is more than this server takes"
    return ""


def open_alone() -> None:
    """Open a table within limits and say how large it is, or what is wrong with it; a process."""
    path, folder, memory = json.loads(sys.argv[1])
    from wideleaf.tools.errors import WideleafError
    from wideleaf.tools.sources.opening import open_catalog

    _limit(memory)
    try:
        tables = open_catalog([path], Path(folder)).all
    except WideleafError as error:
        print(json.dumps({"problem": str(error)}))
        return
    sizes = [((one.rows or 0), (one.columns or 0)) for one in tables]
    most, cells = max(width for _, width in sizes), sum(rows * width for rows, width in sizes)
    print(json.dumps({"columns": most, "cells": cells}))


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {resource.RLIMIT_CPU: SECONDS, resource.RLIMIT_CORE: 0}
    if sys.platform == "linux":  # macOS keeps no such limit
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limits[resource.RLIMIT_AS] = pages * resource.getpagesize() + memory
    for kind, wanted in limits.items():
        hard = resource.getrlimit(kind)[1]
        bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (bound, hard))
