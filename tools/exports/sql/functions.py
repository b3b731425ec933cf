"""Functions of expressions as SQL, with Wideleaf's rounding, signs and nulls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from wideleaf.tools.exports.sql.calendars import CALENDAR
from wideleaf.tools.exports.sql.dates import PARTS, PartWriter
from wideleaf.tools.exports.sql.texts import TEXTS, FunctionArguments
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    bare,
    binary,
    call,
    case,
    chain,
    coalesce,
    divide,
    is_null,
    number,
    text,
)
from wideleaf.tools.tables.table import Kind

LARGEST = 1.7976931348623157e308


Write = Callable[[FunctionArguments], Sql]


def _chained(kind: type[Sql]) -> Write:
    return lambda of: chain(kind, of.args)


def _minus(of: FunctionArguments) -> Sql:
    if len(of.args) == 1:
        return exp.Neg(this=exp.Paren(this=of.args[0].copy()))
    return chain(exp.Sub, of.args)


def _one(kind: type[Sql]) -> Write:
    return lambda of: kind(this=of.args[0].copy())


def _remainder(of: FunctionArguments) -> Sql:
    left, right = of.args
    if of.scope.lite:  # its sign % cuts both sides to whole numbers
        rest: Sql = call("MOD", left, right)
    else:
        safe = exp.Nullif(this=right.copy(), expression=number(0))
        rest = exp.Mod(this=bare(left.copy()), expression=safe)
    unlike = binary(
        exp.NEQ,
        exp.Paren(this=binary(exp.LT, rest, number(0))),
        exp.Paren(this=binary(exp.LT, right, number(0))),
    )
    other = chain(exp.And, [binary(exp.NEQ, rest, number(0)), unlike])
    return case([(other, binary(exp.Add, rest, right))], rest)


def finite(made: Sql) -> Sql:
    """Null where it is no finite number."""
    near = binary(exp.LTE, exp.Abs(this=made.copy()), number(LARGEST))
    return case([(near, made)])


def _power(of: FunctionArguments) -> Sql:
    base, exponent = (exp.cast(arg.copy(), "double") for arg in of.args)
    return finite(exp.Pow(this=base, expression=exponent))


def round_sql(value: Sql, digits: int, scope: QueryScope) -> Sql:
    """Half away from zero, which each dialect's own rounding of floats may not be."""
    wide = exp.cast(value.copy(), "double")
    if scope.dialect == "duckdb":
        return exp.Round(this=wide, **({"decimals": number(digits)} if digits else {}))
    up = number(10.0 ** abs(digits), exact=not scope.lite)
    there, back = (exp.Mul, exp.Div) if digits >= 0 else (exp.Div, exp.Mul)
    scaled = binary(there, value if digits else wide, up) if digits else wide
    if scope.lite:
        whole: Sql = exp.Round(this=scaled)
    else:
        size = binary(exp.Add, exp.Abs(this=scaled.copy()), number(0.5, exact=True))
        whole = binary(exp.Mul, exp.Sign(this=scaled.copy()), exp.Floor(this=size))
    return binary(back, whole, up) if digits else whole


def _round(of: FunctionArguments) -> Sql:
    return round_sql(of.args[0], int(of.plain[0]) if of.plain else 0, of.scope)


def _where(kind: type[Sql], bound: float) -> Callable[[Sql, Sql], Sql]:
    return lambda value, made: case([(binary(kind, value, number(bound)), made)])


def _sqrt(of: FunctionArguments) -> Sql:
    (value,) = of.args
    return _where(exp.GTE, 0)(value, exp.Sqrt(this=exp.cast(value.copy(), "double")))


def _log(of: FunctionArguments) -> Sql:
    (value,) = of.args
    natural: Sql = exp.Ln(this=exp.cast(value.copy(), "double"))
    if of.plain:
        natural = divide(natural, exp.Ln(this=number(float(of.plain[0]), exact=True)))
    return _where(exp.GT, 0)(value, natural)


def _clip(of: FunctionArguments) -> Sql:
    value, low, high = of.args
    unknown = [is_null(arg) for arg in of.args if not isinstance(arg, exp.Literal)]
    over = [binary(exp.GT, value, high), binary(exp.GT, low, high)]
    pairs = [
        (chain(exp.Or, unknown), exp.Null()),
        (chain(exp.Or, over), high),
        (binary(exp.LT, value, low), low),
    ]
    return case(pairs, value)


def extreme(cells: Sequence[Sql], kind: Kind, scope: QueryScope, *, largest: bool) -> Sql:
    """The largest or smallest of several cells, nulls left out."""
    if len(cells) == 1:
        return cells[0].copy()
    if scope.lite:
        # Its scalar MIN and MAX are null beside a null, so something beyond stands in for it.
        beyond = _beyond(kind, largest)
        filled: list[Sql] = [
            exp.Coalesce(this=c.copy(), expressions=[beyond.copy()]) for c in cells
        ]
        while len(filled) > 50:
            filled = [call("MAX" if largest else "MIN", *filled[at : at + 50], beyond)
                      for at in range(0, len(filled), 50)]  # fmt: skip
        return exp.Nullif(this=call("MAX" if largest else "MIN", *filled), expression=beyond)
    if scope.dialect not in ("duckdb", "postgres", "redshift"):
        scope.refuse("its GREATEST and LEAST are null beside a null")
    made = exp.Greatest if largest else exp.Least
    first, *others = (cell.copy() for cell in cells)
    return made(this=first, expressions=others, ignore_nulls=True)


def _beyond(kind: Kind, largest: bool) -> Sql:
    if kind in ("number", "boolean"):
        return exp.Literal.number("-9e999" if largest else "9e999")
    return text("" if largest else "~")


def _extreme(*, largest: bool) -> Write:
    return lambda of: extreme(of.args, of.kinds[0], of.scope, largest=largest)


def _null_if(of: FunctionArguments) -> Sql:
    return exp.Nullif(this=of.args[0].copy(), expression=of.args[1].copy())


def _of_moment(part: PartWriter) -> Write:
    return lambda of: part(of.args[0], of.scope)


FUNCTIONS: dict[str, Write] = {
    "+": _chained(exp.Add),
    "-": _minus,
    "*": _chained(exp.Mul),
    "/": lambda of: divide(*of.args),
    "//": lambda of: exp.Floor(this=divide(*of.args)),
    "%": _remainder,
    "**": _power,
    "abs": _one(exp.Abs),
    "sign": _one(exp.Sign),
    "clip": _clip,
    "round": _round,
    "floor": _one(exp.Floor),
    "ceil": _one(exp.Ceil),
    "sqrt": _sqrt,
    "log": _log,
    "log10": lambda of: _log(of._replace(plain=[10])),
    "exp": lambda of: finite(exp.Exp(this=exp.cast(of.args[0].copy(), "double"))),
    "min": _extreme(largest=False),
    "max": _extreme(largest=True),
    "coalesce": lambda of: coalesce(of.args),
    "null if": _null_if,
    **TEXTS,
    **{name: _of_moment(part) for name, part in PARTS.items()},
    **CALENDAR,
}
