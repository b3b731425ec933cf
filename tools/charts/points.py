"""Points of a chart: what is drawn as plain data; cells as they are, counts in bins, or boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from wideleaf.tools.charts.cells import Cells
from wideleaf.tools.charts.channels import Points
from wideleaf.tools.charts.layouts import MAX_SERIES, Layout
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import polars as pl

MAX_KEYS, MAX_PANELS = 30, 9
MIN_BINS, MAX_BINS = 5, 40
MANY_BINS = 80
"""As many as may be asked for."""
MAX_OUTLIERS = 20
"""Of each box."""
WHISKER = 1.5
"""How many times the box's height a whisker may be long (Tukey, 1977)."""
MIN_WIDTH = 1e-12
"""Of the largest number: narrower bins have edges that a float can hardly tell apart."""
MIN_SPAN = 1e-290
"""Numbers that lie closer have no bins between them that a float could tell apart."""
MAX_NUMBER = 1e306
"""Beyond it the differences of numbers, and what is a little larger, are no floats any more."""


def gather_points(
    layout: Layout,
    *,
    keys: int = MAX_KEYS,
    series: int = MAX_SERIES,
    bands: bool = True,
    join: bool = False,
    slices: bool = False,
) -> Points:
    """The points of a form that draws cells as they are.

    Args:
        layout: Which column goes where.
        keys: So many keys are drawn along it at most.
        series: So many series, or rows of a heat map.
        bands: Whether it has a place for each key rather than an axis that runs.
        join: Whether the smallest series are drawn as one, since shares are of the whole.
        slices: Whether the smallest keys are.

    Raises:
        ActionError: If no cell is left to draw.
    """
    scale = _scale_of(layout, bands or layout.panel == "bar")
    cells = Cells(layout)
    runs = layout.x is not None and layout.x.runs
    if scale != "nominal":
        cells.drop_unplaced("x")
    else:
        if runs:
            cells.table = cells.table.sort("x", maintain_order=True)
        cells.keep_levels("x", keys, first=runs)
    cells.keep_levels("color", series, join=join)
    cells.keep_levels("facet", MAX_PANELS)
    cells.thin_out()
    cells.write_labels("facet", "color")
    if scale == "nominal":
        cells.write_labels("x")
    if slices:
        cells.join_slices()
    table, levels = cells.table, cells.levels
    if scale == "temporal":  # a moment without a zone is read as one of the reader's
        table = table.with_columns(table["x"].dt.strftime("%Y-%m-%dT%H:%M:%S%.3f"))
    return Points(layout, table.to_dicts(), scale, levels, tuple(cells.notes))


def _scale_of(layout: Layout, bands: bool) -> Literal["nominal", "temporal", "quantitative"]:
    """What `x` is to the chart."""
    x = layout.x
    if x is None or x.role == "key":
        return "nominal"
    if bands and (x.distinct <= MAX_KEYS or layout.form != "bar"):
        return "nominal"
    return "temporal" if x.role == "moment" else "quantitative"


def count_bins(layout: Layout) -> Points:
    """How many numbers lie in each bin: ``x`` to below ``x_end``, the last with its end, and ``y``.

    Args:
        layout: Whose `y` is the number.

    Raises:
        ActionError: If there is no number, or one is too large to be put into bins.
    """
    import polars as pl

    cells = Cells(layout)
    numbers = cells.table["y"]
    start, step, count = _find_bins(numbers, layout.bins, layout.width)
    if layout.width and step != layout.width:
        note = f"Bins that are {layout.width:g} wide are too many to draw; these are wider."
        cells.notes.append(note)
    at = ((numbers.cast(pl.Float64) - start) / step).floor().clip(0, count - 1).cast(pl.Int64)
    counts = dict(at.value_counts().iter_rows())
    # Edges without the dust of binary fractions.
    edges = [float(f"{start + edge * step:.12g}") for edge in range(count + 1)]
    rows = [
        {"x": edges[place], "x_end": edges[place + 1], "y": counts.get(place, 0)}
        for place in range(count)
    ]
    return Points(layout, rows, "quantitative", {}, tuple(cells.notes))


