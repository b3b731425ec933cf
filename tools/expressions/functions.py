"""The functions an expression may apply: what each takes and gives, and which are constants."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions import calendar_parts as parts
from wideleaf.tools.conditions.literals import trim_text
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions import date_functions as dates
from wideleaf.tools.expressions import number_functions as numbers
from wideleaf.tools.expressions import text_functions as text
from wideleaf.tools.expressions.date_functions import days_between as days_between
from wideleaf.tools.expressions.date_functions import microseconds as microseconds
from wideleaf.tools.expressions.expression import Apply, Expression, Value
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
        least: Fewest arguments.
        most: Most arguments; None for any number.
        build: Makes the expression from its argument expressions.
        then: Kinds of the arguments behind the first, where they differ from it.
        plain: Constants that follow the arguments.
        needs: What else `build` wants by name: ``kind``, of the first argument, ``engine``, or
            ``stage``, which has something computed beforehand.
    """

    takes: tuple[Kind, ...]
    gives: Kind | None
    least: int
    most: int | None
    build: Build
    then: tuple[Kind, ...] | None = None
    plain: tuple[PlainArgument, ...] = ()
    needs: tuple[str, ...] = ()


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

ONCE = frozenset(
    [
        "+",
        "-",
        "*",
        "abs",
        "floor",
        "ceil",
        "exp",
        "min",
        "max",
        "coalesce",
        "lower",
        "upper",
        "title",
        "trim",
        "length",
        "left",
        "right",
        "substring",
        "replace",
        "year",
        "month",
        "day",
    ]
)
"""Functions whose builders use each argument once; what others are given is computed beforehand."""

