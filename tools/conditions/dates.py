"""Dates: read whole, in part or relative to today; their parts as numbers, on every engine."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple, TypeVar

import narwhals as nw

from wideleaf.tools.errors import ActionError

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_PARTIAL = re.compile(
    r"(?P<year>\d{4})(?:-(?:Q(?P<quarter>[1-4])|W(?P<week>\d\d)|(?P<month>\d\d)(?:-(?P<day>\d\d))?))?"
)
_NAME = rf"(?P<month>{'|'.join(name[:3] for name in MONTHS)})[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WRITINGS = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"{_DAY}[ -]?{_NAME}[ ,-]*(?P<year>\d{{4}})",
        rf"{_NAME} ?{_DAY},? (?P<year>\d{{4}})",
        rf"{_NAME}[ ,-]+(?P<year>\d{{4}})",
        rf"(?P<year>\d{{4}}) {_NAME}",
        r"(?P<quarter>Q[1-4])[ /-]?(?P<year>\d{4})",
        r"(?P<year>\d{4})[ /]?(?P<quarter>Q[1-4])",
        r"(?P<year>\d{4})[/.](?P<month>\d{1,2})(?:[/.](?P<day>\d{1,2}))?",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
        r"(?P<month>\d{1,2})/(?P<year>\d{4})",
    )
)
_EITHER_WAY = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})")
Moment = TypeVar("Moment", date, datetime)
_UNIT = r"(?P<unit>second|minute|hour|day|week|month|quarter|year)s?"
_COUNT = r"(?P<count>\d{1,6}|an?|one)"
_ONE = {"a": 1, "an": 1, "one": 1}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_FIXED = re.compile(rf"(?P<day>{'|'.join(_DAYS)}|now)(?: ?(?P<sign>[+-]) ?{_COUNT} {_UNIT})?")
_AGO = re.compile(rf"(?:{_COUNT} {_UNIT} (?P<way>ago|from now|from today|before today))")
_IN = re.compile(rf"in {_COUNT} {_UNIT}")
_WHICH = r"(?P<which>this|current|last|previous|next)"
_SPAN = r"(?P<span>week|month|quarter|year)"
_EDGE = re.compile(rf"(?:the )?(?P<edge>start|beginning|end) of (?:the )?(?:{_WHICH} )?{_SPAN}")
_WHOLE = re.compile(rf"{_WHICH} {_SPAN}")
_STEPS = {"last": -1, "previous": -1, "next": 1}
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
_CLOCK = ("second", "minute", "hour")
EXAMPLES = "'today', '30 days ago', 'start of this year', 'last month'"


class Period(NamedTuple):
    """Days from the first to the last, both of them in it."""

    first: date
    last: date


def read_period(text: str) -> Period | None:
    """Read ``2023``, ``2023-Q2``, ``2023-W22``, ``2023-05`` or ``2023-05-31``; None otherwise."""
    match = _PARTIAL.fullmatch(text.strip())
    if match is None:
        return None
    year = int(match["year"])
    try:
        if match["week"]:
            monday = date.fromisocalendar(year, int(match["week"]), 1)
            return Period(monday, monday + timedelta(days=6))
        if match["day"]:
            day = date(year, int(match["month"]), int(match["day"]))
            return Period(day, day)
        if match["quarter"]:
            return _months(year, 3 * int(match["quarter"]) - 2, 3)
        return _months(year, int(match["month"]), 1) if match["month"] else _months(year, 1, 12)
    except (ValueError, OverflowError):
        return None


def iso_text(text: str) -> str:
    """A date or a part of one as `read_period` reads it; any other text stays as it is.

    Raises:
        ActionError: If it could be two dates, day first or month first.
    """
    plain = " ".join(text.split())
    if either := _EITHER_WAY.fullmatch(plain):
        one, other = int(either[1]), int(either[2])
        if one != other and max(one, other) <= 12:
            raise ActionError(
                f"{text!r} could be {one} {MONTHS[other - 1]} or {other} {MONTHS[one - 1]}; write "
                f"'{either[3]}-{other:02}-{one:02}' or '{either[3]}-{one:02}-{other:02}'",
                kind="wrong type",
            )
        return f"{either[3]}-{min(one, other):02}-{max(one, other):02}"
    for writing in _WRITINGS:
        if match := writing.fullmatch(plain):
            parts = match.groupdict()
            if parts.get("quarter"):
                return f"{parts['year']}-{parts['quarter'].upper()}"
            day = f"-{int(parts['day']):02}" if parts.get("day") else ""
            name = parts["month"]
            month = int(name) if name.isdigit() else calendar_number(name[:3], MONTHS) or 0
            return f"{parts['year']}-{month:02}{day}"
    return text.strip()


def calendar_number(text: str, names: tuple[str, ...]) -> int | None:
    """The number from 1 of a month or weekday that is named, whole or by three letters or more."""
    plain = text.strip().rstrip(".").lower()
    hits = [n for n, name in enumerate(names, start=1) if name.lower().startswith(plain)]
    return hits[0] if len(plain) >= 3 and len(hits) == 1 else None


def _months(year: int, first: int, count: int) -> Period:
    last = first + count - 1
    return Period(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def now() -> datetime:
    """This moment in the local zone; the one place from which the date of today comes."""
    return datetime.now().astimezone()


def today() -> date:
    """The day of `now`."""
    return now().date()


def absolute(text: str, zone: tzinfo | None = None) -> str | None:
    """A relative moment as ISO text, or a relative period as `periods.read_period` reads it.

    Args:
        text: Such as ``today - 30 days``.
        zone: The zone whose clock ``now`` reads.

    Returns:
        The text, which means the same on any day; None if this is no such writing.
    """
    plain = " ".join(text.lower().split())
    if match := _WHOLE.fullmatch(plain):
        return _period(match["span"], _STEPS.get(match["which"], 0))
    if match := _EDGE.fullmatch(plain):
        step, ends = _STEPS.get(match["which"] or "", 0), match["edge"] == "end"
        return (_start(match["span"], step + ends) - timedelta(days=ends)).isoformat()
    match = _FIXED.fullmatch(plain) or _AGO.fullmatch(plain) or _IN.fullmatch(plain)
    if match is None:
        return None
    parts = match.groupdict()
    unit, day = parts["unit"] or "day", parts.get("day")
    back = parts.get("sign") == "-" or parts.get("way") in ("ago", "before today")
    count = 0 if parts["count"] is None else _ONE.get(parts["count"], parts["count"])
    count = -int(count) if back else int(count)
    start = today() + timedelta(days=_DAYS.get(day or "today", 0))
    try:
        if day in _DAYS and unit in _CLOCK:
            start = datetime.combine(start, datetime.min.time())
        elif day == "now" or unit in _CLOCK:
            start = now().astimezone(zone).replace(tzinfo=None, microsecond=0)
        if unit in _MONTHS_IN:
            return _add_months(start, count * _MONTHS_IN[unit]).isoformat()
        return (start + timedelta(**{f"{unit}s": count})).isoformat()
    except (ValueError, OverflowError):
        return None


def _add_months(moment: Moment, count: int) -> Moment:
    year, month = divmod(moment.year * 12 + moment.month - 1 + count, 12)
    last = monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def _start(span: str, step: int) -> date:
    day = today()
    if span == "week":
        return day - timedelta(days=day.weekday()) + timedelta(weeks=step)
    months = _MONTHS_IN[span]
    first = day.replace(month=(day.month - 1) // months * months + 1, day=1)
    return _add_months(first, step * months)


def _period(span: str, step: int) -> str:
    first = _start(span, step)
    if span == "week":
        year, week, _ = first.isocalendar()
        return f"{year:04}-W{week:02}"
    if span == "quarter":
        return f"{first.year:04}-Q{(first.month + 2) // 3}"
    return f"{first.year:04}" if span == "year" else f"{first.year:04}-{first.month:02}"


def _field(name: str) -> Callable[[nw.Expr], nw.Expr]:
    """What narwhals calls so, as a whole number."""

    def read(moment: nw.Expr) -> nw.Expr:
        number: nw.Expr = getattr(moment.dt, name)().cast(nw.Int64)
        return number

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
    days = nw.when(month_number == 2).then(february).otherwise(others)
    return nw.when(~(number.is_null() | month_number.is_null())).then(days).cast(nw.Int64)


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
