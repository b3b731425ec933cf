"""Delimited text (CSV, TSV) into Parquet: what is messy is found, repaired or refused, and said."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, tidy_headers, write_repairs
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import type_unknown
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.text.cells import TextReading
from wideleaf.tools.sources.text.dialect import find_dialect, read_sample
from wideleaf.tools.sources.text.foot import table_rows
from wideleaf.tools.sources.text.layout import find_table
from wideleaf.tools.sources.text.plain_text import as_plain_text
from wideleaf.tools.writing import put_in_place

if TYPE_CHECKING:
    import polars as pl

HEAD_BYTES = 2**20
RULES = "delimited 5"
"""Changes when the same file would be read differently, so that it is read again."""


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


def write_delimited(parts: Sequence[TextPart], target: Path, told: Sequence[Repair] = ()) -> None:
    """Read delimited files into one Parquet file, typed by what every cell of a column allows.

    Of several files each is read by its own delimiter and encoding; columns go together by their
    names, and get the one type that their cells in all files have.

    Args:
        parts: The files.
        target: The Parquet file to write; its metadata holds the repairs.
        told: Repairs that were made before.

    Raises:
        SourceError: If one is not text, or a line has more fields than the header, or a quote
            is not closed; names the line.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="reading-") as folder:
        frames: list[pl.LazyFrame] = []
        repairs = list(told)
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
            repairs += _kept_as_text(frames, text.with_columns(reads).collect_schema())
        typed = Path(folder) / "typed.parquet"
        metadata = {METADATA_KEY: write_repairs(repairs)}
        text.with_columns(reads).sink_parquet(typed, compression="zstd", metadata=metadata)
        put_in_place(typed, target)


def _read_part(part: TextPart, scratch: Path) -> tuple[pl.LazyFrame, list[Repair]]:
    """The rows of a file as text, with the columns beside them, and what was changed."""
    import polars as pl

    plain = as_plain_text(part.path, scratch, part.origin)
    reading = TextReading(plain, part.path.suffix, scratch, part.origin)
    rows = table_rows(reading.cells())
    beside = [pl.lit(cell, pl.String).alias(name) for name, cell in part.beside.items()]
    return rows.text.with_columns(beside), [*reading.told(rows.single), *rows.repairs]


def _together(frames: list[pl.LazyFrame]) -> tuple[pl.LazyFrame, list[Repair]]:
    """One table of several by the names of columns; a column that one lacks is null there."""
    import polars as pl

    if len(frames) == 1:
        return frames[0], []
    names = [frame.collect_schema().names() for frame in frames]
    every = dict.fromkeys(name for one in names for name in one)
    gaps = tuple(name for name in every if not all(name in one for one in names))
    repairs = [Repair(text="Null where a file lacks the column", columns=gaps)] if gaps else []
    return pl.concat(frames, how="diagonal"), repairs


def _kept_as_text(frames: list[pl.LazyFrame], schema: pl.Schema) -> list[Repair]:
    """Tell of columns that are text for the sake of some files, and something else in others."""
    import polars as pl

    texts = [name for name, dtype in schema.items() if dtype == pl.String]
    typed: set[str] = set()
    for frame in frames if texts else ():
        there = frame.select(name for name in texts if name in frame.collect_schema())
        kinds = there.with_columns(find_forms(there)[0]).collect_schema()
        typed.update(name for name, dtype in kinds.items() if dtype != pl.String)
    columns = tuple(name for name in texts if name in typed)
    text = "Kept as text because only some of the files hold numbers or dates there"
    return [Repair(text=text, columns=columns)] if columns else []


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
