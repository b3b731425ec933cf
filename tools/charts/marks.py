"""Marks: the Vega-Lite of each form, without its data and titles."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from wideleaf.tools.charts.channels import (
    CHARACTER,
    COLORS,
    HEIGHT,
    LEGEND_CHARACTERS,
    WIDTH,
    Channel,
    begins_at_zero,
    color_channel,
    has_room,
    key_channel,
    level_channel,
    measure_channel,
    number_axis,
    room_needed,
    running_axis,
    running_channel,
    slant_labels,
    title_lines,
    tooltips,
)
from wideleaf.tools.charts.forms import FORMS, RULES, Form
from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.charts.points import Points

Spec = dict[str, Any]
BAR_STEP, THIN_STEP = 24, 9
LEAST_WIDTH = 260
FEW_POINTS, MOST_DOTS = 60, 240
PANEL_WIDTH, PANEL_HEIGHT = 250, 170
DARK = 0.55
"""From so much of the range on a heat map's cell has white letters."""
DIVERGES = 0.2
"""Colors part at zero where the shorter side of it is so much of the longer."""
MOST_WIDE_CELLS, MOST_HIGH_CELLS = 12, 20
"""So many cells of a heat map have room for their numbers."""


def draw_marks(layout: Layout, points: Points) -> Spec:
    """The chart without its data and titles.

    Args:
        layout: Which column goes where.
        points: What is drawn.
    """
    return _DRAWN[layout.form](layout, points)


def _spec(mark: str | Spec, encoding: dict[str, Any], **more: Any) -> Spec:
    return {"mark": {"type": mark} if isinstance(mark, str) else mark, "encoding": encoding, **more}


def _upright_bars(
    layout: Layout, points: Points, upright: bool, *, beside: bool, stack: str | None
) -> dict[str, Any]:
    """The channels of bars that have a key each."""
    along, across = ("x", "y") if upright else ("y", "x")
    channels: dict[str, Any] = {
        along: key_channel(layout, points, along),
        across: measure_channel(layout, points, stack=stack),
        "tooltip": tooltips(layout, points),
        **color_channel(layout, points),
    }
    if beside and "color" in points.levels:
        channels[f"{along}Offset"] = level_channel(points, "color")
    return channels


def _bars(layout: Layout, points: Points) -> Spec:
    """Bars from 0, upright where their labels fit beside each other, else lying."""
    if points.scale != "nominal":
        mark = {"type": "bar", "size": max(WIDTH / len(points.rows) * 0.8, 1)}
        return _spec(mark, _run_along(layout, points), width=WIDTH, height=HEIGHT)
    beside = layout.form == "grouped bar"
    series = len(points.levels.get("color", [""])) if beside else 1
    labels = points.levels["x"]
    upright = has_room(labels) and len(labels) * series * THIN_STEP <= WIDTH
    stack = RULES[layout.form].stack
    channels = _upright_bars(layout, points, upright, beside=beside, stack=stack)
    return _spec("bar", channels) | _size_of_keys(labels, upright, series)


def _size_of_keys(labels: list[str], upright: bool, series: int = 1) -> Spec:
    """As wide or as high as the keys of bars or boxes need."""
    if not upright:
        return {"width": WIDTH, "height": _key_step(max(BAR_STEP, THIN_STEP * series + 8))}
    wide = max(len(labels) * max(70, 26 * series), room_needed(labels), LEAST_WIDTH)
    return {"width": min(WIDTH, wide), "height": HEIGHT}


def _key_step(pixels: float) -> Spec:
    """So many pixels for each key, however many bars it has."""
    return {"step": pixels, "for": "position"}


def _lines(layout: Layout, points: Points) -> Spec:
    color = color_channel(layout, points)
    zero, stack = begins_at_zero(points.numbers), {}
    if layout.form == "area":
        mark = {"type": "area", "opacity": 0.85, "line": not color}
        zero, stack = True, {"stack": "zero" if color else None}
    else:
        dots = {"size": 36, "filled": True} if len(points.rows) <= FEW_POINTS else False
        mark = {"type": "line", "point": dots, "strokeWidth": 2}
    return _spec(mark, _run_along(layout, points, zero=zero, **stack), width=WIDTH, height=HEIGHT)


def _run_along(layout: Layout, points: Points, **measure: Any) -> dict[str, Any]:
    """The channels of what stands along an axis."""
    return {
        "x": running_channel(layout, points),
        "y": measure_channel(layout, points, **measure),
        "tooltip": tooltips(layout, points),
        **color_channel(layout, points),
    }


