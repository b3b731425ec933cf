"""Dialect: which delimiter a text file has, found from how evenly it cuts the first lines."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.sources.text.plain_text import RARE_DELIMITERS

DELIMITERS = ",;\t|^~"
ONE_COLUMN = "\x1e"
"""Stands for a delimiter where a file has none."""
SAMPLE_BYTES = 4 * 2**20
MOST_SAMPLE_BYTES = 2**26
SAMPLE_LINES = 300
LONGEST_FIELD = 2**28
_GAPS = (r"[ \t]+", r" {2,}|\t")
"""What stands between fields apart by blanks; with names of several words two blanks do."""
_NUMBER = re.compile(r"[-+]?\d[\d.]*(?:,\d+)?(?:[eE][-+]?\d+)?")
_SEPARATOR_LINE = re.compile(r"\ufeff?\"?sep=(.)\"?\s*[\r\n]+", re.IGNORECASE)


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


def read_sample(path: Path) -> str:
    """The first lines of a UTF-8 file, whole ones if it has any."""
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        while head.count(b"\n") < 2 and len(head) < MOST_SAMPLE_BYTES:
            more = file.read(SAMPLE_BYTES)
            if not more:
                break
            head += more
        whole = not file.read(1)
    text = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    return text if whole else text[: text.rfind("\n") + 1] or text


def find_dialect(sample: str, suffix: str) -> Dialect:
    """Find the delimiter and the first rows.

    Args:
        sample: The start of the file.
        suffix: Of the file's name; ``.tsv`` and ``.tab`` say that it is cut by tabs.
    """
    if csv.field_size_limit() < LONGEST_FIELD:
        csv.field_size_limit(LONGEST_FIELD)
    if named := _SEPARATOR_LINE.match(sample):
        rows, lines = _rows(sample[named.end() :], named[1])
        return Dialect(named[1], rows, [line + 1 for line in lines])
    rare = next((mark for mark in RARE_DELIMITERS if mark in sample[: 2**16]), "")
    candidates = "\t" if suffix.lower() in (".tsv", ".tab") else DELIMITERS + rare
    cut = {delimiter: _rows(sample, delimiter) for delimiter in candidates}
    best = max(candidates, key=lambda delimiter: _evenness(cut[delimiter][0]))
    cuts = _evenness(cut[best][0])[0]
    for gap in _GAPS if not cuts or best == "," else ():
        if _in_columns(sample, gap):
            rows, lines = _rows(by_tabs(sample, gap), "\t")
            told = Repair(text="Read runs of blanks as delimiters")
            return Dialect("\t", rows, lines, gap, (told,))
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
    counted = Counter(widths)
    usual = max(counted, key=lambda width: (counted[width], width))
    # A first row may lack the header of row names, and a last field may be missing.
    even = sum(width in (usual, usual - 1) for width in widths) / len(widths)
    cuts = usual > 1 and counted[usual] / len(widths) > 0.4 and even > 0.5
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
