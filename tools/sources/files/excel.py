"""Excel and OpenDocument workbooks: every sheet that shows and holds cells becomes a table."""

from __future__ import annotations

import importlib.util
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.sheet import Sheet, head_of

if TYPE_CHECKING:
    import polars as pl


def read_workbook(
    path: Path, scratch: Path, origin: str
) -> Iterator[tuple[str, pl.LazyFrame, list[Repair]]]:
    """Read the sheets of a workbook; hidden ones only if no other is there.

    Formulas give the values they had when the file was saved.

    Args:
        path: The workbook.
        scratch: Not used; sheets are read in memory.
        origin: What the file is called in messages.

    Yields:
        The name of each sheet, its table and what was changed.

    Raises:
        SourceError: If it is encrypted, broken, no workbook, or without a cell.
    """
    content = _workbook_bytes(path, origin)
    with _told(origin):
        import fastexcel

        book = fastexcel.read_excel(content)
        sheets = {name: head_of(book, name) for name in book.sheet_names}
    filled = {name: sheet for name, sheet in sheets.items() if sheet.width}
    shown = {name: sheet for name, sheet in filled.items() if sheet.visible == "visible"}
    repairs = []
    if shown and len(shown) < len(filled):
        hidden = ", ".join(repr(name) for name in filled if name not in shown)
        repairs.append(Repair(text=f"Hidden sheets of the workbook were left aside ({hidden})"))
    chosen = shown or filled
    if not chosen:
        raise SourceError(f"{origin} holds no sheet with a cell")
    for name, head in chosen.items():
        with _told(f"{origin}, sheet {name!r}"):
            frame, told = Sheet(book, name, head, content).read()
        yield name, frame.lazy(), [*repairs, *told]


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
