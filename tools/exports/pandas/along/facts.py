"""Facts: cells that compare with those of a frame, and times from a start to an end.

Functions that a script takes along as text, so they import nothing of the house.
"""

from __future__ import annotations

from typing import Any

import pandas as pd


def _compares(cells: Any, sign: str, values: Any) -> Any:
    """Whether a cell compares with any of the values; a null never does."""
    known = values.dropna()
    if sign in ("=", "!="):
        return cells.notna() & (cells.isin(known) == (sign == "="))
    if known.empty:
        return pd.Series(False, index=cells.index)
    bound = known.min() if sign[0] == ">" else known.max()
    test = {"<": cells.lt, "<=": cells.le, ">": cells.gt, ">=": cells.ge}[sign](bound)
    return test.fillna(False).astype(bool)


def _whole(cells: Any) -> Any:
    """Whole numbers; null where a number is none."""
    return cells.where((cells % 1 == 0).fillna(False)).astype("Int64")


def _in_time(start: Any, end: Any, sign: str, periods: Any) -> Any:
    """Whether a time from start to end compares with any of the periods; a null has no bound."""
    hits = pd.Series(False, index=start.index)
    for first, last in periods:
        before = start.lt(first) if sign == "<" else start.le(last)
        behind = end.gt(last) if sign == ">" else end.ge(first)
        hit = pd.Series(True, index=start.index)
        if sign[0] != ">":
            hit &= start.isna() | before.fillna(False).astype(bool)
        if sign[0] != "<":
            hit &= end.isna() | behind.fillna(False).astype(bool)
        hits |= hit
    return (start.notna() | end.notna()) & (~hits if sign == "!=" else hits)


def _bounds(values: Any, sign: str) -> Any:
    """Values as periods of one moment each; of an order the one that decides."""
    known = values.dropna().drop_duplicates()
    if sign in ("=", "!=") or known.empty:
        return [(one, one) for one in known]
    bound = known.min() if sign[0] == ">" else known.max()
    return [(bound, bound)]


def _years(start: Any, end: Any, name: str) -> Any:
    """Every year from each start to its end, once; of an open time the end that is known."""
    first, last = start.fillna(end), end.fillna(start)
    known = first.notna()
    spans = zip(first[known], last[known], strict=True)
    years = {year for one, other in spans for year in range(int(one), int(other) + 1)}
    return pd.DataFrame({name: pd.array(sorted(years), dtype="Int64")})
