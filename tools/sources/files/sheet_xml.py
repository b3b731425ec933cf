"""What the reader of workbooks does not tell: merged cells, and formulas without a value."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree

BLOCK_BYTES = 2**20
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_MERGED_BYTES = 200
# A formula whose value is the empty text has its type beside it, and is no unsaved one.
_UNSAVED = re.compile(
    rb'<c r="([A-Z]+)(\d+)"(?![^>]*\bt="str")[^>]*>'
    rb"(?:<f[^>]*/>|<f\b[^>]*>[^<]*</f>)(?:<v ?/>|<v></v>)?</c>"
)
_FORMULA_BYTES = 10_000
"""A formula has 8,192 characters at most."""
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def find_merges(content: bytes, sheet: str) -> dict[int, list[tuple[int, int]]]:
    """Cells of one sheet that are merged over several rows.

    Args:
        content: The workbook; only .xlsx and .xlsm tell.
        sheet: The sheet's name.

    Returns:
        By column, the first and last rows of the cells; both are counted from 0.
    """
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for column, top, _, bottom in _places(content, sheet, _MERGED, _MERGED_BYTES):
        if top != bottom:
            spans[_number(column) - 1].append((int(top) - 1, int(bottom) - 1))
    return spans


def find_unsaved_formulas(content: bytes, sheet: str) -> dict[int, list[int]]:
    """Cells of one sheet with a formula and no value, as programs write them that do not compute.

    Args:
        content: The workbook; only .xlsx and .xlsm tell.
        sheet: The sheet's name.

    Returns:
        By column, the rows of the cells; both are counted from 0.
    """
    cells: defaultdict[int, list[int]] = defaultdict(list)
    for column, row in _places(content, sheet, _UNSAVED, _FORMULA_BYTES):
        cells[_number(column) - 1].append(int(row) - 1)
    return cells


def _places(
    content: bytes, sheet: str, pattern: re.Pattern[bytes], longest: int
) -> Iterator[tuple[bytes, ...]]:
    """The groups of a pattern in a sheet's XML, each once; none where there is no such file."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            if place := _sheet_path(book, sheet):
                yield from _matches(book, place, pattern, longest)
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, zlib.error):
        return


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


def _matches(
    book: zipfile.ZipFile, path: str, pattern: re.Pattern[bytes], longest: int
) -> Iterator[tuple[bytes, ...]]:
    seen: set[tuple[bytes, ...]] = set()
    tail = b""
    with book.open(path) as file:
        while block := file.read(BLOCK_BYTES):
            text = tail + block
            for found in pattern.finditer(text):
                if found.groups() not in seen:
                    seen.add(found.groups())
                    yield found.groups()
            tail = text[-longest:]


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
