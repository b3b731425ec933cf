"""What the reader of workbooks does not tell: merged cells, and formulas without a value."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

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


class SheetMarks(NamedTuple):
    """Cells of one sheet, each by its column; rows and columns are counted from 0.

    Attributes:
        merged: The first and last rows of cells that are merged over several rows.
        unsaved: The rows of cells with a formula and no value, as programs write them that do not
            compute.
    """

    merged: dict[int, list[tuple[int, int]]]
    unsaved: dict[int, list[int]]


def find_marks(content: bytes, sheet: str) -> SheetMarks:
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
    seen: set[tuple[bytes, ...]] = set()
    tail = b""
    with book.open(path) as file:
        while block := file.read(BLOCK_BYTES):
            text = tail + block
            for found in _MARK.finditer(text):
                if (cell := found.groups(b"")) not in seen:
                    seen.add(cell)
                    left, top, bottom, column, row = cell
                    yield _number(left or column) - 1, int(top or row), int(bottom or 0)
            tail = text[-_FORMULA_BYTES:]


def _sheet_path(book: zipfile.ZipFile, sheet: str) -> str:
    if "xl/workbook.xml" not in book.namelist():
        return ""
    listed = ElementTree.fromstring(book.read("xl/workbook.xml"))
    related = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    targets = {one.get("Id"): one.get("Target", "") for one in related}
    for one in listed.iter():
        if one.tag.endswith("}sheet") and one.get("name") == sheet:
            target = targets.get(one.get(_RELATION), "")
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return ""


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
