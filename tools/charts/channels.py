"""Channels: the points of a chart as Vega-Lite places them, with axes that can be read.

Fields are always named alike. Headers stand in titles alone, so that points, brackets and quotes
in them mean nothing to Vega.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wideleaf.tools.charts.layouts import Layout
from wideleaf.tools.words import visible

Spec = dict[str, Any]
WIDTH, HEIGHT = 560, 320
CHARACTER = 6.6
"""Pixels of a character of a label, about."""
TITLE_CHARACTERS, TITLE_LINES = 44, 3
LEGEND_CHARACTERS = 28
TIP_CHARACTERS = 80
LABEL_LIMIT = 330
"""Pixels of a label."""
LETTER = 13
"""Pixels that a slanting label needs."""
LARGE = ((1e12, "trillions"), (1e9, "billions"), (1e6, "millions"))
SMALL = 1e-3
OF_OBJECTS = (
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf",
)  # fmt: skip
FROM_ZERO = 0.35
"""A line's axis begins at 0 where its lowest point is below so much of its highest."""
COLORS = [
    "#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b",
    "#ff9da6", "#79706e",
]  # fmt: skip
_MIDNIGHT = "hours(datum.value) == 0 && minutes(datum.value) == 0 && seconds(datum.value) == 0"
_CLOCK = "timeFormat(datum.value, seconds(datum.value) ? '%H:%M:%S' : '%H:%M')"
_DAY = (
    "timeFormat(datum.value, date(datum.value) > 1 ? '%d %b' : "
    "month(datum.value) > 0 ? '%b' : '%Y')"
)


def title_lines(text: str, characters: int = TITLE_CHARACTERS, lines: int = TITLE_LINES) -> Any:
    """A header as the title of an axis or a legend; None where it is empty.

    Vega writes such titles into expressions, where a backslash bites.

    Args:
        text: The header.
        characters: Of a line.
        lines: Most of them.
    """
    return text_lines(text[: 20 * characters].replace("\\", "/"), characters, lines) or None


def text_lines(text: str, characters: int, lines: int) -> Any:
    """A text cut after so many lines: one line is a text, several are a list.

    Args:
        text: As the title of a chart, which stands in no expression.
        characters: Of a line.
        lines: Most of them.
    """
    flat = visible(text[: 20 * characters])
    rows = textwrap.wrap(flat, characters, max_lines=lines, placeholder=" …")
    return _no_name(rows[0]) if len(rows) == 1 else rows or ""


def _no_name(text: str) -> str:
    """A text that Vega takes for one: what every object of JavaScript has gets a blank behind."""
    return f"{text} " if text in OF_OBJECTS else text


def has_room(labels: Sequence[str], width: float = WIDTH) -> bool:
    """Whether labels fit beside each other."""
    return room_needed(labels) <= width


def room_needed(labels: Sequence[str]) -> float:
    """How many pixels labels need beside each other, each with as many as the longest."""
    longest = max(map(len, labels), default=0)
    return len(labels) * (longest + 1) * CHARACTER


def begins_at_zero(numbers: Iterable[float]) -> bool:
    """Whether an axis of points or lines should show 0: where it costs them little room."""
    values = [*numbers]
    low, high = min(values, default=0.0), max(values, default=0.0)
    return (low >= 0 and low <= FROM_ZERO * high) or (high <= 0 and high >= FROM_ZERO * low)


def number_axis(title: str, numbers: Iterable[float], *, counts: bool = False) -> dict[str, Any]:
    """The axis of numbers: large ones in millions, which its title says, small ones as powers.

    Args:
        title: The header.
        numbers: What is drawn.
        counts: Whether they are whole numbers between which there is nothing.
    """
    size = max(map(abs, numbers), default=0.0)
    for factor, word in LARGE:
        if factor <= size < 1e15:
            label = f"format(datum.value / {factor:.0f}, ',~r')"
            return {"title": title_lines(f"{title} (in {word})"), "labelExpr": label}
    axis = {"title": title_lines(title)}
    if 0 < size < SMALL or size >= 1e15:
        return axis | {"labelExpr": "datum.value == 0 ? '0' : format(datum.value, '.2~e')"}
    return axis | ({"tickMinStep": 1, "format": ",d"} if counts else {})


def running_axis(title: str, numbers: Sequence[float]) -> dict[str, Any]:
    """The axis of numbers that others run along: years without a comma, whole steps."""
    whole = all(number == int(number) for number in numbers)
    if whole and numbers and max(map(abs, numbers)) < 1e5:
        return {"title": title_lines(title), "format": "d", "tickMinStep": 1}
    return number_axis(title, numbers)


def _label_mixed_axis(title: str) -> dict[str, Any]:
    """The axis of panels of numbers of several sizes: each label says its own millions."""
    label = "format(datum.value, ',~r')"
    for factor, word in reversed(LARGE):
        large = f"format(datum.value / {factor:.0f}, ',~r') + ' {word[:-1]}'"
        label = f"abs(datum.value) >= {factor:.0f} ? {large} : {label}"
    return {"title": title_lines(title), "labelExpr": label, "tickCount": 4}


def _moment_axis(title: str, moments: Sequence[str]) -> dict[str, Any]:
    """The axis of moments: a label says no more than sets it apart, the title what all are of."""
    first, last = min(moments), max(moments)
    day, year = first[:10] == last[:10], first[:4] == last[:4]
    same = first[:10] if day else first[:4] if year else ""
    heading = title_lines(f"{title} ({same})" if same else title)
    return {"title": heading, "labelExpr": _CLOCK if day else f"{_MIDNIGHT} ? {_DAY} : {_CLOCK}"}


