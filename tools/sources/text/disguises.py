"""Disguises: files that are called text and are something else, told by their first bytes."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

HEAD_BYTES = 4096
_FIRST_BYTES = (
    (b"PAR1", "a Parquet file; name it .parquet"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; name it .xls"),
    (b"%PDF", "a PDF document; export its table as text"),
    (b"\x1f\x8b", "packed by gzip; name it .csv.gz"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd; unpack it first"),
    (b"BZh", "packed by bzip2; name it .csv.bz2"),
    (b"\xfd7zXZ", "packed by xz; name it .csv.xz"),
    (b"7z\xbc\xaf", "packed by 7-Zip; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"SQLite format 3\0", "an SQLite database; name it .sqlite"),
    (b"ARROW1", "an Arrow file; name it .arrow"),
    (b"ORC", "an ORC file; name it .orc"),
    (b"Obj\x01", "an Avro file; name it .avro"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"{\\rtf", "a word processor's document; save it as text"),
)
_WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html|head|body|table|meta|script|div)\b", re.I)
_XML = re.compile(rb"\s*<(?:\?xml|[A-Za-z][\w:.-]*(?:\s[^<>]*)?>\s*<)", re.I)
_JSON = re.compile(rb'\s*(?:\[\s*)?\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*$)|\s*\[\s*\[\s*["\d\[\-]')
_BOOKS = {"xl/": "an Excel workbook; name it .xlsx", "content.xml": "a spreadsheet; name it .ods"}


def find_disguise(path: Path) -> str:
    """Say what a file is and how to call it if it is surely no delimited text; else empty."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if head.startswith(b"PK\x03\x04"):
        return _archive(path)
    for start, what in _FIRST_BYTES:
        if head.startswith(start):
            # Text may begin with the same letters.
            return what if start[:3] != b"ORC" or b"\0" in head else ""
    text = head.removeprefix(b"\xef\xbb\xbf")
    if _WEB_PAGE.match(text):
        return "a web page (HTML); save the table in it as CSV"
    if _XML.match(text):
        return "XML; export it as CSV or JSON"
    if _JSON.match(text):
        return "JSON; name it .json, or .jsonl if each line is an object"
    return ""


def _archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return "a ZIP archive that is cut short"
    for start, what in _BOOKS.items():
        if any(name.startswith(start) for name in names):
            return what
    return "a ZIP archive; unpack it first"
