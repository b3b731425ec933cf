"""A whole table as one file for other programs: CSV or Parquet, on every engine the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wideleaf.tools.engines.engine import write_polars
from wideleaf.tools.tables.table import Table, is_polars
from wideleaf.tools.writing import write_whole


def write_parquet(table: Table, path: Path) -> None:
    """Write all rows and columns as Parquet.

    Args:
        table: The table.
        path: The file.

    Raises:
        ActionError: If it is of another engine than Polars and too large for memory.
    """
    if is_polars(table.frame):
        write_polars(table.frame, path)
    else:
        table.collect(purpose="A file").write_parquet(path, compression="zstd")


def write_csv(table: Table, path: Path) -> None:
    """Write all rows and columns as CSV; a list in a cell is written as JSON.

    Args:
        table: The table.
        path: The file.

    Raises:
        ActionError: If it is of another engine than Polars and too large for memory.
    """
    import narwhals as nw
    import polars as pl

    rows: pl.LazyFrame
    if is_polars(table.frame):
        rows = nw.to_native(table.frame)
    else:
        rows = table.collect(purpose="A file").lazy()
    nested = [name for name, kind in rows.collect_schema().items() if kind.is_nested()]
    words = [pl.col(name).map_elements(_as_json, return_dtype=pl.String) for name in nested]
    with write_whole(path) as part:
        rows.with_columns(words).sink_csv(part)


def _as_json(cell: Any) -> str:
    plain = cell.to_list() if hasattr(cell, "to_list") else cell
    return json.dumps(plain, ensure_ascii=False, default=str)
