"""Dates in words: days, months, quarters and years that a text writes out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.retrieval.words.number_words import MONTHS, ORDINALS

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NTH = r"(?P<nth>first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_FORMS = tuple(
    re.compile(rf"(?<![\w.]){form}(?!\w)", re.IGNORECASE)
    for form in (
        rf"{_YEAR}[-/.](?P<month>\d\d)[-/.](?P<day>\d\d)",
        rf"(?P<first>\d\d?)[-/.](?P<second>\d\d?)[-/.]{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?(?P<name>{_MONTH}),?\s+{_YEAR}",
        rf"(?P<name>{_MONTH})\s+(?:the\s+)?{_DAY},?\s+{_YEAR}",
        rf"(?P<name>{_MONTH}),?\s+(?:of\s+|in\s+)?{_YEAR}",
        rf"{_YEAR}[-/.m](?P<month>0[1-9]|1[0-2])",
        rf"q(?P<quarter>[1-4])[\s,]*(?:of\s+|in\s+)?{_YEAR}",
        rf"{_YEAR}[\s-]?q(?P<quarter>[1-4])",
        rf"{_NTH}\s+quarter\s+(?:of\s+|in\s+)?{_YEAR}",
        rf"quarter\s+(?P<quarter>[1-4])\s+(?:of\s+|in\s+)?{_YEAR}",
        _YEAR,
    )
)
LAST = {"last": 4, "final": 4}
MONTHS_OF_A_YEAR, WHOLE = 12, 8
_QUARTER = re.compile(r"(\d{4}|\d\d)[qQ]([1-4])")
_TO = re.compile(r"\s*(?:and|to|through|until|till|up to|-|–)\s+(?:the\s+)?", re.IGNORECASE)


_TOKEN = re.compile(r"[^\s,;?!()\"']*[^\s,;?!()\"'.:]")
"""What stands between blanks, without the marks of a sentence."""


class SaidDate(NamedTuple):
    """A date of a text.

    Attributes:
        key: It in digits, as much as is said: 2021, 202103, 20210305, or 2021q1.
        start: Where it begins in the text.
        end: Where it ends.
    """

    key: str
    start: int
    end: int

    @property
    def whole(self) -> bool:
        """Whether its day, month and year are said."""
        return len(self.key) == WHOLE and self.key.isdigit()


def said_dates(text: str, headers: Mapping[str, str] | None = None) -> tuple[SaidDate, ...]:
    """The dates of a text in their order, none within another.

    Args:
        text: The text.
        headers: Dates as headers write them, in lower case, with their keys. Written so they are
            dates in the text as well, such as 3/4/20, of which else nobody could say the month.
    """
    headers = headers or {}
    dates = [
        SaidDate(headers[token[0].casefold()], *token.span())
        for token in _TOKEN.finditer(text)
        if token[0].casefold() in headers
    ]
    for form in _FORMS:
        for match in form.finditer(text):
            inside = any(match.start() < one.end and one.start < match.end() for one in dates)
            if not inside and (key := _key(match.groupdict())):
                dates.append(SaidDate(key, match.start(), match.end()))
    return tuple(sorted(dates, key=lambda one: one.start))


def date_ranges(
    text: str, headers: Mapping[str, str] | None = None
) -> tuple[tuple[SaidDate, SaidDate], ...]:
    """Pairs of dates that are the ends of a stretch, as in ``from 2019 to 2023``.

    Args:
        text: The text.
        headers: As in `said_dates`.
    """
    dates = said_dates(text, headers)
    return tuple(
        (one, other)
        for one, other in itertools.pairwise(dates)
        if _TO.fullmatch(text[one.end : other.start]) and len(one.key) == len(other.key)
    )


def date_key(value: str) -> str:
    """A date of a header in digits, as `SaidDate.key` has it; the year with all of its digits."""
    if quarter := _QUARTER.fullmatch(value):
        year = quarter[1] if len(quarter[1]) == 4 else f"20{quarter[1]}"
        return f"{year}q{quarter[2]}"
    return re.sub(r"\D", "", value)


def _key(parts: dict[str, str | None]) -> str:
    year = parts["year"] or ""
    if first := parts.get("first"):
        low, high = sorted((int(first), int(parts["second"] or 0)))
        # Of 3/4/2020 nobody can say which is the month.
        clear = 0 < low <= MONTHS_OF_A_YEAR and (high > MONTHS_OF_A_YEAR or low == high)
        return f"{year}{low:02d}{high:02d}" if clear else ""
    nth = (parts.get("nth") or "").casefold()
    if nth:
        quarter = LAST.get(nth) or ORDINALS.get(nth) or int(nth[0])
        return f"{year}q{quarter}"
    if parts.get("quarter"):
        return f"{year}q{parts['quarter']}"
    name = (parts.get("name") or "").casefold().rstrip(".")
    month = f"{MONTHS[name]:02d}" if name else parts.get("month") or ""
    day = parts.get("day")
    return f"{year}{month}{int(day):02d}" if day else f"{year}{month}"
