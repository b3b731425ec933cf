"""Delimited text (CSV, TSV) into Parquet: encoding and delimiter found, then read as a stream."""

from __future__ import annotations

import codecs
import csv
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.coerce import read_forms
from wideleaf.tools.errors import SourceError
from wideleaf.tools.repair import Repair, repair_headers, write_repairs

if TYPE_CHECKING:
    import polars as pl

RULES = "delimited 1"
"""Changes when the same file would be read differently, so that it is read again."""
DELIMITERS = ",;\t|"
SAMPLE_BYTES = 4 * 2**20
SAMPLE_LINES = 200
BLOCK_BYTES = 2**20
METADATA_KEY = "wideleaf"


class Dialect(NamedTuple):
    """How a text file is written."""

    delimiter: str
    end: str
    headers: list[str]
    short: bool
    """Whether the rows have one field more than the header, as R writes row names."""


def write_delimited(path: Path, target: Path, origin: str) -> None:
    """Read a delimited file into Parquet, typed by what every cell of a column allows.

    Args:
        path: The text file.
        target: The Parquet file to write; its metadata holds the repairs.
        origin: What the file is called in messages.

    Raises:
        SourceError: If it is not text, or a line has more fields than the header.
    """
    import polars as pl

    with tempfile.TemporaryDirectory(dir=target.parent, prefix="reading-") as scratch:
        with _as_utf8(path, Path(scratch), origin) as (readable, encoding):
            sample = _sample(readable)
            if not sample.strip():
                raise SourceError(f"{origin!r} is empty; a table needs a header and a row")
            dialect = find_dialect(sample, path.suffix)
            names, repairs = repair_headers(dialect.headers)
            if encoding != "utf-8":
                repairs.insert(0, Repair(text=f"Read as {encoding} text"))
            raw = Path(scratch) / "text.parquet"
            try:
                _scan(readable, dialect, names).sink_parquet(
                    raw, compression="lz4", statistics=False
                )
            except pl.exceptions.PolarsError as error:
                raise SourceError(_complaint(error, origin, dialect, names)) from None
        text = pl.scan_parquet(raw)
        if len(names) > 1 and (empty := _empty_rows(text)):
            text = text.filter(~pl.all_horizontal(pl.all().is_null()))
            repairs.append(Repair(text=f"Left out lines without any value ({empty})"))
        typed, coercions = read_forms(text)
        metadata = {METADATA_KEY: write_repairs([*repairs, *coercions])}
        part = Path(scratch) / "typed.parquet"
        typed.sink_parquet(part, compression="zstd", metadata=metadata)
        part.replace(target)


def find_dialect(sample: str, suffix: str) -> Dialect:
    """Find the delimiter, the line end and the headers from the start of a file."""
    end = "\r" if "\r" in sample and "\n" not in sample else "\n"
    candidates = "\t" if suffix.lower() in (".tsv", ".tab") else DELIMITERS
    rows = {delimiter: _rows(sample, delimiter) for delimiter in candidates}
    best = max(candidates, key=lambda delimiter: _evenness(rows[delimiter]))
    headers, *lines = rows[best] or [[sample.splitlines()[0]]]
    short = bool(lines) and all(len(line) == len(headers) + 1 for line in lines)
    return Dialect(best, end, ["", *headers] if short else headers, short)


def _rows(sample: str, delimiter: str) -> list[list[str]]:
    lines = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        return list(islice((row for row in lines if row), SAMPLE_LINES))
    except csv.Error:  # a field longer than csv allows: not this delimiter
        return []


def _evenness(rows: list[list[str]]) -> tuple[bool, float, int]:
    """Order delimiters: they cut at all, as evenly as may be, into as many fields as may be."""
    if not rows:
        return False, 0.0, 0
    width = len(rows[0])
    lines = rows[1:] or rows
    even = sum(len(row) in (width, width + 1) for row in lines) / len(lines)
    return width > 1 and even > 0.5, round(even, 1), width


def _scan(path: Path, dialect: Dialect, names: list[str]) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_csv(
        path,
        separator=dialect.delimiter,
        eol_char=dialect.end,
        has_header=not dialect.short,
        skip_rows=int(dialect.short),
        infer_schema=False,
        with_column_names=lambda _: names,
    )


def _sample(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        whole = not file.read(1)
    text = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    if whole:
        return text
    return text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text


def _empty_rows(text: pl.LazyFrame) -> int:
    import polars as pl

    empty = pl.all_horizontal(pl.all().is_null()).sum()
    return int(text.select(empty).collect(engine="streaming").item())


def _complaint(error: Exception, origin: str, dialect: Dialect, names: list[str]) -> str:
    # The engine's own message may quote cells.
    if "more fields" in str(error):
        return (
            f"{origin}: a line has more fields than the {len(names)} headers (delimiter "
            f"{dialect.delimiter!r}); quote the fields that hold a delimiter"
        )
    return (
        f"{origin}: not readable as text with delimiter {dialect.delimiter!r}; look for a quote "
        "that is opened and never closed"
    )


@contextmanager
def _as_utf8(path: Path, scratch: Path, origin: str) -> Iterator[tuple[Path, str]]:
    """The file itself if it is UTF-8, else a copy that is; gone afterwards."""
    encoding = find_encoding(path, origin)
    if encoding == "utf-8":
        yield path, encoding
        return
    copy = scratch / "utf8.txt"
    with (
        path.open(encoding=encoding, newline="") as source,
        copy.open("w", encoding="utf-8", newline="") as target,
    ):
        while block := source.read(BLOCK_BYTES):
            target.write(block)
    yield copy, encoding
    copy.unlink()


def find_encoding(path: Path, origin: str) -> str:
    """UTF-8 if the whole file is, else UTF-16 by its mark, else Windows' or ISO's Latin-1.

    Raises:
        SourceError: If the file is not text.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in head:
        raise SourceError(f"{origin}: not a text file; a CSV or TSV file would be text")
    return next(name for name in ("utf-8", "cp1252", "latin-1") if _decodes(path, name))


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            while block := file.read(BLOCK_BYTES):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
