"""Measures of shape and certainty that a pandas script takes along.

They are copied into the script by their source, so they know pandas, numpy and each other alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.exports.pandas.along.cells import _apply, _finite


def _shape(cells: Any, key: Any, power: int, population: bool) -> Any:
    """Skewness (power 3) or excess kurtosis (4) of each group, of a sample by default adjusted."""
    cells = cells.astype("Float64")
    away = cells - cells.groupby(key).transform("mean")
    away = away - away.groupby(key).transform("mean")  # what the first mean was rounded by
    away = away / away.abs().groupby(key).transform("max").replace(0.0, pd.NA)
    groups, n = cells.groupby(key), cells.groupby(key).count().astype("Float64")
    second = (away**2).groupby(key).mean()
    made = (away**power).groupby(key).mean() / second ** (power / 2) - (3 if power == 4 else 0)
    least = 1 if population else power - 1
    n = n.where(n > least)
    if power == 3 and not population:
        made = made * (n * (n - 1)) ** 0.5 / (n - 2)
    if power == 4 and not population:
        made = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * made + 6)
    return _finite(made.where(n.notna() & (groups.min() < groups.max())))


def _confidence(cells: Any, key: Any, q: float) -> Any:
    """An end of the interval of each group's mean, by Student's t."""
    groups = cells.astype("Float64").groupby(key)
    count = groups.count()
    t = pd.Series(stats.t.ppf(q, count.clip(lower=2) - 1), count.index)
    return groups.mean() + t * groups.sem()


def _mad(cells: Any, key: Any) -> Any:
    """The median distance from the median of each group."""
    cells = cells.astype("Float64")
    away = (cells - cells.groupby(key).transform("median")).abs()
    return away.groupby(key).median()


def _geometric_mean(cells: Any, key: Any) -> Any:
    """Of cells above zero; with a zero among them zero, with a negative one null."""
    logs = _apply(cells.where(cells > 0), np.log)
    low = cells.astype("Float64").groupby(key).min()
    made = _apply(logs.groupby(key).mean(), np.exp)
    return _finite(made.where(low > 0, low.where(low == 0)))
