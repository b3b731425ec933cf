"""The engines that hold data: reading, writing, collecting; operators are written in narwhals."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import narwhals as nw


class Engine(Protocol):
    """What the store needs of an engine."""

    name: str

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file as a query; reads its footer only. NaN counts as null."""

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a Parquet file, whole or not at all."""


class PolarsEngine:
    """Polars' lazy frames, the embedded default."""

    name = "polars"

    def scan(self, path: Path) -> nw.LazyFrame[Any]:
        """Open a Parquet file as a query."""
        import polars as pl
        import polars.selectors as cs

        # One meaning on every engine: a NaN is a null (ENGINE contract, docs/semantics).
        return nw.from_native(pl.scan_parquet(path).with_columns(cs.float().fill_nan(None)))

    def write(self, frame: nw.LazyFrame[Any], path: Path) -> None:
        """Run a query into a Parquet file by way of a temporary name."""
        part = path.with_suffix(f".{id(frame):x}.part")
        nw.to_native(frame).collect().write_parquet(part, compression="zstd", statistics=True)
        part.replace(path)


ENGINES: tuple[Engine, ...] = (PolarsEngine(),)
