"""Literals that a question writes out: quoted texts, dates, and numbers of several words."""

from __future__ import annotations

import calendar
import re

from wideleaf.agents.planner.links.lexicon import COUNTED, Question, lexicon

MONTHS = frozenset(name.casefold() for name in (*calendar.month_name, *calendar.month_abbr) if name)
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
    return within(question, *spans)


def dates(question: Question) -> list[frozenset[int]]:
    """The dates that a question writes out, each as the places of its words."""
    spans = [match.span() for match in _DATE.finditer(question.text)]
    return [places for span in spans if (places := within(question, span))]


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


def within(question: Question, *spans: tuple[int, int]) -> frozenset[int]:
    """Places of the words within stretches of a question's text."""
    return frozenset(
        place
        for place, word in enumerate(question.words)
        if any(start <= word.start and word.end <= end for start, end in spans)
    )
