"""Removals: what a message takes back of the question before it, and what it asks beside that."""

from __future__ import annotations

import re
from typing import NamedTuple

from wideleaf.agents.conversation.charts import read_drawing
from wideleaf.agents.conversation.patterns import Spot, count_spots, read_patterns, spell, words_of
from wideleaf.retrieval.words.number_words import CARDINALS
from wideleaf.retrieval.words.word_classes import words_of_class

MAX_WORDS = 8
"""What is taken back has at most so many."""
_CUT = re.compile(r"\s*(?:[,;:.!?]+(?=\s|$)|\s[-–—]+\s)")
_QUOTES, _CLOSING = ("'", '"', "‘", "“"), ("'", '"', "’", "”")


class Removal(NamedTuple):
    """What is taken back.

    Attributes:
        said: The words that take it back.
        what: What it is: "the five", "the condition on site".
        rest: What is asked beside that; empty if nothing is.
        sure: Whether the words can mean nothing else; "without the men" leaves rows out, too.
    """

    said: str
    what: str
    rest: str = ""
    sure: bool = True


def read_removal(message: str) -> Removal | None:
    """What a message begins by taking back; None if it does not.

    Args:
        message: The person's words, such as "forget the five, how many are there in all?".
    """
    text = read_patterns().without_chat(message)
    spots = words_of(text)
    start = _open(spots)
    first = _part(text, spots, start)
    what = _object(text, spots[start : start + first])
    whole = "" if what else _whole(text, spots[start : start + first])
    if not what and not whole:
        return None
    front = text[: spots[start + first - 1].end]
    rest = text[len(front) :].lstrip(" ,;:.!?-–—'\"’”")
    rest = re.sub(r"^(?:and|but|then)\b[\s,]*", "", rest, flags=re.IGNORECASE)
    rest = "" if read_patterns().polite(words_of(rest)) else rest
    return Removal(front, what or whole, rest, sure=not whole)


def read_asked(message: str) -> tuple[str, str]:
    """What a message asks, and the words by which it wants the answer drawn; empty if it does not.

    Args:
        message: The person's words; what they take back stays in front of what they ask.
    """
    text = read_patterns().without_chat(message)
    removal = read_removal(text)
    rest = removal.rest if removal else text
    drawing, front = read_drawing(rest), removal.said if removal else ""
    if drawing:
        return (f"{front}, {drawing}" if front else drawing), rest
    wants_chart = removal is not None and read_patterns().match(
        "chart", read_patterns().undress(words_of(rest))
    )
    return (front, rest) if wants_chart else (message, "")


def _open(spots: tuple[Spot, ...]) -> int:
    """How many words stand before what is said: and, now, can you."""
    grammar, start = read_patterns().grammar, 0
    while start < len(spots):
        line = [spot.text for spot in spots[start:]]
        size = grammar.front(("open:", "chat:", "polite:"), line)
        if not size:
            break
        start += size
    return start


def _part(text: str, spots: tuple[Spot, ...], start: int) -> int:
    """How many words the first part of a message has: to a mark, or to a joining word."""
    for place in range(start + 1, len(spots)):
        between = text[spots[place - 1].end :]
        if spots[place].text in ("and", "but") or _CUT.match(between):
            return place - start
    return len(spots) - start


def _object(text: str, spots: tuple[Spot, ...]) -> str:
    """What the first part of a message takes back; empty if it takes nothing back."""
    patterns, grammar = read_patterns(), read_patterns().grammar
    if patterns.match("undo", patterns.undress(spots)):
        return ""
    line = [spell(spot.text) for spot in spots]
    texts = [word for words in line for word in words]
    size, end = grammar.front(("away",), texts), grammar.back(("polite:",), texts)
    if not size:
        size = grammar.front(("takes",), texts)
        last = grammar.back(("off",) if size else ("behind",), texts[:end])
        if last == end:
            return ""
        end = last
    end = count_spots(line, grammar.back(("bit",), texts[:end]))
    first = count_spots(line, size)
    if not 0 < end - first <= MAX_WORDS or not _starts_reference(text, spots[first], texts[:size]):
        return ""
    has_number = any(s.text in CARDINALS or s.text[0].isdigit() for s in spots[first:end])
    if texts[0] == "not" and not has_number:  # not only the women: the men beside them
        return ""
    quoted = text[: spots[first].start].endswith(_QUOTES)
    what = text[spots[first].start - quoted : spots[end - 1].end]
    closing = text[spots[end - 1].end :][:1]
    return what + closing if closing in _CLOSING and {*what} & {*_QUOTES} else what


def _whole(text: str, spots: tuple[Spot, ...]) -> str:
    """What a message wants all of again: "all years again"; empty if it wants none."""
    grammar, texts = read_patterns().grammar, [spot.text for spot in spots]
    size, end = grammar.front(("every",), texts), grammar.back(("again", "together"), texts)
    if not size or not size < end < len(texts):
        return ""
    return text[spots[size].start : spots[end - 1].end]


def _starts_reference(text: str, first: Spot, verb: list[str]) -> bool:
    """Whether something begins that was said before: the year, 2019, five, Norway, 'only a'."""
    articles = words_of_class("article", "determiner")
    is_determiner = first.text in articles or first.text in CARDINALS or first.text == "only"
    literal = text[first.start].isupper() or text[first.start].isdigit()
    quoted = text[: first.start].endswith(_QUOTES)
    placed = verb[-1:] == ["be"] and first.text in words_of_class("preposition")
    return is_determiner or literal or quoted or placed
