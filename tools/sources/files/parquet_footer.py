"""The footer of a Parquet file: what it says of the file, and whether all its bytes are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.engines.engine import part_paths
from wideleaf.tools.errors import SourceError

if TYPE_CHECKING:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

TRAILER_BYTES = 8
"""What follows the footer: its length and a magic word."""


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
