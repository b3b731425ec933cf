"""Links to families: which of their members the words of a question mean."""

from __future__ import annotations

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
from wideleaf.retrieval.evidence.card_picks import date_headers, find_members
from wideleaf.retrieval.words.axes import MANY_MEMBERS, members_at
from wideleaf.retrieval.words.dates import SaidDate, date_key, date_ranges, said_dates
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.names import tokenise as name_words
from wideleaf.retrieval.words.slots import Slot as Span
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import words_of_class
from wideleaf.tools.tables.families import Family, slot_text

SAID_SLOT = 0.6
"""How sure a member is of which the question says nothing but its occasion."""
DURING = frozenset(["over", "through", "throughout", "across", "within"])
"""Words of relation that lead to a stretch of time."""


def member_mention(question: Question, card: Card, column: str) -> Mention | None:
    """Where the question says which member of a family a column is: *wave 7* of ``r7mode``.

    Args:
        question: The question.
        card: The family's card.
        column: One of its columns.

    Returns:
        A mention of the slot alone; None where the question says none, or others as well.
    """
    assert card.family is not None
    for slot in _slots(question, card, card.family, []):
        if slot.columns == (column,) and slot.places:
            start, end = min(slot.places), max(slot.places) + 1
            return Mention(column, start, end, SAID_SLOT, slot.places, slot.places, card.family)
    return None


class MemberSlot(NamedTuple):
    """Members of a family that a question means, and the places of the words that say so."""

    columns: tuple[str, ...]
    places: frozenset[int]


def family_mentions(
    question: Question, card: Card, parts: tuple[NameWord, ...], hits: list[WordHit]
) -> Iterator[Mention]:
    """Mentions of a family: of the members the question means, else of each and of all."""
    family = card.family
    if family is None or (parts and not hits and not _bare_dates(family)):
        return
    slots = _slots(question, card, family, hits)
    if not slots and not (parts and hits):
        return
    for cluster in list(clusters(hits, question)) or [[]]:
        for slot in slots:
            mention = _measure_slot(question, parts, cluster, slot)
            if mention is not None and len(slot.columns) == 1:
                yield mention._replace(family=family)
            elif mention is not None and family.axis != "category":
                yield _several(mention, family, slot.columns)
        if not slots:
            mention = measure("", (*parts, NameWord("", 1.0)), cluster, question.words)
            if family.axis != "category" and not _mentions_axis(question):
                yield _several(mention, family, family.columns)
            if len(family.members) <= MANY_MEMBERS:
                for column in family.columns:
                    yield mention._replace(column=column, family=family)


def _measure_slot(
    question: Question, parts: tuple[NameWord, ...], cluster: list[WordHit], slot: MemberSlot
) -> Mention | None:
    """A mention of a slot's first member; None where only its axis is named, such as day."""
    outside = [hit for hit in cluster if hit.place not in slot.places]
    if cluster and not outside and len({hit.part for hit in cluster}) < len(parts):
        return None
    # A word of the slot speaks of the axis alone, which a single letter may stand for.
    axis = [hit for hit in cluster if hit not in outside]
    own = outside + [hit for hit in axis if len(parts[hit.part].stem) == 1]
    return measure(slot.columns[0], parts, own or cluster, question.words, slot.places)


def _bare_dates(family: Family) -> bool:
    """Whether a date is all that a family's members are called by, a letter before it aside."""
    return family.axis == "date" and len(header_words(family.stem + family.tail)) <= 1 >= len(
        family.stem.strip("_-. ")
    )


def _mentions_axis(question: Question) -> bool:
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
    members = tuple(columns)
    return mention._replace(column=reference, family=family, several=True, members=members)


def _slots(question: Question, card: Card, family: Family, hits: list[WordHit]) -> list[MemberSlot]:
    """The members of a family that a question means, by its slots or by a number said outright."""
    if family.axis == "category":
        values = {column: name_words(str(value)) for value, column in family.members}
        columns = find_members(question.heard, family)
        return [
            MemberSlot((c,), _find_places(question, set(map(stem, values[c])))) for c in columns
        ]
    if family.axis == "date":
        return _dated(question, family)
    slots = [*_find_along_axis(question, card, family)]
    near = {hit.place for hit in hits}
    members = dict(family.members)
    for place, value in _numbers(question):
        beside = place in near or place - 1 in near or not card.words
        same = any(place in slot.places or (members.get(value),) == slot.columns for slot in slots)
        if value in members and beside and not same:
            slots.append(MemberSlot((members[value],), frozenset([place])))
    return slots


def _find_along_axis(question: Question, card: Card, family: Family) -> Iterator[MemberSlot]:
    """All members where a slot counts them, and those that the surest other slots mean."""
    stems = frozenset(map(stem, (*card.words, *card.expanded, *card.told)))
    axis = [float(value) for value, _ in family.members]
    fits = []
    for slot in question.heard.slots:
        if _counts_all(question, slot, family):
            yield MemberSlot(family.columns, slot_places(question, slot))
        else:
            fits.append((slot, *members_at(slot, axis, stems)))
    surest = max([sure for _, sure, _ in fits], default=0)
    for slot, sure, there in fits:
        if sure == surest > 0 and len(there) < len(axis):
            columns, places = tuple(family.columns[p] for p in there), slot_places(question, slot)
            yield MemberSlot(columns, places)
            if slot.apart and len(columns) == 2:
                yield from _each(question, columns, places)


def _counts_all(question: Question, slot: Span, family: Family) -> bool:
    """Whether a number only says how many members there are: *the eight waves*."""
    words = question.heard.words[slot.first : slot.last]
    plural = bool(words) and words[-1].text.endswith("s")
    return slot.low == slot.high == len(family.members) and slot.kind == "one" and plural


def _numbers(question: Question) -> Iterator[tuple[int, float]]:
    """The numbers that may be a member's own, in a code such as d150 as well."""
    for number in question.numbers:
        if not number.ordinal:
            yield number.place, number.value
    for place, word in enumerate(question.words):
        pieces = LETTERS_DIGITS.findall(word.text)
        if len(pieces) > 1 and pieces[-1].isdigit():
            yield place, float(pieces[-1])


def _find_places(question: Question, stems: set[str]) -> frozenset[int]:
    return frozenset(
        p
        for p, word in enumerate(question.words)
        if stems.intersection(map(stem, name_words(word.text)))
    )


def slot_places(question: Question, slot: Span) -> frozenset[int]:
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


def _dated(question: Question, family: Family) -> list[MemberSlot]:
    """The members that the question's dates mean, and the ends of a stretch each by itself."""
    columns = find_members(question.heard, family)
    keys = {column: date_key(str(value)) for value, column in family.members}
    headers = date_headers(family)
    inside = {date for date in said_dates(question.text, headers)
              if any(keys[column].startswith(date.key) for column in columns)}  # fmt: skip
    slots = []
    if columns:
        places = frozenset(p for date in inside for p in _date_places(question, date))
        slots.append(MemberSlot(columns, places))
    for ends in date_ranges(question.text, headers):
        for date in ends:
            own = tuple(c for c in columns if keys[c].startswith(date.key))
            if len(own) == 1 < len(columns):
                slots.append(MemberSlot(own, _date_places(question, date)))
    return slots


def _date_places(question: Question, date: SaidDate) -> frozenset[int]:
    """Places of the words that write a date."""
    return frozenset(
        place
        for place, word in enumerate(question.words)
        if date.start <= word.start and word.end <= date.end
    )
