"""Points of a chart: the cells that it draws as plain data, within limits, and what was cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from typing import TYPE_CHECKING, Any, Literal

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.cutting import join_slices, keep_levels, thin_out
from wideleaf.tools.charts.forms import MOST_KEYS, RULES
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import as_name, visible

if TYPE_CHECKING:
    import polars as pl

MOST_PANELS = 9
MOST_CHARACTERS, LOOKED_AT = 48, 2_000
EMPTY, BLANK = "null", "(blank)"
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

    @property
    def numbers(self) -> list[float]:
        """All that is measured."""
        return [row["y"] for row in self.rows if row.get("y") is not None]


def gather_points(layout: Layout) -> Points:
    """The points of every form that draws cells as they are.

    Args:
        layout: Which column goes where.

    Raises:
        ActionError: If no cell is left to draw.
    """
    scale, rule = _scale_of(layout), RULES[layout.form]
    table, notes = clean_points(layout)
    runs = layout.x is not None and layout.x.runs
    if scale != "nominal":
        table = _known(table, "x", layout.header("x"), notes)
    else:
        table = table.sort("x", maintain_order=True) if runs else table
        table = keep_levels(table, layout, "x", rule.keys, notes, first=runs)
    # Shares are of the whole, so that none is left out.
    join = layout.form == "percent stacked bar"
    table = keep_levels(table, layout, "color", rule.series, notes, join=join)
    table = keep_levels(table, layout, "facet", MOST_PANELS, notes)
    table = with_labels(thin_out(table, notes, lines=layout.lines), layout)
    if layout.form == "pie":
        table = join_slices(table, layout.measure, notes)
    levels: dict[str, list[str]] = {
        place: table[place].unique(maintain_order=True).to_list()
        for place in ("x", "color", "facet")
        if place in table.columns and (place != "x" or scale == "nominal")
    }
    if scale == "temporal":  # a moment without a zone is read as one of the reader's
        table = table.with_columns(table["x"].dt.strftime("%Y-%m-%dT%H:%M:%S%.3f"))
    return Points(table.to_dicts(), scale, levels, tuple(notes))


def _scale_of(layout: Layout) -> Scale:
    """What `x` is to the chart."""
    x = layout.x
    if x is None or x.role == "key":
        return "nominal"
    few = x.distinct <= MOST_KEYS or layout.form != "bar"
    panels = layout.form == "small multiples" and layout.panel == "bar"
    if few and (RULES[layout.form].bands or panels):
        return "nominal"
    return "temporal" if x.role == "moment" else "quantitative"


def clean_points(layout: Layout) -> tuple[pl.DataFrame, list[str]]:
    """The cells below each other, without what no axis has a place for, and what was left out."""
    import polars as pl

    parts = []
    for number in layout.y:
        cells = {"y": number.cells.cast(pl.Float64) if layout.spread else number.cells}
        for place, column in (("x", layout.x), ("color", layout.color), ("facet", layout.facet)):
            if layout.spread == place:
                cells[place] = pl.Series([number.name] * len(number.cells), dtype=pl.String)
            elif column is not None:
                cells[place] = column.cells
        parts.append(pl.DataFrame(cells))
    notes: list[str] = []
    return _known(pl.concat(parts), "y", layout.measure, notes), notes


def _known(table: pl.DataFrame, place: str, name: str, notes: list[str]) -> pl.DataFrame:
    """The points that have a place on an axis; says what was left out."""
    import polars as pl

    if table[place].dtype.is_float():
        endless = table[place].is_infinite().fill_null(False)
        if count := int(endless.sum()):
            notes.append(_left_out(count, "infinite value", f"of {as_name(name)!r}"))
        table = table.filter(~endless).with_columns(pl.col(place).fill_nan(None))
    if count := table[place].null_count():
        notes.append(_left_out(count, "row", f"without {as_name(name)!r}"))
        table = table.filter(table[place].is_not_null())
    if not table.height:
        raise ActionError(f"no row has a place along {as_name(name)!r}; measure something else")
    return table


def _left_out(count: int, noun: str, why: str) -> str:
    several = count > 1
    return f"{count:,} {noun}{'s' * several} {why} {'are' if several else 'is'} left out."


def with_labels(table: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The same with texts as keys; what runs is in its order."""
    places = ("facet", "color", "x") if _scale_of(layout) == "nominal" else ("facet", "color")
    for place in places:
        if place in table.columns:
            column: Column | None = getattr(layout, place)
            if column is not None and column.runs:
                table = table.sort(place, maintain_order=True, nulls_last=True)
            table = table.with_columns(_labels(table[place]).alias(place))
    return table


def _labels(cells: pl.Series) -> pl.Series:
    """Each cell as a text of bounded length; different cells have different texts."""
    import polars as pl

    kinds = cells.unique(maintain_order=True)
    taken: dict[str, int] = {}
    labels = []
    for text in _texts(kinds):
        label = _short(text)
        taken[label] = taken.get(label, 0) + 1
        while taken[label] > 1:
            label = f"{label} ({taken[label]})"
            taken[label] = taken.get(label, 0) + 1
        labels.append(label)
    pairs = pl.DataFrame({"cell": kinds, "label": pl.Series(labels, dtype=pl.String)})
    rows = pl.DataFrame({"cell": cells})
    joined = rows.join(pairs, on="cell", how="left", nulls_equal=True, maintain_order="left")
    return joined["label"]


def _texts(cells: pl.Series) -> pl.Series:
    """Whole numbers without a point, midnights without a time."""
    import polars as pl

    if cells.dtype.is_float():
        return pl.Series([None if c is None else f"{c:.10g}" for c in cells], dtype=pl.String)
    if not isinstance(cells.dtype, pl.Datetime):
        return cells.cast(pl.String)
    days = bool((cells.drop_nulls().dt.time() == time(0)).all())
    return cells.dt.strftime("%Y-%m-%d" if days else "%Y-%m-%d %H:%M:%S")


def _short(text: str | None) -> str:
    if text is None:
        return EMPTY
    flat = visible(text[:LOOKED_AT]) or BLANK
    return flat if len(flat) <= MOST_CHARACTERS else f"{flat[: MOST_CHARACTERS - 1]}…"
