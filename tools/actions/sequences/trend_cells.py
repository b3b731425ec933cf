"""The cells of Trend's rows: what each column is called, and what stands in it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from wideleaf.tools.actions.sequences.series import YEAR, SeriesGroups, TimeSeries, as_numbers
from wideleaf.tools.actions.sequences.slopes import compound_growth, finite, fit_line, growth_of

SUMMARY = (
    "rows", "points", "first", "last", "first_value", "last_value", "change", "growth",
    "compound_growth", "per", "slope", "low", "high", "p_value", "r2", "robust_slope",
    "kendall_tau", "kendall_p", "durbin_watson", "direction",
)  # fmt: skip
GROWTH = ("rows", "change", "growth", "cumulative_growth")
SEASONS = ("position", "name", "effect", "rows", "strength")
_WHOLE, _TEXTS = ("rows", "points", "position"), ("per", "direction", "name")


class Unit(NamedTuple):
    """The unit of time of slopes.

    Attributes:
        name: What it is called.
        size: How many days it is, or 1 of numbers.
    """

    name: str
    size: float


def summary_cells(groups: SeriesGroups, time: str) -> dict[str, list[Any]]:
    """A row about each group, by column.

    Args:
        groups: The series.
        time: What slopes of numbers are per one of.
    """
    unit = find_unit(groups, time)
    rows = [_described(series, unit) for series in groups.each()]
    return {name: [row[place] for row in rows] for place, name in enumerate(SUMMARY)}


def growth_cells(groups: SeriesGroups) -> dict[str, list[Any]]:
    """A row about each point, by column."""
    cells: dict[str, list[Any]] = {name: [] for name in GROWTH}
    for series in groups.each():
        values = series.values.tolist()
        if not values:
            continue
        pairs = [*pairwise(values)]
        cells["rows"] += series.rows.tolist()
        cells["change"] += [None, *(finite(now - before) for before, now in pairs)]
        cells["growth"] += [None, *(growth_of(*pair) for pair in pairs)]
        cells["cumulative_growth"] += [growth_of(values[0], value) for value in values]
    return cells


def cell_type(name: str, moment: Any) -> Any:
    """The type of a column.

    Args:
        name: What it is.
        moment: The type of moments.
    """
    import polars as pl

    if name in ("first", "last"):
        return moment
    if name in _TEXTS:
        return pl.String
    return pl.Int64 if name in _WHOLE else pl.Float64


def find_unit(groups: SeriesGroups, time: str) -> Unit:
    """The unit of slopes: of numbers 1, of dates what suits their span."""
    import polars as pl

    moments = groups.points["time"]
    if not moments.dtype.is_temporal():
        return Unit(time, 1.0)
    times = as_numbers(moments)
    span = float(times.max() - times.min()) if len(times) else 0.0
    if span >= 2 * YEAR:
        return Unit("year", YEAR)
    days = span >= 2 or moments.dtype == pl.Date
    return Unit("day", 1.0) if days else Unit("hour", 1 / 24)


def _described(series: TimeSeries, unit: Unit) -> list[Any]:
    """The cells of a group's row, as `SUMMARY` names them."""
    times, values = series.times / unit.size, series.values.tolist()
    line = fit_line(times, series.values)
    if not values:
        return [0, 0, *[None] * 7, unit.name, *line]
    first, last = values[0], values[-1]
    return [
        int(series.rows.sum()),
        len(values),
        series.moments[0],
        series.moments[-1],
        first,
        last,
        finite(last - first),
        growth_of(first, last) if len(values) > 1 else None,
        compound_growth(first, last, float(times[-1]) - float(times[0])),
        unit.name,
        *line,
    ]
