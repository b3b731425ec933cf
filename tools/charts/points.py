"""Points of a chart: the cells that it draws as plain data, within limits, and what was cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wideleaf.tools.charts.choosing import LINES, SERIES
from wideleaf.tools.charts.cutting import join_levels, join_slices, keep_levels, thin_out
from wideleaf.tools.charts.labels import label_texts, plain_moments
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    import polars as pl

MOST_KEYS = 30
MOST_PANELS = 9
MOST_CELLS_ALONG, MOST_CELLS_DOWN = 60, 40
"""Of a heat map."""
BANDS = frozenset(
    ("bar", "grouped bar", "stacked bar", "percent stacked bar", "box", "heat map", "pie")
)
"""Forms that have a place for each key rather than an axis that runs."""

_LIMITS = {"heat map": MOST_CELLS_ALONG, "pie": 10_000, "line": 100, "area": 100, "scatter": 60}
"""How many keys there may be along a chart, where that is not `MOST_KEYS`."""

Scale = Literal["nominal", "temporal", "quantitative"]


@dataclass(frozen=True)
class Points:
    """What is drawn.

    Attributes:
        rows: Plain data; ``x``, ``y`` and, where they are, ``color`` and ``facet`` of each point.
        scale: What `x` is to the chart.
        levels: Of ``x`` (where it is nominal), ``color`` and ``facet``, the texts in their order.
        notes: What was cut.
    """

    rows: list[dict[str, Any]]
    scale: Scale
    levels: Mapping[str, list[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def gather_points(layout: Layout) -> Points:
    """The points of every form that draws cells as they are.

    Args:
        layout: Which column goes where.

    Raises:
        ActionError: If no cell is left to draw.
    """
    scale = scale_of(layout)
    table, notes = clean_points(layout)
    name = measured(layout)
    if scale != "nominal":
        table, told = _known(table, "x", x_name(layout))
        notes += told
    else:
        runs = layout.x is not None and layout.x.runs
        table = table.sort("x", maintain_order=True) if runs else table
        by = "" if runs else name
        table, told = keep_levels(
            table, "x", _LIMITS.get(layout.form, MOST_KEYS), x_name(layout), by
        )
        notes += told
    apart = layout.lines or layout.form == "scatter"  # lines and points may cross, bars take room
    series = MOST_CELLS_DOWN if layout.form == "heat map" else LINES if apart else SERIES
    if layout.form == "percent stacked bar":  # shares are of the whole, so none is left out
        table, told = join_levels(table, "color", series, color_name(layout))
    else:
        table, told = keep_levels(table, "color", series, color_name(layout), name)
    notes += told
    table, told = keep_levels(table, "facet", MOST_PANELS, facet_name(layout), name)
    notes += told
    table, told = thin_out(table, lines=layout.lines)
    notes += told
    table = with_labels(table, layout)
    if layout.form == "pie":
        table, told = join_slices(table, measured(layout))
        notes += told
    return _as_points(table, scale, notes)


def scale_of(layout: Layout) -> Scale:
    """What `x` is to the chart."""
    x = layout.x
    if x is None or x.role == "key":
        return "nominal"
    few = x.distinct <= MOST_KEYS or layout.form != "bar"
    panels = layout.form == "small multiples" and layout.panel == "bar"
    if few and (layout.form in BANDS or panels):
        return "nominal"
    return "temporal" if x.role == "moment" else "quantitative"


def measured(layout: Layout) -> str:
    """What is measured, in the headers' words."""
    return layout.y[0].name if len(layout.y) == 1 else "value"


def x_name(layout: Layout) -> str:
    """The header behind `x`; empty where there is none."""
    return layout.x.name if layout.x else ""


def color_name(layout: Layout) -> str:
    """The header behind the series; empty where there is none."""
    return layout.color.name if layout.color else ""


def facet_name(layout: Layout) -> str:
    """The header behind the panels; empty where there is none."""
    return layout.facet.name if layout.facet else ""


def clean_points(layout: Layout) -> tuple[pl.DataFrame, list[str]]:
    """The cells below each other, without what no axis has a place for."""
    import polars as pl

    parts = []
    for number in layout.y:
        cells: dict[str, Any] = {
            "y": number.cells.cast(pl.Float64) if layout.spread else number.cells
        }
        for place, column in (("x", layout.x), ("color", layout.color), ("facet", layout.facet)):
            if layout.spread == place:
                cells[place] = pl.Series([number.name] * len(number.cells), dtype=pl.String)
            elif column is not None:
                cells[place] = column.cells
        parts.append(pl.DataFrame(cells))
    return _known(pl.concat(parts), "y", measured(layout))


def _known(table: pl.DataFrame, place: str, name: str) -> tuple[pl.DataFrame, list[str]]:
    """The points that have a place on an axis, and what was left out."""
    import polars as pl

    told = []
    if table[place].dtype.is_float():
        endless = table[place].is_infinite().fill_null(False)
        if count := int(endless.sum()):
            told.append(_left_out(count, "infinite value", f"of {as_name(name)!r}"))
        table = table.filter(~endless).with_columns(pl.col(place).fill_nan(None))
    if count := table[place].null_count():
        told.append(_left_out(count, "row", f"without {as_name(name)!r}"))
        table = table.filter(table[place].is_not_null())
    if not table.height:
        raise ActionError(f"no row has a place along {as_name(name)!r}; measure something else")
    return table, told


def with_labels(table: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The same with texts as keys; what runs is in its order."""
    places = [("facet", layout.facet), ("color", layout.color)]
    places += [("x", layout.x)] if scale_of(layout) == "nominal" else []
    for place, column in places:
        if place in table.columns:
            if column is not None and column.runs:
                table = table.sort(place, maintain_order=True, nulls_last=True)
            table = table.with_columns(label_texts(table[place]).alias(place))
    return table


def _as_points(table: pl.DataFrame, scale: Scale, notes: Sequence[str]) -> Points:
    levels: dict[str, list[str]] = {
        place: table[place].unique(maintain_order=True).to_list()
        for place in ("x", "color", "facet")
        if place in table.columns and (place != "x" or scale == "nominal")
    }
    if scale == "temporal":
        table = table.with_columns(plain_moments(table["x"]).alias("x"))
    return Points(table.to_dicts(), scale, levels, tuple(notes))


def _left_out(count: int, noun: str, why: str) -> str:
    several = count > 1
    return f"{count:,} {noun}{'s' * several} {why} {'are' if several else 'is'} left out."
