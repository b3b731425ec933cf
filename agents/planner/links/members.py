"""Links to families: which of their members the words of a question mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.mentions import (
    LETTERS_DIGITS,
    Mention,
    NameWord,
    WordHit,
    clusters,
    measure,
)
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.evidence.family_members import find_members
from wideleaf.retrieval.words.names import tokenise as name_words
from wideleaf.retrieval.words.slots import MANY_MEMBERS, members_at
from wideleaf.retrieval.words.slots import Slot as Span
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import words_of_class
from wideleaf.tools.tables.families import Family, slot_text

DURING = frozenset(["over", "through", "throughout", "across", "within"])
"""Words of relation that lead to a stretch of time."""


class MemberSlot(NamedTuple):
    """Members of a family that a question means, and the places of the words that say so."""

    columns: tuple[str, ...]
    places: frozenset[int]


def family_mentions(
    question: Question, card: Card, parts: tuple[NameWord, ...], hits: list[WordHit]
) -> Iterator[Mention]:
    """Mentions of a family: of the members the question means, else of each and of all."""
    family = card.family
    if family is None or (parts and not hits):
        return
    slots = _slots(question, card, family, hits)
    for cluster in list(clusters(hits, question)) or [[]] if parts or slots else []:
        for columns, places in slots:
            outside = [hit for hit in cluster if hit.place not in places]
            if cluster and not outside and len({hit.part for hit in cluster}) < len(parts):
                continue  # nothing but a word for the axis, such as day
            # A word of the slot speaks of the axis alone, which a single letter may stand for.
            axis = [hit for hit in cluster if hit not in outside]
            own = outside + [hit for hit in axis if len(parts[hit.part].stem) == 1]
            mention = measure(columns[0], parts, own or cluster, question.words, places)
            mention = mention._replace(family=family)
            if len(columns) == 1:
                yield mention
            elif family.axis != "category":
                yield _several(mention, family, columns)
        if not slots:
            mention = measure("", (*parts, NameWord("", 1.0)), cluster, question.words)
            mention = mention._replace(family=family)
            if family.axis != "category" and not _placed(question):
                yield _several(mention, family, family.columns)
            if len(family.members) <= MANY_MEMBERS:
                for column in family.columns:
                    yield mention._replace(column=column)


def _placed(question: Question) -> bool:
    """Whether the question speaks of a place along some axis, such as a day."""
    axes = {stem(axis) for axis in lexicon().axes}
    return any(slot.unit in axes for slot in question.heard.slots)


def _several(mention: Mention, family: Family, columns: Sequence[str]) -> Mention:
    values = {column: value for value, column in family.members}
    first, last = slot_text(values[columns[0]]), slot_text(values[columns[-1]])
    inside = range(family.columns.index(columns[0]), family.columns.index(columns[-1]) + 1)
    span = f"{first}..{last}"
    if len(inside) > len(columns):  # both ends, and nothing between them
        span = ",".join(slot_text(values[column]) for column in columns)
    reference = f"{family.stem}{{{span}}}{family.tail}"
    if len(columns) == len(family.members):
        reference = family.pattern
    return mention._replace(column=reference, several=True)


def _slots(question: Question, card: Card, family: Family, hits: list[WordHit]) -> list[MemberSlot]:
    """The members of a family that a question means, by its slots or by a number said outright."""
    heard = question.heard
    if family.axis == "category":
        values = {column: name_words(str(value)) for value, column in family.members}
        said = find_members(heard, family)
        return [MemberSlot((c,), _said(question, set(map(stem, values[c])))) for c in said]
    if family.axis == "date":
        meant = find_members(heard, family)
        some = 0 < len(meant) < len(family.members)
        return [MemberSlot(meant, _date_places(question, family, meant))] if some else []
    stems = frozenset(map(stem, (*card.words, *card.expanded, *card.told)))
    axis = [float(value) for value, _ in family.members]
    fits = [(slot, *members_at(slot, axis, stems)) for slot in heard.slots]
    surest = max([sure for _, sure, _ in fits], default=0)
    found: list[MemberSlot] = []
    for slot, sure, there in fits:
        if sure == surest > 0 and len(there) < len(axis):
            columns, places = tuple(family.columns[p] for p in there), _places(question, slot)
            found.append(MemberSlot(columns, places))
            if slot.apart and len(columns) == 2:
                found += _each(question, columns, places)
    near = {hit.place for hit in hits}
    members = {value: column for value, column in family.members}
    for place, value in _numbers(question):
        beside = place in near or place - 1 in near or not card.words
        taken = any(place in slot.places or (members.get(value),) == slot.columns for slot in found)
        if value in members and beside and not taken:
            found.append(MemberSlot((members[value],), frozenset([place])))
    return found


def _numbers(question: Question) -> Iterator[tuple[int, float]]:
    """The numbers that may be a member's own, in a code such as d150 as well."""
    for number in question.numbers:
        if not number.ordinal:
            yield number.place, number.value
    for place, word in enumerate(question.words):
        pieces = LETTERS_DIGITS.findall(word.text)
        if len(pieces) > 1 and pieces[-1].isdigit():
            yield place, float(pieces[-1])


def _said(question: Question, stems: set[str]) -> frozenset[int]:
    return frozenset(
        p
        for p, word in enumerate(question.words)
        if stems.intersection(map(stem, name_words(word.text)))
    )


def _places(question: Question, slot: Span) -> frozenset[int]:
    """Places of the words that say where along an axis, without small words at their ends."""
    words = question.heard.words
    start, end = words[slot.first].start, words[slot.last - 1].end
    texts = [word.text for word in question.words]
    places = [p for p, word in enumerate(question.words) if start < word.end and word.start < end]
    small = words_of_class("article", "preposition") | DURING
    while places and places[0] and texts[places[0] - 1] in small:
        places.insert(0, places[0] - 1)
    if places and texts[places[-1] + 1 : places[-1] + 2] == ["inclusive"]:
        places.append(places[-1] + 1)
    stop = lexicon().stopwords
    telling = [p for p in places if texts[p] not in stop] or places
    return frozenset(p for p in places if telling[0] <= p <= telling[-1])


def _each(
    question: Question, columns: Sequence[str], places: frozenset[int]
) -> Iterator[MemberSlot]:
    """The two members that a slot means, each by itself, as the sides of a difference are."""
    middle = next((n.place for n in question.numbers if n.place in places), max(places))
    before = frozenset(place for place in places if place <= middle)
    for column, own in ((columns[0], before), (columns[1], places - before)):
        if own:
            yield MemberSlot((column,), own)


def _date_places(question: Question, family: Family, meant: Sequence[str]) -> frozenset[int]:
    """Places of the numbers that write the dates of these members."""
    values = [str(value) for value, column in family.members if column in meant]
    digits = {float(digits) for value in values for digits in re.findall(r"\d+", value)}
    return frozenset(n.place for n in question.numbers if abs(n.value) in digits)
