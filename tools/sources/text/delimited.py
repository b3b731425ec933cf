"""Delimited text (CSV, TSV) into Parquet: what is messy is found, repaired or refused, and said."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.number_forms import NULL_WORDS
from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, tidy_headers, write_repairs
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import type_unknown
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.text.cells import TextReading
from wideleaf.tools.sources.text.evidence import TOTAL
from wideleaf.tools.sources.text.layout import find_table
from wideleaf.tools.sources.text.lines import find_dialect
from wideleaf.tools.sources.text.plain_text import as_plain_text, read_sample
from wideleaf.tools.writing import put_in_place

TAIL_ROWS = 30
HEAD_BYTES = 2**20
_NOTE = re.compile(
    r"(?i)^(?:source|quelle|fuente|fonte|notes?|remarks?|anmerkung|hinweis|stand|©|\(c\)|copyright"
    r"|\*|†|‡|\[\d+\]|\d\)|generated|exported|created|downloaded|data\s|end of|last updated|legend)"
)
_DIGIT_FIRST = re.compile(r"[-+]?\d")
_LONG_NOTE = 60
_ROUNDING = 1e-9


class TextPart(NamedTuple):
    """A file of text, alone or one of those that are a table together.

    Attributes:
        path: The file.
        origin: What it is called in messages.
        beside: Columns that its place and name give, with the cell that all its rows have there.
    """

    path: Path
    origin: str
    beside: Mapping[str, str | None] = {}


def write_delimited(
    parts: Sequence[TextPart], target: Path, earlier: Sequence[Repair] = ()
) -> None:
    """Read delimited files into one Parquet file, typed by what every cell of a column allows.

    Of several files each is read by its own delimiter and encoding; columns go together by their
    names, and get the one type that their cells in all files have.

    Args:
        parts: The files.
        target: The Parquet file to write; its metadata holds the repairs.
        earlier: Repairs that were made before.

    Raises:
        SourceError: If one is not text, or a line has more fields than the header, or a quote
            is not closed; names the line.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="reading-") as folder:
        frames: list[pl.LazyFrame] = []
        repairs = list(earlier)
        for place, part in enumerate(parts):
            scratch = Path(folder) / str(place)
            scratch.mkdir()
            text, changes = _read_part(part, scratch)
            frames.append(text)
            repairs += [change for change in changes if change not in repairs]
        text, gaps = _together(frames)
        text, guesses = type_unknown(text, text.collect_schema().names())
        reads, coercions = ([], []) if guesses else find_forms(text)
        repairs += [*gaps, *guesses, *coercions]
        if len(frames) > 1:
            repairs += _report_texts(frames, text.with_columns(reads).collect_schema())
        typed = Path(folder) / "typed.parquet"
        metadata = {METADATA_KEY: write_repairs(repairs)}
        text.with_columns(reads).sink_parquet(typed, compression="zstd", metadata=metadata)
        put_in_place(typed, target)


def _read_part(part: TextPart, scratch: Path) -> tuple[pl.LazyFrame, list[Repair]]:
    """The rows of a file as text, with the columns beside them, and what was changed."""
    plain = as_plain_text(part.path, scratch, part.origin)
    reading = TextReading(plain, part.path.suffix, scratch, part.origin)
    rows = _table_rows(reading.cells())
    beside = [pl.lit(cell, pl.String).alias(name) for name, cell in part.beside.items()]
    return rows.text.with_columns(beside), [*reading.told(rows.single), *rows.repairs]


def _together(frames: list[pl.LazyFrame]) -> tuple[pl.LazyFrame, list[Repair]]:
    """One table of several by the names of columns; a column that one lacks is null there."""
    if len(frames) == 1:
        return frames[0], []
    names = [frame.collect_schema().names() for frame in frames]
    every = dict.fromkeys(name for one in names for name in one)
    gaps = tuple(name for name in every if not all(name in one for one in names))
    repairs = [Repair(text="Null where a file lacks the column", columns=gaps)] if gaps else []
    return pl.concat(frames, how="diagonal"), repairs


def _report_texts(frames: list[pl.LazyFrame], schema: pl.Schema) -> list[Repair]:
    """Tell of columns that are text for the sake of some files, and something else in others."""
    texts = [name for name, dtype in schema.items() if dtype == pl.String]
    typed: set[str] = set()
    for frame in frames if texts else ():
        there = frame.select(name for name in texts if name in frame.collect_schema())
        kinds = there.with_columns(find_forms(there)[0]).collect_schema()
        typed.update(name for name, dtype in kinds.items() if dtype != pl.String)
    columns = tuple(name for name in texts if name in typed)
    text = "Kept as text because only some of the files hold numbers or dates there"
    return [Repair(text=text, columns=columns)] if columns else []


class _TextRows(NamedTuple):
    """A table's rows as text, what was left out, and how many of it were lines of one field."""

    text: pl.LazyFrame
    repairs: list[Repair]
    single: int


