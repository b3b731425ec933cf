"""Periods: a date as people write it, whole or in part, as the days from its first to its last."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

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


def number_named(text: str, names: tuple[str, ...]) -> int | None:
    """The number from 1 of a month or weekday that is named, whole or by three letters or more."""
    plain = text.strip().rstrip(".").lower()
    hits = [n for n, name in enumerate(names, start=1) if name.lower().startswith(plain)]
    return hits[0] if len(plain) >= 3 and len(hits) == 1 else None


def _month_number(text: str) -> int:
    return int(text) if text.isdigit() else number_named(text[:3], MONTHS) or 0


def _months(year: int, first: int, count: int) -> Period:
    last = first + count - 1
    return Period(date(year, first, 1), date(year, last, monthrange(year, last)[1]))
