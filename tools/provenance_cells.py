"""Cells of two runs of one query, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import polars as pl

NEAR = 1e-9
"""Two runs of one query may add up numbers in another order."""


def same_cells(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether two rows are equal in the columns of the first, but for the last digits."""
    mine, theirs = one.row(0), other.select(one.columns).row(0)
    return all(map(alike, mine, theirs))


def alike(one: object, other: object) -> bool:
    """Whether two cells are equal, but for the last digits of a number."""
    if isinstance(one, float) or isinstance(other, float):
        if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
            return one == other
        first, second = float(cast(Any, one)), float(cast(Any, other))
        if first == second or (first != first and second != second):
            return True
        return abs(first - second) <= NEAR * max(1.0, abs(first), abs(second))
    return bool(one == other)