def slant_labels(room: bool, step: float) -> Spec:
    """How labels of keys stand along a chart: level if there is room, else slanting."""
    overlap = False if room or step >= LETTER else "greedy"
    return {"labelAngle": 0 if room else -40, "labelOverlap": overlap, "labelLimit": 140}


@dataclass(frozen=True)
class Points:
    """What is drawn, and the channels in which Vega-Lite places it.

    Attributes:
        layout: Which column goes where.
        rows: Plain data; ``x``, ``y`` and, where they are, ``color`` and ``facet`` of each point.
        scale: What `x` is to the chart.
        levels: Of ``x`` (where it is nominal), ``color`` and ``facet``, the texts in their order.
        notes: What was cut.
    """

    layout: Layout
    rows: list[dict[str, Any]]
    scale: Literal["nominal", "temporal", "quantitative"]
    levels: Mapping[str, list[str]]
    notes: tuple[str, ...] = ()

    @property
    def numbers(self) -> list[float]:
        """All that is measured."""
        return [row["y"] for row in self.rows if row.get("y") is not None]

    @property
    def labels(self) -> list[str]:
        """The keys along the chart."""
        return self.levels["x"]

    @property
    def series(self) -> list[str]:
        """What is told apart by color; empty where nothing is."""
        return self.levels.get("color", [])

    def title(self, place: str, characters: int = TITLE_CHARACTERS) -> Any:
        """The header behind a place as a title."""
        return title_lines(self.layout.header(place), characters)

    def measure(self, *, zero: bool = True, **options: Any) -> Spec:
        """The channel of what is measured.

        Args:
            zero: Whether its axis shows 0.
            options: More of the channel.
        """
        numbers, name = self.numbers, self.layout.header("y")
        if options.get("stack") == "normalize":
            whole = re.sub(r"\s*[(\[][^()\[\]]*[)\]]$", "", name)  # a share has no unit
            axis = {"title": title_lines(f"share of {whole}" if whole else "share"), "format": "%"}
        elif self.layout.spread == "facet":
            axis = _label_mixed_axis(name)
        else:
            axis = number_axis(name, numbers, counts=all(isinstance(n, int) for n in numbers))
        scale = {"zero": zero, "nice": True}
        return {"field": "y", "type": "quantitative", "axis": axis, "scale": scale, **options}

    def _keys(self, place: str) -> Spec:
        """The channel of keys on an axis, in their order."""
        axis: Spec = {"labelLimit": LABEL_LIMIT, "maxExtent": LABEL_LIMIT + 20, "labelAngle": 0}
        if place == "y" and self.layout.form != "small multiples":  # above the labels
            axis |= {"title": title_lines(self.layout.header("x"), 48, 1), "titleAngle": 0}
            axis |= {"titleAlign": "right", "titleBaseline": "bottom", "titleX": -8, "titleY": -6}
        else:
            axis["title"] = self.title("x")
        return self.nominal("x", axis=axis)

    def nominal(self, field: str, **options: Any) -> Spec:
        """The channel of texts in their order: as a domain, which no expression is made of."""
        scale = {"domain": self.levels[field]}
        return {"field": field, "type": "nominal", "sort": None, "scale": scale, **options}

    def _running(self) -> Spec:
        """The channel that lines and points run along."""
        layout, name = self.layout, self.layout.header("x")
        if self.scale == "nominal":
            slant = slant_labels(has_room(self.labels), WIDTH / len(self.labels))
            return self.nominal("x", axis={"title": title_lines(name), **slant})
        cells = [row["x"] for row in self.rows]
        more = {"labelSeparation": 6} | ({"tickCount": 5} if layout.panel else {})
        if self.scale == "temporal":
            return {"field": "x", "type": "temporal", "axis": _moment_axis(name, cells) | more}
        runs = layout.x is not None and layout.x.runs
        axis = running_axis(name, cells) if runs else number_axis(name, cells)
        scale = {"zero": not runs and begins_at_zero(cells), "nice": not runs}
        return {"field": "x", "type": "quantitative", "scale": scale, "axis": axis | more}

    def color(self) -> dict[str, Spec]:
        """The channel that tells series apart, where there are any."""
        if not self.series:
            return {}
        title = self.title("color", LEGEND_CHARACTERS)
        legend = {"title": title, "labelLimit": 200, "symbolLimit": len(self.series)}
        scale = {"domain": self.series, "range": COLORS}
        return {"color": {"field": "color", "type": "nominal", "scale": scale, "legend": legend}}

    def tooltips(self) -> list[Spec]:
        """What is said of a point under the pointer."""
        layout = self.layout
        fields = [("x", self.scale, layout.header("x")), ("y", "quantitative", layout.measure)]
        if "color" in self.levels:
            fields.insert(1, ("color", "nominal", layout.header("color")))
        return [{"field": field, "type": kind, "title": _tip(name)} for field, kind, name in fields]

    def along_axis(self, **measure: Any) -> dict[str, Any]:
        """All channels of what stands along an axis.

        Args:
            measure: Of the channel of what is measured.
        """
        channels = {"x": self._running(), "y": self.measure(**measure)}
        return {**channels, "tooltip": self.tooltips(), **self.color()}

    def along_keys(self, upright: bool, measure: Spec, end: str = "") -> dict[str, Any]:
        """The channels of what has a key each.

        Args:
            upright: Whether the keys stand along ``x``.
            measure: The channel of what is measured.
            end: The field where it ends, if it does not begin at 0.
        """
        along, across = ("x", "y") if upright else ("y", "x")
        channels = {along: self._keys(along), across: measure}
        return channels | ({f"{across}2": {"field": end}} if end else {})


def _tip(header: str) -> str:
    """A header as it stands beside a value."""
    return _no_name(visible(header[:TIP_CHARACTERS]).replace("\\", "/")) or "column"
