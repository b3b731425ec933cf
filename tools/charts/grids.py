"""Grids: heat maps and small multiples."""

from __future__ import annotations

from typing import Any

from wideleaf.tools.charts import axes
from wideleaf.tools.charts.channels import (
    THIN_STEP,
    color_channel,
    key_channel,
    key_scale,
    key_step,
    measure_channel,
    measures,
    offset_channel,
    running_channel,
    slant,
    start_chart,
    tooltips,
)
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points, color_name, facet_name, measured, x_name

PANEL_WIDTH, PANEL_HEIGHT = 250, 170
DARK = 0.55
"""From so much of the range on a heat map's cell has white letters."""
DIVERGES = 0.2
"""Colors part at zero where the shorter side of it is so much of the longer."""
MOST_DOTS = 240


def draw_cells(layout: Layout, points: Points) -> Any:
    """A heat map; the numbers stand in its cells where they are few."""
    import altair as alt

    numbers = measures(points)
    low, high = min(numbers), max(numbers)
    both = low < 0 < high and min(-low, high) >= DIVERGES * max(-low, high)
    axis = axes.number_axis(measured(layout) if len(layout.y) == 1 else "", numbers)
    legend = alt.Legend(gradientLength=160, **axis)
    reach = max(-low, high)
    scale = (
        alt.Scale(scheme="redblue", domain=[-reach, reach]) if both else alt.Scale(scheme="blues")
    )
    across, down = len(points.levels["x"]), len(points.levels["color"])
    longest = max(map(len, points.levels["x"]))
    widest = max(46, (longest + 1.5) * axes.CHARACTER)
    step = min(widest, max(60, axes.WIDTH / across)) if across <= 12 else 22
    room = axes.has_room(points.levels["x"], across * step)
    keys = alt.Axis(
        title=axes.title_lines(x_name(layout)) or None, **slant(points, room, step)
    )  # fmt: skip
    rows = alt.Axis(title=axes.title_lines(color_name(layout)) or None, labelLimit=200)
    base = start_chart().encode(
        x=alt.X(field="x", type="nominal", sort=None, scale=key_scale(points, "x"), axis=keys),
        y=alt.Y(
            field="color", type="nominal", sort=None, scale=key_scale(points, "color"), axis=rows
        ),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=0.5).encode(
        color=alt.Color(field="y", type="quantitative", scale=scale, legend=legend),
        tooltip=tooltips(layout, points),
    )
    wide = across <= 12
    size = {"width": alt.Step(step), "height": alt.Step(26 if down <= 20 else 16)}
    if not wide or down > 20:
        return cells.properties(**size)
    limit = DARK * reach if both else low + DARK * (high - low)
    dark = f"abs(datum.y) > {limit}" if both else f"datum.y > {limit}"
    white = alt.condition(dark, alt.value("white"), alt.value("#222"))
    text = base.mark_text(fontSize=11).encode(
        text=alt.Text(field="y", type="quantitative", format=_cell_format(numbers)), color=white
    )
    return alt.layer(cells, text).properties(**size)


def _cell_format(numbers: list[float]) -> str:
    largest = max(map(abs, numbers))
    if all(number == int(number) for number in numbers) and largest < 1e4:
        return "d"
    return ".2f" if largest < 10 else ".1f" if largest < 1000 else ".3~s"


def draw_panels(layout: Layout, points: Points) -> Any:
    """Small multiples: a panel for each key, or for each number with an axis of its own."""
    import altair as alt

    apart = layout.spread == "facet"
    names = points.levels["facet"]
    tips, color = tooltips(layout, points), color_channel(layout, points)
    columns = 2 if len(names) in (2, 4) else 3  # of a row that is not full all axes are drawn
    header = alt.Header(title=axes.title_lines(facet_name(layout)) or None, labelFontWeight="bold")
    facet = alt.Facet(field="facet", type="nominal", sort=names, columns=columns, header=header)
    if points.scale == "nominal" and layout.panel == "bar":
        upright = axes.has_room(points.levels["x"], PANEL_WIDTH)
        along, across = ("x", "y") if upright else ("y", "x")
        channels = {
            along: key_channel(layout, points, along),
            across: measure_channel(layout, points, across, stack=None),
            **offset_channel(points, along),
        }
        mark = start_chart().mark_bar()
        step = max(16, THIN_STEP * len(points.levels.get("color", [""])))
        height: Any = PANEL_HEIGHT if upright else key_step(step)
    else:
        across, height = "y", PANEL_HEIGHT
        zero = not apart and axes.begins_at_zero(measures(points))
        measure = measure_channel(layout, points, "y", zero=zero)
        channels = {"x": running_channel(layout, points), "y": measure}
        dots = {"size": 24, "filled": True} if len(points.rows) <= MOST_DOTS else False
        base = start_chart()
        match layout.panel:
            case "area":
                mark = base.mark_area(opacity=0.85)
            case "point":
                mark = base.mark_circle(size=26, opacity=0.7)
            case _:
                mark = base.mark_line(point=dots)
    chart = mark.encode(**channels, **color, facet=facet, tooltip=tips)
    chart = chart.properties(width=PANEL_WIDTH, height=height)
    return chart.resolve_scale(**{across: "independent"}) if apart else chart
