"""Marks: the Vega-Lite of each form, without its data and titles.

A form is drawn by the function that stands in its row (`forms.RULES`), out of the points' channels.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from wideleaf.tools.charts.channels import (
    CHARACTER,
    COLORS,
    HEIGHT,
    LEGEND_CHARACTERS,
    WIDTH,
    Points,
    Spec,
    begins_at_zero,
    has_room,
    number_axis,
    room_needed,
    running_axis,
    slant_labels,
)

BAR_STEP, THIN_STEP = 24, 9
MIN_WIDTH = 260
FEW_POINTS, MAX_DOTS = 60, 240
PANEL_WIDTH, PANEL_HEIGHT = 250, 170
DARK = 0.55
"""From so much of the range on a heat map's cell has white letters."""
DIVERGES = 0.2
"""Colors part at zero where the shorter side of it is so much of the longer."""
MAX_WIDE_CELLS, MAX_HIGH_CELLS = 12, 20
"""So many cells of a heat map have room for their numbers."""


def draw_bars(points: Points, *, beside: bool = False, stack: str | None = None) -> Spec:
    """Bars from 0, upright where their labels fit beside each other, else lying.

    Args:
        points: What is drawn.
        beside: Whether series stand beside each other.
        stack: How Vega-Lite stacks them.
    """
    if points.scale != "nominal":
        size = max(WIDTH / len(points.rows) * 0.8, 1)
        return _on_axes({"type": "bar", "size": size}, points.along_axis())
    labels, series = points.labels, max(len(points.series), 1) if beside else 1
    upright = has_room(labels) and len(labels) * series * THIN_STEP <= WIDTH
    channels = _bar_channels(points, upright, beside=beside, stack=stack)
    return _spec({"type": "bar"}, channels) | _size_of_keys(labels, upright, series)


def _bar_channels(
    points: Points, upright: bool, *, beside: bool, stack: str | None = None
) -> dict[str, Any]:
    channels = points.along_keys(upright, points.measure(stack=stack))
    channels |= {"tooltip": points.tooltips(), **points.color()}
    if beside and points.series:
        channels["xOffset" if upright else "yOffset"] = points.nominal("color")
    return channels


def _spec(mark: Spec, encoding: dict[str, Any], **more: Any) -> Spec:
    return {"mark": mark, "encoding": encoding, **more}


def _on_axes(mark: Spec, encoding: dict[str, Any], height: int = HEIGHT) -> Spec:
    return _spec(mark, encoding, width=WIDTH, height=height)


def _size_of_keys(labels: list[str], upright: bool, series: int = 1) -> Spec:
    """As wide or as high as the keys of bars or boxes need."""
    if not upright:
        return {"width": WIDTH, "height": _key_step(max(BAR_STEP, THIN_STEP * series + 8))}
    wide = max(len(labels) * max(70, 26 * series), room_needed(labels), MIN_WIDTH)
    return {"width": min(WIDTH, wide), "height": HEIGHT}


def _key_step(pixels: float) -> Spec:
    """So many pixels for each key, however many bars it has."""
    return {"step": pixels, "for": "position"}


def draw_lines(points: Points) -> Spec:
    """Lines, with dots on them where these are few."""
    dots = {"size": 36, "filled": True} if len(points.rows) <= FEW_POINTS else False
    mark = {"type": "line", "point": dots, "strokeWidth": 2}
    return _on_axes(mark, points.along_axis(zero=begins_at_zero(points.numbers)))


def draw_areas(points: Points) -> Spec:
    """An area from 0, or one on another for each series."""
    several = bool(points.series)
    mark = {"type": "area", "opacity": 0.85, "line": not several}
    return _on_axes(mark, points.along_axis(stack="zero" if several else None))


def draw_scatter(points: Points) -> Spec:
    """Points, the smaller and fainter the more they are."""
    many = len(points.rows)
    size, opacity = (46, 0.8) if many <= 200 else (26, 0.55) if many <= 1000 else (12, 0.35)
    channels = points.along_axis(zero=begins_at_zero(points.numbers))
    return _on_axes({"type": "circle", "size": size, "opacity": opacity}, channels, HEIGHT + 40)


def draw_histogram(points: Points) -> Spec:
    """Bins beside each other without a gap."""
    rows, name = points.rows, points.layout.measure
    edges = [rows[0]["x"], *(row["x_end"] for row in rows)]
    middles = [row["x"] + 0.5 for row in rows]
    # A bin for each whole number has that number in its middle.
    each = edges[1] - edges[0] == 1 and middles[0] == int(middles[0])
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
    return _on_axes(mark, channels)


def draw_boxes(points: Points) -> Spec:
    """Boxes with whiskers, and what lies beyond."""
    upright = has_room(points.labels)
    numbers = [n for row in points.rows for name, n in row.items() if name not in ("x", "count")]
    axis = number_axis(points.layout.header("y"), numbers)
    shared = {"type": "quantitative", "axis": axis, "scale": {"zero": begins_at_zero(numbers)}}
    size = 32 if upright else 14
    bar = {"type": "bar", "size": size, "color": COLORS[0]}
    tick = {"type": "tick", "color": "white", "size": size, "thickness": 2}
    point = {"type": "point", "size": 16, "color": "#555", "strokeWidth": 1}
    layers = []
    for mark, field, end in (
        ({"type": "rule", "color": "#555"}, "low", "high"),
        (bar, "q1", "q3"),
        (tick, "median", ""),
        (point, "y", ""),
    ):
        channels = points.along_keys(upright, {"field": field, **shared}, end)
        there = {"filter": f"isValid(datum.{'y' if field == 'y' else 'median'})"}
        layers.append(_spec(mark, channels, transform=[there]))
    return {"layer": layers} | _size_of_keys(points.labels, upright)


