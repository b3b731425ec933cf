"""Marks: the Vega-Lite of each form, made through Altair, over fields that are always named alike.

Headers stand in titles alone, never in the names of fields, so that points, brackets and quotes in
them mean nothing to Vega.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wideleaf.tools.charts import axes
from wideleaf.tools.charts.forms import Form
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points, color_name, facet_name, measured, x_name

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
PANEL_WIDTH, PANEL_HEIGHT = 250, 170
FEW_POINTS = 60
DARK = 0.55
"""From so much of the range on a heat map's cell has white letters."""


def draw_marks(layout: Layout, points: Points) -> alt.Chart | alt.LayerChart:
    """The chart without its data and titles.

    Args:
        layout: Which column goes where.
        points: What is drawn.
    """
    return _DRAWN[layout.form](layout, points)


def _base() -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.NamedData(name="points"))


def _channel(name: str, **options: Any) -> Any:
    import altair as alt

    kinds: dict[str, Any] = {
        "x": alt.X, "y": alt.Y, "color": alt.Color, "x2": alt.X2, "y2": alt.Y2,
        "xOffset": alt.XOffset, "yOffset": alt.YOffset, "facet": alt.Facet,
        "theta": alt.Theta, "order": alt.Order, "text": alt.Text,
    }  # fmt: skip
    return kinds[name](**options)


def _ys(points: Points) -> list[float]:
    return [row["y"] for row in points.rows if row.get("y") is not None]


def _x_title(layout: Layout) -> str:
    return x_name(layout) if layout.x is not None else ""


def _measure(layout: Layout, points: Points, place: str, **options: Any) -> Any:
    """The channel of what is measured."""
    import altair as alt

    numbers = _ys(points)
    name = measured(layout) if len(layout.y) == 1 else ""
    if layout.spread == "facet":
        axis = axes.mixed_axis(name)
    else:
        axis = axes.number_axis(name, numbers, counts=all(isinstance(n, int) for n in numbers))
    zero = options.pop("zero", True)
    scale = alt.Scale(zero=zero, nice=True)
    return _channel(
        place, field="y", type="quantitative", axis=alt.Axis(**axis), scale=scale, **options
    )


def _keys(layout: Layout, points: Points, place: str, **axis: Any) -> Any:
    """The channel of keys, in their order."""
    import altair as alt

    if place == "y" and layout.form != "small multiples":  # above the labels, not along them
        title = axes.title_lines(_x_title(layout), 32, 2)
        axis |= {"titleAngle": 0, "titleAlign": "right", "titleBaseline": "bottom"}
        axis |= {"titleX": -8, "titleY": -6}
    else:
        title = axes.title_lines(_x_title(layout))
    made = alt.Axis(
        title=title or None, labelLimit=LABEL_LIMIT, maxExtent=LABEL_LIMIT + 20, labelAngle=0, **axis
    )
    return _channel(place, field="x", type="nominal", sort=points.levels["x"], axis=made)


def _along(layout: Layout, points: Points, place: str = "x") -> Any:
    """The channel that lines and points run along."""
    import altair as alt

    if points.scale == "nominal":
        room = axes.has_room(points.levels["x"])
        axis = _slanted(points, room, axes.WIDTH / len(points.levels["x"]))
        title = axes.title_lines(_x_title(layout)) or None
        return _channel(
            place, field="x", type="nominal", sort=points.levels["x"],
            axis=alt.Axis(title=title, **axis),
        )  # fmt: skip
    ticks = {"tickCount": 5} if layout.facet or layout.spread == "facet" else {}
    if points.scale == "temporal":
        shown = axes.moment_axis(_x_title(layout), [row["x"] for row in points.rows])
        axis = alt.Axis(**shown, **ticks, labelSeparation=6)
        return _channel(place, field="x", type="temporal", axis=axis)
    numbers = [row["x"] for row in points.rows]
    running = layout.x is not None and layout.x.role == "order"
    axis_of = axes.running_axis if running else axes.number_axis
    zero = not running and axes.begins_at_zero(numbers)
    return _channel(
        place, field="x", type="quantitative", scale=alt.Scale(zero=zero, nice=not running),
        axis=alt.Axis(**axis_of(_x_title(layout), numbers), **ticks, labelSeparation=6),
    )  # fmt: skip


def _slanted(points: Points, room: bool, step: float) -> dict[str, Any]:
    """How labels of keys stand along a chart: level if there is room, else slanting."""
    overlap = False if room or step >= LETTER else "greedy"
    return {"labelAngle": 0 if room else -40, "labelOverlap": overlap, "labelLimit": 140}


def _color(layout: Layout, points: Points, levels: list[str] | None = None) -> dict[str, Any]:
    """The channel that tells series apart, where there are any."""
    import altair as alt

    if "color" not in points.levels:
        return {}
    title = axes.title_lines(color_name(layout), 28) or None
    legend = alt.Legend(title=title, labelLimit=200, symbolLimit=len(points.levels["color"]))
    scale = alt.Scale(domain=points.levels["color"], range=COLORS)
    return {"color": _channel("color", field="color", type="nominal", scale=scale, legend=legend)}


