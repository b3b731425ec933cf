"""Channels: fields of the points as Altair places them, with axes, legends and scales.

Fields are always named alike. Headers stand in titles alone, so that points, brackets and quotes
in them mean nothing to Vega.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wideleaf.tools.charts import axes
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points, color_name, measured, x_name

if TYPE_CHECKING:
    import altair as alt

COLORS = [
    "#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b",
    "#ff9da6", "#79706e",
]  # fmt: skip
LABEL_LIMIT = 330
"""Pixels of a label."""
BAR_STEP, THIN_STEP = 24, 9
LETTER = 13
"""Pixels that a slanting label needs."""
TIP_CHARACTERS = 80
LEAST_WIDTH = 260


def start_chart() -> alt.Chart:
    """A chart of the points, before it has marks."""
    import altair as alt

    return alt.Chart(alt.NamedData(name="points"))


def channel(name: str, **options: Any) -> Any:
    """The channel of a name that was found only here."""
    import altair as alt

    kinds: dict[str, Any] = {
        "x": alt.X, "y": alt.Y, "color": alt.Color, "x2": alt.X2, "y2": alt.Y2,
        "xOffset": alt.XOffset, "yOffset": alt.YOffset, "facet": alt.Facet,
            }  # fmt: skip
    return kinds[name](**options)


def measures(points: Points) -> list[float]:
    """All that is measured."""
    return [row["y"] for row in points.rows if row.get("y") is not None]


def measure_channel(layout: Layout, points: Points, place: str, **options: Any) -> Any:
    """The channel of what is measured."""
    import altair as alt

    numbers = measures(points)
    name = measured(layout) if len(layout.y) == 1 else ""
    if layout.form == "percent stacked bar":
        whole = re.sub(r"\s*[(\[][^()\[\]]*[)\]]$", "", name)  # a share has no unit
        axis = {"title": axes.title_lines(f"share of {whole}" if whole else "share"), "format": "%"}
    elif layout.spread == "facet":
        axis = axes.mixed_axis(name)
    else:
        axis = axes.number_axis(name, numbers, counts=all(isinstance(n, int) for n in numbers))
    zero = options.pop("zero", True)
    scale = alt.Scale(zero=zero, nice=True)
    return channel(
        place, field="y", type="quantitative", axis=alt.Axis(**axis), scale=scale, **options
    )


def key_channel(layout: Layout, points: Points, place: str, **axis: Any) -> Any:
    """The channel of keys, in their order."""
    import altair as alt

    if place == "y" and layout.form != "small multiples":  # above the labels, not along them
        title = axes.title_lines(x_name(layout), 48, 1)
        axis |= {"titleAngle": 0, "titleAlign": "right", "titleBaseline": "bottom"}
        axis |= {"titleX": -8, "titleY": -6}
    else:
        title = axes.title_lines(x_name(layout))
    made = alt.Axis(
        title=title or None,
        labelLimit=LABEL_LIMIT,
        maxExtent=LABEL_LIMIT + 20,
        labelAngle=0,
        **axis,
    )
    order = key_scale(points, "x")
    return channel(place, field="x", type="nominal", sort=None, scale=order, axis=made)


def running_channel(layout: Layout, points: Points) -> Any:
    """The channel that lines and points run along."""
    import altair as alt

    if points.scale == "nominal":
        room = axes.has_room(points.levels["x"])
        axis = slant(points, room, axes.WIDTH / len(points.levels["x"]))
        title = axes.title_lines(x_name(layout)) or None
        return alt.X(
            field="x", type="nominal", sort=None, axis=alt.Axis(title=title, **axis),
            scale=key_scale(points, "x"),
        )  # fmt: skip
    ticks: dict[str, Any] = {"tickCount": 5} if layout.facet or layout.spread == "facet" else {}
    if points.scale == "temporal":
        shown = axes.moment_axis(x_name(layout), [row["x"] for row in points.rows])
        made = alt.Axis(**shown, **ticks, labelSeparation=6)
        return alt.X(field="x", type="temporal", axis=made)
    numbers = [row["x"] for row in points.rows]
    running = layout.x is not None and layout.x.role == "order"
    axis_of = axes.running_axis if running else axes.number_axis
    zero = not running and axes.begins_at_zero(numbers)
    return alt.X(
        field="x", type="quantitative", scale=alt.Scale(zero=zero, nice=not running),
        axis=alt.Axis(**axis_of(x_name(layout), numbers), **ticks, labelSeparation=6),
    )  # fmt: skip


def slant(points: Points, room: bool, step: float) -> dict[str, Any]:
    """How labels of keys stand along a chart: level if there is room, else slanting."""
    overlap = False if room or step >= LETTER else "greedy"
    return {"labelAngle": 0 if room else -40, "labelOverlap": overlap, "labelLimit": 140}


def key_scale(points: Points, place: str) -> Any:
    """The scale of keys in their order: as a domain, which no expression is made of."""
    import altair as alt

    return alt.Scale(domain=points.levels[place])


def color_channel(layout: Layout, points: Points) -> dict[str, Any]:
    """The channel that tells series apart, where there are any."""
    import altair as alt

    if "color" not in points.levels:
        return {}
    title = axes.title_lines(color_name(layout), 28) or None
    legend = alt.Legend(title=title, labelLimit=200, symbolLimit=len(points.levels["color"]))
    scale = alt.Scale(domain=points.levels["color"], range=COLORS)
    return {"color": channel("color", field="color", type="nominal", scale=scale, legend=legend)}


def offset_channel(points: Points, along: str) -> dict[str, Any]:
    """The channel that puts series beside each other, where there are any."""
    if "color" not in points.levels:
        return {}
    scale, name = key_scale(points, "color"), f"{along}Offset"
    return {name: channel(name, field="color", type="nominal", sort=None, scale=scale)}


def tip_title(header: str) -> str:
    """A header as it stands beside a value."""
    return axes.plain_title(header[:TIP_CHARACTERS]) or "column"


def tooltips(layout: Layout, points: Points) -> list[Any]:
    """What is said of a point under the pointer."""
    import altair as alt

    told = [alt.Tooltip(field="x", type=points.scale, title=tip_title(x_name(layout)))]
    if "color" in points.levels:
        told.append(alt.Tooltip(field="color", type="nominal", title=tip_title(color_name(layout))))
    told.append(alt.Tooltip(field="y", type="quantitative", title=tip_title(measured(layout))))
    return told


def key_step(pixels: float) -> Any:
    """So many pixels for each key, however many bars it has."""
    import altair as alt

    return alt.Step(pixels, **{"for": "position"})


def fit_keys(chart: Any, layout: Layout, points: Points, upright: bool) -> Any:
    """A chart of bars or boxes as wide or as high as its keys need."""
    keys = len(points.levels["x"])
    series = len(points.levels.get("color", [])) if layout.form == "grouped bar" else 1
    if not upright:
        step = max(BAR_STEP, THIN_STEP * series + 8)
        return chart.properties(width=axes.WIDTH, height=key_step(step))
    needed = axes.room_needed(points.levels["x"])
    width = min(axes.WIDTH, max(keys * max(70, 26 * series), needed, LEAST_WIDTH))
    return chart.properties(width=width, height=axes.HEIGHT)
