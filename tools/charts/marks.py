"""Marks: the Vega-Lite of each form, made through Altair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wideleaf.tools.charts import axes
from wideleaf.tools.charts.channels import (
    COLORS,
    THIN_STEP,
    channel,
    color_channel,
    fit_keys,
    key_channel,
    measure_channel,
    measures,
    offset_channel,
    running_channel,
    start_chart,
    tooltips,
)
from wideleaf.tools.charts.forms import Form
from wideleaf.tools.charts.grids import draw_cells, draw_panels
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points, measured, x_name

FEW_POINTS = 60
STACKS: dict[Form, str] = {"stacked bar": "zero", "percent stacked bar": "normalize"}


def draw_marks(layout: Layout, points: Points) -> Any:
    """The chart without its data and titles.

    Args:
        layout: Which column goes where.
        points: What is drawn.
    """
    return _DRAWN[layout.form](layout, points)


def _bars(layout: Layout, points: Points) -> Any:
    """Bars from 0, upright where their labels fit beside each other, else lying."""
    tips = tooltips(layout, points)
    if points.scale != "nominal":
        width = max(axes.WIDTH / max(len(points.rows), 1) * 0.8, 1)
        chart = start_chart().mark_bar(size=width).encode(
            x=running_channel(layout, points), y=measure_channel(layout, points, "y"), tooltip=tips
        )  # fmt: skip
        return chart.properties(width=axes.WIDTH, height=axes.HEIGHT)
    beside = layout.form == "grouped bar"
    stack = {"stack": STACKS.get(layout.form)}
    color = color_channel(layout, points)
    bars = len(points.levels["x"]) * (len(points.levels.get("color", [""])) if beside else 1)
    upright = axes.has_room(points.levels["x"]) and bars * THIN_STEP <= axes.WIDTH
    along, across = ("x", "y") if upright else ("y", "x")
    channels = {
        along: key_channel(layout, points, along),
        across: measure_channel(layout, points, across, **stack),
        "tooltip": tips,
        **color,
    }
    if beside:
        channels |= offset_channel(points, along)
    chart = start_chart().mark_bar().encode(**channels)
    return fit_keys(chart, layout, points, upright)


def _lines(layout: Layout, points: Points) -> Any:
    area = layout.form == "area"
    color = color_channel(layout, points)
    dots = len(points.rows) <= FEW_POINTS
    base = start_chart()
    chart = (
        base.mark_area(opacity=0.85, line=not color)
        if area
        else base.mark_line(point={"size": 36, "filled": True} if dots else False, strokeWidth=2)
    )
    zero = area or axes.begins_at_zero(measures(points))
    stack = {"stack": "zero" if color else None} if area else {}
    return chart.encode(
        x=running_channel(layout, points),
        y=measure_channel(layout, points, "y", zero=zero, **stack),
        tooltip=tooltips(layout, points),
        **color,
    ).properties(width=axes.WIDTH, height=axes.HEIGHT)


def _points(layout: Layout, points: Points) -> Any:
    many = len(points.rows)
    size, opacity = (46, 0.8) if many <= 200 else (26, 0.55) if many <= 1000 else (12, 0.35)
    return (
        start_chart()
        .mark_circle(size=size, opacity=opacity)
        .encode(
            x=running_channel(layout, points),
            y=measure_channel(layout, points, "y", zero=axes.begins_at_zero(measures(points))),
            tooltip=tooltips(layout, points),
            **color_channel(layout, points),
        )
        .properties(width=axes.WIDTH, height=axes.HEIGHT + 40)
    )


def _bins(layout: Layout, points: Points) -> Any:
    import altair as alt

    edges = [points.rows[0]["x"], *(row["x_end"] for row in points.rows)]
    middles = [row["x"] + 0.5 for row in points.rows]
    each = points.rows[0]["x_end"] - points.rows[0]["x"] == 1 and middles[0] == int(middles[0])
    shown = axes.running_axis if each else axes.number_axis  # a bin for each whole number
    axis = shown(measured(layout), middles if each else edges)
    counts = axes.number_axis("number of rows", measures(points), counts=True)
    domain = alt.Scale(domain=[edges[0], edges[-1]], nice=False, zero=False)
    return (
        start_chart()
        .mark_bar(stroke="white", strokeWidth=0.6, binSpacing=0)
        .encode(
            x=alt.X(
                field="x", type="quantitative", bin="binned", scale=domain, axis=alt.Axis(**axis)
            ),
            x2=alt.X2(field="x_end"),
            y=alt.Y(
                field="y", type="quantitative", axis=alt.Axis(**counts), scale=alt.Scale(zero=True)
            ),
        )
        .properties(width=axes.WIDTH, height=axes.HEIGHT)
    )


def _boxes(layout: Layout, points: Points) -> Any:
    import altair as alt

    upright = axes.has_room(points.levels["x"])
    along, across = ("x", "y") if upright else ("y", "x")
    names = ("low", "q1", "median", "q3", "high", "y")
    numbers = [row[name] for row in points.rows for name in names if name in row]
    axis = axes.number_axis(measured(layout) if len(layout.y) == 1 else "", numbers)
    scale = alt.Scale(zero=axes.begins_at_zero(numbers))
    keys = key_channel(layout, points, along)

    def number(field: str) -> Any:
        return channel(across, field=field, type="quantitative", axis=alt.Axis(**axis), scale=scale)

    def end(field: str) -> Any:
        return channel(f"{across}2", field=field)

    size = 32 if upright else 14
    boxes = start_chart().transform_filter("isValid(datum.median)")
    beyond = start_chart().transform_filter("isValid(datum.y)")
    chart = alt.layer(
        boxes.mark_rule(color="#555").encode(
            **{along: keys, across: number("low"), f"{across}2": end("high")}
        ),
        boxes.mark_bar(size=size, color=COLORS[0]).encode(
            **{along: keys, across: number("q1"), f"{across}2": end("q3")}
        ),
        boxes.mark_tick(color="white", size=size, thickness=2).encode(
            **{along: keys, across: number("median")}
        ),
        beyond.mark_point(size=16, color="#555", strokeWidth=1).encode(
            **{along: keys, across: number("y")}
        ),
    )
    return fit_keys(chart, layout, points, upright)


def _slices(layout: Layout, points: Points) -> Any:
    import altair as alt

    names = points.levels["x"]
    title = axes.title_lines(x_name(layout), 28) or None
    color = alt.Color(
        field="x", type="nominal", sort=None, scale=alt.Scale(domain=names, range=COLORS),
        legend=alt.Legend(title=title, labelLimit=240),
    )  # fmt: skip
    base = start_chart().encode(
        theta=alt.Theta(field="y", type="quantitative", stack=True),
        order=alt.Order(field="place", type="quantitative"),
    )
    arcs = base.mark_arc(outerRadius=130, stroke="white").encode(
        color=color, tooltip=tooltips(layout, points)
    )
    text = base.mark_text(radius=148, fontSize=12).encode(text=alt.Text(field="share"))
    return alt.layer(arcs, text).properties(width=320, height=320)


_DRAWN: dict[Form, Callable[[Layout, Points], Any]] = {
    "bar": _bars,
    "grouped bar": _bars,
    "stacked bar": _bars,
    "percent stacked bar": _bars,
    "line": _lines,
    "area": _lines,
    "scatter": _points,
    "histogram": _bins,
    "box": _boxes,
    "heat map": draw_cells,
    "pie": _slices,
    "small multiples": draw_panels,
}
