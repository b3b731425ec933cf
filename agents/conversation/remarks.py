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

MOST_OPTIONS = 4
"""The last place of an option that has a name."""
RemarkKind = Literal["steps", "columns", "rows", "chart", "tree", "sql", "back", "undo", "choice"]
ORDINALS = ("start", "second", "third", "fourth", "fifth")
JOINS = ("and", "but", "then", "only")
"""Words between going back and what is asked of the answer there."""
LEAST_SHARE = 0.5
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
    known = read_patterns()
    told = known.undress(words_of(message))
    if past[-1].options and (chosen := _choice(told, past[-1])) is not None:
        return Remark(kind="choice", place=chosen)
    for kind in get_args(RemarkKind):
        if kind in known.kinds and known.match(kind, told):
            if kind in ("back", "undo"):
                return Remark(kind=kind, place=_place(told, past))
            return Remark(kind=kind, place=_answered(past))
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
    unsaid = tuple(("", "") for _ in range(MOST_OPTIONS))
    remark = read_remark(message, (Exchange(said="", options=unsaid),))
    return remark is not None and remark.kind == "choice"


def is_assent(message: str) -> bool:
    """Whether the whole message agrees to what was offered, such as ``yes`` or ``take that``.

    Args:
        message: The person's words.
    """
    told = [text for word in words_of(message) for text in spell(word.text)]
    return read_patterns().match("assent", told)


def asks_what_there_is(message: str, tables: int) -> bool:
    """Whether a message only greets, thanks or nods, or asks what there is to ask of.

    Args:
        message: The person's words.
        tables: How many there are; what columns one has is a question of its own.
    """
    known = read_patterns()
    told = known.undress(words_of(message))
    several = tables > 1 and known.match("headers", told)
    return several or known.match("stock", told) or known.chats(words_of(message))


def read_past_chat(message: str) -> str:
    """A message without what is said before it and has nothing to do with it, such as ``hm ok``."""
    return read_patterns().without_chat(message)


def _with_rest(message: str, past: Sequence[Exchange]) -> Remark | None:
    """Going back, and something asked of the answer there."""
    known, words = read_patterns(), words_of(message)
    for place, word in enumerate(words):
        comma = place and "," in message[words[place - 1].end : word.start]
        if place and (word.text in JOINS or comma):
            start = place + (word.text in ("and", "then", "but"))
            head = known.undress(words[:place])
            for kind in ("back", "undo"):
                if (
                    start < len(words)
                    and known.match(kind, head)
                    and not known.polite(words[start:])
                ):
                    rest = message[words[start].start :].strip()
                    return Remark(kind=kind, place=_place(head, past), rest=rest)
    return None


def _described(
    message: str, past: Sequence[Exchange], answers: Mapping[str, Answer]
) -> Remark | None:
    """Going back to an answer that is described."""
    found = find_return(message, past, answers)
    if found is None:
        return None
    places = found.meant.places
    if len(places) > 1:
        return Remark(kind="back", place=places[-1], others=places)
    kind: RemarkKind = "chart" if found.meant.chart and not found.rest else "back"
    return Remark(kind=kind, place=places[0], rest=found.rest, returns=kind != "back")


def _answered(past: Sequence[Exchange]) -> int:
    """The exchange spoken of: the last one with an answer."""
    there = [place for place, one in enumerate(past) if one.label]
    return there[-1] if there else -1


def _place(told: Sequence[str], past: Sequence[Exchange]) -> int:
    """Which exchange is to be gone back to."""
    known = read_patterns()
    labels = [word for word in told if _LABEL.fullmatch(word)]
    there = [place for place, one in enumerate(past) if one.label]
    if labels:
        meant = [place for place in there if past[place].label.casefold() == labels[0]]
        return meant[-1] if meant else len(past)
    said = " ".join(told)
    for number, name in enumerate(ORDINALS):
        if known.ends(f"place {name}", told) and "before" not in said:
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


def _choice(told: Sequence[str], exchange: Exchange) -> int | None:
    """Which of the offered readings is meant, by its number or by its words."""
    known, options = read_patterns(), [reading for reading, _ in exchange.options]
    bare = known.undress_of("meant", told)
    for place in range(len(options)):
        if known.match(f"option {place}", bare):
            return place
    if known.match("option other", bare):
        return 1 if len(options) == 2 else None
    said = {*bare} - known.small
    line, lines = f" {' '.join(bare)} ", [_plain(reading) for reading in options]
    whole = [place for place, one in enumerate(lines) if line in one]
    if len(whole) == 1 and len(said) > 1:
        return whole[0]
    spoken = [{*one.split()} for one in lines]
    for place, words in enumerate(spoken):
        others = set().union(*(other for at, other in enumerate(spoken) if at != place))
        own, large = words - others, words - known.small
        if said and said <= words and said & own:
            meant = bare != tuple(told)
            if meant or len(said) >= LEAST_SHARE * len(large):
                return place
    return None


def _plain(reading: str) -> str:
    return f" {' '.join(word.text for word in words_of(reading))} "
