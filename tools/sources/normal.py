"""Normal form: a table as Parquet of shared types, how it is written and what is known of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, read_repairs, write_repairs
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import MADE_TEXT, share_types, type_unknown
from wideleaf.tools.sources.parts import FACTS_KEY, Facts
from wideleaf.tools.writing import explain_writes, put_in_place

if TYPE_CHECKING:
    import polars as pl

SHARED_RULES = "shared 3"
"""Changes when the same file or frame would be read differently, so that it is read again."""


class Normal(NamedTuple):
    """Parquet, a file or a folder of parts, and what is known of it."""

    path: Path
    fingerprint: str
    rows: int
    columns: int
    repairs: tuple[Repair, ...] = ()


def read_normal(target: Path, fingerprint: str) -> Normal:
    """What a normalised Parquet file says of itself."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    footer = pq.read_metadata(target)
    repairs = read_repairs((footer.metadata or {}).get(METADATA_KEY.encode(), b"[]"))
    return Normal(target.resolve(), fingerprint, footer.num_rows, footer.num_columns, repairs)


def need_content(normal: Normal, origin: str) -> Normal:
    """Refuse a table without columns; one without rows is a table.

    Raises:
        SourceError: If it has none.
    """
    if normal.columns == 0:
        raise SourceError(f"{origin!r} has no columns; a table needs at least one")
    return normal


def write_normal_form(
    frame: pl.LazyFrame,
    repairs: Sequence[Repair],
    target: Path,
    scratch: Path,
    *,
    forms: bool = True,
    blank_rows: bool = True,
    facts: Facts | None = None,
) -> int:
    """Give a table the types that all engines share and write it, whole or not at all.

    Args:
        frame: The table, in memory or in Parquet, since it may be scanned several times.
        repairs: What was changed so far.
        target: The Parquet file to write; its metadata holds the repairs.
        scratch: A folder for what is half done.
        forms: Whether text is read as the numbers or dates that all cells of a column are.
        blank_rows: Whether rows without any value are kept.
        facts: What else its metadata holds.

    Returns:
        The number of rows.
    """
    import polars as pl
    import pyarrow.parquet as pq

    told = list(repairs)
    shared, changes = share_types(frame)
    told += changes
    unknown = [n for n, dtype in frame.collect_schema().items() if dtype == pl.Null]
    query, guesses = type_unknown(shared, unknown)
    told, part = [*told, *guesses], scratch / "typed.parquet"
    schema = query.collect_schema()
    if not blank_rows and len(schema) > 1:
        blank = pl.all_horizontal(pl.all().is_null())
        if count := query.select(blank.sum()).collect(engine="streaming").item():
            query = query.filter(~blank)
            told.append(Repair(text=f"Left out rows without any value ({count})"))
    made = {c for change in changes if change.text in MADE_TEXT for c in change.columns}
    texts = [n for n, dtype in schema.items() if dtype == pl.String and n not in made]
    if forms and texts:
        reads, coercions = find_forms(query.select(texts))
        query, told = query.with_columns(reads), [*told, *coercions]
    metadata = {METADATA_KEY: write_repairs(told)}
    if facts:
        metadata[FACTS_KEY] = facts.model_dump_json(exclude_defaults=True)
    query.sink_parquet(part, compression="zstd", metadata=metadata)
    rows = int(pq.read_metadata(part).num_rows)
    put_in_place(part, target)
    return rows


@contextmanager
def scratch_folder(folder: Path) -> Iterator[Path]:
    """A folder for half-read tables within another, gone afterwards.

    Raises:
        SettingsError: If the disk is full, or takes no more for another reason.
    """
    with explain_writes(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="reading-") as scratch:
            yield Path(scratch)


def tell_reading(path: Path, progress: Callable[[str], None] | None) -> None:
    """Say which file is being read."""
    if progress:
        progress(f"reading {path.name} ({path.stat().st_size / 1e6:,.1f} MB)")