def _table_rows(text: pl.LazyFrame) -> _TextRows:
    """Leave out what is no row of the table.

    A last row that is labelled as a total is left out if its numbers are the sums of their
    columns. Rows without any value and lines of notes below the table or of comments are left
    out; a table of one column keeps them.

    Args:
        text: Columns of text; scanned several times, so best a columnar file.
    """
    names = text.collect_schema().names()
    first, only = pl.col(names[0]), len(names) == 1
    rest = pl.lit(False) if only else pl.all_horizontal(pl.col(names[1:]).is_null())
    blank, comment = rest & first.is_null(), rest & first.str.contains(r"^\s*#")
    counts = text.select(
        pl.len().alias("rows"),
        blank.sum().alias("blanks"),
        comment.sum().alias("comments"),
        first.str.strip_chars().str.contains(TOTAL).sum().alias("totals"),
    )
    rows, blanks, comments, totals = counts.collect(engine="streaming").row(0)
    tail = [] if only else text.tail(TAIL_ROWS).collect().rows()
    cut, notes = _notes(tail)
    sentences = {
        f"Left out lines without any value ({blanks})": blanks,
        f"Left out comment lines ({comments})": comments,
        f"Left out lines of notes below the table ({notes})": notes,
    }

    def above(cut: int) -> pl.LazyFrame:
        body = text.head(rows - cut) if cut else text
        return body.filter(~(blank | comment)) if blanks or comments else body

    if place := _total_row(tail[: len(tail) - cut]):
        total = dict(zip(names, tail[place], strict=True))
        totals -= bool(re.match(TOTAL, (tail[place][0] or "").strip()))
        if _is_total(above(len(tail) - place), total):
            cut = len(tail) - place
            sentences["Left out the last row, which is the total of the others"] = 1
        else:
            sentence = (
                "The last row is labelled as a total but is not the sum of the others; it was kept"
            )
            sentences[sentence] = 1
    sentences[f"Rows labelled as totals among the others were kept ({totals})"] = totals
    repairs = [Repair(text=words) for words, count in sentences.items() if count]
    return _TextRows(above(cut), repairs, comments + notes)


def _notes(rows: list[tuple[str | None, ...]]) -> tuple[int, int]:
    """How many of the last rows are to be left out for notes among them, and how many notes."""
    filled = [_find_filled(row) for row in rows]
    cut = notes = 0
    if sum(len(cells) > 1 for cells in filled) > 1:
        others = [row[0] or "" for row, cells in zip(rows, filled, strict=True) if len(cells) > 1]
        digits = all(_DIGIT_FIRST.match(other.strip()) for other in others)
        for place in range(len(rows) - 1, 0, -1):
            cells = filled[place]
            if cells:
                text = (rows[place][0] or "").strip()
                apart = not filled[place - 1]
                odd = digits and not _DIGIT_FIRST.match(text)
                note = _NOTE.match(text) or apart or odd or len(text) > _LONG_NOTE
                if cells != [0] or not note:
                    break
                notes += 1
            cut += 1
    return (cut, notes) if notes else (0, 0)


def _find_filled(row: tuple[str | None, ...]) -> list[int]:
    return [place for place, cell in enumerate(row) if cell and cell.strip()]


def _total_row(rows: list[tuple[str | None, ...]]) -> int:
    """The place of a last row that is labelled as a total; 0 if there is none."""
    last = next((place for place in range(len(rows) - 1, -1, -1) if _find_filled(rows[place])), 0)
    cells = _find_filled(rows[last]) if last else []
    labelled = len(cells) > 1 and re.match(TOTAL, (rows[last][cells[0]] or "").strip())
    return last if labelled else 0


def _is_total(text: pl.LazyFrame, total: dict[str, str | None]) -> bool:
    """Whether the numbers of a last row are the sums of the columns above it."""
    reads, _ = find_forms(text)
    typed = text.with_columns(reads)
    schema = typed.collect_schema()
    row = pl.DataFrame([total], schema=dict.fromkeys(total, pl.String)).lazy().with_columns(reads)
    sums = row.collect().row(0, named=True)
    label = next(name for name, cell in total.items() if cell and cell.strip())
    amounts = {
        name: (cell or "").strip()
        for name, cell in total.items()
        if name != label and schema[name].is_numeric() and (cell or "").strip() not in NULL_WORDS
    }
    if not amounts or any(sums[name] is None for name in amounts):
        return False
    totals = typed.select(pl.col(list(amounts)).cast(pl.Float64).sum()).collect(engine="streaming")
    for name, value in totals.row(0, named=True).items():
        digits = re.search(r"[.,](\d{1,2}|\d{4,})\D*$", amounts[name])
        step = 10.0 ** -len(digits[1]) if digits else 1e-6
        if abs(value - sums[name]) > 0.51 * step + _ROUNDING * abs(value):
            return False
    return True


def read_heading(file: TableFile) -> tuple[str, ...]:
    """The names of the columns as reading the whole file would most likely give them.

    Returns:
        The names; none if the file has no header, or cannot be read.
    """
    try:
        head = file.read_head(HEAD_BYTES)
        if len(head) == HEAD_BYTES and b"\0" not in head:  # not UTF-16: whole lines
            head = head[: head.rfind(b"\n") + 1] or head
        with tempfile.TemporaryDirectory(prefix="reading-") as scratch:
            start = Path(scratch) / f"head{file.suffix}"
            start.write_bytes(head)
            plain = as_plain_text(start, Path(scratch), file.origin)
            rows = find_dialect(read_sample(plain.path), start.suffix).rows
    except (SourceError, OSError, UnicodeError):  # told where the file is read whole
        return ()
    layout = find_table(rows)
    return () if layout.header is None else tuple(tidy_headers(layout.names)[0])