def _points(layout: Layout, points: Points) -> Spec:
    many = len(points.rows)
    size, opacity = (46, 0.8) if many <= 200 else (26, 0.55) if many <= 1000 else (12, 0.35)
    channels = _run_along(layout, points, zero=begins_at_zero(points.numbers))
    mark = {"type": "circle", "size": size, "opacity": opacity}
    return _spec(mark, channels, width=WIDTH, height=HEIGHT + 40)


def _bins(layout: Layout, points: Points) -> Spec:
    edges = [points.rows[0]["x"], *(row["x_end"] for row in points.rows)]
    middles = [row["x"] + 0.5 for row in points.rows]
    # A bin for each whole number has that number in its middle.
    each = edges[1] - edges[0] == 1 and middles[0] == int(middles[0])
    name = layout.measure
    axis = running_axis(name, middles) if each else number_axis(name, edges)
    domain = {"domain": [edges[0], edges[-1]], "nice": False, "zero": False}
    counts = number_axis("number of rows", points.numbers, counts=True)
    number = {"type": "quantitative"}
    channels = {
        "x": number | {"field": "x", "bin": "binned", "scale": domain, "axis": axis},
        "x2": {"field": "x_end"},
        "y": number | {"field": "y", "axis": counts, "scale": {"zero": True}},
    }
    mark = {"type": "bar", "stroke": "white", "strokeWidth": 0.6, "binSpacing": 0}
    return _spec(mark, channels, width=WIDTH, height=HEIGHT)


def _boxes(layout: Layout, points: Points) -> Spec:
    labels = points.levels["x"]
    upright = has_room(labels)
    along, across = ("x", "y") if upright else ("y", "x")
    numbers = [n for row in points.rows for name, n in row.items() if name not in ("x", "count")]
    shared = {
        "type": "quantitative",
        "axis": number_axis(layout.header("y"), numbers),
        "scale": {"zero": begins_at_zero(numbers)},
    }
    keys = key_channel(layout, points, along)

    def layer(shown: str, mark: Spec, field: str, end: str = "") -> Spec:
        channels = {along: keys, across: {"field": field, **shared}}
        if end:
            channels[f"{across}2"] = {"field": end}
        return _spec(mark, channels, transform=[{"filter": f"isValid(datum.{shown})"}])

    size = 32 if upright else 14
    bar = {"type": "bar", "size": size, "color": COLORS[0]}
    tick = {"type": "tick", "color": "white", "size": size, "thickness": 2}
    point = {"type": "point", "size": 16, "color": "#555", "strokeWidth": 1}
    layers = [
        layer("median", {"type": "rule", "color": "#555"}, "low", "high"),
        layer("median", bar, "q1", "q3"),
        layer("median", tick, "median"),
        layer("y", point, "y"),
    ]
    return {"layer": layers} | _size_of_keys(labels, upright)


def _slices(layout: Layout, points: Points) -> Spec:
    title = title_lines(layout.header("x"), LEGEND_CHARACTERS)
    color = level_channel(points, "x", legend={"title": title, "labelLimit": 240})
    color["scale"] |= {"range": COLORS}
    shared = {
        "theta": {"field": "y", "type": "quantitative", "stack": True},
        "order": {"field": "place", "type": "quantitative"},
    }
    arc = {"type": "arc", "outerRadius": 130, "stroke": "white"}
    text = {"type": "text", "radius": 148, "fontSize": 12}
    layers = [
        _spec(arc, shared | {"color": color, "tooltip": tooltips(layout, points)}),
        _spec(text, shared | {"text": {"field": "share"}}),
    ]
    return {"layer": layers, "width": 320, "height": 320}


def _steps(layout: Layout, points: Points) -> Spec:
    """A waterfall: bars that begin where the one before ends, those that fall in another color."""
    labels = points.levels["x"]
    upright = has_room(labels)
    along, across = ("x", "y") if upright else ("y", "x")
    axis = number_axis(layout.header("y"), [0.0, *accumulate(points.numbers)])
    falls = {"test": "datum.y < 0", "value": COLORS[1]}
    channels = {
        along: key_channel(layout, points, along),
        across: {"field": "start", "type": "quantitative", "axis": axis},
        f"{across}2": {"field": "end"},
        "color": {"condition": falls, "value": COLORS[0]},
        "tooltip": tooltips(layout, points),
    }
    end = {"op": "sum", "field": "y", "as": "end"}
    start = {"calculate": "datum.end - datum.y", "as": "start"}
    bars = _spec("bar", channels, transform=[{"window": [end]}, start])
    return bars | _size_of_keys(labels, upright)