def _tooltip(layout: Layout, points: Points) -> list[Any]:
    import altair as alt

    told = [alt.Tooltip(field="x", type=points.scale, title=_x_title(layout) or "column")]
    if "color" in points.levels:
        told.append(alt.Tooltip(field="color", type="nominal", title=color_name(layout) or "column"))
    told.append(alt.Tooltip(field="y", type="quantitative", title=measured(layout)))
    return told


def _bars(layout: Layout, points: Points) -> Any:
    """Bars from 0, upright where their labels fit beside each other, else lying."""
    tips = _tooltip(layout, points)
    if points.scale != "nominal":
        width = max(axes.WIDTH / max(len(points.rows), 1) * 0.8, 1)
        chart = _base().mark_bar(size=width).encode(
            x=_along(layout, points), y=_measure(layout, points, "y"), tooltip=tips
        )  # fmt: skip
        return chart.properties(width=axes.WIDTH, height=axes.HEIGHT)
    beside = layout.form == "grouped bar"
    stack = {"stack": "zero"} if layout.form == "stacked bar" else {"stack": None}
    color = _color(layout, points)
    bars = len(points.levels["x"]) * (len(points.levels.get("color", [""])) if beside else 1)
    upright = axes.has_room(points.levels["x"]) and bars * THIN_STEP <= axes.WIDTH
    along, across = ("x", "y") if upright else ("y", "x")
    channels = {
        along: _keys(layout, points, along),
        across: _measure(layout, points, across, **stack),
        "tooltip": tips,
        **color,
    }
    if beside and color:
        offset = f"{along}Offset"
        channels[offset] = _channel(
            offset, field="color", type="nominal", sort=points.levels["color"]
        )
    chart = _base().mark_bar().encode(**channels)
    return _sized(chart, layout, points, upright)


def _step(pixels: float) -> Any:
    """So many pixels for each key, however many bars it has."""
    import altair as alt

    return alt.Step(pixels, **{"for": "position"})


def _sized(chart: Any, layout: Layout, points: Points, upright: bool) -> Any:
    """A chart of bars or boxes as wide or as high as its keys need."""
    keys = len(points.levels["x"])
    series = len(points.levels.get("color", [])) if layout.form == "grouped bar" else 1
    if not upright:
        step = max(BAR_STEP, THIN_STEP * series + 8)
        return chart.properties(width=axes.WIDTH, height=_step(step))
    width = min(axes.WIDTH, max(keys * max(70, 26 * series), 260))
    return chart.properties(width=width, height=axes.HEIGHT)


def _lines(layout: Layout, points: Points) -> Any:
    area = layout.form == "area"
    color = _color(layout, points)
    dots = len(points.rows) <= FEW_POINTS
    base = _base()
    chart = (
        base.mark_area(opacity=0.85, line=not color)
        if area
        else base.mark_line(point={"size": 36, "filled": True} if dots else False, strokeWidth=2)
    )
    zero = area or axes.begins_at_zero(_ys(points))
    stack = {"stack": "zero" if color else None} if area else {}
    return chart.encode(
        x=_along(layout, points),
        y=_measure(layout, points, "y", zero=zero, **stack),
        tooltip=_tooltip(layout, points),
        **color,
    ).properties(width=axes.WIDTH, height=axes.HEIGHT)


