"""Slopes: what is told of one series, above all the line through it and how sure that is."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MIN_POINTS = 3
"""Of fewer points a line says nothing of how sure it is."""
MAX_PAIRED = 2_000
"""Of so many points at most the median of the slopes between all pairs is taken."""
LEVEL = 0.05
YEAR = 365.2425
"""Days of a year of the calendar, in the mean."""
_EXACT = 1e-12
SUMMARY: Mapping[str, type | None] = {
    "rows": int,
    "points": int,
    "first": None,  # of the type of moments, as is the last
    "last": None,
    "first_value": float,
    "last_value": float,
    "change": float,
    "growth": float,  # the share by which it grew from the first to the last
    "compound_growth": float,  # the share each unit of time
    "per": str,  # the unit of time
    "slope": float,  # by least squares, per unit of time
    "low": float,  # of its interval of 95 %
    "high": float,
    "p_value": float,  # of a slope of zero, two-sided
    "r2": float,  # the share of the variance on the line
    "robust_slope": float,  # the median of those between pairs of points (Theil and Sen)
    "kendall_tau": float,  # how values and times are ordered alike (tau b)
    "kendall_p": float,  # of no such order: the test of Mann and Kendall
    "durbin_watson": float,  # of what is beside the line: 2 where neighbours are not alike
    "direction": str,  # rising, falling or no trend
}
"""What is told of a series, each in its type."""


def find_unit(points: pl.DataFrame, time: str) -> tuple[str, float]:
    """The unit of slopes and its days: 1 of a column of numbers, else what suits the span."""
    import polars as pl

    if not points["time"].dtype.is_temporal():
        return time, 1.0
    span = points.select(pl.col("at").max() - pl.col("at").min()).item() or 0.0
    if span >= 2 * YEAR:
        return "year", YEAR
    days = span >= 2 or points["time"].dtype == pl.Date
    return ("day", 1.0) if days else ("hour", 1 / 24)


def describe_series(points: pl.DataFrame, unit: tuple[str, float]) -> dict[str, Any]:
    """What is told of the points of one group, as `SUMMARY` names it; the rest is left out."""
    import numpy as np

    per, days = unit
    summary = {"rows": int(points["rows"].sum()), "points": len(points), "per": per}
    if not len(points):
        return summary
    times, values = points["at"].to_numpy() / days, points["value"].to_numpy()
    first, last = float(values[0]), float(values[-1])
    span = float(times[-1]) - float(times[0])
    summary |= {"first": points["time"][0], "last": points["time"][-1]}
    summary |= {"first_value": first, "last_value": last, "change": finite(last - first)}
    if first > 0 and len(points) > 1:
        summary["growth"] = finite(last / first - 1)
        if last > 0 and 0 < span < math.inf:
            with np.errstate(over="ignore"):
                summary["compound_growth"] = finite(np.float64(last / first) ** (1 / span) - 1)
    return summary | fit_line(times, values)


def fit_line(times: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The line of values over times, which are in order and all different."""
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]
    from statsmodels.stats.stattools import durbin_watson  # type: ignore[import-untyped]

    few = len(times) < MIN_POINTS
    if len(times) < 2:
        return {}
    if values.min() == values.max():
        return {"slope": 0.0, "robust_slope": 0.0, "direction": None if few else "no trend"}
    with np.errstate(over="ignore"):  # of times beyond all reason, which have no slope
        x, across = scale(times - times[0])
    y, up = scale(values)

    def in_units(slope: float) -> float | None:
        with np.errstate(over="ignore", under="ignore"):
            return finite(np.ldexp(slope, up - across))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of what is nearly constant
        line, ranks = stats.linregress(x, y), stats.kendalltau(x, y)
        robust = stats.theilslopes(y, x).slope if len(x) <= MAX_PAIRED else math.nan
    slopes = {"slope": in_units(line.slope), "robust_slope": in_units(robust)}
    if few:
        return slopes
    reach = stats.t.ppf(1 - LEVEL / 2, len(x) - 2) * line.stderr
    r2, sure = finite(line.rvalue**2), line.pvalue < LEVEL
    loose = r2 is not None and r2 <= 1 - _EXACT
    return slopes | {
        "low": in_units(line.slope - reach),
        "high": in_units(line.slope + reach),
        "p_value": finite(line.pvalue),
        "r2": r2,
        "kendall_tau": finite(ranks.statistic),
        "kendall_p": finite(ranks.pvalue),
        "durbin_watson": finite(durbin_watson(y - line.intercept - line.slope * x))
        if loose
        else None,
        "direction": ("rising" if line.slope > 0 else "falling") if sure else "no trend",
    }


def finite(number: Any) -> float | None:
    """A number, or None where it is none."""
    return float(number) if math.isfinite(number) else None


def scale(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], int]:
    """Numbers by a power of two, which is exact, so that no square runs over; and that power."""
    import numpy as np

    power = int(np.frexp(np.abs(values).max())[1])
    return np.ldexp(values, -power), power
