"""Siblings: a column whose name differs from another's only in what a message says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.limits import limit_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.recent import Recent
from wideleaf.retrieval.words.stems import stem

KEPT = 8
NAMED = 0.3
"""How well another family must be named."""
SURE = 0.9
"""How sure a name is that the message gives by what it changes in another."""
_PART = re.compile(r"[a-z]+|\d+")
_CODE = re.compile(r"[^\W_]+(?:_[^\W_]+)+")


class Sibling(NamedTuple):
    """A column that a message may mean in place of an earlier one."""

    old: str
    mention: Mention


def siblings(question: Question, index: TableIndex, columns: Sequence[str]) -> Iterator[Sibling]:
    """The columns that differ from some columns in numbers or words that a message says.

    Args:
        question: The message.
        index: What is known of the table.
        columns: Columns of an earlier plan.
    """
    shapes = _shapes.get((index.table,), None, lambda: _group_by_shape(index))
    for column in columns:
        parts = _parts(column)
        words = _read_numbers(question, parts)
        own = shapes.get(_shape(parts), ())
        for other in own if words and len(own) > 1 else ():
            theirs = _parts(other)
            new = [p for p, (a, b) in enumerate(zip(parts, theirs, strict=True)) if a != b]
            if not new or any(theirs[p] not in words for p in new):
                continue
            places = frozenset().union(*(words[theirs[p]] for p in new))
            places = _with_units(question, places)
            mention = Mention(other, min(places), max(places) + 1, SURE, places, places)
            yield Sibling(column, mention)


def in_other_family(
    question: Question, index: TableIndex, columns: Sequence[str]
) -> Iterator[Sibling]:
    """The member of another family that stands where an earlier column stands in its own.

    Args:
        question: The message.
        index: What is known of the table.
        columns: Columns of an earlier plan.
    """
    member_of = _members.get((index.table,), None, lambda: _place_members(index))
    here = [(c, *member_of[c]) for c in columns if c in member_of]
    for mention in index.names.mentions(question) if here else ():
        family = mention.family
        if family is None or mention.slot or mention.score < NAMED:
            continue
        for column, own, value in here:
            other = dict(family.members).get(value)
            if own != family.pattern and other is not None and other in index.kinds:
                code = _in_code(question, mention.places, family.stem)
                places = mention.places | code
                score = SURE if code else mention.score
                plain = mention._replace(column=other, several=False, score=score, places=places,
                                         start=min(places), end=max(places) + 1)  # fmt: skip
                yield Sibling(column, plain)


def _in_code(question: Question, places: frozenset[int], stem_of: str) -> frozenset[int]:
    """All words of a code that a message writes as the family begins: T2M_MAX of T2M_MAX_W."""
    spots: set[int] = set()
    for match in _CODE.finditer(question.text):
        own = {p for p, word in enumerate(question.words)
               if match.start() <= word.start and word.end <= match.end()}  # fmt: skip
        if own & places and stem_of.casefold().startswith(match.group().casefold()):
            spots |= own
    return frozenset(spots)


def _place_members(index: TableIndex) -> dict[str, tuple[str, float | str]]:
    """Each member of a family to the family's pattern and its place there."""
    return {
        column: (card.family.pattern, value)
        for card in index.names.cards
        if card.family is not None
        for value, column in card.family.members
    }


_members: Recent[dict[str, tuple[str, float | str]]] = Recent(8)


def _group_by_shape(index: TableIndex) -> dict[tuple[str, ...], list[str]]:
    shapes: dict[tuple[str, ...], list[str]] = {}
    for column in index.table.columns:
        shapes.setdefault(_shape(_parts(column)), []).append(column)
    return shapes


_shapes: Recent[dict[tuple[str, ...], list[str]]] = Recent(KEPT)


def _parts(column: str) -> tuple[str, ...]:
    return tuple(
        str(int(part)) if part.isdigit() else part for part in _PART.findall(column.casefold())
    )


def _shape(parts: tuple[str, ...]) -> tuple[str, ...]:
    """What siblings share: all but the numbers."""
    return tuple("#" if part.isdigit() else part for part in parts)


def _read_numbers(question: Question, old: tuple[str, ...]) -> dict[str, frozenset[int]]:
    """Numbers that a message says, alone or in a word such as ``E2``, to their places.

    A word that the earlier column has as it is, such as ``T2M``, says nothing new.
    """
    words: dict[str, frozenset[int]] = {}
    limits = limit_places(question)
    for place, word in enumerate(question.words):
        if place in limits:
            continue
        parts = _parts(word.text)
        size = len(parts)
        if size > 1 and any(old[i : i + size] == parts for i in range(len(old) - size + 1)):
            continue
        for part in parts:
            if part.isdigit():
                words[str(int(part))] = frozenset([place])
    for number in question.numbers:
        # "which one" says no number.
        spelled = question.words[number.place].text == "one"
        if number.value == int(number.value) and number.place not in limits and not spelled:
            words[str(int(number.value))] = frozenset([number.place])
    return words


def _with_units(question: Question, places: frozenset[int]) -> frozenset[int]:
    """Places of numbers with the words beside them that say of what they are: day, nm."""
    units = lexicon().units | lexicon().axes | {"nm", "wavelength", "band", "number", "no"}
    units = units | {stem(word) for word in units}
    beside = {q for p in places for q in (p - 1, p + 1) if 0 <= q < len(question.words)}
    return places | {q for q in beside if question.words[q].text in units}
