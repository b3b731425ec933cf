"""How attached tables are kept: in the run's folder, under a hash of their content."""

from __future__ import annotations

import hashlib
import zipfile
from io import BytesIO
from pathlib import Path

from wideleaf.graph.attachments.blocks import TOLD, Attachment, AttachmentError
from wideleaf.tools.sources.attached import ATTACHED, FOLDER
from wideleaf.tools.sources.file_kinds import ARROW, DELIMITED, JSON, PARQUET, WORKBOOKS
from wideleaf.tools.sources.inputs import table_name
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
        AttachmentError: If it is empty, of no kind that is taken, or would unpack to too much.
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
        write_bytes(path, one.data, private=True)
    stem = one.name.replace("\\", "/").rpartition("/")[2]
    name = table_name(stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem)
    return f"{name}={ATTACHED}{path.name}"


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
