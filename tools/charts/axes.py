"""Axes: titles from headers, numbers that can be read, and whether labels have room."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from wideleaf.tools.words import visible

WIDTH, HEIGHT = 560, 320
CHARACTER = 6.6
"""Pixels of a character of a label, about."""
TITLE_CHARACTERS, TITLE_LINES = 44, 3
LARGE = ((1e12, "trillions"), (1e9, "billions"), (1e6, "millions"))
SMALL = 1e-3
BACKSLASH = "∖"
"""A sign that looks like one (U+2216) and is none."""
OF_OBJECTS = (
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf",
)  # fmt: skip
FROM_ZERO = 0.35
"""A line's axis begins at 0 where its lowest point is below so much of its highest."""
_MIDNIGHT = "hours(datum.value) == 0 && minutes(datum.value) == 0 && seconds(datum.value) == 0"
_CLOCK = "timeFormat(datum.value, seconds(datum.value) ? '%H:%M:%S' : '%H:%M')"
_DAY = (
    "timeFormat(datum.value, date(datum.value) > 1 ? '%d %b' : "
    "month(datum.value) > 0 ? '%b' : '%Y')"
)


def plain_title(text: str) -> str:
    """A header as a title that Vega can take.

    Titles are written into expressions, where a backslash bites; and a text that is named like
    what every object of JavaScript has is taken for it, but not with a blank behind it.
    """
    flat = visible(text).replace("\\", BACKSLASH)
    return f"{flat} " if flat in OF_OBJECTS else flat


def title_lines(text: str, characters: int = TITLE_CHARACTERS, lines: int = TITLE_LINES) -> Any:
    """A text in lines, cut after so many; one line is a text, several are a list.

    Args:
        text: A header or a question.
        characters: Of a line.
        lines: Most of them.
    """
    flat = plain_title(text[: 20 * characters])
    made = textwrap.wrap(flat, characters, max_lines=lines, placeholder=" …")
    return plain_title(made[0]) if len(made) == 1 else made or ""


def number_axis(
    title: str, numbers: Iterable[float | None], *, counts: bool = False
) -> dict[str, Any]:
    """The axis of numbers: large ones in millions, which its title says, small ones as powers.

    Args:
        title: The header.
        numbers: What is drawn.
        counts: Whether they are whole numbers between which there is nothing.
    """
    size = max((abs(number) for number in numbers if number is not None), default=0.0)
    for factor, word in LARGE:
        if factor <= size < 1e15:
            label = f"format(datum.value / {factor:.0f}, ',~r')"
            return {"title": title_lines(f"{title} (in {word})"), "labelExpr": label}
    axis: dict[str, Any] = {"title": title_lines(title)}
    if 0 < size < SMALL or size >= 1e15:
        return axis | {"labelExpr": "datum.value == 0 ? '0' : format(datum.value, '.2~e')"}
    return axis | ({"tickMinStep": 1, "format": ",d"} if counts else {})


def mixed_axis(title: str) -> dict[str, Any]:
    """The axis of panels of numbers of several sizes: each label says its own millions.

    Args:
        title: What stands beside it.
    """
    label = "format(datum.value, ',~r')"
    for factor, word in reversed(LARGE):
        large = f"format(datum.value / {factor:.0f}, ',~r') + ' {word[:-1]}'"
        label = f"abs(datum.value) >= {factor:.0f} ? {large} : {label}"
    return {"title": title_lines(title) or None, "labelExpr": label, "tickCount": 4}


def moment_axis(title: str, moments: Sequence[str]) -> dict[str, Any]:
    """The axis of moments: a label says no more than sets it apart, the title what all are of.

    Args:
        title: The header.
        moments: As a spec writes them.
    """
    first, last = min(moments), max(moments)
    day, year = first[:10] == last[:10], first[:4] == last[:4]
    same = first[:10] if day else first[:4] if year else ""
    said = title_lines(f"{title} ({same})" if same else title)
    return {"title": said, "labelExpr": _CLOCK if day else f"{_MIDNIGHT} ? {_DAY} : {_CLOCK}"}


def running_axis(title: str, numbers: Sequence[float]) -> dict[str, Any]:
    """The axis of numbers that others run along: years without a comma, whole steps."""
    whole = all(number == int(number) for number in numbers)
    if whole and numbers and max(map(abs, numbers)) < 1e5:
        return {"title": title_lines(title), "format": "d", "tickMinStep": 1}
    return number_axis(title, numbers)


def begins_at_zero(numbers: Iterable[float | None]) -> bool:
    """Whether an axis of points or lines should show 0: where it costs them little room."""
    known = [number for number in numbers if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return (low >= 0 and low <= FROM_ZERO * high) or (high <= 0 and high >= FROM_ZERO * low)


def has_room(labels: Sequence[str], width: float = WIDTH) -> bool:
    """Whether labels fit beside each other."""
    return room_needed(labels) <= width


def room_needed(labels: Sequence[str]) -> float:
    """How many pixels labels need beside each other, each with as many as the longest."""
    longest = max(map(len, labels), default=0)
    return len(labels) * (longest + 1) * CHARACTER
