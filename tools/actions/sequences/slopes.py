"""Slopes: the line through a series, how sure it is, and what ranks say beside it."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

LEAST_POINTS = 3
"""Of fewer points a line says nothing of how sure it is."""
MOST_PAIRED = 2_000
"""Of so many points at most the median of the slopes between all pairs is taken."""
LEVEL = 0.05
_EXACT = 1e-12


class Line(NamedTuple):
    """The line through a series; None where there is none.

    Attributes:
        slope: By least squares, per unit of time.
        low: Of its interval of 95 %.
        high: Of its interval of 95 %.
        p_value: Of a slope of zero, two-sided.
        r2: The share of the variance on the line.
        robust_slope: The median of the slopes between pairs of points (Theil and Sen).
        kendall_tau: How values and times are ordered alike (tau b).
        kendall_p: Of no such order: the test of Mann and Kendall.
        durbin_watson: Of what is left beside the line: 2 where neighbours are not alike.
        direction: ``rising``, ``falling`` or ``no trend``.
    """

    slope: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    r2: float | None = None
    robust_slope: float | None = None
    kendall_tau: float | None = None
    kendall_p: float | None = None
    durbin_watson: float | None = None
    direction: str | None = None


def fit_line(times: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> Line:
    """The line of values over times, which are in order and all different."""
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]

    if len(times) < 2:
        return Line()
    if values.min() == values.max():
        ways = "no trend" if len(times) >= LEAST_POINTS else None
        return Line(slope=0.0, robust_slope=0.0, direction=ways)
    with np.errstate(over="ignore"):  # of times beyond all reason, which have no slope
        x, across = scale(times - times[0])
    y, up = scale(values)

    def told(slope: float) -> float | None:
        with np.errstate(over="ignore", under="ignore"):
            return finite(np.ldexp(slope, up - across))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of what is nearly constant
        found = stats.linregress(x, y)
        pairs = len(x) <= MOST_PAIRED
        robust = told(stats.theilslopes(y, x).slope) if pairs else None
        ranks = stats.kendalltau(x, y)
    if len(times) < LEAST_POINTS:
        return Line(slope=told(found.slope), robust_slope=robust)
    reach = stats.t.ppf(1 - LEVEL / 2, len(x) - 2) * found.stderr
    r2 = finite(found.rvalue**2)
    return Line(
        told(found.slope),
        told(found.slope - reach),
        told(found.slope + reach),
        finite(found.pvalue),
        r2,
        robust,
        finite(ranks.statistic),
        finite(ranks.pvalue),
        None if r2 is None or r2 > 1 - _EXACT else _watson(x, y, found),
        ("rising" if found.slope > 0 else "falling") if found.pvalue < LEVEL else "no trend",
    )


def finite(number: Any) -> float | None:
    """A number, or None where it is none."""
    return float(number) if math.isfinite(number) else None


def growth_of(before: float, now: float) -> float | None:
    """By what share a number grew; None of one that is not above zero."""
    return finite(now / before - 1) if before > 0 else None


def compound_growth(before: float, now: float, units: float) -> float | None:
    """The share by which a number grew each unit of time; None unless both are above zero."""
    import numpy as np

    if before <= 0 or now <= 0 or not 0 < units < math.inf:
        return None
    with np.errstate(over="ignore"):
        return finite(np.float64(now / before) ** (1 / units) - 1)


def scale(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], int]:
    """Numbers by a power of two, which is exact, so that no square runs over; and that power."""
    import numpy as np

    power = int(np.frexp(np.abs(values).max())[1])
    return np.ldexp(values, -power), power


def _watson(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], line: Any) -> float | None:
    from statsmodels.stats.stattools import durbin_watson  # type: ignore[import-untyped]

    return finite(durbin_watson(y - line.intercept - line.slope * x))
