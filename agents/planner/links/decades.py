"""Decades: ten years or ten ages that one word means, as conditions and as groups."""

from __future__ import annotations

from pydantic import JsonValue

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink, nearest_mention, nearness
from wideleaf.retrieval.words.number_words import CARDINALS

CENTURY = 100
LEAST_TENS = 20
TEENS = (13, 19)


def decade_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Ten years at once: *the nineties*, *the 1990s*, and *in their thirties* of an age."""
    found = []
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
            named = nearest_mention(question, mentions, column, place, place + 1)
            parts = {part.stem for part in name_parts(column)}
            fits = "age" in parts if aged else index.yearly(column) or kind in ("date", "datetime")
            if not fits or kind not in ("number", "date", "datetime"):
                continue
            sure = 0.5 + 0.4 * nearness(question, named, place, place + 1)
            part = "year" if kind != "number" else ""
            start = place - (before in ("the", "their", "his", "her"))
            found.append(ValueLink(start, place + 1, column, "between", high, sure, named, part))
    return found


def _decade(text: str) -> int | None:
    """The first year of ten, or the first age: 1990 of 1990s, 90 of nineties, 30 of thirties."""
    if text.endswith("ies") and (tens := CARDINALS.get(f"{text[:-3]}y", 0)) >= LEAST_TENS:
        return tens
    digits = text.removesuffix("s")
    if digits != text and digits.isdigit() and len(digits) in (2, 4) and int(digits) % 10 == 0:
        return int(digits) if int(digits) else None
    return None