def _find_bins(
    numbers: pl.Series, bins: int | None, width: float | None
) -> tuple[float, float, int]:
    """Where bins begin, how wide they are and how many there are; widths are round numbers."""
    low, high = _ends(numbers)
    span = high - low
    if width:
        return _bins_so_wide(low, high, width)
    whole = numbers.dtype.is_integer()
    if span < MIN_SPAN:
        step = 1.0 if whole else max(abs(low), 1.0) / 10
        return low - step / 2, step, 1
    if whole and span < (bins or MAX_BINS / 2):
        return low - 0.5, 1.0, int(span) + 1  # each number in the middle of its own
    count = min(max(math.ceil(math.log2(len(numbers)) + 1), MIN_BINS), MAX_BINS)
    spread = float(numbers.quantile(0.75) or 0) - float(numbers.quantile(0.25) or 0)
    if bins:
        count = min(bins, MANY_BINS)
    elif spread > 0:  # Freedman and Diaconis, 1981
        many = span * len(numbers) ** (1 / 3) / (2 * spread)
        count = max(count, math.ceil(min(many, MAX_BINS)))
    step = max(_round_step(span / count), 1.0 if whole else 0.0)
    start = math.floor(low / step) * step
    return start, step, math.floor((high - start) / step) + 1


def _ends(numbers: pl.Series) -> tuple[float, float]:
    """The least and the greatest of some numbers.

    Raises:
        ActionError: If there is no room for sums with them.
    """
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    if max(-low, high) > MAX_NUMBER:
        raise ActionError(
            f"numbers beyond {MAX_NUMBER:g} are too large for bins and boxes; filter them first"
        )
    return low, high


def _bins_so_wide(low: float, high: float, width: float) -> tuple[float, float, int]:
    """Bins of a width that was asked for, from a multiple of it on; wider if they are too many.

    It is no error: whether a width is refused would tell a model how far cells lie apart.
    """
    step = width if high - low <= (MANY_BINS - 1) * width else _round_step((high - low) / MAX_BINS)
    step = max(step, max(abs(low), abs(high)) * MIN_WIDTH, MIN_SPAN)
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
        ActionError: If there is no number, or one is too large for a box.
    """
    import polars as pl

    cells = Cells(layout)
    if "x" not in cells.table.columns:
        cells.table = cells.table.with_columns(pl.lit(layout.measure).alias("x"))
    cells.keep_levels("x", MAX_KEYS)
    cells.write_labels("x")
    rows: list[dict[str, Any]] = []
    cut = 0
    for (name,), group in cells.table.group_by("x", maintain_order=True):
        numbers = group["y"].sort()
        _ends(numbers)
        q1, median, q3 = (float(numbers.quantile(q, "linear") or 0) for q in (0.25, 0.5, 0.75))
        reach = WHISKER * (q3 - q1)
        within = numbers.filter(numbers.is_between(q1 - reach, q3 + reach))
        low, high = (float(within[0]), float(within[-1])) if len(within) else (q1, q3)
        low, high = min(low, q1), max(high, q3)
        box = {"low": low, "q1": q1, "median": median, "q3": q3, "high": high}
        rows.append({"x": name, **box, "count": len(numbers)})
        beyond = numbers.filter((numbers < low) | (numbers > high))
        if len(beyond) > MAX_OUTLIERS:
            cut += len(beyond) - MAX_OUTLIERS
            beyond = beyond.head(MAX_OUTLIERS // 2).append(beyond.tail(MAX_OUTLIERS // 2))
        rows += [{"x": name, "y": number} for number in beyond]
    if cut:
        cells.notes.append(f"{cut:,} of the points beyond the whiskers are not drawn.")
    return Points(layout, rows, "nominal", cells.levels, tuple(cells.notes))
