"""Durations: texts such as ``2:17:27`` and ``1h 20m`` as seconds, and seconds as such a text.

Both are written out in functions that there are, so that engines and exports need no more.
"""

from __future__ import annotations

from typing import Any

READ, WRITTEN = "seconds of", "format seconds"
NAMES = (READ, WRITTEN)
SPELLINGS = {
    "seconds": READ, "duration": READ, "to seconds": READ, "total seconds": READ,
    "parse duration": READ, "format duration": WRITTEN, "clock of": WRITTEN,
}  # fmt: skip
_NUMBER = r"([0-9]+(?:[.][0-9]+)?)"
_CLOCK = {  # hours may be missing; minutes and seconds may not
    3600: r"^\s*([0-9]+):[0-9]{1,2}:[0-9]{1,2}(?:[.][0-9]+)?\s*$",
    60: r"^\s*(?:[0-9]+:)?([0-9]+):[0-9]{1,2}(?:[.][0-9]+)?\s*$",
    1: r"^\s*(?:[0-9]+:)?[0-9]+:([0-9]{1,2}(?:[.][0-9]+)?)\s*$",
}
_END = r"(?:[^a-z].*)?$"
_UNITS = {
    86400: rf"{_NUMBER}\s*(?:d|day|days){_END}",
    3600: rf"{_NUMBER}\s*(?:h|hr|hrs|hour|hours){_END}",
    60: rf"{_NUMBER}\s*(?:m|min|mins|minute|minutes){_END}",
    1: rf"{_NUMBER}\s*(?:s|sec|secs|second|seconds){_END}",
}


def read_seconds(text: object) -> dict[str, Any]:
    """The expression of the seconds that a text says; null where it says none.

    Args:
        text: The expression of the text. Of ``12:30`` the first part are minutes.
    """
    clock = {size: _found(text, pattern) for size, pattern in _CLOCK.items()}
    units = {size: _found(text, f"(?i){pattern}") for size, pattern in _UNITS.items()}
    # Of a clock the seconds are always there, of units any: a null of these is one of the whole.
    by_clock = _total({**clock, 3600: _or_zero(clock[3600])})
    some = {"op": "*", "args": [{"op": "coalesce", "args": [*units.values()]}, 0]}
    by_units = _total({size: _or_zero(part) for size, part in units.items()})
    return {"op": "coalesce", "args": [by_clock, {"op": "+", "args": [some, by_units]}]}


def write_seconds(seconds: object) -> dict[str, Any]:
    """The expression of seconds as ``H:MM:SS``, rounded to a whole one.

    Args:
        seconds: Their expression.
    """
    whole = {"op": "abs", "args": [{"op": "round", "args": [seconds]}]}
    hours = {"op": "//", "args": [whole, 3600]}
    minutes = {"op": "//", "args": [{"op": "%", "args": [whole, 3600]}, 60]}
    rest = {"op": "%", "args": [whole, 60]}
    sign = {"op": "clip", "args": [{"op": "sign", "args": [seconds]}, -1, 0]}
    minus = {"op": "replace", "args": [{"op": "replace", "args": [_text(sign), "0", ""]}, "1", ""]}
    return {"op": "concat", "args": [minus, _text(hours), _two(minutes), _two(rest)]}


def _found(text: object, pattern: str) -> dict[str, Any]:
    return {"cast": "number", "of": {"op": "extract", "args": [text, {"value": pattern}, 1]}}


def _or_zero(part: object) -> dict[str, Any]:
    return {"op": "coalesce", "args": [part, 0]}


def _total(parts: dict[int, dict[str, Any]]) -> dict[str, Any]:
    return {"op": "+", "args": [{"op": "*", "args": [part, size]} for size, part in parts.items()]}


def _text(number: object) -> dict[str, Any]:
    return {"cast": "text", "of": number}


def _two(number: object) -> dict[str, Any]:
    padded = {"op": "pad left", "args": [_text(number), 2, {"value": "0"}]}
    return {"op": "concat", "args": [{"value": ":"}, padded]}
