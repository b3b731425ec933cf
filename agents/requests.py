"""Requests: how much text one may hold, what is left out of a long question, what it names."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable

CHARACTERS = 15_900
"""No request is longer, tools included: 4,000 tokens at 4 characters each, and some to spare."""
QUESTION_CHARACTERS = 2_000
"""Of a longer question the beginning and the end are shown."""
END_SHARE = 0.3
_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
_NAMED_VALUE = re.compile(r"@(\w+)\s*\[")


def named_values(question: str) -> tuple[str, ...]:
    """The names of the values that a question wants, as programs write them: ``@price[mean]``."""
    return tuple(dict.fromkeys(_NAMED_VALUE.findall(question)))


def shorten_question(question: str) -> str:
    """The question as a model is shown it: whole, or its beginning and its end, with a word."""
    start, end = _ends(question)
    left = len(question) - start - end
    if left <= 0:
        return question
    tail = question[len(question) - end :]
    return f"{question[:start]}\n[... {left} characters left out here ...]\n{tail}"


def cut_question(question: str) -> str:
    """What the person is told where a question is too long to be shown whole; empty if not."""
    start, end = _ends(question)
    if start + end >= len(question):
        return ""
    return (
        f"The question has {len(question)} characters; the model was shown its first {start} and "
        f"its last {end}."
    )


def _ends(question: str) -> tuple[int, int]:
    """How many characters of the beginning and of the end are shown."""
    if json_size(question) <= QUESTION_CHARACTERS + 2:
        return len(question), 0
    end = int(QUESTION_CHARACTERS * END_SHARE)
    return length_within(question, QUESTION_CHARACTERS - end), length_within(question[::-1], end)


def length_within(text: str, room: int) -> int:
    """How many characters fit in the room as JSON, in which some signs are two characters."""
    text = text[: max(room, 0)]
    return bisect_right(range(1, len(text) + 1), room, key=lambda n: json_size(text[:n]) - 2)


def lines_within(
    lines: Iterable[str], room: int, size: Callable[[str], int] = lambda line: len(line) + 1
) -> list[str]:
    """The first of the lines, as many as there is room for."""
    kept: list[str] = []
    for line in lines:
        room -= size(line)
        if room < 0:
            break
        kept.append(line)
    return kept


def json_size(sent: object) -> int:
    """How many characters a value takes in a request."""
    return len(_COMPACT.encode(sent))
