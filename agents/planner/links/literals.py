"""Literals that a question writes out: quoted texts, dates, and numbers of several words."""

from __future__ import annotations

import calendar
import re
from datetime import date

from wideleaf.agents.planner.links.lexicon import COUNTED, Question, lexicon
from wideleaf.retrieval.words.number_words import MONTHS as MONTH_NUMBERS

MONTHS = frozenset(name.casefold() for name in (*calendar.month_name, *calendar.month_abbr) if name)
MOST_DAYS, MOST_MONTHS, YEAR_DIGITS = 31, 12, 4
DAYS = frozenset(name.casefold() for name in calendar.day_name)

_MONTH = "|".join(sorted(MONTHS - {"may"}, key=len, reverse=True)) + "|may(?= \\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}"
    rf"|{_DAY} (?:of )?(?:{_MONTH})\.?,?(?: \d{{4}})?"
    rf"|(?:{_MONTH})\.? (?:the )?{_DAY}(?!\d)(?:,? \d{{4}})?|(?:{_MONTH})\.?,? (?:of )?\d{{4}})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)(?:\"([^\"]+)\"|“([^”]+)”|'([^']+)'|‘([^’]+)’)(?!\w)")


def quotation_places(question: Question) -> frozenset[int]:
    """Places of the words between marks of quotation."""
    spans = [match.span() for match in _QUOTED.finditer(question.text)]
    return _within(question, spans)


def dates(question: Question) -> list[frozenset[int]]:
    """The dates that a question writes out, each as the places of its words."""
    spans = [match.span() for match in _DATE.finditer(question.text)]
    return [places for span in spans if (places := _within(question, [span]))]


def full_dates(question: Question) -> list[tuple[frozenset[int], str]]:
    """The dates with a day and a year, each as places and as ISO writes it.

    Of *3/4/2020* nobody can say which is the month, so it is left out; of *25/4/2020* one can.
    """
    spans = [match.span() for match in _DATE.finditer(question.text)]
    read = [(_within(question, [span]), _read_date(question.text[slice(*span)])) for span in spans]
    return [(places, iso) for places, iso in read if places and iso]


def _read_date(text: str) -> str:
    """A full date as ISO writes it; empty if it has no day, no year, or two meanings."""
    digits = [int(one) for one in re.findall(r"\d+", text)]
    month = next((MONTH_NUMBERS[w] for w in re.findall(r"[a-z]+", text.casefold())
                  if w in MONTH_NUMBERS), 0)  # fmt: skip
    if month and len(digits) == 2:
        day, year = digits
    elif len(digits) == 3 and digits[0] > MOST_DAYS:
        year, month, day = digits
    elif len(digits) == 3 and len(re.findall(r"\d+", text)[-1]) == YEAR_DIGITS:
        first, second, year = digits
        if first <= MOST_MONTHS and second <= MOST_MONTHS and first != second:
            return ""
        day, month = (first, second) if second <= MOST_MONTHS else (second, first)
    else:
        return ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def long_numbers(question: Question) -> list[frozenset[int]]:
    """Numbers of several words, such as ``six thousand`` or ``100 million``."""
    numbers = {number.place for number in question.numbers}
    scales = lexicon().classes["scale"]
    found: list[frozenset[int]] = []
    place = 0
    while place < len(question.words):
        end = place
        while end < len(question.words) and (
            question.words[end].text in (COUNTED if end == place else scales | COUNTED.keys())
            or (end == place and end in numbers)
        ):
            end += 1
        if end > place + 1:
            found.append(frozenset(range(place, end)))
        place = max(end, place + 1)
    return found


def _within(question: Question, spans: list[tuple[int, int]]) -> frozenset[int]:
    return frozenset(
        place
        for place, word in enumerate(question.words)
        if any(start <= word.start and word.end <= end for start, end in spans)
    )
