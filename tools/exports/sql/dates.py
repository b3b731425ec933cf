"""Dates as SQL: parts, truncation and arithmetic, where SQLite keeps dates as ISO text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from wideleaf.tools.conditions.dates import MONTHS, WEEKDAYS
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    as_day,
    as_moment,
    binary,
    call,
    case,
    chain,
    divide,
    number,
    text,
)
from wideleaf.tools.expressions.date_functions import TOKENS
from wideleaf.tools.tables.table import Kind

_DIRECTIVES = {
    "YYYY": "%Y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%-m", "DD": "%d", "D": "%-d",
    "HH": "%H", "mm": "%M", "ss": "%S", "dddd": "%A", "ddd": "%a", "DDD": "%j", "YY": "%y",
}  # fmt: skip
_LITE = ("YYYY", "MM", "DD", "HH", "mm", "ss", "DDD")
DAY_SECONDS, DAY_MICROSECONDS = 86_400, 86_400_000_000
FARTHEST = 3_700_000
PartWriter = Callable[[Sql, QueryScope], Sql]


def _part(unit: str, directive: str) -> PartWriter:
    def read(moment: Sql, scope: QueryScope) -> Sql:
        if scope.lite:
            return _lite_number(directive, moment)
        return exp.Extract(this=exp.var(unit), expression=moment.copy())

    return read


def _lite_number(directive: str, moment: Sql) -> Sql:
    return exp.cast(call("STRFTIME", text(directive), moment), "int")


def _whole(kind: type[Sql], left: Sql, right: int) -> Sql:
    """Whole division or remainder, for SQLite alone."""
    made = binary(kind, left, number(right))
    made.set("typed", True)
    return made


def _quarter(moment: Sql, scope: QueryScope) -> Sql:
    if not scope.lite:
        return _part("QUARTER", "")(moment, scope)
    return _whole(exp.Div, binary(exp.Add, _lite_number("%m", moment), number(2)), 3)


def _weekday(moment: Sql, scope: QueryScope) -> Sql:
    if scope.lite:
        sunday_first = binary(exp.Add, _lite_number("%w", moment), number(6))
        return binary(exp.Add, binary(exp.Mod, sunday_first, number(7)), number(1))
    if scope.dialect in ("duckdb", "postgres", "redshift"):
        return exp.Extract(this=exp.var("ISODOW"), expression=moment.copy())
    scope.refuse("its weekdays are counted otherwise")


def _week(moment: Sql, scope: QueryScope) -> Sql:
    if scope.lite:
        thursday = call("DATE", moment, text("-3 days"), text("weekday 4"))
        day = binary(exp.Sub, _lite_number("%j", thursday), number(1))
        return binary(exp.Add, _whole(exp.Div, day, 7), number(1))
    if scope.dialect in ("duckdb", "postgres", "redshift"):
        return exp.Extract(this=exp.var("WEEK"), expression=moment.copy())
    scope.refuse("its weeks may not be those of ISO")


def days_in_month(moment: Sql, scope: QueryScope) -> Sql:
    """How many days a date's month has."""
    if scope.lite:
        steps = (text("start of month"), text("+1 month"), text("-1 day"))
        return _lite_number("%d", call("DATE", moment, *steps))
    return exp.Extract(this=exp.var("DAY"), expression=exp.LastDay(this=moment.copy()))


def second(moment: Sql, scope: QueryScope) -> Sql:
    """The second, its fraction left out."""
    made = _part("SECOND", "%S")(moment, scope)
    return made if scope.lite or scope.dialect == "duckdb" else exp.Floor(this=made)


PARTS: dict[str, PartWriter] = {
    "year": _part("YEAR", "%Y"),
    "quarter": _quarter,
    "month": _part("MONTH", "%m"),
    "week": _week,
    "day": _part("DAY", "%d"),
    "weekday": _weekday,
    "day of year": _part("DOY", "%j"),
    "hour": _part("HOUR", "%H"),
    "minute": _part("MINUTE", "%M"),
    "second": second,
    "days in month": days_in_month,
}


def truncate(moment: Sql, unit: str, kind: Kind, scope: QueryScope) -> Sql:
    """The start of the year, quarter, month, week (Monday), day, hour or minute."""
    if kind == "date" and unit in ("day", "hour", "minute"):
        return moment.copy()
    if scope.lite:
        return _lite_truncated(moment, unit, kind, scope)
    if unit == "week" and scope.dialect not in ("duckdb", "postgres", "redshift"):
        scope.refuse("its weeks may start on Sunday")
    made = exp.TimestampTrunc(this=moment.copy(), unit=exp.var(unit.upper()))
    return exp.cast(made, "date" if kind == "date" else "timestamp")