def _points(layout: Layout, points: Points) -> Any:
    many = len(points.rows)
    size, opacity = (46, 0.8) if many <= 200 else (26, 0.55) if many <= 1000 else (12, 0.35)
    return (
        _base()
        .mark_circle(size=size, opacity=opacity)
        .encode(
            x=_along(layout, points),
            y=_measure(layout, points, "y", zero=axes.begins_at_zero(_ys(points))),
            tooltip=_tooltip(layout, points),
            **_color(layout, points),
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
    counts = axes.number_axis("number of rows", _ys(points), counts=True)
    domain = alt.Scale(domain=[edges[0], edges[-1]], nice=False, zero=False)
    return (
        _base()
        .mark_bar(stroke="white", strokeWidth=0.6, binSpacing=0)
        .encode(
            x=alt.X(field="x", type="quantitative", bin="binned", scale=domain, axis=alt.Axis(**axis)),
            x2=alt.X2(field="x_end"),
            y=alt.Y(field="y", type="quantitative", axis=alt.Axis(**counts), scale=alt.Scale(zero=True)),
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
    keys = _keys(layout, points, along)

    def number(field: str) -> Any:
        return _channel(
            across, field=field, type="quantitative", axis=alt.Axis(**axis), scale=scale
        )

    def end(field: str) -> Any:
        return _channel(f"{across}2", field=field)

    size = 32 if upright else 14
    boxes = _base().transform_filter("isValid(datum.median)")
    beyond = _base().transform_filter("isValid(datum.y)")
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
    return _sized(chart, layout, points, upright)


def _cells(layout: Layout, points: Points) -> Any:
    import altair as alt

    numbers = _ys(points)
    low, high = min(numbers), max(numbers)
    both = low < 0 < high
    axis = axes.number_axis(measured(layout) if len(layout.y) == 1 else "", numbers)
    legend = alt.Legend(gradientLength=160, **axis)
    reach = max(-low, high)
    scale = (
        alt.Scale(scheme="redblue", domain=[-reach, reach]) if both else alt.Scale(scheme="blues")
    )
    across, down = len(points.levels["x"]), len(points.levels["color"])
    longest = max(map(len, points.levels["x"]))
    step = min(max(46, (longest + 1.5) * axes.CHARACTER), 90) if across <= 12 else 22
    room = axes.has_room(points.levels["x"], across * step)
    keys = alt.Axis(
        title=axes.title_lines(_x_title(layout)) or None, **_slanted(points, room, step)
    )  # fmt: skip
    rows = alt.Axis(title=axes.title_lines(color_name(layout)) or None, labelLimit=200)
    base = _base().encode(
        x=alt.X(field="x", type="nominal", sort=points.levels["x"], axis=keys),
        y=alt.Y(field="color", type="nominal", sort=points.levels["color"], axis=rows),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=0.5).encode(
        color=alt.Color(field="y", type="quantitative", scale=scale, legend=legend),
        tooltip=_tooltip(layout, points),
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


def _slices(layout: Layout, points: Points) -> Any:
    import altair as alt

    total = sum(_ys(points))
    for row in points.rows:
        share = row["y"] / total
        row["share"] = f"{share:.0%}" if share >= 0.04 else ""
    names = points.levels["x"]
    title = axes.title_lines(_x_title(layout), 28) or None
    color = alt.Color(
        field="x", type="nominal", sort=names, scale=alt.Scale(domain=names, range=COLORS),
        legend=alt.Legend(title=title, labelLimit=240),
    )  # fmt: skip
    base = _base().encode(
        theta=alt.Theta(field="y", type="quantitative", stack=True),
        order=alt.Order(field="place", type="quantitative"),
    )
    for place, row in enumerate(points.rows):
        row["place"] = place
    arcs = base.mark_arc(outerRadius=130, stroke="white").encode(
        color=color, tooltip=_tooltip(layout, points)
    )
    text = base.mark_text(radius=148, fontSize=12).encode(text=alt.Text(field="share"))
    return alt.layer(arcs, text).properties(width=320, height=320)


def _panels(layout: Layout, points: Points) -> Any:
    import altair as alt

    apart = layout.spread == "facet"
    names = points.levels["facet"]
    tips, color = _tooltip(layout, points), _color(layout, points)
    columns = 2 if len(names) <= 4 else 3
    header = alt.Header(title=axes.title_lines(facet_name(layout)) or None, labelFontWeight="bold")
    facet = alt.Facet(field="facet", type="nominal", sort=names, columns=columns, header=header)
    lying = points.scale == "nominal" and layout.panel == "bar"
    if lying:
        upright = axes.has_room(points.levels["x"], PANEL_WIDTH)
        along, across = ("x", "y") if upright else ("y", "x")
        channels = {
            along: _keys(layout, points, along),
            across: _measure(layout, points, across, stack=None),
        }
        if color:
            offset = f"{along}Offset"
            channels[offset] = _channel(
                offset, field="color", type="nominal", sort=points.levels["color"]
            )
        mark, step = _base().mark_bar(), max(16, THIN_STEP * len(points.levels.get("color", [1])))
        height: Any = PANEL_HEIGHT if upright else _step(step)
    else:
        across, height = "y", PANEL_HEIGHT
        zero = not apart and axes.begins_at_zero(_ys(points))
        channels = {
            "x": _along(layout, points), "y": _measure(layout, points, "y", zero=zero)
        }  # fmt: skip
        base = _base()
        mark = base.mark_area(opacity=0.85) if layout.panel == "area" else base.mark_line(
            point={"size": 24, "filled": True} if len(points.rows) <= 4 * FEW_POINTS else False
        )  # fmt: skip
    chart = mark.encode(**channels, **color, facet=facet, tooltip=tips)
    chart = chart.properties(width=PANEL_WIDTH, height=height)
    return chart.resolve_scale(**{across: "independent"}) if apart else chart


_DRAWN: dict[Form, Callable[[Layout, Points], Any]] = {
    "bar": _bars,
    "grouped bar": _bars,
    "stacked bar": _bars,
    "line": _lines,
    "area": _lines,
    "scatter": _points,
    "histogram": _bins,
    "box": _boxes,
    "heat map": _cells,
    "pie": _slices,
    "small multiples": _panels,
}