FUNCTIONS: dict[str, Function] = {
    "+": Function(_NUMBER, None, 2, None, numbers.many(add)),
    "-": Function(_NUMBER, None, 1, 2, numbers.minus),
    "*": Function(_NUMBER, None, 2, None, numbers.many(mul)),
    "/": Function(_NUMBER, None, 2, 2, divide),
    "//": Function(_NUMBER, None, 2, 2, lambda a, b: divide(a, b).floor()),
    "%": Function(_NUMBER, None, 2, 2, numbers.remainder),
    "**": Function(_NUMBER, None, 2, 2, numbers.power),
    "abs": Function(_NUMBER, None, 1, 1, lambda value: value.abs()),
    "sign": Function(_NUMBER, None, 1, 1, numbers.sign),
    "clip": Function(_NUMBER, None, 3, 3, numbers.clip),
    "round": Function(_NUMBER, None, 1, 1, numbers.round_half_up, plain=(_DIGITS,)),
    "floor": Function(_NUMBER, None, 1, 1, lambda value: value.floor()),
    "ceil": Function(_NUMBER, None, 1, 1, lambda value: value.ceil()),
    "sqrt": Function(_NUMBER, None, 1, 1, lambda v: nw.when(v >= 0).then(v).sqrt()),
    "log": Function(_NUMBER, None, 1, 1, numbers.log, plain=(_BASE,)),
    "log10": Function(_NUMBER, None, 1, 1, lambda v: nw.when(v > 0).then(v).log(10)),
    "exp": Function(_NUMBER, None, 1, 1, lambda value: numbers.finite(value.exp())),
    "min": Function(_ORDERED, None, 2, None, nw.min_horizontal),
    "max": Function(_ORDERED, None, 2, None, nw.max_horizontal),
    "coalesce": Function(_ANY, None, 2, None, nw.coalesce),
    "null if": Function(_ANY, None, 2, 2, numbers.null_if),
    "concat": Function(_ANY, "text", 2, None, nw.concat_str, then=_ANY),
    "lower": Function(_TEXT, None, 1, 1, text.lower),
    "upper": Function(_TEXT, None, 1, 1, text.upper),
    "title": Function(_TEXT, None, 1, 1, text.title),
    "trim": Function(_TEXT, None, 1, 1, trim_text),
    "length": Function(_TEXT, "number", 1, 1, text.length),
    "left": Function(_TEXT, None, 1, 1, text.left, plain=(_COUNT,)),
    "right": Function(_TEXT, None, 1, 1, text.right, plain=(_COUNT,)),
    "substring": Function(
        _TEXT, None, 1, 1, text.substring, plain=(_PLACE, _COUNT._replace(needed=False))
    ),
    "position": Function(_TEXT, "number", 1, 1, text.position, plain=(_SOME,)),
    "replace": Function(_TEXT, None, 1, 1, text.replace, plain=(_SOME, _WORDS)),
    "replace pattern": Function(
        _TEXT, None, 1, 1, text.replace_pattern, plain=(_SOME, _WORDS), needs=("engine",)
    ),
    "extract": Function(_TEXT, None, 1, 1, text.extract, plain=(_SOME, _GROUP), needs=("engine",)),
    "split part": Function(
        _TEXT, None, 1, 1, text.split_part, plain=(_SOME, _PART), needs=("engine",)
    ),
    "pad left": Function(_TEXT, None, 1, 1, text.pad_left, plain=(_WIDTH, _FILL)),
    "pad right": Function(_TEXT, None, 1, 1, text.pad_right, plain=(_WIDTH, _FILL)),
    "year": Function(_TIME, "number", 1, 1, parts.year),
    "quarter": Function(_TIME, "number", 1, 1, parts.quarter),
    "month": Function(_TIME, "number", 1, 1, parts.month),
    "week": Function(_TIME, "number", 1, 1, parts.week),
    "weekday": Function(_TIME, "number", 1, 1, parts.weekday),
    "day": Function(_TIME, "number", 1, 1, parts.day),
    "day of year": Function(_TIME, "number", 1, 1, parts.day_of_year),
    "days in month": Function(
        _TIME, "number", 1, 1, lambda m: parts.days_in_month(parts.year(m), parts.month(m))
    ),
    "hour": Function(_CLOCK, "number", 1, 1, parts.hour),
    "minute": Function(_CLOCK, "number", 1, 1, parts.minute),
    "second": Function(_CLOCK, "number", 1, 1, parts.second),
    "date": Function(_NUMBER, "date", 3, 3, dates.date_of, needs=("stage",)),
    "truncate": Function(_TIME, None, 1, 1, dates.truncate, plain=(_UNIT,), needs=("kind",)),
    "format date": Function(
        _TIME, "text", 1, 1, dates.format_date, plain=(_FORMAT,), needs=("kind",)
    ),
    "add days": Function(_TIME, None, 2, 2, dates.add_days, then=_NUMBER, needs=("kind", "stage")),
    "add months": Function(
        _TIME, None, 2, 2, dates.add_months, then=_NUMBER, needs=("kind", "stage")
    ),
    "add hours": Function(_CLOCK, None, 2, 2, dates.add_hours, then=_NUMBER, needs=("stage",)),
    "days between": Function(_TIME, "number", 2, 2, dates.days_between, then=_TIME),
    "months between": Function(
        _TIME, "number", 2, 2, dates.months_between, then=_TIME, needs=("stage",)
    ),
    "years between": Function(
        _TIME, "number", 2, 2, dates.years_between, then=_TIME, needs=("stage",)
    ),
}


def split_args(apply: Apply, function: Function) -> tuple[tuple[Expression, ...], list[Any]]:
    """The arguments that are expressions, and the constants that follow them.

    Raises:
        ActionError: If there are too many or too few, or a constant is not what it must be.
    """
    given, plain = len(apply.args), function.plain
    least = function.least + sum(one.needed for one in plain)
    most = None if function.most is None else function.most + len(plain)
    if given < least or given > (most or given):
        most_said = "or more" if most is None else f"to {most}"
        raise ActionError(
            f"{apply.op!r} takes {least} {most_said} arguments, not {given}{_wanted(function)}"
        )
    if not plain:
        return apply.args, []
    args, constants = apply.args[: function.least], apply.args[function.least :]
    return args, [_constant(apply.op, one, arg) for one, arg in zip(plain, constants, strict=False)]


def _constant(op: str, plain: PlainArgument, arg: Expression) -> Any:
    value = arg.value if isinstance(arg, Value) else arg
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not plain.fits(value):
        raise ActionError(f"{op!r} takes {plain.what}, not {value!r}")
    try:
        return plain.read(value)
    except ValueError as error:
        raise ActionError(f"{op!r} of {value!r}: there is {error}") from None


def _wanted(function: Function) -> str:
    if not function.plain:
        return ""
    return f": a column, then {', '.join(one.what for one in function.plain)}"
