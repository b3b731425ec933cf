"""The functions an expression may apply: what kinds each takes and gives, alike on every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, mul
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.table import Kind

Build = Callable[..., nw.Expr]


class Function(NamedTuple):
    """A function's signature.

    Attributes:
        takes: Kinds an argument may have; all arguments of one call have the same kind.
        gives: Kind of the result; None for that of the arguments.
        least: Fewest arguments.
        most: Most arguments; None for any number.
        build: Makes the expression from its argument expressions.
    """

    takes: tuple[Kind, ...]
    gives: Kind | None
    least: int
    most: int | None
    build: Build


def divide(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """True division; by zero it gives null."""
    return nw.when(right != 0).then(left / right)


def remainder(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """What is left of a division, with the divisor's sign; of a division by zero null."""
    # Engines differ in the sign, so it is mended whichever way they have it.
    rest = left % right
    mended = nw.when((rest != 0) & ((rest < 0) != (right < 0))).then(rest + right).otherwise(rest)
    return nw.when(right != 0).then(mended)


def power(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """A power; null where it is no finite number."""
    return _finite(left.cast(nw.Float64) ** right)


def round_half_up(value: nw.Expr, digits: int = 0) -> nw.Expr:
    """Round half away from zero, which engines' own rounding does not agree on."""
    # A negative number of digits divides by a whole number, since 10**-1 is no exact float.
    scaled = value * 10.0**digits if digits >= 0 else value / 10.0**-digits
    size = scaled.abs()
    whole = size.floor()
    rounded = nw.when(size - whole >= 0.5).then(whole + 1).otherwise(whole)
    signed = nw.when(scaled < 0).then(-rounded).otherwise(rounded)
    return signed / 10.0**digits if digits >= 0 else signed * 10.0**-digits


def days_between(start: nw.Expr, end: nw.Expr) -> nw.Expr:
    """Days from start to end; half a day is 0.5."""
    moments = nw.Datetime("us")
    between = microseconds(end.cast(moments)) - microseconds(start.cast(moments))
    return between / 86_400_000_000


def microseconds(moment: nw.Expr) -> nw.Expr:
    """Microseconds since the year 0, since not every engine counts durations."""
    parts = moment.dt
    past = parts.year().cast(nw.Int64) - 1
    leaps = past // 4 - past // 100 + past // 400
    day = past * 365 + leaps + parts.ordinal_day().cast(nw.Int64)
    seconds = parts.hour().cast(nw.Int64) * 3600 + parts.minute().cast(nw.Int64) * 60
    seconds = seconds + parts.second()
    return (day * 86_400 + seconds) * 1_000_000 + parts.microsecond()


def _minus(left: nw.Expr, right: nw.Expr | None = None) -> nw.Expr:
    return -left if right is None else left - right


def _finite(value: nw.Expr) -> nw.Expr:
    return nw.when(value.is_finite()).then(value)


def _many(operator: Callable[[Any, Any], Any]) -> Build:
    return lambda *args: reduce(operator, args)


def _positive(build: Build) -> Build:
    return lambda value: build(nw.when(value > 0).then(value))


def _concat(*args: nw.Expr) -> nw.Expr:
    return nw.concat_str(*(arg.cast(nw.String) for arg in args))


def _whole(value: nw.Expr) -> nw.Expr:
    return value.cast(nw.Int64)


_NUMBER: tuple[Kind, ...] = ("number",)
_TEXT: tuple[Kind, ...] = ("text",)
_TIME: tuple[Kind, ...] = ("date", "datetime")
_ORDERED: tuple[Kind, ...] = ("number", "date", "datetime")
_ANY: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")

FUNCTIONS: dict[str, Function] = {
    "+": Function(_NUMBER, None, 2, None, _many(add)),
    "-": Function(_NUMBER, None, 1, 2, _minus),
    "*": Function(_NUMBER, None, 2, None, _many(mul)),
    "/": Function(_NUMBER, None, 2, 2, divide),
    "%": Function(_NUMBER, None, 2, 2, remainder),
    "**": Function(_NUMBER, None, 2, 2, power),
    "abs": Function(_NUMBER, None, 1, 1, lambda value: value.abs()),
    "round": Function(_NUMBER, None, 1, 2, round_half_up),
    "floor": Function(_NUMBER, None, 1, 1, lambda value: value.floor()),
    "ceil": Function(_NUMBER, None, 1, 1, lambda value: value.ceil()),
    "sqrt": Function(_NUMBER, None, 1, 1, lambda v: nw.when(v >= 0).then(v).sqrt()),
    "log": Function(_NUMBER, None, 1, 1, _positive(lambda value: value.log())),
    "log10": Function(_NUMBER, None, 1, 1, _positive(lambda value: value.log(10))),
    "exp": Function(_NUMBER, None, 1, 1, lambda value: _finite(value.exp())),
    "min": Function(_ORDERED, None, 2, None, nw.min_horizontal),
    "max": Function(_ORDERED, None, 2, None, nw.max_horizontal),
    "coalesce": Function(_ANY, None, 2, None, nw.coalesce),
    "concat": Function(_ANY, "text", 2, None, _concat),
    "lower": Function(_TEXT, None, 1, 1, lambda text: text.str.to_lowercase()),
    "upper": Function(_TEXT, None, 1, 1, lambda text: text.str.to_uppercase()),
    "trim": Function(_TEXT, None, 1, 1, lambda text: text.str.strip_chars()),
    "length": Function(_TEXT, "number", 1, 1, lambda text: _whole(text.str.len_chars())),
    "year": Function(_TIME, "number", 1, 1, lambda moment: _whole(moment.dt.year())),
    "month": Function(_TIME, "number", 1, 1, lambda moment: _whole(moment.dt.month())),
    "day": Function(_TIME, "number", 1, 1, lambda moment: _whole(moment.dt.day())),
    "day of year": Function(_TIME, "number", 1, 1, lambda m: _whole(m.dt.ordinal_day())),
    "days between": Function(_TIME, "number", 2, 2, days_between),
}


def row_sum(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over the cells of a row, nulls left out; null if all are."""
    return nw.when(~nw.coalesce(*cells).is_null()).then(nw.sum_horizontal(*cells))


def row_mean(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Mean over the cells of a row, nulls left out; null if all are."""
    # Over nothing it is null on some engines and not a number on others.
    return nw.mean_horizontal(*cells).fill_nan(None)


def row_count(cells: Sequence[nw.Expr]) -> nw.Expr:
    """How many cells of a row are not null."""
    return _whole(nw.sum_horizontal(*((~cell.is_null()).cast(nw.Int32) for cell in cells)))


ROW_AGGREGATES: dict[str, Callable[[Sequence[nw.Expr]], nw.Expr]] = {
    "sum": row_sum,
    "mean": row_mean,
    "min": lambda cells: nw.min_horizontal(*cells),
    "max": lambda cells: nw.max_horizontal(*cells),
    "count": row_count,
}
