"""How the columns that statistics are made of are read: finite numbers, plain texts, groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

CELLS_AT_ONCE, COLUMNS_AT_ONCE = 8_000_000, 500
"""Columns are read in chunks of so many."""


def columns_at_once(rows: int) -> int:
    """How many columns of so many rows are read beside another one."""
    return max(1, min(COLUMNS_AT_ONCE, CELLS_AT_ONCE // max(rows, 1) - 1))


def read_cells(
    table: Table, names: Sequence[str], purpose: str, keys: Sequence[str] = ()
) -> pl.DataFrame:
    """Keys as they are, and columns behind them, those of numbers and truth values as floats.

    They are called by their places, for a header may be anything.

    Raises:
        ActionError: If they are too large to hold in memory.
    """
    selection = [nw.col(name) for name in keys]
    for name in names:
        number = table.kind(name) in ("number", "boolean")
        selection.append(number_column(table, name).cast(nw.Float64) if number else nw.col(name))
    places = (cell.alias(str(place)) for place, cell in enumerate(selection))
    return plain_cells(Table(table.frame.select(*places)).collect(purpose=purpose))


def plain_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Numbers without NaN and infinities, texts as texts."""
    import polars as pl
    from polars import selectors

    floats, texts = selectors.float(), selectors.by_dtype(pl.Categorical, pl.Enum)
    return frame.with_columns(pl.when(floats.is_finite()).then(floats), texts.cast(pl.String))


def groups_of(frame: pl.DataFrame, keys: int) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    """The rows of each group by the first columns, groups in order and a null last."""
    names = frame.columns[:keys]
    if not names:
        return iter([((), frame)])
    frame = frame.sort(names, nulls_last=True, maintain_order=True)
    return iter(frame.partition_by(names, as_dict=True, maintain_order=True).items())
