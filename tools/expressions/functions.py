"""The functions an expression may apply: what each takes and gives, and which are constants."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from operator import add, mul
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions import calendar_parts as parts
from wideleaf.tools.conditions.literals import trim_text
from wideleaf.tools.expressions import date_functions as dates
from wideleaf.tools.expressions import number_functions as numbers
from wideleaf.tools.expressions import text_functions as text
from wideleaf.tools.expressions.date_functions import days_between as days_between
from wideleaf.tools.expressions.date_functions import microseconds as microseconds
from wideleaf.tools.expressions.number_functions import divide as divide
from wideleaf.tools.tables.table import Kind

Build = Callable[..., nw.Expr]
MOST_CHARACTERS = 1_000_000
MOST_WIDTH = 200


class PlainArgument(NamedTuple):
    """An argument that is a constant, never a column.

    Attributes:
        what: What it must be, for the message.
        fits: Whether a value is that.
        needed: Whether it must be given.
        read: What the builder gets; raises ValueError.
    """

    what: str
    fits: Callable[[Any], bool]
    needed: bool = True
    read: Callable[[Any], Any] = lambda value: value


class Function(NamedTuple):
    """A function's signature.

    Attributes:
        takes: Kinds an argument may have; all arguments of one call have the same kind.
        gives: Kind of the result; None for that of the arguments.
        build: Makes the expression from its argument expressions.
        least: Fewest arguments.
        most: Most arguments; None for any number.
        then: Kinds of the arguments behind the first, where they differ from it.
        plain: Constants that follow the arguments.
    """

    takes: tuple[Kind, ...]
    gives: Kind | None
    build: Build
    least: int = 1
    most: int | None = 1
    then: tuple[Kind, ...] | None = None
    plain: tuple[PlainArgument, ...] = ()

    @property
    def needs(self) -> set[str]:
        """What else `build` takes by name; ``kind`` is that of the first argument."""
        return {"kind", "engine", "stage"} & signature(self.build).parameters.keys()


_NUMBER: tuple[Kind, ...] = ("number",)
_TEXT: tuple[Kind, ...] = ("text",)
_TIME: tuple[Kind, ...] = ("date", "datetime")
_CLOCK: tuple[Kind, ...] = ("datetime",)
_ORDERED: tuple[Kind, ...] = ("number", "date", "datetime")
_ANY: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")


def _whole(least: int, most: int, *, zero: bool = True) -> Callable[[Any], bool]:
    return lambda v: type(v) is int and least <= v <= most and (zero or v != 0)


def _unit(value: Any) -> str:
    return str(value).lower().removesuffix("s")


_DIGITS = PlainArgument("a whole number of digits", _whole(-300, 300), needed=False)
_BASE = PlainArgument(
    "a base above 0 that is not 1",
    lambda v: isinstance(v, (int, float)) and v > 0 and v != 1,
    needed=False,
)
_COUNT = PlainArgument("a number of characters", _whole(0, MOST_CHARACTERS))
_PLACE = PlainArgument(
    "a place from 1, or from the end as -1", _whole(-MOST_CHARACTERS, MOST_CHARACTERS, zero=False)
)
_WIDTH = PlainArgument(f"a width up to {MOST_WIDTH}", _whole(1, MOST_WIDTH))
_FILL = PlainArgument("one character", lambda v: isinstance(v, str) and len(v) == 1, needed=False)
_SOME = PlainArgument("a text that is not empty", lambda v: isinstance(v, str) and v != "")
_WORDS = PlainArgument("a text", lambda v: isinstance(v, str))
_GROUP = PlainArgument("a group's number", _whole(0, 20), needed=False)
_PART = PlainArgument("a part from 1 to 100, or from the end as -1", _whole(-100, 100, zero=False))
_UNIT = PlainArgument(
    f"one of {', '.join(dates.UNITS)}", lambda v: _unit(v) in dates.UNITS, read=_unit
)
_FORMAT = PlainArgument("a format", lambda v: isinstance(v, str), read=dates.read_format)

ONCE = (
    "+", "-", "*", "abs", "floor", "ceil", "exp", "min", "max", "coalesce", "lower", "upper",
    "title", "trim", "length", "left", "right", "substring", "replace", "year", "month", "day",
)  # fmt: skip
"""Functions whose builders use each argument once; what others are given is computed beforehand."""

FUNCTIONS: dict[str, Function] = {
    "+": Function(_NUMBER, None, numbers.many(add), 2, None),
    "-": Function(_NUMBER, None, lambda a, *b: a - b[0] if b else -a, 1, 2),
    "*": Function(_NUMBER, None, numbers.many(mul), 2, None),
    "/": Function(_NUMBER, None, divide, 2, 2),
    "//": Function(_NUMBER, None, lambda a, b: divide(a, b).floor(), 2, 2),
    "%": Function(_NUMBER, None, numbers.remainder, 2, 2),
    "**": Function(_NUMBER, None, lambda a, b: numbers.finite(a.cast(nw.Float64) ** b), 2, 2),
    "abs": Function(_NUMBER, None, lambda value: value.abs()),
    "sign": Function(_NUMBER, None, numbers.sign),
    "round": Function(_NUMBER, None, numbers.round_half_up, plain=(_DIGITS,)),
    "floor": Function(_NUMBER, None, lambda value: value.floor()),
    "ceil": Function(_NUMBER, None, lambda value: value.ceil()),
    "sqrt": Function(_NUMBER, None, lambda v: nw.when(v >= 0).then(v).sqrt()),
    "log": Function(_NUMBER, None, numbers.log, plain=(_BASE,)),
    "log10": Function(_NUMBER, None, lambda v: nw.when(v > 0).then(v).log(10)),
    "exp": Function(_NUMBER, None, lambda value: numbers.finite(value.exp())),
    "clip": Function(_NUMBER, None, numbers.clip, 3, 3),
    "min": Function(_ORDERED, None, nw.min_horizontal, 2, None),
    "max": Function(_ORDERED, None, nw.max_horizontal, 2, None),
    "coalesce": Function(_ANY, None, nw.coalesce, 2, None),
    "null if": Function(_ANY, None, numbers.null_if, 2, 2),
    "concat": Function(_ANY, "text", nw.concat_str, 2, None, then=_ANY),
    "lower": Function(_TEXT, None, text.lower),
    "upper": Function(_TEXT, None, text.upper),
    "title": Function(_TEXT, None, lambda t: text.lower(t).str.to_titlecase()),
    "trim": Function(_TEXT, None, trim_text),
    "length": Function(_TEXT, "number", lambda t: t.str.len_chars().cast(nw.Int64)),
    "left": Function(_TEXT, None, lambda t, count: t.str.slice(0, count), plain=(_COUNT,)),
    "right": Function(_TEXT, None, text.right, plain=(_COUNT,)),
    "substring": Function(
        _TEXT, None, text.substring, plain=(_PLACE, _COUNT._replace(needed=False))
    ),
    "position": Function(_TEXT, "number", text.position, plain=(_SOME,)),
    "replace": Function(
        _TEXT,
        None,
        lambda t, old, new: t.str.replace_all(old, new, literal=True),
        plain=(_SOME, _WORDS),
    ),
    "replace pattern": Function(_TEXT, None, text.replace_pattern, plain=(_SOME, _WORDS)),
    "extract": Function(_TEXT, None, text.extract, plain=(_SOME, _GROUP)),
    "split part": Function(_TEXT, None, text.split_part, plain=(_SOME, _PART)),
    "pad left": Function(
        _TEXT, None, lambda t, width, fill=" ": t.str.pad_start(width, fill), plain=(_WIDTH, _FILL)
    ),
    "pad right": Function(
        _TEXT, None, lambda t, width, fill=" ": t.str.pad_end(width, fill), plain=(_WIDTH, _FILL)
    ),
    "year": Function(_TIME, "number", parts.year),
    "quarter": Function(_TIME, "number", parts.quarter),
    "month": Function(_TIME, "number", parts.month),
    "week": Function(_TIME, "number", parts.week),
    "weekday": Function(_TIME, "number", parts.weekday),
    "day": Function(_TIME, "number", parts.day),
    "day of year": Function(_TIME, "number", parts.day_of_year),
    "days in month": Function(
        _TIME, "number", lambda m: parts.days_in_month(parts.year(m), parts.month(m))
    ),
    "hour": Function(_CLOCK, "number", parts.hour),
    "minute": Function(_CLOCK, "number", parts.minute),
    "second": Function(_CLOCK, "number", parts.second),
    "date": Function(_NUMBER, "date", dates.date_of, 3, 3),
    "truncate": Function(_TIME, None, dates.truncate, plain=(_UNIT,)),
    "format date": Function(_TIME, "text", dates.format_date, plain=(_FORMAT,)),
    "add days": Function(_TIME, None, dates.add_days, 2, 2, then=_NUMBER),
    "add months": Function(_TIME, None, dates.add_months, 2, 2, then=_NUMBER),
    "add hours": Function(_CLOCK, None, dates.add_hours, 2, 2, then=_NUMBER),
    "days between": Function(_TIME, "number", dates.days_between, 2, 2, then=_TIME),
    "months between": Function(_TIME, "number", dates.months_between, 2, 2, then=_TIME),
    "years between": Function(_TIME, "number", dates.years_between, 2, 2, then=_TIME),
}
