"""Lines of text: what cuts them into fields, and how many each has, before they are read."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.text.plain_text import RARE_DELIMITERS

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
DELIMITERS = ",;\t|^~"
ONE_COLUMN = "\x1e"
"""Stands for a delimiter where a file has none."""
SAMPLE_LINES = 300
LONGEST_FIELD = 2**28
_GAPS = (r"[ \t]+", r" {2,}|\t")
"""What stands between fields apart by blanks; with names of several words two blanks do."""
_NUMBER = re.compile(r"[-+]?\d[\d.]*(?:,\d+)?(?:[eE][-+]?\d+)?")
_SEPARATOR_LINE = re.compile(r"\ufeff?\"?sep=(.)\"?\s*[\r\n]+", re.IGNORECASE)
BLOCK_BYTES = 2**21
MAX_LINE_BYTES = 2**28
_FEED, _RETURN, _QUOTE = b'\n\r"'


class Dialect(NamedTuple):
    """How a text file is written.

    Attributes:
        delimiter: What stands between fields.
        rows: The fields of the first rows, blank ones too.
        lines: The line that each of the rows begins in, from 1, and the line after them.
        blanks: A pattern of the runs of blanks that are a delimiter; empty if none is.
        repairs: What is to be told.
    """

    delimiter: str
    rows: list[list[str]]
    lines: list[int]
    blanks: str = ""
    repairs: tuple[Repair, ...] = ()


def find_dialect(sample: str, suffix: str) -> Dialect:
    """Find the delimiter and the first rows.

    Args:
        sample: The start of the file.
        suffix: Of the file's name; ``.tsv`` and ``.tab`` say that it is cut by tabs.
    """
    if csv.field_size_limit() < LONGEST_FIELD:
        csv.field_size_limit(LONGEST_FIELD)
    if match := _SEPARATOR_LINE.match(sample):
        rows, lines = _rows(sample[match.end() :], match[1])
        return Dialect(match[1], rows, [line + 1 for line in lines])
    rare = next((mark for mark in RARE_DELIMITERS if mark in sample[: 2**16]), "")
    candidates = "\t" if suffix.lower() in (".tsv", ".tab") else DELIMITERS + rare
    cut = {delimiter: _rows(sample, delimiter) for delimiter in candidates}
    best = max(candidates, key=lambda delimiter: _evenness(cut[delimiter][0]))
    cuts = _evenness(cut[best][0])[0]
    for gap in _GAPS if not cuts or best == "," else ():
        if _in_columns(sample, gap):
            rows, lines = _rows(by_tabs(sample, gap), "\t")
            repair = Repair(text="Read runs of blanks as delimiters")
            return Dialect("\t", rows, lines, gap, (repair,))
    if cuts or any(len(row) > 1 for row in cut[best][0][:1]):  # a header that no line is like
        return Dialect(best, *cut[best])
    return Dialect(ONE_COLUMN, *_rows(sample, ONE_COLUMN))


def by_tabs(text: str, gap: str) -> str:
    """Lines whose fields stand apart by blanks, with tabs instead."""
    lines = (re.sub(gap, "\t", line.strip()) for line in re.split(r"\r?\n", text))
    return "\n".join(lines)


def has_blanks_before_quotes(sample: str, delimiter: str) -> bool:
    """Whether blanks stand between a delimiter and a quote, which would else be like others."""
    return re.search(rf'{re.escape(delimiter)} +"', sample) is not None


def _rows(sample: str, delimiter: str) -> tuple[list[list[str]], list[int]]:
    source = io.StringIO(sample, newline="")
    blanks = has_blanks_before_quotes(sample, delimiter)
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=blanks)
    rows: list[list[str]] = []
    lines = [1]
    filled = 0
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num + 1)
            filled += bool(row)
            if filled == SAMPLE_LINES:
                break
    except csv.Error:  # a field longer than csv allows: not this delimiter
        return [], [1]
    return rows, lines


def _evenness(rows: list[list[str]]) -> tuple[bool, bool, int, float, int]:
    """Order delimiters: they cut at all, from the first line on, as evenly as may be."""
    widths = [len(row) for row in rows if row]
    if not widths:
        return False, False, 0, 0.0, 0
    counts = Counter(widths)
    usual = max(counts, key=lambda width: (counts[width], width))
    # A first row may lack the header of row names, and a last field may be missing.
    even = sum(width in (usual, usual - 1) for width in widths) / len(widths)
    cuts = usual > 1 and counts[usual] / len(widths) > 0.4 and even > 0.5
    return cuts, widths[0] > 1, -widths.index(usual), round(even, 1), usual


def _in_columns(sample: str, gap: str) -> bool:
    """Whether lines are columns of words and numbers apart by blanks; commas are decimal."""
    text = sample[: 2**16].splitlines()
    if len(sample) > 2**16:
        del text[-1]
    lines = [re.split(gap, line.strip()) for line in text if line.strip()]
    if len(lines) < 2 or '"' in sample or len(lines[1]) < 2:
        return False
    if any(len(line) != len(lines[1]) for line in lines[1:]):
        return False
    if len(lines[0]) not in (len(lines[1]), len(lines[1]) - 1):
        return False
    if any("," in cell and not _NUMBER.fullmatch(cell) for line in lines for cell in line):
        return False
    return any(
        all(_NUMBER.fullmatch(line[c]) or line[c] == "NA" for line in lines[1:])
        for c in range(len(lines[1]))
    )


class LineSurvey(NamedTuple):
    """What the lines of a file have.

    Attributes:
        lines: How many have something in them.
        narrow: How many have fewer fields than expected.
        wide: How many have more.
        widest: The most fields of a line.
        wide_line: Number of the first line with more, from 1.
        wide_fields: How many it has.
        bad_quote: Number of the line whose quotes are not as they should be; 0 if all are.
    """

    lines: int = 0
    narrow: int = 0
    wide: int = 0
    widest: int = 0
    wide_line: int = 0
    wide_fields: int = 0
    bad_quote: int = 0


def survey_lines(
    path: Path, delimiter: str, width: int, first_line: int, *, quotes: bool, origin: str
) -> LineSurvey:
    """Count the fields of the lines from `first_line` on, and check their quotes.

    Quotes are as they should be if each field that begins with one ends with one, and those
    within are doubled. A line with a line break in quotes counts as one.

    Raises:
        SourceError: If a line is longer than memory allows.
    """
    mark = ord(delimiter)
    lines = narrow = wide = widest = wide_line = wide_fields = 0
    number = first_line
    for data in line_blocks(path, first_line, origin, quotes=quotes):
        every = feeds = np.flatnonzero(data == _FEED)
        marks = np.flatnonzero(data == mark)
        if quotes and _QUOTE in data:
            places = np.flatnonzero(data == _QUOTE)
            feeds, marks = feeds[_outside(feeds, places)], marks[_outside(marks, places)]
            bad = _bad_quote(data, places, mark)
            if bad is None and len(places) % 2:
                bad = len(data)
            if bad is not None:
                before = feeds[: np.searchsorted(feeds, bad)][-1:]
                return LineSurvey(bad_quote=number + int(np.searchsorted(every, before + 1).sum()))
        fields = np.diff(np.searchsorted(marks, feeds), prepend=0) + 1
        starts = np.concatenate(([0], feeds[:-1] + 1))
        lengths = feeds - starts
        blank = (lengths == 0) | ((lengths == 1) & (data[starts] == _RETURN))
        fields, starts = fields[~blank], starts[~blank]
        more = np.flatnonzero(fields > width)
        if len(more) and not wide:
            wide_line = number + int(np.searchsorted(every, starts[more[0]]))
            wide_fields = int(fields[more[0]])
        lines += len(fields)
        narrow += int(np.count_nonzero(fields < width))
        wide += len(more)
        widest = max(widest, int(fields.max(initial=0)))
        number += len(every)
    return LineSurvey(lines, narrow, wide, widest, wide_line, wide_fields)


def line_blocks(
    path: Path, first_line: int, origin: str, *, quotes: bool = False
) -> Iterator[Bytes]:
    """Blocks of whole lines from `first_line` on; the byte order mark is left out.

    Args:
        path: A UTF-8 file.
        first_line: From 1.
        origin: What the file is called in messages.
        quotes: Whether lines go on where a quote is open; if one never closes, the last block
            has it.

    Raises:
        SourceError: If a line is longer than memory allows.
    """
    with path.open("rb") as file:
        if file.read(3) != b"\xef\xbb\xbf":
            file.seek(0)
        for _ in range(first_line - 1):
            file.readline()
        rest: list[bytes] = []
        size, inside = 0, False
        while block := file.read(BLOCK_BYTES):
            cut, inside = _line_end(block, inside) if quotes else (block.rfind(b"\n") + 1, False)
            if cut:
                yield np.frombuffer(b"".join([*rest, block[:cut]]), np.uint8)
                rest, size = [], 0
            rest.append(block[cut:])
            size += len(block) - cut
            if size > MAX_LINE_BYTES and not inside:
                raise SourceError(
                    f"{origin}: a line is longer than {MAX_LINE_BYTES // 2**20} MB; is it a table?"
                )
            if size > MAX_LINE_BYTES:
                break
        if size:
            yield np.frombuffer(b"".join([*rest, b"\n"]), np.uint8)


def _line_end(block: bytes, inside: bool) -> tuple[int, bool]:
    """Behind the last line feed outside of quotes, and whether a quote is open after the block."""
    data = np.frombuffer(block, np.uint8)
    feeds, places = np.flatnonzero(data == _FEED), np.flatnonzero(data == _QUOTE)
    ends = feeds[_outside(feeds, places, inside)]
    return int(ends[-1]) + 1 if len(ends) else 0, inside != (len(places) % 2 == 1)


def _outside(places: Places, quotes: Places, inside: bool = False) -> NDArray[np.bool_]:
    """Which places no quotes are around; `inside` says whether one is open from the start."""
    outside: NDArray[np.bool_] = (np.searchsorted(quotes, places) + inside) % 2 == 0
    return outside


def _bad_quote(data: Bytes, quotes: Places, mark: int) -> int | None:
    """Where the first quote is that neither begins nor ends a field nor is doubled."""
    opens, closes = quotes[::2], quotes[1::2]
    ends = (mark, _FEED, _RETURN, _QUOTE)
    good = (opens == 0) | np.isin(data[np.maximum(opens - 1, 0)], ends)
    bad = np.concatenate((opens[~good], closes[~np.isin(data[closes + 1], ends)]))
    return int(bad.min()) if len(bad) else None
