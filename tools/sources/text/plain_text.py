"""Text files: any encoding, line end or stray control character becomes plain UTF-8."""

from __future__ import annotations

import codecs
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wideleaf.tools.cells.code_pages import Encoding, guess_encodings
from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError

BLOCK_BYTES = 2**20
HEAD_BYTES = 2**16
SAMPLE_BYTES = 4 * 2**20
MAX_SAMPLE_BYTES = 2**26
MAX_CONTROLS = 0.01
"""A file with a larger share of control characters is not text."""
MAX_DAMAGED = 0.1
"""Of the characters beyond ASCII; with more damage the file is in another encoding."""
RARE_DELIMITERS = "\x01\x1f"
_FIRST_OF_SEVERAL = 0xC0
"""From this byte on, UTF-8 begins a character of several bytes."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

FIRST_BYTES = 4096
"""By so many a file is told that is called text and is something else."""
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


class PlainText(NamedTuple):
    """A UTF-8 file without control characters, whose lines all end in a line feed.

    Attributes:
        path: The file itself or a copy.
        quotes: How many quotes are in it.
        repairs: What was changed.
    """

    path: Path
    quotes: int
    repairs: list[Repair]


class _Survey(NamedTuple):
    quotes: int
    feeds: int
    lone_returns: int
    controls: int
    size: int


def as_plain_text(path: Path, scratch: Path, origin: str) -> PlainText:
    """Find how a text file is written and make it plain; most files are so already.

    Args:
        path: The file.
        scratch: Where a copy may be put.
        origin: What the file is called in messages.

    Raises:
        SourceError: If the file is not text, or something else by its first bytes.
    """
    repairs = []
    if disguise := _disguise(path):
        raise SourceError(f"{origin} is called {path.suffix} but is {disguise}")
    path, encoding = _recode(path, scratch / "recoded.txt", origin)
    delimiter = _rare_delimiter(path)
    survey = _survey(path, delimiter)
    if survey.controls > max(1, MAX_CONTROLS * survey.size):
        raise SourceError(f"{origin}: not a text file; a CSV or TSV file would be text")
    source, errors, guess = "utf-8", "strict", ""
    if damaged := not _decodes(path, "utf-8"):
        (source, sure), damage = _legacy_encoding(path)
        encoding = source if source != "utf-8" else ""
        if not sure and not survey.feeds and not survey.lone_returns:
            raise SourceError(
                f"{origin}: not a text file but one line in no known encoding; a CSV or TSV file "
                "would be lines of text"
            )
        if damage:
            errors = "replace"
            repairs.append(Repair(text=f"Damaged characters became \ufffd ({damage})"))
        guess = "" if sure else "; it may be in another encoding"
    if encoding:
        repairs.insert(0, Repair(text=f"Read as {encoding} text{guess}"))
    if survey.controls:
        repairs.append(Repair(text=f"Left out control characters ({survey.controls})"))
    ends = survey.lone_returns > 0 and (survey.feeds == 0 or _has_mixed_ends(path))
    if ends and survey.feeds:
        repairs.append(Repair(text="Read lines with several kinds of ends", ordinary=True))
    if damaged or survey.controls or ends:
        controls = f"\t\n\r{delimiter}" if survey.controls else ""
        path = _rewrite(path, scratch / "plain.txt", source, errors, controls, ends=ends)
    return PlainText(path, survey.quotes, repairs)


def read_sample(path: Path) -> str:
    """The first lines of a UTF-8 file, whole ones if it has any."""
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        while head.count(b"\n") < 2 and len(head) < MAX_SAMPLE_BYTES:
            more = file.read(SAMPLE_BYTES)
            if not more:
                break
            head += more
        whole = not file.read(1)
    text = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    return text if whole else text[: text.rfind("\n") + 1] or text


def _disguise(path: Path) -> str:
    """Say what a file is and how to call it if it is surely no delimited text; else empty."""
    with path.open("rb") as file:
        head = file.read(FIRST_BYTES)
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


def _blocks(path: Path) -> Iterator[bytes]:
    """Blocks of which none ends between a carriage return and what follows it."""
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            while block.endswith(b"\r") and (more := file.read(1)):
                block += more
            yield block


def _recode(path: Path, target: Path, origin: str) -> tuple[Path, str]:
    """A UTF-8 copy of UTF-16 or UTF-32 text, and which it is; another file as it is."""
    if not (encoding := _find_encoding(path)):
        return path, ""
    try:
        return _rewrite(path, target, encoding), encoding
    except UnicodeError:
        raise SourceError(
            f"{origin}: damaged or cut short {encoding} text; save it again"
        ) from None


def _find_encoding(path: Path) -> str:
    """UTF-16 or UTF-32 by the file's mark, or by every other byte being zero."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    if len(head) < 4 or b"\0" not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head[1::2]) and even * 20 < odd:
        return "utf-16-le"
    if even > 0.4 * len(head[::2]) and odd * 20 < even:
        return "utf-16-be"
    return ""


