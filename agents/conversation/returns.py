"""Returns: messages that go back to an answer by describing it, and what they ask of it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.conversation.descriptions import Answer, Meant, find_described
from wideleaf.agents.conversation.patterns import Spot, read_patterns, words_of
from wideleaf.agents.turn import Exchange

MAX_WORDS = 60
"""A longer message describes no answer."""
MARKS, JOINS = ",;:.–—-", ("and", "then", "only")
"""What ends a description for sure, and words that may end it."""


class Return(NamedTuple):
    """What is gone back to, and what is asked of it.

    Attributes:
        meant: The answers that fit.
        rest: What is asked beside that.
    """

    meant: Meant
    rest: str = ""


def find_return(
    message: str, past: Sequence[Exchange], answers: Mapping[str, Answer]
) -> Return | None:
    """The answers that a message goes back to by describing them; None if it does not.

    Args:
        message: The person's words.
        past: What was said before.
        answers: What is known of answers, by their labels.
    """
    words = words_of(message)
    if len(words) > MAX_WORDS:
        return None
    for head, start in _splits(message, words):
        line = read_patterns().undress(words[:head])
        meaning = _meant(line, past, answers)
        if meaning is not None:
            rest = message[words[start].start :].strip() if start < len(words) else ""
            return Return(meaning, "" if read_patterns().polite(words[start:]) else rest)
    return None


def _splits(message: str, words: Sequence[Spot]) -> Iterator[tuple[int, int]]:
    """Where the description may end and the rest begin: at marks, then nowhere, then at joins."""
    joins = []
    for place, word in enumerate(words[1:], 1):
        between = message[words[place - 1].end : word.start].strip()
        if (between[:1] in MARKS and between) or word.text == "but":
            yield place, place + (word.text in ("but", "and", "then"))
        elif word.text in JOINS:
            joins.append((place, place + (word.text != "only")))
    yield len(words), len(words)
    yield from reversed(joins)


def _meant(
    line: Sequence[str], past: Sequence[Exchange], answers: Mapping[str, Answer]
) -> Meant | None:
    grammar = read_patterns().grammar
    size = max((e + 1 for e in grammar.ends("back", line) if line[e : e + 1] == ("to",)), default=0)
    if size:
        return find_described(line[size:], past, answers) if size < len(line) else None
    last = grammar.back(("again",), line)
    end = grammar.back(("ago",), line[:last])
    look = grammar.front(("look",), line)
    described = line[look:end]
    if end == len(line) or not described or not grammar.ends("article", described):
        return None
    meaning = find_described(line[look:last], past, answers)
    # "the women again" is to be asked of the answer there is now; a column and what was done of
    # it, or what the answer looks like, says that an answer is meant.
    sure = meaning is not None and (meaning.form or (meaning.named and (look or meaning.stems > 1)))
    return meaning if sure else None
