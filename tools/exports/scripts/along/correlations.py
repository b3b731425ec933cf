"""Correlations of the columns of a pandas frame, in each group of rows, for a pandas script."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.actions.inference.correlations import correlate_pair
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
        cells = {name: part[name].to_numpy(dtype=float, na_value=np.nan)
                 for name in dict.fromkeys([*others, *([column] if column else [])])}  # fmt: skip
        found = []
        for one, other in pairs:
            size, p_value, count = correlate_pair(cells[one], cells[other], method)
            names = [other] if column else [one, other]
            found.append([*(part[key].iloc[0] for key in by), *names, size, p_value, count])
        found.sort(key=lambda row: -1.0 if np.isnan(row[-3]) else abs(row[-3]), reverse=True)
        if limit:
            known = [row for row in found if not np.isnan(row[-3])]
            least = abs(known[:limit][-1][-3]) - 1e-12 if known else 0
            found = [row for row in known if abs(row[-3]) >= least]
        rows += found
    return _retyped(pd.DataFrame(rows, columns=list(types)), types)
