"""The words of expressions: other ways in which models write them, read as those that there are.

Durations, texts such as ``2:17:27`` and ``1h 20m``, are such a way: they are written out in
functions that there are, so that engines and exports need no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from wideleaf.tools.conditions.condition import ORDERED, Op, normalise_op
from wideleaf.tools.expressions.number_functions import ROW_FUNCTIONS

CastTarget = Literal["number", "text", "date", "datetime", "boolean"]
READ, WRITTEN = "seconds of", "format seconds"
DURATIONS = (READ, WRITTEN)
_DURATION_SPELLINGS = {
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
SHAPES = (
    "A number; a column, as any bare text; {value: text}; {op, args}: {op: round, args: [x, 2]}, "
    "{op: extract, args: [code, '(\\d+)']}, split part counts from 1, seconds of reads 1h 20m; "
    "{if, then, else?}; {cases: [{if, then}], else?}; {test: where}; "
    "{cast, of, format?}, null where unreadable; "
    "{row: sum, columns: [T_{0..9}]}, or {row: count, columns, op: '>', value: 3}."
)


def normalise_spelling(value: object) -> object:
    """Read the other ways in which models write a column and a row aggregate."""
    if not isinstance(value, dict):
        return value
    if "row" in value:
        compare = next((value[name] for name in ("where", "if") if name in value), None)
        if isinstance(compare, dict) and set(compare) == {"op", "value"}:
            return {k: v for k, v in value.items() if k not in ("where", "if")} | compare
        return value
    if set(value) == {"column"}:
        return value["column"]
    if (short := _write_out(value)) is not None:
        return short
    function = value.get("function", value.get("op"))
    over = value.get("columns", value.get("args"))
    only_here = function in ("sum", "mean", "count") or "columns" in value
    if function in ROW_FUNCTIONS and only_here and over is not None:
        return {"row": function, "columns": over}
    op, args = normalise_op(value.get("op")), value.get("args")
    if op in get_args(Op) and isinstance(args, (list, tuple)) and args:
        return {"test": _comparison(op, args)}
    if not {"value", "op", "if", "cast", "cases", "test"} & set(value):
        raise ValueError(f"{value!r} is no expression; write one of: {SHAPES}")
    return value


def _write_out(value: dict[str, object]) -> object:
    """What a function of durations is short for; None of any other."""
    if set(value) == {"cast", "of"}:
        value = {"op": value["cast"], "args": [value["of"]]}
    args = value.get("args")
    args = args if isinstance(args, (list, tuple)) else [args]
    op = normalise_op(value.get("op"), _DURATION_SPELLINGS)
    if op not in DURATIONS or set(value) != {"op", "args"}:
        return None
    if len(args) != 1 or args[0] is None:
        raise ValueError(f"{op!r} takes one argument, not {len(args)}")
    return (read_seconds if op == READ else write_seconds)(args[0])


def _comparison(op: str, args: Sequence[object]) -> dict[str, object]:
    """A comparison written as a function, as a condition."""
    column, *others = args
    comparison: dict[str, object] = {"column": column, "op": op}
    values = [other["value"] if isinstance(other, dict) and "value" in other else other
              for other in others]  # fmt: skip
    if len(others) == 1 and isinstance(others[0], str) and op in ORDERED:
        return comparison | {"other": others[0]}
    return (
        comparison | {"value": values[0] if len(values) == 1 else values} if values else comparison
    )


def read_seconds(text: object) -> dict[str, Any]:
    """The expression of the seconds that a text says; null where it says none.

    Args:
        text: The expression of the text. Of ``12:30`` the first part are minutes.
    """
    clock = {size: _found(text, pattern) for size, pattern in _CLOCK.items()}
    units = {size: _found(text, f"(?i){pattern}") for size, pattern in _UNITS.items()}
    # Of a clock the seconds are always there, of units any: a null of these is one of the whole.
    by_clock = _total({**clock, 3600: _call("coalesce", clock[3600], 0)})
    some = _call("*", _call("coalesce", *units.values()), 0)
    by_units = _total({size: _call("coalesce", part, 0) for size, part in units.items()})
    return _call("coalesce", by_clock, _call("+", some, by_units))


def write_seconds(seconds: object) -> dict[str, Any]:
    """The expression of seconds as ``H:MM:SS``, rounded to a whole one.

    Args:
        seconds: Their expression.
    """
    whole = _call("abs", _call("round", seconds))
    hours = _text(_call("//", whole, 3600))
    minutes = _two(_call("//", _call("%", whole, 3600), 60))
    sign = _text(_call("clip", _call("sign", seconds), -1, 0))
    minus = _call("replace", _call("replace", sign, "0", ""), "1", "")
    return _call("concat", minus, hours, minutes, _two(_call("%", whole, 60)))


def _call(op: str, *args: object) -> dict[str, Any]:
    return {"op": op, "args": [*args]}


def _found(text: object, pattern: str) -> dict[str, Any]:
    return {"cast": "number", "of": _call("extract", text, {"value": pattern}, 1)}


def _total(parts: dict[int, dict[str, Any]]) -> dict[str, Any]:
    return _call("+", *(_call("*", part, size) for size, part in parts.items()))


def _text(number: object) -> dict[str, Any]:
    return {"cast": "text", "of": number}


def _two(number: object) -> dict[str, Any]:
    return _call("concat", {"value": ":"}, _call("pad left", _text(number), 2, {"value": "0"}))
