"""Seasons: the regular steps that moments stand on, and what returns with each period of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.sequences.series import DAY, SeriesGroups
from wideleaf.tools.actions.sequences.slopes import finite, scale
from wideleaf.tools.conditions.dates import MONTHS, WEEKDAYS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MAX_MISSING = 1 / 3
"""Of a regular series so many steps at most have no value."""
MAX_STEPS = 200_000
AT_EACH = 100
"""A line is smoothed at so many steps of a period and drawn straight between: Cleveland et al.,
STL (1990), section 2.5, who advise a tenth of what is smoothed over."""
SEASONS = {
    "position": int,  # in the period, from 1
    "name": str,
    "effect": float,  # how far it is above the trend, in the mean over the seasons
    "rows": int,
    "strength": float,  # the season's share of what is not trend, from 0 to 1
}
"""What is told of each position of a season, in its type."""
_YEAR, _WEEK, _MINUTE = 12, 7, 60_000_000
_UNITS = {
    _YEAR: {12: "year", 3: "quarter", 1: "month"},
    _WEEK: {7: "week", 1: "day"},
    DAY: {DAY // 24: "hour", _MINUTE: "minute", 1_000_000: "second"},
}
"""What steps are called, by what usually returns: months of a year, days of a week, clock times."""
_ROUNDING = 1e-24
"""Beside the variance of a series a smaller one is that of its last digits."""
_THURSDAY = 3
"""The weekday of 1 January 1970, from Monday = 0."""


class Grid(NamedTuple):
    """The regular steps of the moments of all groups.

    Attributes:
        places: The `step` of each moment, counted so that a period begins where it does in the
            calendar.
        unit: A step: ``month``, ``day``, ``step`` and so on.
        size: How many months, days or microseconds a step is.
        usual: How many of these usually return: a year, a week or a day; 0 of numbers.
        offset: Of these, from the start of a period to its first step.
    """

    places: pl.Series
    unit: str = "step"
    size: int = 1
    usual: int = 0
    offset: int = 0

    @property
    def period(self) -> int | None:
        """How many steps a usual season has; None where there is none."""
        fits = self.size < self.usual and self.usual % self.size == 0
        return self.usual // self.size if fits else None

    def name(self, position: int) -> str:
        """What a position of the usual season is called, from 1."""
        at = (position - 1) * self.size + self.offset
        if self.unit == "quarter":
            return f"Q{position}"
        if self.usual == DAY:
            minutes, rest = divmod(at, _MINUTE)
            seconds = f":{rest // 1_000_000:02}" if self.size % _MINUTE else ""
            return f"{minutes // 60:02}:{minutes % 60:02}{seconds}"
        return (MONTHS if self.usual == _YEAR else WEEKDAYS)[at]


class Spacing(NamedTuple):
    """How the moments of all groups are spaced.

    Attributes:
        rows: How many rows have a moment and a number.
        points: How many moments there are.
        steps: From the first to the last of each group.
        missing: Steps without a value.
        unit: What a step is.
        even: Whether most steps have a value.
        groups: Groups that have a moment.
    """

    rows: int
    points: int
    steps: int
    missing: int
    unit: str
    even: bool
    groups: int


def find_grid(points: pl.DataFrame) -> Grid | None:
    """The regular steps on which one or more moments stand; None of numbers that stand on none."""
    import polars as pl

    moments = points["time"]
    if not moments.dtype.is_temporal():
        return _grid_of_numbers(points["at"].to_numpy())
    if moments.dtype == pl.Datetime:
        moments = moments.dt.replace_time_zone(None)
    day = moments.cast(pl.Datetime("us"))
    ticks = day.dt.epoch("us")
    if (ticks % DAY).n_unique() > 1:
        usual = DAY
    elif day.dt.day().n_unique() < 2 or (day.dt.date() == day.dt.month_end().dt.date()).all():
        usual, ticks = _YEAR, day.dt.year().cast(pl.Int64) * 12 + day.dt.month() - 1
    else:
        usual, ticks = _WEEK, ticks // DAY + _THURSDAY
    size = _find_step(ticks.to_numpy())
    offset = int(ticks[0]) % size
    grid = Grid((ticks // size).alias("step"), _UNITS[usual].get(size, "step"), size, usual, offset)
    if usual == _YEAR and size % _YEAR == 0:
        return grid._replace(unit="year")
    if usual == DAY and grid.unit == "step" and grid.period and size % _MINUTE == 0:
        return grid._replace(unit="minute")
    return grid


def describe_steps(count: int, unit: str) -> str:
    """So many steps in words, with what each is."""
    each = {"step": "", "hour": " (each an hour)"}.get(unit, f" (each a {unit})")
    return f"{count} steps{each}"


def find_spacing(groups: SeriesGroups) -> Spacing:
    """How the moments of all groups are spaced."""
    import polars as pl

    points = groups.points
    rows, there = int(points["rows"].sum()), points["group"].n_unique()
    grid = find_grid(points) if len(points) else None
    if grid is None:
        return Spacing(rows, len(points), 0, 0, "", not len(points), there)
    step, numbered = pl.col("step"), points.with_columns(grid.places)
    of_group = numbered.group_by("group").agg(span=step.last() - step.first() + 1, there=pl.len())
    steps = int(of_group["span"].sum())
    missing = int((of_group["span"] - of_group["there"]).clip(0).sum())
    even = missing <= MAX_MISSING * steps
    return Spacing(rows, len(points), steps, missing, grid.unit, even, there)


def find_season(grid: Grid, points: pl.DataFrame, period: int) -> list[dict[str, Any]]:
    """What returns with each period, by decomposition (STL); nothing where that cannot be told.

    Args:
        grid: The regular steps.
        points: The moments of a group, each with its `step`.
        period: Steps; one that is not usual begins with the first step of all groups.

    Returns:
        The positions of the period that there are, with what `SEASONS` names of each.
    """
    import numpy as np
    from statsmodels.tsa.seasonal import STL  # type: ignore[import-untyped]

    places = points["step"].to_numpy()
    steps = int(places[-1] - places[0]) + 1 if len(places) else 0
    missing = steps - len(np.unique(places))
    if steps < 2 * period or steps > MAX_STEPS or missing > MAX_MISSING * steps:
        return []
    # A step that clocks have twice a year holds the mean of both.
    at, rows = places - places[0], points["rows"].to_numpy()
    values, power = scale(points["value"].to_numpy())
    sizes, sums = np.bincount(at, rows), np.bincount(at, values * rows)
    indices = np.flatnonzero(sizes)
    level = np.interp(np.arange(steps), indices, sums[indices] / sizes[indices])
    jump = max(1, period // AT_EACH)
    decomposition = STL(level, period=period, trend_jump=jump, low_pass_jump=jump).fit()
    moving = decomposition.seasonal + decomposition.resid
    strength = None if level.min() == level.max() else 0.0
    if strength is not None and moving.var() > _ROUNDING * level.var():
        strength = max(0.0, float(1 - decomposition.resid.var() / moving.var()))
    usual = period == grid.period
    first = 0 if usual else int(grid.places.min())  # type: ignore[arg-type]
    position = (indices + places[0] - first) % period + 1
    seasons = []
    for one in np.unique(position).tolist():
        here = indices[position == one]
        with np.errstate(over="ignore"):
            effect = finite(np.ldexp(decomposition.seasonal[here].mean(), power))
        seasons.append({
            "position": one, "name": grid.name(one) if usual else None, "effect": effect,
            "rows": int(sizes[here].sum()), "strength": strength,
        })  # fmt: skip
    return seasons


def _grid_of_numbers(times: np.ndarray[Any, Any]) -> Grid | None:
    """By their greatest common divisor where they are whole, else by the least step."""
    import numpy as np
    import polars as pl

    with np.errstate(over="ignore"):
        apart = np.diff(np.unique(times))
    if not len(apart):
        return Grid(pl.Series("step", [0] * len(times)))
    whole = bool((apart == np.round(apart)).all() and apart.max() < 2**53)
    size = float(np.gcd.reduce(apart.astype(np.int64))) if whole else float(apart.min())
    with np.errstate(over="ignore", invalid="ignore"):  # what is beyond all steps stands on none
        exact = (times - times.min()) / size
    if not exact.max() <= 2**53 or (abs(exact - np.round(exact)) > 1e-3).any():
        return None
    return Grid(pl.Series("step", np.round(exact).astype(np.int64)))


def _find_step(ticks: np.ndarray[Any, Any]) -> int:
    """The greatest step that all moments are whole numbers of apart."""
    import numpy as np

    return int(np.gcd.reduce(np.diff(np.unique(ticks)))) or 1
