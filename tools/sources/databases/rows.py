"""Rows of a database into Parquet: fetched in batches, then typed as a stream."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, write_repairs
from wideleaf.tools.sources import normal
from wideleaf.tools.sources.databases.columns import (
    FLOAT_DIGITS,
    IN_UTC,
    KEPT_TEXT,
    NO_DATES,
    ROUNDED,
    CellKind,
    Field,
    Note,
    gather,
)
from wideleaf.tools.sources.fingerprint import derive_fingerprint, frame_fingerprint
from wideleaf.tools.sources.normal import Normal, is_whole
from wideleaf.tools.sources.source import FACTS_KEY, Facts, Progress, read_facts
from wideleaf.tools.writing import put_in_place

if TYPE_CHECKING:
    import polars as pl

ARROW = {"integer": "int64", "flag": "int64", "number": "float64", "boolean": "bool"}
"""What is fetched of each kind; the others are text."""
FIRST_ROWS = 1_000
MAX_ROWS = 50_000
BATCH_BYTES = 32 * 2**20
TOLD_EVERY = 2.0


def write_batches(
    fetch: Callable[[int], Sequence[Sequence[Any]]],
    fields: Sequence[Field],
    raw: Path,
    tell: Callable[[int], None],
) -> str:
    """Fetch rows until there are no more, a batch in memory at a time.

    Args:
        fetch: Gives up to so many next rows.
        fields: The columns of the rows.
        raw: The Parquet file to write.
        tell: Told how many rows there are so far.

    Returns:
        A fingerprint of the content.
    """
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    types = [pa.type_for_alias(ARROW.get(field.kind, "string")) for field in fields]
    schema = pa.schema([pa.field(f.name, t) for f, t in zip(fields, types, strict=True)])
    kinds = " ".join(field.kind for field in fields)
    fingerprint = derive_fingerprint(frame_fingerprint(schema.empty_table()), kinds)
    count, size = 0, FIRST_ROWS
    with pq.ParquetWriter(raw, schema, compression="lz4") as writer:
        while rows := fetch(size):
            cells = zip(*rows, strict=True)
            arrays = [pa.array(c, type=t) for c, t in zip(cells, types, strict=True)]
            batch = pa.table(arrays, schema=schema)
            writer.write_table(batch)
            fingerprint = derive_fingerprint(fingerprint, frame_fingerprint(batch))
            count += len(rows)
            tell(count)
            size = max(1, min(MAX_ROWS, BATCH_BYTES * len(rows) // max(batch.nbytes, 1)))
    return fingerprint


def teller(progress: Progress, what: str) -> Callable[[int], None]:
    """Tells a number of rows, not more often than one can read."""
    last = time.monotonic()

    def tell(rows: int) -> None:
        nonlocal last
        if progress and time.monotonic() - last > TOLD_EVERY:
            last = time.monotonic()
            progress(f"{what}: {rows:,} rows so far")

    return tell


def convert_types(
    raw: Path, fields: Sequence[Field], folder: Path, repairs: Sequence[Repair], facts: Facts
) -> Normal:
    """Give a raw file's columns their types and write what is known of them beside them.

    Args:
        raw: As `write_batches` makes it; other writers may give a column its type themselves.
        fields: Its columns.
        folder: Where the Parquet file is written; one of the same facts there is as good.
        repairs: What was changed so far.
        facts: What the database says.
    """
    import polars as pl
    import polars.selectors as cs

    from wideleaf.tools.cells.coerce import find_forms

    if before := find_typed(folder, facts):
        return before
    query = pl.scan_parquet(raw)
    counts = query.select(_counts(fields)).collect(engine="streaming").to_dicts()[0]
    reads, notes = _reads(fields, counts)
    guessed = [field.name for field in fields if field.kind in ("dates", "forms")]
    if guessed:
        forms, coercions = find_forms(query.select(guessed))
        types = query.select(forms).collect_schema() if forms else {}
        only_dates = {field.name for field in fields if field.kind == "dates"}
        names = {n for n, dtype in types.items() if n not in only_dates or dtype.is_temporal()}
        left_alone = only_dates - names  # a column declared as text stays text
        reads += [form for form in forms if form.meta.output_name() in names]
        notes += [repair for one in coercions if (repair := _apart(one, left_alone))]
    typed = query.with_columns(reads).with_columns(cs.float().fill_nan(None))
    part = raw.with_name("typed.parquet")
    metadata = {
        METADATA_KEY: write_repairs([*repairs, *notes]),
        FACTS_KEY: facts.model_dump_json(exclude_defaults=True),
    }
    typed.sink_parquet(part, compression="zstd", metadata=metadata)
    put_in_place(part, target := _target(folder, facts))
    return normal.read_normal(target, facts.fingerprint)


def find_typed(folder: Path, facts: Facts) -> Normal | None:
    """The table if it was read before, with what was written beside it."""
    target = _target(folder, facts)
    return normal.read_normal(target, read_facts(target).fingerprint) if is_whole(target) else None


def _target(folder: Path, facts: Facts) -> Path:
    return folder / f"{derive_fingerprint(facts.fingerprint, facts.model_dump_json())}.parquet"


def _apart(repair: Repair, names: set[str]) -> Repair | None:
    """A repair without some of its columns; None if it has no others."""
    columns = tuple(name for name in repair.columns if name not in names)
    return repair.model_copy(update={"columns": columns}) if columns else None


def _counts(fields: Sequence[Field]) -> list[pl.Expr]:
    """What must be known of all cells of a column before its type is."""
    import polars as pl

    counts = [pl.len().alias("rows")]
    for place, (name, kind) in enumerate(fields):
        cell = pl.col(name)
        misfits: dict[str, pl.Expr] = {}
        if kind == "flag":
            misfits["bad"] = ~cell.is_in([0, 1])
        elif kind in ("whole", "decimal"):
            misfits["bad"] = cell.is_not_null() & cell.cast(pl.Int64, strict=False).is_null()
            misfits["long"] = _digits(cell) > FLOAT_DIGITS
        elif kind in ("date", "time", "zoned"):
            misfits["bad"] = cell.is_not_null() & _moment(cell, kind).is_null()
        counts += [value.sum().alias(f"{word} {place}") for word, value in misfits.items()]
    return counts


def _reads(fields: Sequence[Field], counts: dict[str, int]) -> tuple[list[pl.Expr], list[Repair]]:
    import polars as pl

    reads: list[pl.Expr] = []
    notes: list[tuple[str, Note]] = []
    for place, (name, kind) in enumerate(fields):
        cell, bad = pl.col(name), counts.get(f"bad {place}", 0)
        if kind == "flag" and not bad:
            reads.append(cell.cast(pl.Boolean))
        elif kind in ("whole", "decimal"):
            long = counts[f"long {place}"]
            if not bad and (kind == "whole" or long):
                reads.append(cell.cast(pl.Int64))
            elif kind == "decimal":
                reads.append(cell.cast(pl.Float64, strict=False))
                if long:
                    notes.append((name, ROUNDED))
            else:
                notes.append((name, KEPT_TEXT))
        elif kind in ("date", "time", "zoned"):
            reads.append(_moment(cell, kind))
            if bad:
                notes.append((name, NO_DATES))
    notes += [(field.name, IN_UTC) for field in fields if field.kind == "zoned"]
    return reads, gather(notes)


def _moment(cell: pl.Expr, kind: CellKind) -> pl.Expr:
    if kind == "date":
        return cell.str.to_date("%Y-%m-%d", strict=False)
    text = cell.str.strip_suffix("+00") if kind == "zoned" else cell
    return text.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", strict=False, time_unit="us")


def _digits(cell: pl.Expr) -> pl.Expr:
    """How many digits of a decimal number count: without zeros at either end."""
    import polars as pl

    point = cell.str.contains(".", literal=True)
    digits = cell.str.replace_all(r"[^0-9]", "").str.strip_chars_start("0")
    return pl.when(point).then(digits.str.strip_chars_end("0")).otherwise(digits).str.len_chars()
