"""Functions on text as SQL, by characters and with Wideleaf's blanks and letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from wideleaf.tools.exports.sql.conditions import trim_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    call,
    case,
    chain,
    number,
    text,
)
from wideleaf.tools.tables.table import Kind


class FunctionArguments(NamedTuple):
    """A function's arguments.

    Attributes:
        args: The expressions.
        plain: The constants behind them.
        kinds: The kinds of the expressions.
        scope: What the query knows.
    """

    args: Sequence[Sql]
    plain: Sequence[Any]
    kinds: Sequence[Kind]
    scope: QueryScope


def _lower(of: FunctionArguments) -> Sql:
    if of.scope.lite:
        of.scope.refuse("it lowers and raises plain letters only")
    return exp.Lower(this=_swapped(_swapped(of.args[0], "İ", "i\u0307"), "Σ", "σ"))


def _upper(of: FunctionArguments) -> Sql:
    if of.scope.lite:
        of.scope.refuse("it lowers and raises plain letters only")
    return exp.Upper(this=_swapped(of.args[0], "ß", "SS"))


def _swapped(made: Sql, old: str, new: str) -> Sql:
    return exp.func("REPLACE", made.copy(), text(old), text(new))


def _cut(made: Sql, start: int, count: int | None = None) -> Sql:
    args = [made.copy(), number(start)] + ([] if count is None else [number(count)])
    return exp.Anonymous(this="SUBSTR", expressions=args)


def _left(of: FunctionArguments) -> Sql:
    return _cut(of.args[0], 1, int(of.plain[0]))


def _right(of: FunctionArguments) -> Sql:
    (value,), count = of.args, int(of.plain[0])
    if not count:
        return _cut(value, 1, 0)
    if of.scope.lite:
        return _cut(value, -count)
    return exp.Right(this=value.copy(), expression=number(count))


def _substring(of: FunctionArguments) -> Sql:
    (value,), start = of.args, int(of.plain[0])
    count = int(of.plain[1]) if len(of.plain) > 1 else None
    if start > 0 or count == 0:
        return _cut(value, max(start, 1), count)
    # From the end, and from the start where the text is shorter than that.
    behind = exp.Right(this=value.copy(), expression=number(-start))
    tail = _cut(value, start) if of.scope.lite else behind
    if count is None:
        return tail
    if of.scope.lite or of.scope.dialect == "duckdb":
        of.scope.refuse("a place from the end with a length is cut otherwise in short texts")
    return _cut(tail, 1, count)


def _length(of: FunctionArguments) -> Sql:
    return exp.Length(this=of.args[0].copy())


def _position(of: FunctionArguments) -> Sql:
    return exp.StrPosition(this=of.args[0].copy(), substr=text(of.plain[0]))


def _replace(of: FunctionArguments) -> Sql:
    return _swapped(of.args[0], of.plain[0], of.plain[1])


def _padded(*, before: bool) -> Callable[[FunctionArguments], Sql]:
    def write(of: FunctionArguments) -> Sql:
        (value,), width = of.args, int(of.plain[0])
        fill = of.plain[1] if len(of.plain) > 1 else " "
        if of.scope.lite:
            missing = binary(exp.Sub, number(width), exp.Length(this=value.copy()))
            row = call("REPLACE", call("HEX", call("ZEROBLOB", missing)), text("00"), text(fill))
            sides = [row, value] if before else [value, row]
            made: Sql = chain(exp.DPipe, sides)
        else:
            made = call("LPAD" if before else "RPAD", value, number(width), text(fill))
        short = binary(exp.LT, exp.Length(this=value.copy()), number(width))
        return case([(short, made)], value)

    return write


TEXTS: dict[str, Callable[[FunctionArguments], Sql]] = {
    "lower": _lower,
    "upper": _upper,
    "trim": lambda of: trim_sql(of.args[0], of.scope),
    "length": _length,
    "left": _left,
    "right": _right,
    "substring": _substring,
    "position": _position,
    "replace": _replace,
    "pad left": _padded(before=True),
    "pad right": _padded(before=False),
}
