"""A whole table as one file for other programs: CSV or Parquet, on every engine the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.engines.engine import write_polars
from wideleaf.tools.tables.table import Table, is_polars
from wideleaf.tools.words import TRUE_DIGITS
from wideleaf.tools.writing import write_whole

if TYPE_CHECKING:
    import polars as pl


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
    """Write all rows and columns as CSV: floats to 15 digits, a list in a cell as JSON.

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
    kinds = rows.collect_schema().items()
    written = [
        _without_dust(pl.col(name))
        if kind == pl.Float64
        else pl.col(name).map_elements(_as_json, return_dtype=pl.String)
        for name, kind in kinds
        if kind == pl.Float64 or kind.is_nested()
    ]
    with write_whole(path) as part:
        rows.with_columns(written).sink_csv(part)


def _without_dust(cells: pl.Expr) -> pl.Expr:
    """Floats as the digits that they are true to: 0.3 of 0.1 + 0.2."""
    import polars as pl

    # Beyond, a power of ten is no exact float itself.
    return (
        pl.when(cells.abs().is_between(1e-7, 1e15))
        .then(cells.round_sig_figs(TRUE_DIGITS))
        .otherwise(cells)
    )


def _as_json(cell: Any) -> str:
    plain = cell.to_list() if hasattr(cell, "to_list") else cell
    return json.dumps(plain, ensure_ascii=False, default=str)
