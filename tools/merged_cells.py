"""Merged cells of Excel sheets, which the reader of the cells does not tell."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import defaultdict
from xml.etree import ElementTree

BLOCK_BYTES = 2**20
OVERLAP = 200

_MERGED = re.compile(rb'<mergeCell ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def merged_down(content: bytes, sheet: str) -> dict[int, list[tuple[int, int]]]:
    """Cells of one sheet that are merged over several rows.

    Args:
        content: The workbook; only .xlsx and .xlsm tell.
        sheet: The sheet's name.

    Returns:
        By column, the first and last rows of the cells; both are counted from 0.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            place = _sheet_path(book, sheet)
            return _spans(book, place) if place else {}
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, zlib.error):
        return {}


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


def _spans(book: zipfile.ZipFile, path: str) -> dict[int, list[tuple[int, int]]]:
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    seen: set[tuple[bytes, ...]] = set()
    tail = b""
    with book.open(path) as file:
        while block := file.read(BLOCK_BYTES):
            text = tail + block
            for found in _MERGED.finditer(text):
                if found.groups() not in seen and found[2] != found[4]:
                    rows = int(found[2]) - 1, int(found[4]) - 1
                    spans[_number(found[1]) - 1].append(rows)
                seen.add(found.groups())
            tail = text[-OVERLAP:]
    return spans


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
