"""Plain quotes: quotes that are written in other ways become doubled ones."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from wideleaf.tools.sources.text.dialect import by_tabs
from wideleaf.tools.sources.text.plain_text import BLOCK_BYTES

_ESCAPED = re.compile(rb'(?<!\\)((?:\\\\)*)\\"')


def write_double_quotes(path: Path, target: Path) -> Path | None:
    """Write a copy with doubled quotes for those after a backslash; none if there are none."""
    found = 0
    with path.open("rb") as source, target.open("wb") as sink:
        for block in _line_blocks(source):
            text, count = _ESCAPED.subn(rb'\1""', block)
            found += count
            sink.write(text)
    return target if found else None


def plain_quotes(path: Path, target: Path, delimiter: str, first_line: int, *, blanks: bool) -> int:
    """Write a copy in which a quote within a field without quotes is a character like others.

    Args:
        path: A UTF-8 file.
        target: The copy.
        delimiter: What stands between fields.
        first_line: Lines before it are copied as they are.
        blanks: Whether to leave out blanks before a field.

    Returns:
        0, or the number of the line whose quotes cannot be understood.
    """
    line = first_line
    with (
        path.open(encoding="utf-8-sig", newline="") as source,
        target.open("w", encoding="utf-8", newline="") as sink,
    ):
        for _ in range(first_line - 1):
            sink.write(source.readline())
        reader = csv.reader(source, delimiter=delimiter, strict=True, skipinitialspace=blanks)
        writer = csv.writer(sink, delimiter=delimiter, lineterminator="\n")
        try:
            for row in reader:
                writer.writerow(row)
                line = first_line + reader.line_num
        except csv.Error:
            return line
    return 0


def cut_by_tabs(path: Path, target: Path, gap: str) -> Path:
    """Write a copy in which runs of blanks are tabs."""
    with path.open("rb") as source, target.open("w", encoding="utf-8", newline="") as sink:
        for block in _line_blocks(source):
            sink.write(by_tabs(block.decode("utf-8-sig"), gap))
    return target


def with_header(path: Path, target: Path, first_line: int, width: int, delimiter: str) -> Path:
    """Write a copy whose first line has a field for each column, followed by the data."""
    with path.open("rb") as source, target.open("wb") as sink:
        sink.write(delimiter.join(f"c{place}" for place in range(width)).encode() + b"\n")
        if first_line == 1 and source.read(3) != b"\xef\xbb\xbf":
            source.seek(0)
        for _ in range(first_line - 1):
            source.readline()
        shutil.copyfileobj(source, sink, BLOCK_BYTES)
    return target


def _line_blocks(source: IO[bytes]) -> Iterator[bytes]:
    """Blocks that end with a line, so that nothing within a line is cut."""
    while block := source.read(BLOCK_BYTES):
        yield block + source.readline()