def _lite_truncated(moment: Sql, unit: str, kind: Kind, scope: QueryScope) -> Sql:
    if unit in ("hour", "minute"):
        return call(
            "STRFTIME", text(f"%Y-%m-%d %{'H:00' if unit == 'hour' else 'H:%M'}:00"), moment
        )
    if unit == "quarter":
        back = binary(exp.Mod, binary(exp.Sub, _lite_number("%m", moment), number(1)), number(3))
        months = exp.DPipe(this=exp.Paren(this=binary(exp.Mul, back, number(-1))),
                           expression=text(" months"))  # fmt: skip
        start = call("DATE", moment, text("start of month"), months)
    elif unit == "week":
        start = call("DATE", moment, text("-6 days"), text("weekday 1"))
    elif unit == "day":
        start = call("DATE", moment)
    else:
        start = call("DATE", moment, text(f"start of {unit}"))
    return start if kind == "date" else as_moment(scope, start, "date")


def date_text(moment: Sql, form: Sequence[str], kind: Kind, scope: QueryScope) -> Sql:
    """A date in a format; names are English."""
    pieces: list[Sql] = []
    run = ""
    for part in form:
        if kind == "date" and part in ("HH", "mm", "ss"):
            run += "00"  # a day has no clock
        elif part not in TOKENS:
            run += part.replace("%", "%%")
        elif scope.lite and part not in _LITE:
            pieces += [call("STRFTIME", text(run), moment)] if run else []
            pieces, run = [*pieces, _lite_piece(part, moment)], ""
        else:
            run += _DIRECTIVES[part]
    if run:
        formatted = exp.TimeToStr(this=moment.copy(), format=text(run))
        pieces.append(call("STRFTIME", text(run), moment) if scope.lite else formatted)
    return chain(exp.DPipe, pieces)


def _lite_piece(part: str, moment: Sql) -> Sql:
    if part in ("M", "D"):
        return exp.cast(_lite_number("%m" if part == "M" else "%d", moment), "text")
    if part == "YY":
        return call("SUBSTR", call("STRFTIME", text("%Y"), moment), number(3), number(2))
    names = MONTHS if part.startswith("M") else ("Sunday", *WEEKDAYS[:-1])
    first = 1 if part.startswith("M") else 0
    read = _lite_number("%m" if first else "%w", moment)
    letters = 3 if len(part) == 3 else None
    return case(
        (binary(exp.EQ, read, number(n)), text(name[:letters]))
        for n, name in enumerate(names, first)
    )


def moment_text(moment: Sql, kind: Kind, scope: QueryScope) -> Sql:
    """A date or time as ISO text, with the fraction of a second where there is one."""
    if scope.lite:
        return moment.copy()
    if kind == "date":
        return exp.cast(moment.copy(), "text")
    if scope.dialect != "duckdb":
        scope.refuse("it writes times as text in a way of its own; use format date")
    plain = call("STRFTIME", moment, text("%Y-%m-%d %H:%M:%S"))
    fine = call("STRFTIME", moment, text("%Y-%m-%d %H:%M:%S.%f"))
    past = binary(exp.Mod, call("EPOCH_US", moment), number(1_000_000))
    return case([(binary(exp.EQ, past, number(0)), plain)], fine)


def seconds(moment: Sql, kind: Kind, scope: QueryScope) -> Sql:
    """Seconds since 1970, as a number that differences are made of."""
    if scope.lite:
        whole = _lite_number("%s", moment)
        if kind == "date":
            return whole
        fraction = exp.cast(call("SUBSTR", moment, number(20)), "double")
        return binary(exp.Add, whole, fraction)
    start = as_moment(scope, moment, kind)
    if scope.dialect == "duckdb":
        return divide(call("EPOCH_US", start), number(1_000_000))
    return exp.Extract(this=exp.var("EPOCH"), expression=start)


def days_between(start: Sql, end: Sql, kinds: Sequence[Kind], scope: QueryScope) -> Sql:
    """Days from start to end; half a day is 0.5."""
    if scope.dialect == "duckdb":
        first, last = (
            call("EPOCH_US", as_moment(scope, one, kind))
            for one, kind in zip((start, end), kinds, strict=True)
        )
        return divide(binary(exp.Sub, last, first), number(DAY_MICROSECONDS))
    first, last = (seconds(o, k, scope) for o, k in zip((start, end), kinds, strict=True))
    return divide(binary(exp.Sub, last, first), number(DAY_SECONDS))


def day_of(moment: Sql, kind: Kind, scope: QueryScope) -> Sql:
    """The day of a time."""
    return as_day(scope, moment, kind)