def _cells(layout: Layout, points: Points) -> Spec:
    """A heat map; the numbers stand in its cells where they are few."""
    numbers = points.numbers
    low, high = min(numbers), max(numbers)
    reach = max(-low, high)
    parts = low < 0 < high and min(-low, high) >= DIVERGES * reach
    scale: Spec = {"scheme": "blues"}
    dark = f"datum.y > {low + DARK * (high - low)}"
    if parts:
        scale = {"scheme": "redblue", "domain": [-reach, reach]}
        dark = f"abs(datum.y) > {DARK * reach}"
    legend = {"gradientLength": 160, **number_axis(layout.header("y"), numbers)}
    fill = {"field": "y", "type": "quantitative", "scale": scale, "legend": legend}
    labels = points.levels["x"]
    across, down = len(labels), len(points.levels["color"])
    wide, high_cells = across <= MOST_WIDE_CELLS, down <= MOST_HIGH_CELLS
    widest = max(46, (max(map(len, labels)) + 1.5) * CHARACTER)
    step = min(widest, max(60, WIDTH / across)) if wide else 22
    slant = slant_labels(has_room(labels, across * step), step)
    keys = {"title": title_lines(layout.header("x")), **slant}
    rows = {"title": title_lines(layout.header("color")), "labelLimit": 200}
    channels = {
        "x": level_channel(points, "x", axis=keys),
        "y": level_channel(points, "color", axis=rows),
    }
    size = {"width": {"step": step}, "height": {"step": 26 if high_cells else 16}}
    rect = {"type": "rect", "stroke": "white", "strokeWidth": 0.5}
    cells = _spec(rect, channels | {"color": fill, "tooltip": tooltips(layout, points)})
    if not (wide and high_cells):
        return cells | size
    color = {"condition": {"test": dark, "value": "white"}, "value": "#222"}
    text = {"field": "y", "type": "quantitative", "format": _cell_format(numbers)}
    letters = _spec({"type": "text", "fontSize": 11}, channels | {"text": text, "color": color})
    return {"layer": [cells, letters]} | size


def _cell_format(numbers: list[float]) -> str:
    largest = max(map(abs, numbers))
    if all(number == int(number) for number in numbers) and largest < 1e4:
        return "d"
    return ".2f" if largest < 10 else ".1f" if largest < 1000 else ".3~s"


def _panels(layout: Layout, points: Points) -> Spec:
    """Small multiples: a panel for each key, or for each number with an axis of its own."""
    apart = layout.spread == "facet"
    across = "y"
    height: int | Spec = PANEL_HEIGHT
    mark: Spec = {"type": layout.panel}
    if points.scale == "nominal" and layout.panel == "bar":
        upright = has_room(points.levels["x"], PANEL_WIDTH)
        channels = _upright_bars(layout, points, upright, beside=True, stack=None)
        if not upright:
            series = len(points.levels.get("color", [""]))
            across, height = "x", _key_step(max(16, THIN_STEP * series))
    else:
        zero = not apart and begins_at_zero(points.numbers)
        channels = _run_along(layout, points, zero=zero)
        if layout.panel == "area":
            mark = {"type": "area", "opacity": 0.85}
        elif layout.panel == "point":
            mark = {"type": "circle", "size": 26, "opacity": 0.7}
        else:
            dots = {"size": 24, "filled": True} if len(points.rows) <= MOST_DOTS else False
            mark = {"type": "line", "point": dots}
    names = points.levels["facet"]
    columns = 2 if len(names) in (2, 4) else 3  # of a row that is not full all axes are drawn
    header = {"title": title_lines(layout.header("facet")), "labelFontWeight": "bold"}
    facet: Channel = {"field": "facet", "type": "nominal", "sort": names, "columns": columns}
    channels["facet"] = facet | {"header": header}
    made = _spec(mark, channels, width=PANEL_WIDTH, height=height)
    return made | {"resolve": {"scale": {across: "independent"}}} if apart else made


_DRAWN: dict[Form, Callable[[Layout, Points], Spec]] = {
    **dict.fromkeys(FORMS, _bars),
    "line": _lines,
    "area": _lines,
    "scatter": _points,
    "histogram": _bins,
    "box": _boxes,
    "heat map": _cells,
    "pie": _slices,
    "waterfall": _steps,
    "small multiples": _panels,
}
