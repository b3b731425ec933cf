"""The form of a report: the values that a question wants, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n|\\n")
"""What stands between two sentences, or two lines of a list."""
_SLOT = re.compile(r"@(\w+)\s*\[([^\]]*)\]")
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,60})[\"”]|(?<![\w'])'([^']{1,60})'(?!\w)")
_PIECE = re.compile(r"(?<=[.;\n])\s+|\\n|(?=\bwhere\b)|(?=\bWhere\b)|\n")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DIGITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PLACES = re.compile(r"(\d+|one|two|three|four|five|six|second|third|fourth) decimals?(?: place)?")
_ORDINALS = {"second": 2, "third": 3, "fourth": 4}
_PAIR = re.compile(r"\b(true|yes)\b\W.{0,20}?\b(false|no)\b", re.I)
MOST_CHOICES = 6


class Demand(NamedTuple):
    """A value that is wanted.

    Attributes:
        name: What it is to be called.
        slot: What stands for it.
        told: What is said of it.
        choices: The texts that it is one of; empty where it is any.
        digits: To how many decimals it is wanted; None where nothing says.
    """

    name: str
    slot: str
    told: str
    choices: tuple[str, ...]
    digits: int | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its name, in lower case."""
        return words_in(self.name)


class Form(NamedTuple):
    """A question and the form of its answer.

    Attributes:
        task: What is asked, without the form.
        demands: The values.
        text: All of it.
    """

    task: str
    demands: tuple[Demand, ...]
    text: str


def words_in(name: str) -> tuple[str, ...]:
    """The words of an identifier: ``std_devNeg`` as std, dev, neg."""
    return tuple(word.lower() for word in _WORD.findall(name.replace("_", " ")))


def quoted_in(text: str) -> list[str]:
    """What stands in quotation marks, in order."""
    return [double or single for double, single in _QUOTED.findall(text)]


def read_form(text: str) -> Form | None:
    """The form that a question gives its answer; None where it gives none.

    Args:
        text: The question, with whatever it says of its answer.
    """
    slots = list(_SLOT.finditer(text))
    if not slots:
        return None
    task, tail = text[: slots[0].start()], text[slots[0].start() :]
    parts = {part for found in slots for part in (found[1], " ".join(found[2].split()))}
    called = {part for part in parts if len(part) > 1}  # a letter may be any word
    bare = _SLOT.sub(" ", tail)
    for name in called:  # so that quotation marks are left around what a value may be
        bare = re.sub(rf"[\"'“”`]{re.escape(name)}[\"'“”`]", name, bare)
    pieces = [piece for piece in _PIECE.split(bare) if piece]
    general = _places(task)
    seen: dict[str, Demand] = {}
    for place, found in enumerate(slots):
        name, slot = found[1], " ".join(found[2].split())
        until = slots[place + 1].start() if place + 1 < len(slots) else len(text)
        own = re.split(r"\b[Ww]here\b|\n", text[found.end() : until])[0]
        about = [one for piece in pieces for one in _about(piece, {name, slot} - {""}, called)]
        told = ". ".join([slot, own, *about])
        digits = _places(told)
        digits = general if digits is None else digits
        if name not in seen:
            seen[name] = Demand(name, slot, told, _choices(told, parts), digits)
    return Form(task.strip(), tuple(seen.values()), text)


def _about(piece: str, own: set[str], called: set[str]) -> Iterator[str]:
    """What a piece says of a value: from its name up to that of another one.

    Where names stand side by side, what comes after the last is said of each.
    """
    spots = sorted(
        (hit.start(), hit.end(), name)
        for name in called
        for hit in re.finditer(rf"(?<![\w@]){re.escape(name)}(?![\w\[])", piece)
    )
    for place, (start, _, name) in enumerate(spots):
        if name not in own:
            continue
        for at, end, _ in spots[place:]:
            after = min((one for one, _, _ in spots if one >= end), default=len(piece))
            told = piece[end:after]
            if set(re.findall(r"[a-z]+", told.lower())) - {"and", "or"} or at == spots[-1][0]:
                yield piece[start:after]
                break


def _choices(told: str, own: set[str]) -> tuple[str, ...]:
    named = {one.lower() for one in own}
    found = dict.fromkeys(one for one in quoted_in(told) if one.lower() not in named)
    if not found and (pair := _PAIR.search(told)):
        found = dict.fromkeys(pair.groups())
    return tuple(found) if 1 < len(found) <= MOST_CHOICES else ()


def _places(text: str) -> int | None:
    found = _PLACES.search(text.lower().replace("-", " "))
    if found is None:
        return None
    word = found[1]
    return int(word) if word.isdigit() else _DIGITS.get(word) or _ORDINALS[word]
