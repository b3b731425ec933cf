"""The correlation of two columns of numbers, with its p-value, as a script takes it along."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import special, stats  # type: ignore[import-untyped]

LEAST_ROWS = 3
"""Of fewer rows no correlation says anything."""


def correlate_pair(left: Any, right: Any, method: str) -> tuple[float, float, int]:
    """A correlation, its two-sided p-value and the rows that have both cells.

    Args:
        left: Numbers, NaN where there is none.
        right: The same of another column.
        method: ``pearson``, ``spearman`` or ``kendall``.
    """
    both = ~(np.isnan(left) | np.isnan(right))
    left, right = left[both], right[both]
    if method == "spearman":
        left, right = stats.rankdata(left), stats.rankdata(right)
    sides = [direction_of(left), direction_of(right)]
    if sides[0] is None or sides[1] is None:
        return np.nan, np.nan, len(left)
    if method == "kendall":  # tau-b, which allows for ties
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return *stats.kendalltau(left, right), len(left)
    # Not by @, which would set threads to work on each short column.
    size = np.clip(np.einsum("i,i", *sides), -1, 1)
    return size, two_sided(size, len(left)), len(left)


def direction_of(side: Any) -> Any:
    """Deviations from the mean, of length 1; None of a constant, or of what is not finite."""
    if len(side) < LEAST_ROWS or side.min() == side.max() or not np.isfinite(side).all():
        return None
    # Scaled by a power of two, which is exact, so that no difference or square runs over.
    scaled = np.ldexp(side, -int(np.frexp(np.abs(side).max())[1]) - 1)
    deviation = scaled - scaled.mean()
    deviation = deviation - deviation.mean()  # what the first mean was rounded by
    size = np.abs(deviation).max()
    if size == 0:
        return None
    deviation = deviation / size
    return deviation / np.sqrt(np.einsum("i,i", deviation, deviation))


def two_sided(size: Any, rows: int) -> Any:
    """The p-value of correlations of numbers or ranks, by Student's t; NaN of NaN."""
    with np.errstate(all="ignore"):
        t = np.abs(size) * np.sqrt((rows - 2.0) / ((1 - size) * (1 + size)))
        return np.clip(2 * special.stdtr(rows - 2.0, -t), 0, 1)
