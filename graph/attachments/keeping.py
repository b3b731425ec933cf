"""How attached tables are kept: in the run's folder, under a hash of their content."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from threading import Lock
from uuid import uuid4

from wideleaf.graph.attachments.blocks import TOLD, Attachment, AttachmentError
from wideleaf.graph.attachments.trial import try_table
from wideleaf.tools.sources.attached import ATTACHED, FOLDER
from wideleaf.tools.sources.file_kinds import ARROW, DELIMITED, JSON, PARQUET, WORKBOOKS
from wideleaf.tools.sources.naming import table_name
from wideleaf.tools.tree.lineage import ID_BYTES
from wideleaf.tools.words import one_line
from wideleaf.tools.writing import write_bytes

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
MOST_FILES = 1_000
MOST_KEPT = 50
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
    called = repr(one_line(one.name, TOLD)) if one.name else "the attached file"
    if not one.data.strip():
        raise AttachmentError(f"{called} is empty")
    suffix = suffix_of(one)
    if not suffix:
        raise AttachmentError(
            f"{called} is no table ({one.kind or 'of unknown kind'}); a table is one of "
            f"{', '.join(SUFFIXES)}, not packed"
        )
    if suffix in ZIPPED and _unpacked(one.data) > UNPACKED * most:
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
    kept = [file.stat().st_size for file in place.glob("*.*") if file.is_file()]
    if len(kept) >= MOST_FILES or sum(kept) + size > MOST_KEPT * most:
        raise AttachmentError(
            f"{called} was not taken: the tables of your messages that are kept here are "
            f"{len(kept)} of {sum(kept) / MIB:.1f} MiB, and {MOST_FILES} of "
            f"{MOST_KEPT * most / MIB:.0f} MiB may be; use one that you attached before, or let "
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
    named = Path(one.name.replace("\\", "/")).suffix.lower()
    if named in SUFFIXES:
        return named
    if one.kind in KINDS and not (named and one.kind == "text/plain"):
        return KINDS[one.kind]
    if named:
        return ""
    return next((found for begin, found in BEGINNINGS.items() if one.data.startswith(begin)), "")


def _unpacked(data: bytes) -> int:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):  # the reader says what is wrong with it
        return 0


_placing = Lock()
