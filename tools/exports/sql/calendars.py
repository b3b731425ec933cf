"""Arithmetic of dates as SQL: days, months and years later and between, clamped as here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from wideleaf.tools.exports.sql.dates import (
    FARTHEST,
    PARTS,
    date_text,
    days_between,
    days_in_month,
    truncate,
)
from wideleaf.tools.exports.sql.words import (
    Sql,
    as_moment,
    binary,
    call,
    case,
    chain,
    number,
    text,
)


def _floored(count: Sql) -> Sql:
    if isinstance(count, exp.Literal) and count.this.isdigit():
        return count.copy()
    return exp.cast(exp.Floor(this=count.copy()), "bigint")


def _modifier(count: Sql, unit: str) -> Sql:
    return exp.DPipe(this=exp.Paren(this=count.copy()), expression=text(f" {unit}"))


def _near(count: Sql, made: Sql) -> Sql:
    if isinstance(count, exp.Literal):
        return made
    return case([(binary(exp.LTE, exp.Abs(this=count.copy()), number(FARTHEST)), made)])


def _add_days(of: Any) -> Sql:
    (moment, count), kind, scope = of.args, of.kinds[0], of.scope
    if kind == "datetime":
        if scope.dialect != "duckdb":
            scope.refuse("a part of a day moves a time there otherwise")
        return _add_micros(of, 86_400_000_000)
    days = _floored(count)
    if scope.lite:
        return _near(count, call("DATE", moment, _modifier(days, "days")))
    later = exp.DateAdd(this=moment.copy(), expression=days, unit=exp.var("DAY"))
    return _near(count, exp.cast(later, "date"))


def _add_hours(of: Any) -> Sql:
    if of.scope.dialect != "duckdb":
        of.scope.refuse("a part of an hour moves a time there otherwise")
    return _add_micros(of, 3_600_000_000)


def _add_micros(of: Any, size: int) -> Sql:
    moment, count = of.args
    micros = binary(exp.Mul, exp.cast(count.copy(), "double"), number(size))
    near = binary(exp.LTE, exp.Abs(this=micros.copy()), number(FARTHEST * 86_400_000_000))
    half = binary(exp.Add, micros, number(0.5))
    whole = exp.cast(exp.Floor(this=half), "bigint")
    return case([(near, binary(exp.Add, moment, call("TO_MICROSECONDS", whole)))])


def _add_months(of: Any) -> Sql:
    (moment, count), kind, scope = of.args, of.kinds[0], of.scope
    months = _floored(count)
    if scope.lite:
        start = call("DATE", moment, text("start of month"), _modifier(months, "months"))
        day = binary(exp.Sub, PARTS["day"](moment, scope), number(1))
        same = call("DATE", start, _modifier(day, "days"))
        last = call("DATE", start, text("+1 month"), text("-1 day"))
        made: Sql = call("MIN", same, last)
        if kind == "datetime":
            made = exp.DPipe(this=made, expression=call("SUBSTR", moment, number(11)))
        return made
    later = exp.DateAdd(this=moment.copy(), expression=months, unit=exp.var("MONTH"))
    return _near(count, exp.cast(later, "date") if kind == "date" else later)


def _months(of: Any) -> Sql:
    """Whole months, from the earlier to the later, negative if the end comes first."""
    scope = of.scope
    if scope.dialect not in ("duckdb", "sqlite"):
        scope.refuse("its own count of months may be another")
    start, end = (as_moment(scope, m, k) for m, k in zip(of.args, of.kinds, strict=True))
    year, month = PARTS["year"], PARTS["month"]
    years = binary(exp.Sub, year(end, scope), year(start, scope))
    months = binary(exp.Sub, month(end, scope), month(start, scope))
    apart = binary(exp.Add, binary(exp.Mul, years, number(12)), months)
    one, other = (_within_month(moment, of) for moment in (start, end))
    forward = case([(binary(exp.LT, other, one), binary(exp.Sub, apart, number(1)))], apart)
    back = case([(binary(exp.LT, one, other), binary(exp.Add, apart, number(1)))], apart)
    later = chain(exp.Or, [binary(exp.GTE, end, start)])
    return case([(later, forward), (binary(exp.LT, end, start), back)])


def _within_month(moment: Sql, of: Any) -> Sql:
    if of.scope.lite:
        return call("SUBSTR", moment, number(9))
    return call("STRFTIME", moment, text("%d %H:%M:%S.%f"))


def _years(of: Any) -> Sql:
    months = of.scope.stage(_months(of))
    if of.scope.lite:
        return exp.cast(binary(exp.Div, months, number(12.0)), "int")
    return exp.cast(call("TRUNC", binary(exp.Div, months, number(12))), "bigint")


def _date(of: Any) -> Sql:
    year, month, day = of.args
    scope = of.scope
    if scope.lite:
        whole = [exp.cast(one.copy(), "int") for one in of.args]
        made = call("PRINTF", text("%04d-%02d-%02d"), *whole)
        real = [
            binary(exp.EQ, call("DATE", made, text("+0 days")), made),
            *(binary(exp.EQ, w, one) for w, one in zip(whole, of.args, strict=True)),
            exp.Between(this=whole[0].copy(), low=number(1), high=number(9999)),
        ]
        return case([(chain(exp.And, real), made)])
    if scope.dialect != "duckdb":
        scope.refuse("a day that there is none of is an error there")
    whole = [exp.cast(one.copy(), "bigint") for one in of.args]
    fits = [
        exp.Between(this=year.copy(), low=number(1), high=number(9999)),
        exp.Between(this=month.copy(), low=number(1), high=number(12)),
        exp.Between(this=day.copy(), low=number(1), high=number(31)),
        *(binary(exp.EQ, one, exp.Floor(this=one.copy())) for one in of.args),
    ]
    written = call("PRINTF", text("%04d-%02d-%02d"), *whole)
    return case([(chain(exp.And, fits), exp.TryCast(this=written, to=exp.DataType.build("date")))])


CALENDAR: dict[str, Callable[[Any], Sql]] = {
    "date": _date,
    "truncate": lambda of: truncate(of.args[0], of.plain[0], of.kinds[0], of.scope),
    "format date": lambda of: date_text(of.args[0], of.plain[0], of.kinds[0], of.scope),
    "add days": _add_days,
    "add months": _add_months,
    "add hours": _add_hours,
    "days between": lambda of: days_between(of.args[0], of.args[1], of.kinds, of.scope),
    "days in month": lambda of: days_in_month(of.args[0], of.scope),
    "months between": _months,
    "years between": _years,
}
