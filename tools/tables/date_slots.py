"""Date slots: the dates, months, quarters and times by which headers differ, and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence

_YEAR = r"(?:19|20)\d\d"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
DATE_SLOT = (
    rf"(?i:(?<!\d)(?:{_YEAR}[-_./]?(?:0[1-9]|1[0-2])[-_./]?(?:0[1-9]|[12]\d|3[01])(?:[T ]{_CLOCK})?"
    rf"|\d\d?/\d\d?/(?:{_YEAR}|\d\d)|\d\d?-\d\d?-{_YEAR}|\d\d?\.\d\d?\.{_YEAR}"
    rf"|{_YEAR}M(?:0[1-9]|1[0-2])|(?:\d\d)?\d\dQ[1-4]|{_YEAR}[ _-]Q[1-4]|{_YEAR}[-/]\d\d(?![-/]?\d)"
    rf"|(?:\d\d?[- ])?(?<![a-z]){_MONTH}(?:[ _.-]?{_YEAR}|[-']\d\d)"
    rf"|{_YEAR}[ _.-]?{_MONTH}(?![a-z])|(?<![a-z])Q[1-4][ _-]?{_YEAR}"
    rf"|(?<![a-z])(?:1[0-2]|\d):[0-5]\d ?[ap]m|(?<![a-z]){_CLOCK}|\A\d:[0-5]\d\Z)(?!\d))"
)
"""A pattern of what may be one; a year alone is a number."""

_PARTS = re.compile(r"(\d\d?)([/.-])(\d\d?)\2(\d{4}|\d\d)")
_NAMED = re.compile(
    rf"(?i)(?:(?P<day>\d\d?)[- ])?(?:(?P<first>\d{{4}})[ _.-]?)?(?P<month>{_MONTH})"
    r"(?:[ _.'-]?(?P<year>\d{4}|\d\d))?"
)
_QUARTER = re.compile(rf"(?i)(?P<first>{_YEAR})?[ _-]?Q(?P<quarter>[1-4])[ _-]?(?P<year>{_YEAR})?")
_HALF = re.compile(r"(?i)(\d\d?):(\d\d) ?([ap])m")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_LAST_OF_THIS_CENTURY = 69


def read_dates(slots: Sequence[str]) -> list[str] | None:
    """Dates of headers as texts whose order is that of time: ``2020-01-22`` of ``1/22/20``.

    Args:
        slots: The dates of one family, as its headers write them.

    Returns:
        A text for each; None where nobody can say which numbers are days and which months.
    """
    parts = [match for slot in slots if (match := _PARTS.fullmatch(slot))]
    day_first = any(int(match[1]) > 12 or match[2] == "." for match in parts)
    month_first = any(int(match[3]) > 12 for match in parts)
    if parts and day_first == month_first:
        return None
    return [_read(slot, day_first) for slot in slots]


def _read(slot: str, day_first: bool) -> str:
    if match := _PARTS.fullmatch(slot):
        day, month = (match[1], match[3]) if day_first else (match[3], match[1])
        return f"{_year(match[4])}-{int(month):02d}-{int(day):02d}"
    if match := _NAMED.fullmatch(slot):
        month = _MONTHS.index(match["month"][:3].casefold()) + 1
        day = f"-{int(match['day']):02d}" if match["day"] else ""
        return f"{_year(match['first'] or match['year'] or '')}-{month:02d}{day}"
    if (match := _QUARTER.fullmatch(slot)) and (match["first"] or match["year"]):
        return f"{match['first'] or match['year']}Q{match['quarter']}"
    if match := _HALF.fullmatch(slot):
        hour = int(match[1]) % 12 + 12 * (match[3].casefold() == "p")
        return f"{hour:02d}:{match[2]}"
    return f"0{slot}" if slot[1:2] == ":" else slot


def _year(text: str) -> str:
    if len(text) == 4:
        return text
    return f"{20 if int(text or 0) <= _LAST_OF_THIS_CENTURY else 19}{text}"
