"""Functions on dates, alike on every engine: the same clamping, rounding and weeks."""

from __future__ import annotations

from datetime import timedelta

import narwhals as nw

from wideleaf.tools.conditions import dates
from wideleaf.tools.expressions.number_functions import Stage
from wideleaf.tools.expressions.text_functions import digits, join_pieces
from wideleaf.tools.tables.table import Kind

UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute")
_TRUNCATED = {"year": "1y", "quarter": "1q", "month": "1mo", "hour": "1h", "minute": "1m"}
_DAY_US, _SECOND_US = 86_400_000_000, 1_000_000
_FARTHEST = 3_700_000
"""Days from the first date to the last, and some."""


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
    text = join_pieces(digits(y, 4), "-", digits(m, 2), "-", digits(d, 2))
    return nw.when(d <= dates.days_in_month(y, m)).then(text).str.to_date("%Y-%m-%d")


def truncate(moment: nw.Expr, unit: str, *, kind: Kind) -> nw.Expr:
    """The start of the year, quarter, month, week (Monday), day, hour or minute."""
    if unit in ("day", "week") or (kind == "date" and unit in ("hour", "minute")):
        start = moment if kind == "date" else moment.dt.date()
        if unit == "week":
            start = (start + nw.lit(timedelta(days=-1)) * (dates.weekday(moment) - 1)).cast(nw.Date)
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
    total = stage(dates.year(moment) * 12 + dates.month(moment) - 1 + count.floor())
    made_year = stage((total / 12).floor())
    made_month = stage(total - made_year * 12 + 1)
    last = stage(dates.days_in_month(made_year, made_month))
    made_day = nw.when(dates.day(moment) > last).then(last).otherwise(dates.day(moment))
    day = date_of(made_year, made_month, made_day, stage=stage)
    if kind == "date":
        return day
    clock = dates.hour(moment) * 3_600 + dates.minute(moment) * 60 + dates.second(moment)
    start = stage(day).cast(nw.Datetime("us"))
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
    past = dates.year(moment) - 1
    leaps = past // 4 - past // 100 + past // 400
    days = past * 365 + leaps + dates.day_of_year(moment)
    return days * _DAY_US + _clock(moment)


def _clock(moment: nw.Expr) -> nw.Expr:
    seconds = dates.hour(moment) * 3_600 + dates.minute(moment) * 60 + dates.second(moment)
    return seconds * _SECOND_US + moment.dt.microsecond().cast(nw.Int64)


def _whole_months(start: nw.Expr, end: nw.Expr) -> nw.Expr:
    months = (dates.year(end) - dates.year(start)) * 12 + dates.month(end) - dates.month(start)
    early = dates.day(end) * _DAY_US + _clock(end) < dates.day(start) * _DAY_US + _clock(start)
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
