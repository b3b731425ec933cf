"""The functions an expression may apply, a row each: what one takes, gives and is made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from operator import add, mul
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions import dates as parts
from wideleaf.tools.conditions.literals import trim_text
from wideleaf.tools.expressions import date_functions as dates
from wideleaf.tools.expressions import number_functions as numbers
from wideleaf.tools.expressions import text_functions as text
from wideleaf.tools.expressions.date_formats import format_date, read_format
from wideleaf.tools.expressions.number_functions import Interval, hull
from wideleaf.tools.tables.table import Kind

MAX_CHARACTERS = 1_000_000
MAX_WIDTH = 200


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


_COUNTS = Interval(-(2**40), 2**40)
"""More than any function of texts and dates counts."""


class Function(NamedTuple):
    """A function.

    Attributes:
        takes: Kinds an argument may have; all arguments of one call have the same kind.
        gives: Kind of the result; None for that of the arguments.
        build: Makes the expression from its argument expressions.
        least: Fewest arguments.
        most: Most arguments; None for any number.
        then: Kinds of the arguments behind the first, where they differ from it.
        plain: Constants that follow the arguments.
        once: Whether `build` uses each argument once; what others are given is computed beforehand.
        exact: Whether whole numbers make whole ones that may pass 64 bits; `build` bounds them too.
        bounds: Bounds of other whole results, or how those of the arguments make them; None where
            results are floats.
        null_of: What there is no result for, where that is some of what it takes.
        also: What else models call it, between commas.
    """

    takes: tuple[Kind, ...]
    gives: Kind | None
    build: Callable[..., Any]
    least: int = 1
    most: int | None = 1
    then: tuple[Kind, ...] | None = None
    plain: tuple[PlainArgument, ...] = ()
    once: bool = False
    exact: bool = False
    bounds: Interval | Callable[..., Interval] | None = _COUNTS
    null_of: str = ""
    also: str = ""

    @property
    def needs(self) -> set[str]:
        """What else `build` takes by name; ``kind`` is that of the first argument, of ``kinds``."""
        return {"kind", "kinds", "engine", "stage"} & signature(self.build).parameters.keys()


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
_COUNT = PlainArgument("a number of characters", _whole(0, MAX_CHARACTERS))
_SOME_COUNT = _COUNT._replace(needed=False)
_PLACE = PlainArgument(
    "a place from 1, or from the end as -1", _whole(-MAX_CHARACTERS, MAX_CHARACTERS, zero=False)
)
_WIDTH = PlainArgument(f"a width up to {MAX_WIDTH}", _whole(1, MAX_WIDTH))
_FILL = PlainArgument("one character", lambda v: isinstance(v, str) and len(v) == 1, needed=False)
_SOME = PlainArgument("a text that is not empty", lambda v: isinstance(v, str) and v != "")
_WORDS = PlainArgument("a text", lambda v: isinstance(v, str))
_GROUP = PlainArgument("a group's number", _whole(0, 20), needed=False)
_PART = PlainArgument("a part from 1 to 100, or from the end as -1", _whole(-100, 100, zero=False))
_UNIT = PlainArgument(
    f"one of {', '.join(dates.UNITS)}", lambda v: _unit(v) in dates.UNITS, read=_unit
)
_FORMAT = PlainArgument("a format", lambda v: isinstance(v, str), read=read_format)

_BY_ZERO = "divisions by zero"
_NO_LOGARITHM = "logarithms of numbers that are not positive"
_NO_POWER = "powers that are no finite numbers"


def _within(_: Interval, divisor: Interval) -> Interval:
    return hull(divisor.abs(), -divisor.abs())


_numbers = partial(Function, _NUMBER, None)
_floats = partial(_numbers, bounds=None)
_exact = partial(_numbers, once=True, exact=True)
_texts = partial(Function, _TEXT, None)
_parts = partial(Function, _TIME, "number")
_clock = partial(Function, _CLOCK, "number")

FUNCTIONS: dict[str, Function] = {
    "+": _exact(numbers.many(add), 2, None),
    "-": _exact(lambda a, *b: a - b[0] if b else -a, 1, 2),
    "*": _exact(numbers.many(mul), 2, None),
    "/": _floats(numbers.divide, 2, 2, null_of=_BY_ZERO),
    "//": _floats(
        lambda a, b: numbers.divide(a, b).floor(), 2, 2, null_of=_BY_ZERO, also="integer divide"
    ),
    "%": _numbers(numbers.remainder, 2, 2, bounds=_within, null_of=_BY_ZERO, also="mod"),
    "**": _floats(
        lambda a, b: numbers.finite(a.cast(nw.Float64) ** b),
        2,
        2,
        null_of=_NO_POWER,
        also="pow, power",
    ),
    "abs": _exact(lambda value: value.abs()),
    "sign": _numbers(numbers.sign, bounds=lambda _: Interval(-1, 1)),
    "round": _floats(numbers.round_half_up, plain=(_DIGITS,)),
    "floor": _numbers(lambda value: value.floor(), once=True, bounds=hull),
    "ceil": _numbers(lambda value: value.ceil(), once=True, bounds=hull, also="ceiling"),
    "sqrt": _floats(
        lambda v: nw.when(v >= 0).then(v).sqrt(), null_of="square roots of negative numbers"
    ),
    "log": _floats(numbers.log, plain=(_BASE,), null_of=_NO_LOGARITHM, also="ln"),
    "log10": _floats(lambda v: nw.when(v > 0).then(v).log(10), null_of=_NO_LOGARITHM),
    "exp": _floats(lambda value: numbers.finite(value.exp()), once=True, null_of=_NO_POWER),
    "clip": _numbers(numbers.clip, 3, 3, bounds=hull),
    "min": Function(_ORDERED, None, nw.min_horizontal, 2, None, once=True, bounds=hull),
    "max": Function(_ORDERED, None, nw.max_horizontal, 2, None, once=True, bounds=hull),
    "coalesce": Function(
        _ANY, None, nw.coalesce, 2, None, once=True, bounds=hull, also="if null, ifnull, nvl"
    ),
    "null if": Function(_ANY, None, numbers.null_if, 2, 2, bounds=hull, also="nullif"),
    "concat": Function(_ANY, "text", text.concat, 2, None, then=_ANY),
    "lower": _texts(text.lower, once=True),
    "upper": _texts(text.upper, once=True),
    "title": _texts(lambda t: text.lower(t).str.to_titlecase(), once=True, also="initcap"),
    "trim": _texts(trim_text, once=True, also="strip"),
    "length": Function(
        _TEXT, "number", lambda t: t.str.len_chars().cast(nw.Int64), once=True, also="len"
    ),
    "left": _texts(lambda t, count: t.str.slice(0, count), plain=(_COUNT,), once=True),
    "right": _texts(text.right, plain=(_COUNT,), once=True),
    "substring": _texts(text.substring, plain=(_PLACE, _SOME_COUNT), once=True, also="substr"),
    "position": Function(_TEXT, "number", text.position, plain=(_SOME,)),
    "replace": _texts(
        lambda t, old, new: t.str.replace_all(old, new, literal=True),
        plain=(_SOME, _WORDS),
        once=True,
    ),
    "replace pattern": _texts(text.replace_pattern, plain=(_SOME, _WORDS), also="regexp replace"),
    "extract": _texts(text.extract, plain=(_SOME, _GROUP), also="regexp extract"),
    "split part": _texts(text.split_part, plain=(_SOME, _PART), also="split"),
    "pad left": _texts(
        lambda t, width, fill=" ": t.str.pad_start(width, fill), plain=(_WIDTH, _FILL), also="lpad"
    ),
    "pad right": _texts(
        lambda t, width, fill=" ": t.str.pad_end(width, fill), plain=(_WIDTH, _FILL), also="rpad"
    ),
    "year": _parts(parts.year, once=True),
    "quarter": _parts(parts.quarter),
    "month": _parts(parts.month, once=True),
    "week": _parts(parts.week),
    "weekday": _parts(parts.weekday),
    "day": _parts(parts.day, once=True),
    "day of year": _parts(parts.day_of_year, also="dayofyear"),
    "days in month": _parts(lambda m: parts.days_in_month(parts.year(m), parts.month(m))),
    "hour": _clock(parts.hour),
    "minute": _clock(parts.minute),
    "second": _clock(parts.second),
    "date": Function(_NUMBER, "date", dates.date_of, 3, 3, null_of="dates that no calendar has"),
    "truncate": Function(_TIME, None, dates.truncate, plain=(_UNIT,), also="date trunc"),
    "format date": Function(_TIME, "text", format_date, plain=(_FORMAT,), also="strftime"),
    "add days": Function(_TIME, None, dates.add_days, 2, 2, then=_NUMBER),
    "add months": Function(_TIME, None, dates.add_months, 2, 2, then=_NUMBER),
    "add hours": Function(_CLOCK, None, dates.add_hours, 2, 2, then=_NUMBER),
    "days between": Function(
        _TIME, "number", dates.days_between, 2, 2, then=_TIME, also="datediff"
    ),
    "months between": Function(_TIME, "number", dates.months_between, 2, 2, then=_TIME),
    "years between": Function(_TIME, "number", dates.years_between, 2, 2, then=_TIME),
}

SPELLINGS = {
    other: name for name, row in FUNCTIONS.items() for other in row.also.split(", ") if other
}
