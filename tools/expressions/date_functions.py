"""Functions on dates, alike on every engine: the same clamping, rounding and weeks."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import narwhals as nw

from wideleaf.tools.conditions.calendar_parts import (
    day,
    day_of_year,
    days_in_month,
    hour,
    minute,
    month,
    second,
    weekday,
    year,
)
from wideleaf.tools.conditions.dates import MONTHS, WEEKDAYS
from wideleaf.tools.expressions.number_functions import Stage
from wideleaf.tools.expressions.text_functions import digits
from wideleaf.tools.tables.table import Kind

UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute")
_TRUNCATED = {"year": "1y", "quarter": "1q", "month": "1mo", "hour": "1h", "minute": "1m"}
_DAY_US, _SECOND_US = 86_400_000_000, 1_000_000
_FARTHEST = 3_700_000
"""Days from the first date to the last, and some."""

_DIRECTIVES = {
    "%Y": "YYYY", "%y": "YY", "%B": "MMMM", "%b": "MMM", "%m": "MM", "%d": "DD", "%H": "HH",
    "%M": "mm", "%S": "ss", "%A": "dddd", "%a": "ddd", "%j": "DDD", "%-d": "D", "%-m": "M",
}  # fmt: skip
_ALIASES = {"yyyy": "YYYY", "yy": "YY", "dd": "DD", "d": "D", "hh": "HH", "SS": "ss"}
_SPELLED = re.compile(r"%-?[A-Za-z%]|[Yy]{4}|[Yy]{2}|M{1,4}|D{1,3}|d{1,4}|HH|hh|mm|SS|ss|(.)", re.S)


def read_format(text: str) -> tuple[str, ...]:
    """The parts of a date format, and between them characters to be taken literally.

    Args:
        text: Such as ``%d.%m.%Y`` or ``DD.MM.YYYY``; MM behind HH: is minutes.

    Raises:
        ValueError: If it holds a directive that not every engine could follow.
    """
    made: list[str] = []
    percent = "%" in text
    for found in _SPELLED.finditer(text):
        part = found[0]
        if part.startswith("%"):
            if part not in _DIRECTIVES:
                raise ValueError(f"the directive {part!r}; use {' '.join(_DIRECTIVES)}")
            part = _DIRECTIVES[part]
        elif found[1] is None and percent:
            made += part
            continue
        elif found[1] is None:
            part = _ALIASES.get(part, part)
            if part == "MM" and "HH" in made and "mm" not in made:
                part = "mm"
        made.append(part)
    if not set(made) & _WRITERS.keys():
        raise ValueError("no part of a date; write such as 'DD.MM.YYYY' or '%d.%m.%Y'")
    return tuple(made)


def format_date(moment: nw.Expr, form: tuple[str, ...], *, kind: Kind) -> nw.Expr:
    """A date as text; months and weekdays are named in English."""
    pieces = [_piece(part, moment, kind) if part in _WRITERS else nw.lit(part) for part in form]
    # A format that is one literal and one number is still a text of its own.
    return nw.concat_str(*pieces) if len(pieces) > 1 else pieces[0]


def _piece(part: str, moment: nw.Expr, kind: Kind) -> nw.Expr:
    if kind == "date" and part in ("HH", "mm", "ss"):
        return nw.when(~moment.is_null()).then(nw.lit("00"))
    return _WRITERS[part](moment)


def _named(number: nw.Expr, names: tuple[str, ...], letters: int | None = None) -> nw.Expr:
    return nw.coalesce(
        *(nw.when(number == n).then(nw.lit(name[:letters])) for n, name in enumerate(names, 1))
    )


_WRITERS: dict[str, Callable[[nw.Expr], nw.Expr]] = {
    "YYYY": lambda moment: digits(year(moment), 4),
    "YY": lambda moment: digits(year(moment) % 100, 2),
    "MMMM": lambda moment: _named(month(moment), MONTHS),
    "MMM": lambda moment: _named(month(moment), MONTHS, 3),
    "MM": lambda moment: digits(month(moment), 2),
    "M": lambda moment: month(moment).cast(nw.String),
    "DDD": lambda moment: digits(day_of_year(moment), 3),
    "DD": lambda moment: digits(day(moment), 2),
    "D": lambda moment: day(moment).cast(nw.String),
    "dddd": lambda moment: _named(weekday(moment), WEEKDAYS),
    "ddd": lambda moment: _named(weekday(moment), WEEKDAYS, 3),
    "HH": lambda moment: digits(hour(moment), 2),
    "mm": lambda moment: digits(minute(moment), 2),
    "ss": lambda moment: digits(second(moment), 2),
}
"""How each part of a format is written."""


def date_of(
    year_number: nw.Expr, month_number: nw.Expr, day_number: nw.Expr, *, stage: Stage
) -> nw.Expr:
    """The date of a year, month and day; null where there is none."""
    last = (9999, 12, 31)
    y, m, d = (
        stage(nw.when(near.is_between(1, most) & (near == near.floor())).then(near.cast(nw.Int64)))
        for part, most in zip((year_number, month_number, day_number), last, strict=True)
        for near in (stage(part.cast(nw.Float64)),)
    )
    text = nw.concat_str(digits(y, 4), nw.lit("-"), digits(m, 2), nw.lit("-"), digits(d, 2))
    return nw.when(d <= days_in_month(y, m)).then(text).str.to_date("%Y-%m-%d")


def truncate(moment: nw.Expr, unit: str, *, kind: Kind) -> nw.Expr:
    """The start of the year, quarter, month, week (Monday), day, hour or minute."""
    if unit in ("day", "week") or (kind == "date" and unit in ("hour", "minute")):
        start = moment if kind == "date" else moment.dt.date()
        if unit == "week":
            start = (start + nw.lit(timedelta(days=-1)) * (weekday(moment) - 1)).cast(nw.Date)
        return start if kind == "date" else start.cast(nw.Datetime("us"))
    start = moment.cast(nw.Datetime("us")) if kind == "date" else moment
    start = start.dt.truncate(_TRUNCATED[unit])
    return start.cast(nw.Date) if kind == "date" else start.dt.replace_time_zone(None)


def add_days(moment: nw.Expr, count: nw.Expr, *, kind: Kind, stage: Stage) -> nw.Expr:
    """So many days later; a part of a day moves a time, and is left out beside a date."""
    if kind == "date":
        near = nw.when(count.cast(nw.Float64).abs() <= _FARTHEST).then(count.floor())
        return _there(
            (moment + nw.lit(timedelta(days=1)) * near.cast(nw.Int64)).cast(nw.Date), stage
        )
    return _add_micros(moment, count.cast(nw.Float64) * _DAY_US, stage)


def add_hours(moment: nw.Expr, count: nw.Expr, *, stage: Stage) -> nw.Expr:
    """So many hours later, parts of an hour too."""
    return _add_micros(moment, count.cast(nw.Float64) * 3_600 * _SECOND_US, stage)


def add_months(moment: nw.Expr, count: nw.Expr, *, kind: Kind, stage: Stage) -> nw.Expr:
    """So many whole months later; a day that the month lacks becomes its last."""
    total = stage(year(moment) * 12 + month(moment) - 1 + count.floor())
    made_year = stage((total / 12).floor())
    made_month = stage(total - made_year * 12 + 1)
    last = stage(days_in_month(made_year, made_month))
    made_day = nw.when(day(moment) > last).then(last).otherwise(day(moment))
    made = date_of(made_year, made_month, made_day, stage=stage)
    if kind == "date":
        return made
    clock = hour(moment) * 3_600 + minute(moment) * 60 + second(moment)
    start = stage(made).cast(nw.Datetime("us"))
    return _plus(start, clock * 0, clock, moment.dt.microsecond())


def months_between(start: nw.Expr, end: nw.Expr, *, stage: Stage) -> nw.Expr:
    """Whole months from start to end, negative if end comes first."""
    start, end = (stage(moment.cast(nw.Datetime("us"))) for moment in (start, end))
    forward = stage(_whole_months(start, end))
    return nw.when(forward >= 0).then(forward).otherwise(-_whole_months(end, start))


def years_between(start: nw.Expr, end: nw.Expr, *, stage: Stage) -> nw.Expr:
    """Whole years from start to end, such as an age."""
    months = stage(months_between(start, end, stage=stage))
    return nw.when(months >= 0).then(months // 12).otherwise(-((-months) // 12))


def days_between(start: nw.Expr, end: nw.Expr) -> nw.Expr:
    """Days from start to end; half a day is 0.5."""
    moments = nw.Datetime("us")
    between = microseconds(end.cast(moments)) - microseconds(start.cast(moments))
    return between / _DAY_US


def microseconds(moment: nw.Expr) -> nw.Expr:
    """Microseconds since the year 0, since not every engine counts durations."""
    past = year(moment) - 1
    leaps = past // 4 - past // 100 + past // 400
    days = past * 365 + leaps + day_of_year(moment)
    return days * _DAY_US + _clock(moment)


def _clock(moment: nw.Expr) -> nw.Expr:
    seconds = hour(moment) * 3_600 + minute(moment) * 60 + second(moment)
    return seconds * _SECOND_US + moment.dt.microsecond().cast(nw.Int64)


def _whole_months(start: nw.Expr, end: nw.Expr) -> nw.Expr:
    months = (year(end) - year(start)) * 12 + month(end) - month(start)
    early = day(end) * _DAY_US + _clock(end) < day(start) * _DAY_US + _clock(start)
    return nw.when(early).then(months - 1).otherwise(months).cast(nw.Int64)


def _add_micros(moment: nw.Expr, micros: nw.Expr, stage: Stage) -> nw.Expr:
    near = stage(micros)
    near = nw.when(near.abs() <= _FARTHEST * _DAY_US).then(near)
    whole = stage((near + 0.5).floor().cast(nw.Int64))
    rest = stage(whole % _DAY_US)
    rest = stage(nw.when(rest < 0).then(rest + _DAY_US).otherwise(rest))  # engines differ
    days = (whole - rest) // _DAY_US
    return _there(_plus(moment, days, rest // _SECOND_US, rest % _SECOND_US), stage)


def _plus(moment: nw.Expr, days: nw.Expr, seconds: nw.Expr, micros: nw.Expr) -> nw.Expr:
    # One engine multiplies an interval by small numbers only.
    moment = moment + nw.lit(timedelta(days=1)) * days
    moment = moment + nw.lit(timedelta(seconds=1)) * seconds
    return moment + nw.lit(timedelta(microseconds=1)) * micros


def _there(moment: nw.Expr, stage: Stage) -> nw.Expr:
    """Null where the year is none that a date can have."""
    moment = stage(moment)
    return nw.when(moment.dt.year().is_between(1, 9999)).then(moment)
