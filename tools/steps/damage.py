"""Damage: which table or frame of a run cannot be read through; a copy of ours is taken away."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import narwhals as nw

from wideleaf.tools.engines.engine import part_paths
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.source import Source
from wideleaf.tools.tables.table import MAX_CELLS, Table

COLUMNS_AT_ONCE = 500


def damage(catalog: Catalog, copies: Path) -> str:
    """Look through every table of a run for one that cannot be read.

    Args:
        catalog: The tables.
        copies: The folder of the copies that were made of sources; a damaged one is taken away,
            so that it is made again.

    Returns:
        What is damaged and what to do, in words; empty if every table can be read.
    """
    for source in catalog.all:
        if source.place in (
            "database",
            "spark",
        ):  # they say what is wrong, and are not all read here
            continue
        try:
            if source.place == "lake":
                source.native.need_same()
                continue
            read_through(catalog.whole(source))
        except BaseException as error:  # a panic inside an engine is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            if isinstance(error, SourceError):  # in words already
                return str(error)
            return _told(source, copies, type(error).__name__)
    return ""


def read_through(frame: nw.LazyFrame[Any]) -> None:
    """Read every cell of a query, some columns at a time; raises what its engine does."""
    table = Table(frame)
    size = min(COLUMNS_AT_ONCE, max(1, MAX_CELLS // max(table.count(), 1)))
    for start in range(0, len(table.columns), size):
        frame.select(*table.columns[start : start + size]).collect("polars")


def take_away(path: Path) -> None:
    """Delete a file, or a folder of parts, that is made again when it is needed."""
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _told(source: Source, copies: Path, error: str) -> str:
    if source.place == "parquet" and source.path.parent == copies.resolve():
        take_away(source.path)
        return (
            f"the copy that is kept of table {source.name!r} ({source.origin}) was damaged "
            f"({error}) and has been taken away; ask again, and it is made anew from its source"
        )
    if not all(part.exists() for part in part_paths(source.path)):
        return f"the file of table {source.name!r}, {str(source.path)!r}, is gone; put it back"
    return (
        f"a table's file is damaged: {source.name!r} ({source.origin}) cannot be read through "
        f"({error}); write the file again"
    )
