"""Dates in conditions: whole, in part or relative to today, as the days from first to last."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple, TypeVar

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
    found = _PARTIAL.fullmatch(text.strip())
    if found is None:
        return None
    year = int(found["year"])
    try:
        if found["week"]:
            monday = date.fromisocalendar(year, int(found["week"]), 1)
            return Period(monday, monday + timedelta(days=6))
        if found["day"]:
            day = date(year, int(found["month"]), int(found["day"]))
            return Period(day, day)
        if found["quarter"]:
            return _months(year, 3 * int(found["quarter"]) - 2, 3)
        return _months(year, int(found["month"]), 1) if found["month"] else _months(year, 1, 12)
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
        if found := writing.fullmatch(plain):
            parts = found.groupdict()
            if parts.get("quarter"):
                return f"{parts['year']}-{parts['quarter'].upper()}"
            day = f"-{int(parts['day']):02}" if parts.get("day") else ""
            return f"{parts['year']}-{_month_number(parts['month']):02}{day}"
    return text.strip()


def calendar_number(text: str, names: tuple[str, ...]) -> int | None:
    """The number from 1 of a month or weekday that is named, whole or by three letters or more."""
    plain = text.strip().rstrip(".").lower()
    hits = [n for n, name in enumerate(names, start=1) if name.lower().startswith(plain)]
    return hits[0] if len(plain) >= 3 and len(hits) == 1 else None


def _month_number(text: str) -> int:
    return int(text) if text.isdigit() else calendar_number(text[:3], MONTHS) or 0


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
    if found := _WHOLE.fullmatch(plain):
        return _period(found["span"], _STEPS.get(found["which"], 0))
    if found := _EDGE.fullmatch(plain):
        return _edge(found["edge"], found["span"], _STEPS.get(found["which"] or "", 0))
    found = _FIXED.fullmatch(plain) or _AGO.fullmatch(plain) or _IN.fullmatch(plain)
    if found is None:
        return None
    parts = found.groupdict()
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
        return _moved(start, unit, count).isoformat()
    except (ValueError, OverflowError):
        return None


def _moved(moment: Moment, unit: str, count: int) -> Moment:
    if unit in _MONTHS_IN:
        return _add_months(moment, count * _MONTHS_IN[unit])
    return moment + timedelta(**{f"{unit}s": count})


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


def _edge(edge: str, span: str, step: int) -> str:
    if edge == "end":
        return (_start(span, step + 1) - timedelta(days=1)).isoformat()
    return _start(span, step).isoformat()


def _period(span: str, step: int) -> str:
    first = _start(span, step)
    if span == "week":
        year, week, _ = first.isocalendar()
        return f"{year:04}-W{week:02}"
    if span == "quarter":
        return f"{first.year:04}-Q{(first.month + 2) // 3}"
    return f"{first.year:04}" if span == "year" else f"{first.year:04}-{first.month:02}"
