"""Excel and OpenDocument workbooks: every sheet that shows and holds cells becomes a table."""

from __future__ import annotations

import importlib.util
import io
import logging
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.sheet import Sheet, SheetMarks, head_of
from wideleaf.tools.sources.files.typed_files import FoundTables

BLOCK_BYTES = 2**20
_MARK = re.compile(
    rb'<mergeCell ref="([A-Z]+)(\d+):[A-Z]+(\d+)"'
    # A formula whose value is the empty text has its type beside it, and is no unsaved one.
    rb'|<c r="([A-Z]+)(\d+)"(?![^>]*\bt="str")[^>]*>'
    rb"(?:<f[^>]*/>|<f\b[^>]*>[^<]*</f>)(?:<v ?/>|<v></v>)?</c>"
)
_FORMULA_BYTES = 10_000
"""A formula has 8,192 characters at most."""
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_workbook(path: Path, scratch: Path, origin: str) -> FoundTables:
    """Read the sheets of a workbook; hidden ones only if no other is there.

    Formulas give the values they had when the file was saved.

    Raises:
        SourceError: If it is encrypted, broken, no workbook, or without a cell.
    """
    content = _workbook_bytes(path, origin)
    with _told(origin):
        import fastexcel

        book = fastexcel.read_excel(content)
        sheets = {name: head_of(book, name) for name in book.sheet_names}
    filled = {name: sheet for name, sheet in sheets.items() if sheet.width}
    visible_sheets = {name: sheet for name, sheet in filled.items() if sheet.visible == "visible"}
    repairs = []
    if visible_sheets and len(visible_sheets) < len(filled):
        hidden = ", ".join(repr(name) for name in filled if name not in visible_sheets)
        repairs.append(Repair(text=f"Hidden sheets of the workbook were left aside ({hidden})"))
    choice = visible_sheets or filled
    if not choice:
        raise SourceError(f"{origin} holds no sheet with a cell")
    for name, head in choice.items():
        with _told(f"{origin}, sheet {name!r}"):
            frame, changes = Sheet(book, name, head, _find_marks(content, name)).read()
        yield name, frame.lazy(), [*repairs, *changes]


def _workbook_bytes(path: Path, origin: str) -> bytes:
    if importlib.util.find_spec("fastexcel") is None:
        raise SourceError(f"{origin}: a workbook needs fastexcel: pip install fastexcel")
    content = path.read_bytes()
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise SourceError(f"{origin} is encrypted; save it without a password")
    elif not content.startswith(b"PK"):
        head = content[:1000].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
        if head.startswith((b"<html", b"<!doctype", b"<table", b"<?xml", b"<meta")):
            what = "a web page or XML; open it in a spreadsheet and save it as .xlsx"
        elif b"\0" not in head:
            what = "text; name it .csv or .tsv"
        else:
            what = "none of the known kinds; open it in a spreadsheet and save it as .xlsx"
        raise SourceError(
            f"{origin} is no workbook though it is called {path.suffix}: it is {what}"
        )
    return content


@contextmanager
def _told(origin: str) -> Iterator[None]:
    """Turn the reader's errors into one clear one; what it logs of columns is told anyway."""
    loggers = [logging.getLogger(name) for name in ("fastexcel", "calamine")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    except BaseException as error:  # a panic is no Exception
        if not (why := _why(error)):
            raise
        raise SourceError(f"{origin} {why}") from None
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _why(error: BaseException) -> str:
    """What is wrong with a workbook by an error of its reader; empty for another's."""
    import fastexcel

    if type(error).__name__ != "PanicException" and not isinstance(error, fastexcel.FastExcelError):
        return ""
    text = str(error)
    if "assword" in text or "ncrypt" in text:
        return "is encrypted; save it without a password"
    hint = "it is broken or cut short; open it in a spreadsheet and save it as .xlsx"
    if unknown := re.search(r"Unsupported cell error value '(#[A-Z_/!?]+)'", text):
        hint = f"a cell holds the error {unknown[1]}, which cannot be read; clear such cells"
    return f"cannot be read as a workbook: {hint}"


def _find_marks(content: bytes, sheet: str) -> SheetMarks:
    """Find what a sheet's XML alone tells; only .xlsx and .xlsm have any.

    Args:
        content: The workbook.
        sheet: The sheet's name.
    """
    marks = SheetMarks(defaultdict(list), defaultdict(list))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            for column, top, bottom in _cells(book, _sheet_path(book, sheet)):
                if not bottom:
                    marks.unsaved[column].append(top - 1)
                elif top != bottom:
                    marks.merged[column].append((top - 1, bottom - 1))
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, zlib.error):
        pass  # what was found until then
    return marks


def _cells(book: zipfile.ZipFile, path: str) -> Iterator[tuple[int, int, int]]:
    """The column and first row of each mark, once, and the last row of merged cells."""
    if not path:
        return
    cells: set[tuple[bytes, ...]] = set()
    tail = b""
    with book.open(path) as file:
        while block := file.read(BLOCK_BYTES):
            text = tail + block
            for match in _MARK.finditer(text):
                if (cell := match.groups(b"")) not in cells:
                    cells.add(cell)
                    left, top, bottom, column, row = cell
                    yield _number(left or column) - 1, int(top or row), int(bottom or 0)
            tail = text[-_FORMULA_BYTES:]


def _sheet_path(book: zipfile.ZipFile, sheet: str) -> str:
    if "xl/workbook.xml" not in book.namelist():
        return ""
    workbook = ElementTree.fromstring(book.read("xl/workbook.xml"))
    related = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    targets = {one.get("Id"): one.get("Target", "") for one in related}
    for one in workbook.iter():
        if one.tag.endswith("}sheet") and one.get("name") == sheet:
            target = targets.get(one.get(_RELATION), "")
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return ""


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
