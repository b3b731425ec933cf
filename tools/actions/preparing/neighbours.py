"""Neighbours: nulls filled with the mean of the nearest rows, by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MOST_PAIRS = 100_000_000
"""So many pairs of a row with a null and any other are compared at most."""


def fill_by_neighbours(
    frame: pl.DataFrame, columns: Sequence[str], beside: Sequence[str], count: int
) -> pl.DataFrame:
    """Fill nulls of columns with the mean of the nearest rows that have a cell there.

    Rows are near by all these columns, each in units of its deviation, over those that both rows
    have. Rows are put in the order of their cells first, so that of several that are equally near
    the same are taken whatever order the engine lists them in.

    Args:
        frame: The rows.
        columns: What to fill.
        beside: Further columns that tell which rows are near.
        count: How many neighbours.

    Raises:
        ActionError: If there are too many rows to compare.
    """
    import numpy as np
    import polars as pl

    names = [*columns, *beside]
    cells = frame.select(pl.col(names).cast(pl.Float64)).to_numpy()  # a null becomes NaN
    cells = np.where(np.isfinite(cells), cells, np.nan)
    wanted = np.isnan(cells[:, : len(columns)])
    pairs = int(wanted.any(axis=1).sum()) * len(frame)
    if pairs > MOST_PAIRS:
        raise ActionError(
            f"{int(wanted.any(axis=1).sum())} rows with a null would be compared with "
            f"{len(frame)} each, more than {MOST_PAIRS} pairs; take 'median', or Sample first",
            kind="too large",
        )
    filled = _filled(cells, count)[:, : len(columns)]
    made = []
    for place, name in enumerate(columns):
        own = frame[name].cast(pl.Float64).fill_nan(None)
        found = pl.Series(name, filled[:, place], dtype=pl.Float64, nan_to_null=True)
        made.append(own.zip_with(own.is_not_null(), found).alias(name))
    return frame.with_columns(made)


def _filled(cells: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """The cells with their nulls filled; a column without a cell stays empty."""
    import numpy as np
    from sklearn.impute import KNNImputer  # type: ignore[import-untyped]

    made = cells.copy()
    some = ~np.isnan(cells).all(axis=0)
    if not len(cells) or not some.any():
        return made
    order = np.lexsort(cells.T[::-1])
    known = cells[order][:, some]
    middle, spread = np.nanmean(known, axis=0), np.nanstd(known, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    found = KNNImputer(n_neighbors=count).fit_transform((known - middle) / spread)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    made[:, some] = (found * spread + middle)[back]
    return made
