"""Normal form: a table as Parquet of shared types, how it is kept, and whether it is whole."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.repairs import METADATA_KEY, Repair, read_repairs, write_repairs
from wideleaf.tools.engines.engine import part_paths
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.source import FACTS_KEY, Facts, Progress
from wideleaf.tools.writing import explain_writes, put_in_place

if TYPE_CHECKING:
    import polars as pl
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

FRAMES = "frames"
"""Where materialised frames are, in a run's folder."""
TABLES = "tables"
"""Where tables are kept that were read out of files of other kinds."""
TRAILER_BYTES = 8
"""What follows the footer of a Parquet file: its length and a magic word."""
SHARED_RULES, TEXT_RULES = "shared 3", "delimited 5"
"""Each changes when the same file or frame, or text, would be read differently, to read it anew."""


class Normal(NamedTuple):
    """Parquet, a file or a folder of parts, and what is known of it."""

    path: Path
    fingerprint: str
    rows: int
    columns: int
    repairs: tuple[Repair, ...] = ()


def read_normal(target: Path, fingerprint: str) -> Normal:
    """What a normalised Parquet file says of itself."""
    import pyarrow.parquet as pq

    footer = pq.read_metadata(target)
    repairs = read_repairs((footer.metadata or {}).get(METADATA_KEY.encode(), b"[]"))
    return Normal(target.resolve(), fingerprint, footer.num_rows, footer.num_columns, repairs)


def keep_normal(
    folder: Path,
    fingerprint: str,
    origin: str,
    write: Callable[[Path, Path], object],
) -> Normal:
    """The table of a fingerprint as a folder keeps it, written first if it is not there, wholly.

    Args:
        folder: Where normalised tables are kept.
        fingerprint: Of the content and the rules it is read by.
        origin: What the source is called in messages.
        write: Writes the Parquet file that is its first argument; the second is a folder for what
            is half done.

    Raises:
        SourceError: If the table has no columns.
    """
    target = folder / f"{fingerprint}.parquet"
    if not is_whole(target):
        with scratch_folder(folder) as scratch:
            write(target, scratch)
    return need_content(read_normal(target, fingerprint), origin)


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

    from wideleaf.tools.cells.coerce import find_forms
    from wideleaf.tools.sources.common_types import MADE_TEXT, share_types, type_unknown

    log = list(repairs)
    shared, changes = share_types(frame)
    log += changes
    unknown = [n for n, dtype in frame.collect_schema().items() if dtype == pl.Null]
    query, guesses = type_unknown(shared, unknown)
    log, part = [*log, *guesses], scratch / "typed.parquet"
    schema = query.collect_schema()
    if not blank_rows and len(schema) > 1:
        blank = pl.all_horizontal(pl.all().is_null())
        if count := query.select(blank.sum()).collect(engine="streaming").item():
            query = query.filter(~blank)
            log.append(Repair(text=f"Left out rows without any value ({count})"))
    new_texts = {c for change in changes if change.text in MADE_TEXT for c in change.columns}
    texts = [n for n, dtype in schema.items() if dtype == pl.String and n not in new_texts]
    if forms and texts:
        reads, coercions = find_forms(query.select(texts))
        query, log = query.with_columns(reads), [*log, *coercions]
    metadata = {METADATA_KEY: write_repairs(log)}
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


def tell_reading(path: Path, progress: Progress) -> None:
    """Say which file is being read."""
    if progress:
        progress(f"reading {path.name} ({path.stat().st_size / 1e6:,.1f} MB)")


def read_footer(path: Path) -> pq.FileMetaData:
    """The footer, and that the pages it speaks of are there.

    Raises:
        SourceError: If it cannot be read, or a piece of the file is missing.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        footer = pq.read_metadata(path)
        footer.schema.to_arrow_schema()
    except (pa.ArrowException, OSError, UnicodeError):
        raise SourceError(
            f"{str(path)!r} is not a whole Parquet file; write it again, or name it .csv or .tsv "
            "if it is text"
        ) from None
    if _lacks_pages(path, footer):
        raise SourceError(describe_damage(path))
    return footer


def describe_damage(path: Path) -> str:
    """The words for a file that cannot be read through though its footer is there."""
    return f"{str(path)!r} is broken inside though its end is whole; copy or write it again"


def is_whole(path: Path) -> bool:
    """Whether a Parquet file, or all parts of a folder, are there with all their bytes.

    A file that was cut short, or that a power cut left empty, is not; a changed byte within a page
    shows only when it is read.
    """
    parts = part_paths(path)
    try:
        for part in parts:
            read_footer(part)
    except SourceError:
        return False
    return bool(parts)


def _lacks_pages(path: Path, footer: pq.FileMetaData) -> bool:
    """Whether a piece of the file is missing, by where its last pages should be."""
    end = path.stat().st_size - footer.serialized_size - TRAILER_BYTES
    for place in range(footer.num_row_groups if footer.num_columns else 0):
        last = footer.row_group(place).column(footer.num_columns - 1)
        start = last.dictionary_page_offset or last.data_page_offset
        if start + last.total_compressed_size > end:
            return True
    return False
