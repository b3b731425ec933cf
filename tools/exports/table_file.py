"""A whole table as one file for other programs: CSV or Parquet, on every engine the same."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.engines.engine import write_polars
from wideleaf.tools.tables.table import Table, is_polars
from wideleaf.tools.words import TRUE_DIGITS
from wideleaf.tools.writing import write_whole

if TYPE_CHECKING:
    import polars as pl

_FORMULA = re.compile(r"^(?:[=+\-@\t\r]|\s+[=+\-@])")
_FIGURES = re.compile(r"^[+-]?[0-9 .,()/-]*%?$")


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

    texts = (pl.String, pl.Categorical, pl.Enum)
    rows: pl.LazyFrame
    if is_polars(table.frame):
        rows = nw.to_native(table.frame)
    else:
        rows = table.collect(purpose="A file").lazy()
    schema = rows.collect_schema()
    expressions = [
        _without_dust(pl.col(name))
        if kind == pl.Float64
        else _no_formulas(pl.col(name).cast(pl.String))
        if kind in texts
        else pl.col(name).map_elements(_as_json, return_dtype=pl.String)
        for name, kind in schema.items()
        if kind in (pl.Float64, *texts) or kind.is_nested()
    ]
    with write_whole(path) as part:
        rows.with_columns(expressions).rename(_headers([*schema])).sink_csv(part)


def no_formula(text: str) -> str:
    """Text for a cell of a CSV file that no spreadsheet runs: an apostrophe before a formula.

    Numbers, telephone numbers and a sign alone stay as they are.
    """
    return f"'{text}" if _FORMULA.match(text) and not _FIGURES.match(text) else text


def _headers(names: Sequence[str]) -> dict[str, str]:
    """What headers are called in the file; no two of them alike."""
    headers: dict[str, str] = {}
    for name in names:
        header = no_formula(name)
        while header != name and (header in names or header in headers.values()):
            header = f"'{header}"
        headers[name] = header
    return {name: header for name, header in headers.items() if header != name}


def _no_formulas(cells: pl.Expr) -> pl.Expr:
    """`no_formula` of many cells."""
    import polars as pl

    runs = cells.str.contains(_FORMULA.pattern) & ~cells.str.contains(_FIGURES.pattern)
    return pl.when(runs).then(cells.str.replace("^", "'")).otherwise(cells)


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
