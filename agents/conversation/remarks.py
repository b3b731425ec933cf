"""Remarks: messages about an answer or the conversation, which ask nothing new of the tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from pydantic import BaseModel

from wideleaf.agents.conversation.descriptions import Answer
from wideleaf.agents.conversation.patterns import read_patterns, spell, words_of
from wideleaf.agents.conversation.returns import find_return
from wideleaf.agents.turn import Exchange

MAX_OPTIONS = 4
"""The last place of an option that has a name."""
RemarkKind = Literal["steps", "columns", "rows", "chart", "tree", "sql", "back", "undo", "choice"]
ORDINALS = ("start", "second", "third", "fourth", "fifth")
JOINS = ("and", "but", "then", "only")
"""Words between going back and what is asked of the answer there."""
MIN_SHARE = 0.5
"""Of an offered reading's words so many must be said where nothing says that one is meant."""
_LABEL = re.compile(r"t\d+")


class Remark(BaseModel, frozen=True):
    """What a message wants of the conversation.

    Attributes:
        kind: ``steps`` (why, how), ``columns`` (which were used), ``rows`` (how many went into
            it), ``chart``, ``tree``, ``sql``: of an answer. ``back``: an earlier answer is the one
            spoken of again; ``undo``: likewise, and what came after it is forgotten. ``choice``:
            another reading of those offered.
        place: Which exchange it is about, an index into the past, the past's length where there
            is none to go back to; of a choice which option, from 0.
        rest: What is asked of that answer beside the remark ("back to the first, and take the
            median"); empty if nothing is.
        others: Several exchanges that are described alike, of which none is meant clearly.
        returns: Whether further messages go on from that answer, of kinds other than ``back``.
    """

    kind: RemarkKind
    place: int = -1
    rest: str = ""
    others: tuple[int, ...] = ()
    returns: bool = False


def read_remark(
    message: str, past: Sequence[Exchange], answers: Mapping[str, Answer] | None = None
) -> Remark | None:
    """What a message says of the conversation; None if it asks something of the tables.

    The whole message must be such a phrase; a question that only begins like one is none.

    Args:
        message: The person's words.
        past: What was said before.
        answers: What is known of answers beside that, by their labels.
    """
    if not past:
        return None
    patterns = read_patterns()
    words = patterns.undress(words_of(message))
    if past[-1].options and (option := _choice(words, past[-1])) is not None:
        return Remark(kind="choice", place=option)
    for kind in get_args(RemarkKind):
        if kind in patterns.kinds and patterns.match(kind, words):
            if kind in ("back", "undo"):
                return Remark(kind=kind, place=_place(words, past))
            return Remark(kind=kind, place=_find_answer(past))
    return _with_rest(message, past) or _described(message, past, answers or {})


def going_on(rest: str) -> str:
    """What is asked of an answer that was gone back to, in words that say that it goes on.

    Args:
        rest: The words behind those that go back, such as "count replicate 2".
    """
    word = words_of(rest)[:1]
    says = word and read_patterns().grammar.ends("onward", [word[0].text])
    return rest if says else f"and {rest}"


def is_choice(message: str) -> bool:
    """Whether the whole message is the place of an option, such as ``2`` or ``the second one``.

    Args:
        message: The person's words.
    """
    unsaid = tuple(("", "") for _ in range(MAX_OPTIONS))
    remark = read_remark(message, (Exchange(said="", options=unsaid),))
    return remark is not None and remark.kind == "choice"


def is_assent(message: str) -> bool:
    """Whether the whole message agrees to what was offered, such as ``yes`` or ``take that``.

    Args:
        message: The person's words.
    """
    words = [text for word in words_of(message) for text in spell(word.text)]
    return read_patterns().match("assent", words)


def asks_what_there_is(message: str, tables: int) -> bool:
    """Whether a message only greets, thanks or nods, or asks what there is to ask of.

    Args:
        message: The person's words.
        tables: How many there are; what columns one has is a question of its own.
    """
    patterns = read_patterns()
    words = patterns.undress(words_of(message))
    several = tables > 1 and patterns.match("headers", words)
    return several or patterns.match("stock", words) or patterns.chats(words_of(message))


