"""Correlations that a pandas script takes along, with p-values by SciPy.

They are copied into the script by their source, so they know pandas, numpy and each other alone.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.exports.scripts.along.frames import _key, _retyped, _sort


def _correlated(
    frame: Any, column: str | None, others: list[str], method: str, by: list[str],
    limit: int | None, types: dict[str, str],
) -> Any:  # fmt: skip
    """Correlations of a column with others, or of all pairs, strongest first in each group."""
    frame = _sort(frame, by, [False] * len(by)) if by else frame
    parts = [part for _, part in frame.groupby(_key(frame, by))] if by else [frame]
    pairs = [(column, other) for other in others] if column else [*combinations(others, 2)]
    rows: list[Any] = []
    for part in parts:
        found = []
        for one, other in pairs:
            both = part[[one, other]].astype("Float64").dropna().astype("float64")
            made = _correlation(both[one].to_numpy(), both[other].to_numpy(), method)
            names = [other] if column else [one, other]
            found.append([*(part[key].iloc[0] for key in by), *names, *made, len(both)])
        found.sort(key=lambda row: -1.0 if row[-3] is pd.NA else abs(row[-3]), reverse=True)
        if limit:
            known = [row for row in found if row[-3] is not pd.NA]
            least = abs(known[:limit][-1][-3]) - 1e-12 if known else 0
            found = [row for row in known if abs(row[-3]) >= least]
        rows += found
    return _retyped(pd.DataFrame(rows, columns=list(types)), types)


def _correlation(left: Any, right: Any, method: str) -> tuple[Any, Any]:
    """A correlation and its two-sided p-value; null where it is not defined."""
    if method == "spearman":
        left, right = (pd.Series(side).rank().to_numpy() for side in (left, right))
    size, n = _pearson(left, right), len(left)
    if size is pd.NA:
        return size, size
    if method == "kendall":
        found = stats.kendalltau(left, right)
        return float(found.statistic), float(found.pvalue)
    if abs(size) == 1:
        return size, 0.0
    t = abs(size) * np.sqrt((n - 2) / ((1 - size) * (1 + size)))
    return size, float(2 * stats.t.sf(t, n - 2))


def _pearson(left: Any, right: Any) -> Any:
    """Their correlation; null where one is constant or there are under three rows."""
    sides = []
    for side in (left, right):
        if len(side) < 3 or side.min() == side.max() or not np.isfinite(side).all():
            return pd.NA
        scaled = np.ldexp(side, -int(np.frexp(np.abs(side).max())[1]) - 1)
        away = scaled - scaled.mean()
        away = away - away.mean()
        if not np.abs(away).max():
            return pd.NA
        away = away / np.abs(away).max()
        sides.append(away / np.sqrt((away * away).sum()))
    return float(np.clip((sides[0] * sides[1]).sum(), -1, 1))
