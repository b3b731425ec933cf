"""Parts of dates as numbers, alike on every engine: ISO weeks, Monday first."""

from __future__ import annotations

from collections.abc import Callable

import narwhals as nw


def year(moment: nw.Expr) -> nw.Expr:
    """The calendar year."""
    return moment.dt.year().cast(nw.Int64)


def quarter(moment: nw.Expr) -> nw.Expr:
    """The quarter, 1 to 4."""
    return (month(moment) + 2) // 3


def month(moment: nw.Expr) -> nw.Expr:
    """The month, 1 to 12."""
    return moment.dt.month().cast(nw.Int64)


def day(moment: nw.Expr) -> nw.Expr:
    """The day of the month."""
    return moment.dt.day().cast(nw.Int64)


def day_of_year(moment: nw.Expr) -> nw.Expr:
    """The day of the year, from 1."""
    return moment.dt.ordinal_day().cast(nw.Int64)


def weekday(moment: nw.Expr) -> nw.Expr:
    """The day of the week, from Monday = 1 to Sunday = 7."""
    number = moment.dt.weekday().cast(nw.Int64)
    return nw.when(number == 0).then(7).otherwise(number)  # one engine counts Sunday as 0


def week(moment: nw.Expr) -> nw.Expr:
    """The ISO week: the week of a year is the one that holds its first Thursday."""
    number = (day_of_year(moment) - weekday(moment) + 10) // 7
    this = year(moment)
    within = nw.when(number > _weeks(this)).then(1).otherwise(number)
    return nw.when(number == 0).then(_weeks(this - 1)).otherwise(within).cast(nw.Int64)


def hour(moment: nw.Expr) -> nw.Expr:
    """The hour, 0 to 23."""
    return moment.dt.hour().cast(nw.Int64)


def minute(moment: nw.Expr) -> nw.Expr:
    """The minute, 0 to 59."""
    return moment.dt.minute().cast(nw.Int64)


def second(moment: nw.Expr) -> nw.Expr:
    """The second, 0 to 59, its fraction left out."""
    return moment.dt.second().cast(nw.Int64)


def is_leap(number: nw.Expr) -> nw.Expr:
    """Whether a year has a 29th of February."""
    return (number % 4 == 0) & ((number % 100 != 0) | (number % 400 == 0))


def days_in_month(number: nw.Expr, month_number: nw.Expr) -> nw.Expr:
    """How many days a month of a year has."""
    february = nw.when(is_leap(number)).then(29).otherwise(28)
    short = (month_number == 4) | (month_number == 6) | (month_number == 9) | (month_number == 11)
    others = nw.when(short).then(30).otherwise(31)
    made = nw.when(month_number == 2).then(february).otherwise(others)
    return nw.when(~(number.is_null() | month_number.is_null())).then(made).cast(nw.Int64)


def _weeks(number: nw.Expr) -> nw.Expr:
    """ISO weeks of a year: 53 if it ends on a Thursday, or the one before on a Wednesday."""

    def last_weekday(of: nw.Expr) -> nw.Expr:
        return (of + of // 4 - of // 100 + of // 400) % 7

    long = (last_weekday(number) == 4) | (last_weekday(number - 1) == 3)
    return nw.when(long).then(53).otherwise(52)


PARTS: dict[str, Callable[[nw.Expr], nw.Expr]] = {
    "year": year,
    "quarter": quarter,
    "month": month,
    "week": week,
    "day": day,
    "weekday": weekday,
    "day of year": day_of_year,
    "hour": hour,
}
