"""The engines that hold data: reading, writing, collecting; operators are written in narwhals."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal, Protocol

import narwhals as nw

from wideleaf.tools.writing import write_whole

MANY_COLUMNS = 1_000
"""A wider table's cells are looked at when they are read, and its filters come after that."""


def part_paths(path: Path) -> list[Path]:
    """The files of a path in the order of their names; the path itself if it is no more than one.

    Args:
        path: A file, a folder of parts, or a pattern such as ``folder/sales_*.parquet``, whose
            signs count only where no file has that very name.
    """
    if path.is_dir():
        return sorted(path.glob("*.parquet"))
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    return sorted(map(Path, glob.glob(str(path)))) or [path]


EngineName = Literal["polars", "duckdb", "spark"]
EngineSetting = Literal["auto", "polars", "duckdb", "spark", "database"]
"""Who computes: where the data is, an engine over copies, or the servers that hold the tables."""


class Engine(Protocol):
    """What the catalog and the store need of an engine.

    Whatever it opens has NaN as null and one form of each kind (no enums, no unsigned 64-bit
    integers where the engine lacks them), so that operators mean the same on all of them.
    """

    name: EngineName

    def allow(self, files: Iterable[Path] = (), folders: Iterable[Path] = ()) -> None:
        """Say what queries may read, and in which folders they may write, before the first."""

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file, or the parts that `part_paths` finds; reads footers only."""

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a native query of this engine, such as a table of its database."""

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query, of this engine or of Polars, into Parquet, whole or not at all."""

    def turn(self) -> AbstractContextManager[Any]:
        """Held while queries run, for engines whose queries must not run side by side."""


class PolarsEngine:
    """Polars' lazy frames, the embedded default."""

    name: EngineName = "polars"

    def allow(self, files: Iterable[Path] = (), folders: Iterable[Path] = ()) -> None:
        """Nothing to do: Polars is handed paths, never a text that could name one."""

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file, or parts, as a query."""
        import polars as pl

        return self.open(pl.scan_parquet(part_paths(path), glob=False))

    def open(self, native: Any) -> nw.LazyFrame[Any]:
        """Take over a lazy frame."""
        # One meaning on every engine: a NaN is a null (docs/explanation/semantics.md).
        few = len(native.collect_schema()) <= MANY_COLUMNS
        frame: nw.LazyFrame[Any] = nw.from_native(
            _without_nan(native)
            if few
            # Of thousands of columns Polars plans each in each query, whichever are asked for.
            else native.map_batches(
                _without_nan, projection_pushdown=True, slice_pushdown=True, streamable=True
            )
        )
        return frame

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a Parquet file by way of a temporary name."""
        write_polars(frame, path)

    def turn(self) -> AbstractContextManager[Any]:
        """Polars' queries may run side by side."""
        return nullcontext()


def _without_nan(frame: Any) -> Any:
    """A frame of Polars, in memory or not, with a null where it has a NaN."""
    import polars.selectors as cs

    return frame.with_columns(cs.float().fill_nan(None))


def write_polars(frame: nw.LazyFrame[Any], path: Path) -> None:
    """Run a query into one Parquet file of this machine by way of memory, whole or not at all."""
    with write_whole(path) as part:
        nw.to_native(frame.collect("polars")).write_parquet(
            part, compression="zstd", statistics=True
        )
