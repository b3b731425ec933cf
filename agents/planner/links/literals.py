"""Literals of a question: quoted texts, dates, numbers of several words, and decades."""

from __future__ import annotations

import calendar
import re

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import COUNTED, Question, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink, nearest_mention, nearness
from wideleaf.retrieval.words.number_words import CARDINALS

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
    spans: list[frozenset[int]] = []
    place = 0
    while place < len(question.words):
        end = place
        while end < len(question.words) and (
            question.words[end].text in (COUNTED if end == place else scales | COUNTED.keys())
            or (end == place and end in numbers)
        ):
            end += 1
        if end > place + 1:
            spans.append(frozenset(range(place, end)))
        place = max(end, place + 1)
    return spans


def within(question: Question, *spans: tuple[int, int]) -> frozenset[int]:
    """Places of the words within stretches of a question's text."""
    return frozenset(
        place
        for place, word in enumerate(question.words)
        if any(start <= word.start and word.end <= end for start, end in spans)
    )


CENTURY = 100
MIN_TENS = 20
TEENS = (13, 19)


def decade_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Ten years at once: *the nineties*, *the 1990s*, and *in their thirties* of an age."""
    links = []
    for place, word in enumerate(question.words):
        low = _decade(word.text)
        if low is None and word.text in lexicon().classes["teen"]:
            low = TEENS[0]
        if low is None:
            continue
        before = question.words[place - 1].text if place else ""
        aged = before in ("their", "his", "her") and low < CENTURY
        high: JsonValue = [low, low + 9]
        if low == TEENS[0]:
            aged, high = True, [*TEENS]
        elif not aged and low < CENTURY:
            high = [1900 + low, 1909 + low]
        for column, kind in index.kinds.items():
            mention = nearest_mention(question, mentions, column, place, place + 1)
            parts = {part.stem for part in name_parts(column)}
            fits = "age" in parts if aged else index.yearly(column) or kind in ("date", "datetime")
            if not fits or kind not in ("number", "date", "datetime"):
                continue
            sure = 0.5 + 0.4 * nearness(question, mention, place, place + 1)
            part = "year" if kind != "number" else ""
            start = place - (before in ("the", "their", "his", "her"))
            links.append(ValueLink(start, place + 1, column, "between", high, sure, mention, part))
    return links


def _decade(text: str) -> int | None:
    """The first year of ten, or the first age: 1990 of 1990s, 90 of nineties, 30 of thirties."""
    if text.endswith("ies") and (tens := CARDINALS.get(f"{text[:-3]}y", 0)) >= MIN_TENS:
        return tens
    digits = text.removesuffix("s")
    if digits != text and digits.isdigit() and len(digits) in (2, 4) and int(digits) % 10 == 0:
        return int(digits) if int(digits) else None
    return None