def read_past_chat(message: str) -> str:
    """A message without what is said before it and has nothing to do with it, such as ``hm ok``."""
    return read_patterns().without_chat(message)


def _with_rest(message: str, past: Sequence[Exchange]) -> Remark | None:
    """Going back, and something asked of the answer there."""
    patterns, words = read_patterns(), words_of(message)
    for place, word in enumerate(words):
        comma = place and "," in message[words[place - 1].end : word.start]
        if place and (word.text in JOINS or comma):
            start = place + (word.text in ("and", "then", "but"))
            head = patterns.undress(words[:place])
            for kind in ("back", "undo"):
                if (
                    start < len(words)
                    and patterns.match(kind, head)
                    and not patterns.polite(words[start:])
                ):
                    rest = message[words[start].start :].strip()
                    return Remark(kind=kind, place=_place(head, past), rest=rest)
    return None


def _described(
    message: str, past: Sequence[Exchange], answers: Mapping[str, Answer]
) -> Remark | None:
    """Going back to an answer that is described."""
    way_back = find_return(message, past, answers)
    if way_back is None:
        return None
    places = way_back.meant.places
    if len(places) > 1:
        return Remark(kind="back", place=places[-1], others=places)
    kind: RemarkKind = "chart" if way_back.meant.chart and not way_back.rest else "back"
    return Remark(kind=kind, place=places[0], rest=way_back.rest, returns=kind != "back")


def _find_answer(past: Sequence[Exchange]) -> int:
    """The exchange spoken of: the last one with an answer."""
    there = [place for place, one in enumerate(past) if one.label]
    return there[-1] if there else -1


def _place(words: Sequence[str], past: Sequence[Exchange]) -> int:
    """Which exchange is to be gone back to."""
    patterns = read_patterns()
    labels = [word for word in words if _LABEL.fullmatch(word)]
    there = [place for place, one in enumerate(past) if one.label]
    if labels:
        matches = [place for place in there if past[place].label.casefold() == labels[0]]
        return matches[-1] if matches else len(past)
    text = " ".join(words)
    for number, name in enumerate(ORDINALS):
        if patterns.ends(f"place {name}", words) and "before" not in text:
            # Of answers that were gone back to only the first counts.
            firsts = sorted({past[place].label: place for place in reversed(there)}.values())
            return firsts[number] if number < len(firsts) else len(past)
    return place_before(past)


def place_before(past: Sequence[Exchange]) -> int:
    """The exchange of the answer before the one spoken of; after going back, what was before that.

    Args:
        past: What was said before.

    Returns:
        Its place, or the past's length where there is none.
    """
    there = [place for place, one in enumerate(past) if one.label]
    if not there:
        return len(past)
    now = past[there[-1]].label
    first = next(place for place in there if past[place].label == now)
    earlier = [place for place in there if place < first]
    other = [place for place in there if past[place].label != now]
    return (earlier or other or [len(past)])[-1]


def _choice(tokens: Sequence[str], exchange: Exchange) -> int | None:
    """Which of the offered readings is meant, by its number or by its words."""
    patterns, options = read_patterns(), [reading for reading, _ in exchange.options]
    bare = patterns.undress_of("meant", tokens)
    for place in range(len(options)):
        if patterns.match(f"option {place}", bare):
            return place
    if patterns.match("option other", bare):
        return 1 if len(options) == 2 else None
    content = {*bare} - patterns.small
    line, lines = f" {' '.join(bare)} ", [_plain(reading) for reading in options]
    whole = [place for place, one in enumerate(lines) if line in one]
    if len(whole) == 1 and len(content) > 1:
        return whole[0]
    spoken = [{*one.split()} for one in lines]
    for place, words in enumerate(spoken):
        others = set().union(*(other for at, other in enumerate(spoken) if at != place))
        own, large = words - others, words - patterns.small
        if content and content <= words and content & own:
            explicit = bare != tuple(tokens)
            if explicit or len(content) >= MIN_SHARE * len(large):
                return place
    return None


def _plain(reading: str) -> str:
    return f" {' '.join(word.text for word in words_of(reading))} "
