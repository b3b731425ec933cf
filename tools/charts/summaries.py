"""Summaries drawn in place of cells: the bins of a histogram, the five numbers of a box."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from wideleaf.tools.charts.cutting import keep_levels
from wideleaf.tools.charts.forms import RULES
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points, clean_points, with_labels
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import polars as pl

LEAST_BINS, MOST_BINS = 5, 40
MANY_BINS = 80
"""As many as may be asked for."""
MOST_OUTLIERS = 20
"""Of each box."""
WHISKER = 1.5
"""How many times the box's height a whisker may be long (Tukey, 1977)."""
LEAST_WIDTH = 1e-12
"""Of the largest number: narrower bins have edges that a float can hardly tell apart."""
LEAST_SPAN = 1e-290
"""Numbers that lie closer have no bins between them that a float could tell apart."""


def count_bins(layout: Layout) -> Points:
    """How many numbers lie in each bin: ``x`` to below ``x_end``, the last with its end, and ``y``.

    Args:
        layout: Whose `y` is the number.

    Raises:
        ActionError: If there is no number, or they lie too far apart to be put into bins.
    """
    import polars as pl

    table, notes = clean_points(layout)
    numbers = table["y"]
    start, step, count = _find_bins(numbers, layout.bins, layout.width)
    if layout.width and step != layout.width:
        notes.append(f"Bins that are {layout.width:g} wide are too many to draw; these are wider.")
    at = ((numbers.cast(pl.Float64) - start) / step).floor().clip(0, count - 1).cast(pl.Int64)
    counts = dict(at.value_counts().iter_rows())
    # Edges without the dust of binary fractions.
    edges = [float(f"{start + edge * step:.12g}") for edge in range(count + 1)]
    rows = [
        {"x": edges[place], "x_end": edges[place + 1], "y": counts.get(place, 0)}
        for place in range(count)
    ]
    return Points(rows, "quantitative", {}, tuple(notes))


def _find_bins(
    numbers: pl.Series, asked: int | None, width: float | None
) -> tuple[float, float, int]:
    """Where bins begin, how wide they are and how many there are; widths are round numbers."""
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    span = high - low
    if not math.isfinite(span):
        raise ActionError("the numbers lie too far apart to be put into bins; filter them first")
    if width:
        return _bins_so_wide(low, high, width)
    whole = numbers.dtype.is_integer()
    if span < LEAST_SPAN:
        step = 1.0 if whole else max(abs(low), 1.0) / 10
        return low - step / 2, step, 1
    if whole and span < (asked or MOST_BINS / 2):
        return low - 0.5, 1.0, int(span) + 1  # each number in the middle of its own
    wanted = min(max(math.ceil(math.log2(len(numbers)) + 1), LEAST_BINS), MOST_BINS)
    spread = float(numbers.quantile(0.75) or 0) - float(numbers.quantile(0.25) or 0)
    if asked:
        wanted = min(asked, MANY_BINS)
    elif spread > 0:  # Freedman and Diaconis, 1981
        many = span * len(numbers) ** (1 / 3) / (2 * spread)
        wanted = max(wanted, math.ceil(min(many, MOST_BINS)))
    step = max(_round_step(span / wanted), 1.0 if whole else 0.0)
    start = math.floor(low / step) * step
    return start, step, math.floor((high - start) / step) + 1


def _bins_so_wide(low: float, high: float, width: float) -> tuple[float, float, int]:
    """Bins of a width that was asked for, from a multiple of it on; wider if they are too many.

    It is no error: whether a width is refused would tell a model how far cells lie apart.
    """
    step = width if high - low <= (MANY_BINS - 1) * width else _round_step((high - low) / MOST_BINS)
    step = max(step, max(abs(low), abs(high)) * LEAST_WIDTH, LEAST_SPAN)
    start = math.floor(low / step)
    return start * step, step, math.floor(high / step) - start + 1


def _round_step(step: float) -> float:
    """The next of 1, 2, 2.5 and 5 times a power of ten that is no smaller."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= step * (1 - 1e-9))


def sum_up_boxes(layout: Layout) -> Points:
    """The five numbers of each box, and a row for each of its outliers (`y`).

    Args:
        layout: Whose `x` tells the boxes apart, if anything does.

    Raises:
        ActionError: If there is no number.
    """
    import polars as pl

    table, notes = clean_points(layout)
    if "x" not in table.columns:
        table = table.with_columns(pl.lit(layout.measure).alias("x"))
    table = with_labels(keep_levels(table, layout, "x", RULES["box"].keys, notes), layout)
    rows: list[dict[str, Any]] = []
    cut = 0
    for (name,), group in table.group_by("x", maintain_order=True):
        numbers = group["y"].sort()
        box = _five_numbers(numbers)
        rows.append({"x": name, **box, "count": len(numbers)})
        beyond = numbers.filter((numbers < box["low"]) | (numbers > box["high"]))
        if len(beyond) > MOST_OUTLIERS:
            cut += len(beyond) - MOST_OUTLIERS
            beyond = beyond.head(MOST_OUTLIERS // 2).append(beyond.tail(MOST_OUTLIERS // 2))
        rows += [{"x": name, "y": number} for number in beyond]
    if cut:
        notes.append(f"{cut:,} of the points beyond the whiskers are not drawn.")
    levels = {"x": table["x"].unique(maintain_order=True).to_list()}
    return Points(rows, "nominal", levels, tuple(notes))


def _five_numbers(numbers: pl.Series) -> dict[str, float]:
    """Quartiles, and the last numbers within the whiskers' reach."""
    first, middle, third = (
        float(numbers.quantile(share, "linear") or 0) for share in (0.25, 0.5, 0.75)
    )
    reach = WHISKER * (third - first)
    within = numbers.filter(numbers.is_between(first - reach, third + reach))
    low, high = (float(within[0]), float(within[-1])) if len(within) else (first, third)
    return {
        "low": min(low, first),
        "q1": first,
        "median": middle,
        "q3": third,
        "high": max(high, third),
    }