def draw_slices(points: Points) -> Spec:
    """A pie, with the shares of its larger slices beside them."""
    title = points.title("x", LEGEND_CHARACTERS)
    color = points.nominal("x", legend={"title": title, "labelLimit": 240})
    color["scale"] |= {"range": COLORS}
    shared = {
        "theta": {"field": "y", "type": "quantitative", "stack": True},
        "order": {"field": "place", "type": "quantitative"},
    }
    arc = {"type": "arc", "outerRadius": 130, "stroke": "white"}
    text = {"type": "text", "radius": 148, "fontSize": 12}
    layers = [
        _spec(arc, shared | {"color": color, "tooltip": points.tooltips()}),
        _spec(text, shared | {"text": {"field": "share"}}),
    ]
    return {"layer": layers, "width": 320, "height": 320}


def draw_steps(points: Points) -> Spec:
    """A waterfall: bars that begin where the one before ends, those that fall in another color."""
    upright = has_room(points.labels)
    axis = number_axis(points.layout.header("y"), [0.0, *accumulate(points.numbers)])
    steps = {"field": "start", "type": "quantitative", "axis": axis}
    falls = {"test": "datum.y < 0", "value": COLORS[1]}
    channels = points.along_keys(upright, steps, "end") | {
        "color": {"condition": falls, "value": COLORS[0]},
        "tooltip": points.tooltips(),
    }
    end = {"op": "sum", "field": "y", "as": "end"}
    start = {"calculate": "datum.end - datum.y", "as": "start"}
    bars = _spec({"type": "bar"}, channels, transform=[{"window": [end]}, start])
    return bars | _size_of_keys(points.labels, upright)


def draw_heat_map(points: Points) -> Spec:
    """Cells in colors; the numbers stand in them where they are few."""
    numbers, labels = points.numbers, points.labels
    low, high = min(numbers), max(numbers)
    reach = max(-low, high)
    scale: Spec = {"scheme": "blues"}
    dark = f"datum.y > {low + DARK * (high - low)}"
    if low < 0 < high and min(-low, high) >= DIVERGES * reach:
        scale = {"scheme": "redblue", "domain": [-reach, reach]}
        dark = f"abs(datum.y) > {DARK * reach}"
    legend = {"gradientLength": 160, **number_axis(points.layout.header("y"), numbers)}
    fill = {"field": "y", "type": "quantitative", "scale": scale, "legend": legend}
    wide, high_cells = len(labels) <= MAX_WIDE_CELLS, len(points.series) <= MAX_HIGH_CELLS
    widest = max(46, (max(map(len, labels)) + 1.5) * CHARACTER)
    step = min(widest, max(60, WIDTH / len(labels))) if wide else 22
    slant = slant_labels(has_room(labels, len(labels) * step), step)
    channels = {
        "x": points.nominal("x", axis={"title": points.title("x"), **slant}),
        "y": points.nominal("color", axis={"title": points.title("color"), "labelLimit": 200}),
    }
    size = {"width": {"step": step}, "height": {"step": 26 if high_cells else 16}}
    rect = {"type": "rect", "stroke": "white", "strokeWidth": 0.5}
    cells = _spec(rect, channels | {"color": fill, "tooltip": points.tooltips()})
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


def draw_panels(points: Points) -> Spec:
    """Small multiples: a panel for each key, or for each number with an axis of its own."""
    panel, numbers = points.layout.panel, points.numbers
    apart, across = points.layout.spread == "facet", "y"
    height: int | Spec = PANEL_HEIGHT
    dots = {"size": 24, "filled": True} if len(points.rows) <= MAX_DOTS else False
    marks: dict[str | None, Spec] = {
        "bar": {"type": "bar"},
        "line": {"type": "line", "point": dots},
        "area": {"type": "area", "opacity": 0.85},
        "point": {"type": "circle", "size": 26, "opacity": 0.7},
    }
    if panel == "bar":
        upright = has_room(points.labels, PANEL_WIDTH)
        channels = _bar_channels(points, upright, beside=True)
        if not upright:
            across, height = "x", _key_step(max(16, THIN_STEP * max(len(points.series), 1)))
    else:
        channels = points.along_axis(zero=not apart and begins_at_zero(numbers))
    names = points.levels["facet"]
    columns = 2 if len(names) in (2, 4) else 3  # of a row that is not full all axes are drawn
    header = {"title": points.title("facet"), "labelFontWeight": "bold"}
    facet: Spec = {"field": "facet", "type": "nominal", "sort": names, "columns": columns}
    channels["facet"] = facet | {"header": header}
    spec = _spec(marks[panel], channels, width=PANEL_WIDTH, height=height)
    return spec | {"resolve": {"scale": {across: "independent"}}} if apart else spec
