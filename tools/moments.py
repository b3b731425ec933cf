"""Moments relative to today: ``3 months ago`` is decided once and is a plain date from then on."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, timedelta, tzinfo
from typing import TypeVar

Moment = TypeVar("Moment", date, datetime)

_UNIT = r"(?P<unit>second|minute|hour|day|week|month|quarter|year)s?"
_COUNT = r"(?P<count>\d{1,6}|an?|one)"
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
    count = int(parts["count"]) if (parts["count"] or "").isdigit() else 1
    back = parts.get("sign") == "-" or parts.get("way") in ("ago", "before today")
    unit = parts["unit"] or "day"
    if parts["unit"] is None:
        count = 0
    day = parts.get("day")
    try:
        if day == "now" or unit in _CLOCK:
            here = now().astimezone(zone).replace(tzinfo=None, microsecond=0)
            if day in _DAYS:
                here = datetime.combine(today() + timedelta(days=_DAYS[day]), datetime.min.time())
            return _moved(here, unit, -count if back else count).isoformat()
        start = today() + timedelta(days=_DAYS.get(day or "today", 0))
        return _moved(start, unit, -count if back else count).isoformat()
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
