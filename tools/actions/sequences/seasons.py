"""Seasons: the regular steps that moments stand on, and what returns with each period of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.sequences.series import DAY, SeriesGroups, TimeSeries, as_numbers
from wideleaf.tools.actions.sequences.slopes import finite
from wideleaf.tools.conditions.dates import MONTHS, WEEKDAYS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MOST_MISSING = 1 / 3
"""Of a regular series so many steps at most have no value."""
MOST_STEPS = 200_000
_MONTH_UNITS = {12: "year", 3: "quarter", 1: "month"}
_DAY_UNITS = {7: "week", 1: "day"}
_CLOCK_UNITS = {DAY // 24: "hour", 60_000_000: "minute", 1_000_000: "second"}
_ROUNDING = 1e-24
"""Beside the variance of a series a smaller one is that of its last digits."""
_THURSDAY = 3
"""The weekday of 1 January 1970, from Monday = 0."""


class Grid(NamedTuple):
    """The regular steps of the moments of all groups.

    Attributes:
        unit: A step: ``month``, ``day``, ``step`` and so on.
        size: How many months, days or microseconds a step is; 0 of numbers.
        places: The step of each moment, counted so that a period begins where it does in the
            calendar.
        period: How many steps a usual season has; None where there is none.
        offset: Months or microseconds from the start of a period to its first step.
    """

    unit: str
    size: int
    places: np.ndarray[Any, Any]
    period: int | None = None
    offset: int = 0

    def name(self, position: int) -> str | None:
        """What a position of the usual season is called, from 1."""
        at = (position - 1) * self.size + self.offset
        if self.unit in ("month", "day"):
            return (MONTHS if self.unit == "month" else WEEKDAYS)[position - 1]
        if self.unit == "quarter":
            return f"Q{position}"
        if self.unit in _CLOCK_UNITS.values():
            return f"{at // (DAY // 24):02}:{at % (DAY // 24) // 60_000_000:02}"
        return MONTHS[at] if self.period and at < len(MONTHS) else None


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


class Season(NamedTuple):
    """What returns in one group.

    Attributes:
        positions: Of the period, from 1, those that there are.
        effects: By how much each is above the trend.
        rows: How many rows each is of.
        strength: The season's share of what is not trend, from 0 to 1.
        filled: How many steps had no value.
        steps: How many there are.
    """

    positions: list[int]
    effects: list[float | None]
    rows: list[int]
    strength: float | None
    filled: int
    steps: int


def find_grid(groups: SeriesGroups) -> Grid | None:
    """The regular steps on which all moments stand; None of numbers that stand on none."""
    import polars as pl

    moments = groups.points["time"]
    if moments.dtype == pl.Datetime:
        moments = moments.dt.replace_time_zone(None)
    if not moments.dtype.is_temporal():
        return _of_numbers(as_numbers(moments))
    day = moments.cast(pl.Datetime("us"))
    clock = (day.dt.epoch("us") % DAY).to_numpy()
    if len(clock) and clock.min() != clock.max():
        return _of_clock(day)
    number = day.dt.day()
    if number.n_unique() < 2 or (day.dt.date() == day.dt.month_end().dt.date()).all():
        return _of_months(day)
    days = (day.dt.epoch("us") // DAY).to_numpy()
    size = _step(days)
    places = (days + _THURSDAY) // size
    return Grid(_DAY_UNITS.get(size, "step"), size, places, 7 if size == 1 else None)


def describe_steps(count: int, unit: str) -> str:
    """So many steps in words, with what each is."""
    each = {"step": "", "hour": " (each an hour)"}.get(unit, f" (each a {unit})")
    return f"{count} steps{each}"


def find_spacing(groups: SeriesGroups) -> Spacing:
    """How the moments of all groups are spaced."""
    rows, points = int(groups.points["rows"].sum()), len(groups.points)
    grid, there = find_grid(groups) if points else None, groups.points["group"].n_unique()
    if grid is None:
        return Spacing(rows, points, 0, 0, "", not points, there)
    steps = missing = start = 0
    for end in groups.ends:
        places = grid.places[start:end]
        if len(places):
            span = int(places[-1] - places[0]) + 1
            steps, missing = steps + span, missing + max(span - len(places), 0)
        start = end
    even = missing <= MOST_MISSING * steps
    return Spacing(rows, points, steps, missing, grid.unit, even, there)


def find_season(
    places: np.ndarray[Any, Any], first: int, series: TimeSeries, period: int
) -> Season | None:
    """What returns with each period, by decomposition (STL); None where that cannot be told.

    Args:
        places: The step of each moment, in order.
        first: The step that a period begins with.
        series: The moments.
        period: Steps.
    """
    import numpy as np
    from statsmodels.tsa.seasonal import STL  # type: ignore[import-untyped]

    steps = int(places[-1] - places[0]) + 1 if len(places) else 0
    there = np.unique(places)
    if steps < 2 * period or steps > MOST_STEPS or steps - len(there) > MOST_MISSING * steps:
        return None
    at = np.arange(places[0], places[-1] + 1)
    # A step that clocks have twice a year holds the mean of both.
    sizes = np.bincount(places - places[0], series.rows, minlength=steps)
    power = int(np.frexp(np.abs(series.values).max())[1])
    sums = np.bincount(
        places - places[0], np.ldexp(series.values, -power) * series.rows, minlength=steps
    )
    known = sizes > 0
    level = np.interp(at, at[known], sums[known] / sizes[known])
    found = STL(level, period=period).fit()
    moving = found.seasonal + found.resid
    strength = None if level.min() == level.max() else 0.0
    if strength is not None and moving.var() > _ROUNDING * level.var():
        strength = max(0.0, float(1 - found.resid.var() / moving.var()))
    position = (at - first) % period + 1
    positions = np.unique(position[known]).tolist()
    effects, rows = [], []
    for one in positions:
        here = known & (position == one)
        with np.errstate(over="ignore"):
            effects.append(finite(np.ldexp(found.seasonal[here].mean(), power)))
        rows.append(int(sizes[here].sum()))
    return Season(positions, effects, rows, strength, steps - len(there), steps)


def _of_months(day: pl.Series) -> Grid:
    months = (day.dt.year().cast(int) * 12 + day.dt.month().cast(int) - 1).to_numpy()
    size = _step(months)
    period = 12 // size if 12 % size == 0 and size < 12 else None
    offset = int(months[0]) % size if len(months) else 0
    unit = _MONTH_UNITS.get(size, "year" if size % 12 == 0 else "step")
    return Grid(unit, size, months // size, period, offset)


def _of_clock(day: pl.Series) -> Grid:
    ticks = day.dt.epoch("us").to_numpy()
    size = _step(ticks)
    period = DAY // size if DAY % size == 0 and size < DAY else None
    unit = _CLOCK_UNITS.get(size, "minute" if period and size % 60_000_000 == 0 else "step")
    return Grid(unit, size, ticks // size, period, int(ticks[0]) % size)


def _of_numbers(times: np.ndarray[Any, Any]) -> Grid | None:
    """By their greatest common divisor where they are whole, else by the least step."""
    import numpy as np

    with np.errstate(over="ignore"):
        apart = np.diff(np.unique(times))
    if not len(apart):
        return Grid("step", 0, np.zeros(len(times), dtype=np.int64))
    whole = bool((apart == np.round(apart)).all() and apart.max() < 2**53)
    size = float(np.gcd.reduce(apart.astype(np.int64))) if whole else float(apart.min())
    with np.errstate(over="ignore", invalid="ignore"):  # what is beyond all steps stands on none
        exact = (times - times.min()) / size
    if not exact.max() <= 2**53 or (abs(exact - np.round(exact)) > 1e-3).any():
        return None
    return Grid("step", 0, np.round(exact).astype(np.int64))


def _step(ticks: np.ndarray[Any, Any]) -> int:
    """The greatest step that all moments are whole numbers of apart."""
    import numpy as np

    return int(np.gcd.reduce(np.diff(np.unique(ticks)))) or 1 if len(ticks) else 1
