"""How attached tables are tried and kept: in a run's folder, under a hash of their content."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from threading import BoundedSemaphore, Lock
from uuid import uuid4

from wideleaf.graph.attachments.blocks import TOLD, Attachment, AttachmentError, quote_name
from wideleaf.tools.sources.file_kinds import ARROW, DELIMITED, JSON, PARQUET, WORKBOOKS
from wideleaf.tools.sources.naming import table_name
from wideleaf.tools.sources.spec import ATTACHED, FOLDER
from wideleaf.tools.tree.lineage import ID_BYTES
from wideleaf.tools.writing import write_bytes

SMALL = 32 * 2**10
"""Bytes of a file that needs no trial, unless it is a workbook: so few can ask for little."""
MAX_COLUMNS = 20_000
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
_RUN = "from wideleaf.graph.attachments.keeping import open_alone; open_alone()"
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
    arguments = json.dumps([str(path), str(folder), MEMORY + 100 * most])
    paths = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    try:
        with _turn:
            process = subprocess.run(
                [sys.executable, "-s", "-P", "-c", _RUN, arguments],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=WAIT,
                env={**os.environ, **_ONE, "PYTHONPATH": paths},
                check=False,
            )
        report = json.loads(process.stdout) if process.returncode == 0 else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        report = {}
    if problem := report.get("problem"):
        return str(problem)
    if not report:
        return f"'{path}' would take more memory or time to open than this server gives a message"
    if report["columns"] > MAX_COLUMNS:
        return f"'{path}' has {report['columns']} columns, and {MAX_COLUMNS} may be attached"
    if report["cells"] > CELLS * most:
        return f"'{path}' has {report['cells']} cells, which is more than this server takes"
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
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (bound, hard))


SUFFIXES = (*PARQUET, *DELIMITED, *JSON, *WORKBOOKS, *ARROW)
"""What is taken; databases, and files that are packed, are not."""
KINDS = {
    "application/csv": ".csv",
    "application/json": ".json",
    "application/jsonl": ".jsonl",
    "application/vnd.apache.arrow.file": ".arrow",
    "application/vnd.apache.arrow.stream": ".arrows",
    "application/vnd.apache.parquet": ".parquet",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/x-ndjson": ".ndjson",
    "application/x-parquet": ".parquet",
    "text/comma-separated-values": ".csv",
    "text/csv": ".csv",
    "text/plain": ".txt",
    "text/tab-separated-values": ".tsv",
}
BEGINNINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"PK\x03\x04": ".xlsx"}
"""What files of some kinds begin with."""
ZIPPED = (".xlsx", ".xlsm", ".xlsb", ".ods")
MIB = 2**20
MAX_FILES = 1_000
MAX_KEPT = 50
"""All that are kept in a folder are at most so many times the most bytes of one."""
UNPACKED = 20
"""A workbook may unpack to so many times the most bytes of an attachment."""


def keep_attachment(one: Attachment, folder: Path, most: int) -> str:
    """Write an attached table into a run's folder.

    Args:
        one: What came with a message.
        folder: Of the run.
        most: The most bytes of an attachment.

    Returns:
        The source that names it.

    Raises:
        AttachmentError: If it is empty, of no kind that is taken, would unpack to too much or
            take too much to open, or if too much is kept already.
        SettingsError: If the folder cannot be written to.
    """
    called = quote_name(one.name)
    if not one.data.strip():
        raise AttachmentError(f"{called} is empty")
    suffix = suffix_of(one)
    if not suffix:
        raise AttachmentError(
            f"{called} is no table ({one.kind or 'of unknown kind'}); a table is one of "
            f"{', '.join(SUFFIXES)}, not packed"
        )
    if suffix in ZIPPED and _measure_archive(one.data) > UNPACKED * most:
        raise AttachmentError(f"{called} would unpack to more than this server takes")
    digest = hashlib.blake2b(one.data, digest_size=ID_BYTES).hexdigest()
    path = folder / FOLDER / f"{digest}{suffix}"
    if not path.is_file() or path.stat().st_size != len(one.data):
        _put(one.data, path, folder, most, called)
    stem = one.name.replace("\\", "/").rpartition("/")[2]
    stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem
    name = table_name(stem[:TOLD])
    return f"{name}={ATTACHED}{path.name}"


def _need_room(place: Path, size: int, most: int, called: str) -> None:
    """See that a folder of attachments does not grow without end.

    Raises:
        AttachmentError: If one more is too many. None is deleted for it: a thread may go on.
    """
    sizes = [file.stat().st_size for file in place.glob("*.*") if file.is_file()]
    if len(sizes) >= MAX_FILES or sum(sizes) + size > MAX_KEPT * most:
        raise AttachmentError(
            f"{called} was not taken: the tables of your messages that are kept here are "
            f"{len(sizes)} of {sum(sizes) / MIB:.1f} MiB, and {MAX_FILES} of "
            f"{MAX_KEPT * most / MIB:.0f} MiB may be; use one that you attached before, or let "
            "the server's owner delete what is not needed any more"
        )


def _put(data: bytes, path: Path, folder: Path, most: int, called: str) -> None:
    """Write a file in its place, once it has proved harmless to whoever opens it there."""
    beside = path.parent / uuid4().hex / path.name
    _need_room(path.parent, len(data), most, called)
    try:
        write_bytes(beside, data, private=True)
        if problem := try_table(beside, folder, most):
            raise AttachmentError(problem.replace(f"'{beside}'", called))
        with _placing:  # others may have come meanwhile
            _need_room(path.parent, len(data), most, called)
            beside.replace(path)
    finally:
        shutil.rmtree(beside.parent, ignore_errors=True)


def suffix_of(one: Attachment) -> str:
    """An attachment's suffix: its name's, else that of its kind or beginning; empty if none."""
    suffix = Path(one.name.replace("\\", "/")).suffix.lower()
    if suffix in SUFFIXES:
        return suffix
    if one.kind in KINDS and not (suffix and one.kind == "text/plain"):
        return KINDS[one.kind]
    if suffix:
        return ""
    return next((guess for begin, guess in BEGINNINGS.items() if one.data.startswith(begin)), "")


def _measure_archive(data: bytes) -> int:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):  # the reader says what is wrong with it
        return 0


_placing = Lock()