def _rare_delimiter(path: Path) -> str:
    with path.open("rb") as file:
        lines = file.read(HEAD_BYTES).split(b"\n")[:20]
    whole = [line for line in (lines[:-1] or lines) if line.strip()]
    for delimiter in RARE_DELIMITERS:
        if whole and all(delimiter.encode() in line for line in whole):
            return delimiter
    return ""


def _survey(path: Path, delimiter: str) -> _Survey:
    size = low = 0
    marks = [b'"', b"\n", b"\r", b"\r\n", *(mark.encode() for mark in f"\t{delimiter}")]
    counts = dict.fromkeys(marks, 0)
    for block in _blocks(path):
        size += len(block)
        low += int(np.count_nonzero(np.frombuffer(block, np.uint8) < 32))
        for mark in counts:
            counts[mark] += block.count(mark)
    quotes, feeds, returns, pairs, *others = counts.values()
    return _Survey(quotes, feeds, returns - pairs, low - feeds - returns - sum(others), size)


def _legacy_encoding(path: Path) -> tuple[Encoding, int]:
    """UTF-8 with a little damage, or else the likeliest code page; and how much damage."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    damaged = beyond = 0
    for block in _blocks(path):
        damaged += decoder.decode(block).count("\ufffd")
        beyond += int(np.count_nonzero(np.frombuffer(block, np.uint8) >= _FIRST_OF_SEVERAL))
    damaged += decoder.decode(b"", final=True).count("\ufffd")
    if damaged <= MAX_DAMAGED * beyond:
        return Encoding("utf-8"), damaged
    likely = [*guess_encodings(_blocks(path)), Encoding("latin-1", sure=False)]
    return next(one for one in likely if _decodes(path, one.name)), 0


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in _blocks(path):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _has_mixed_ends(path: Path) -> bool:
    """Whether single carriage returns stand outside of quotes, where they end lines."""
    inside = False
    for block in _blocks(path):
        for place, part in enumerate(block.replace(b"\r\n", b"\n").split(b'"')):
            inside = inside != (place > 0)
            if not inside and b"\r" in part:
                return True
    return False


def _rewrite(
    path: Path,
    target: Path,
    encoding: str,
    errors: str = "strict",
    controls: str = "",
    *,
    ends: bool = False,
) -> Path:
    """Write a UTF-8 copy: of control characters only some are kept, if any are named."""
    deletions = {code: None for code in range(32) if controls and chr(code) not in controls}
    table = {**deletions, 0x0B: " ", 0x0C: " "}
    with (
        path.open(encoding=encoding, errors=errors, newline=None if ends else "") as source,
        target.open("w", encoding="utf-8", newline="") as sink,
    ):
        while block := source.read(BLOCK_BYTES):
            sink.write(block.translate(table) if controls else block)
    return target
