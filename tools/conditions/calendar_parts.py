"""Parts of dates as numbers, alike on every engine: ISO weeks, Monday first."""

from __future__ import annotations

from collections.abc import Callable

import narwhals as nw


def _field(name: str) -> Callable[[nw.Expr], nw.Expr]:
    """What narwhals calls so, as a whole number."""

    def read(moment: nw.Expr) -> nw.Expr:
        found: nw.Expr = getattr(moment.dt, name)().cast(nw.Int64)
        return found

    return read


year, month, day, day_of_year = map(_field, ("year", "month", "day", "ordinal_day"))
hour, minute, second = map(_field, ("hour", "minute", "second"))


def quarter(moment: nw.Expr) -> nw.Expr:
    """The quarter, 1 to 4."""
    return (month(moment) + 2) // 3


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


def days_in_month(number: nw.Expr, month_number: nw.Expr) -> nw.Expr:
    """How many days a month of a year has."""
    leap = (number % 4 == 0) & ((number % 100 != 0) | (number % 400 == 0))
    february = nw.when(leap).then(29).otherwise(28)
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
