"""Links to families: which of their members the words of a question mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.mentions import (
    LETTERS_DIGITS,
    Hit,
    Mention,
    Part,
    clusters,
    measure,
)
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.words import bm25
from wideleaf.retrieval.words.mentions import (
    MANY_MEMBERS,
    find_mentions,
    in_axis_units,
    meant_members,
)
from wideleaf.retrieval.words.names import split_words as name_words
from wideleaf.tools.tables.families import Family, slot_text

LEAST_EVENT = 6
"""An event such as planting has so many letters at least; during and spring are none."""


class Slot(NamedTuple):
    """Members of a family that a question means, and the places of the words that say so."""

    columns: tuple[str, ...]
    places: frozenset[int]


def family_mentions(
    question: Question, card: Card, parts: tuple[Part, ...], hits: list[Hit]
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
            mention = measure("", (*parts, Part("", 1.0)), cluster, question.words)
            mention = mention._replace(family=family)
            if family.axis != "category" and not _placed(question):
                yield _several(mention, family, family.columns)
            if len(family.members) <= MANY_MEMBERS:
                for column in family.columns:
                    yield mention._replace(column=column)


def _placed(question: Question) -> bool:
    """Whether the question speaks of a place along some axis, such as a day."""
    axes = {bm25.stem(axis) for axis in lexicon().axes}
    return any(mention.unit in axes for mention in find_mentions(question.text))


def _several(mention: Mention, family: Family, columns: Sequence[str]) -> Mention:
    values = {column: value for value, column in family.members}
    first, last = slot_text(values[columns[0]]), slot_text(values[columns[-1]])
    reference = f"{family.stem}{{{first}..{last}}}{family.tail}"
    if len(columns) == len(family.members):
        reference = family.pattern
    return mention._replace(column=reference, several=True)


def _slots(question: Question, card: Card, family: Family, hits: list[Hit]) -> list[Slot]:
    """The members of a family that a question means, by its slots or by a number said outright."""
    stems = {bm25.stem(word) for word in (*card.words, *card.expanded)}
    asked = [bm25.stem(word) for word in name_words(question.text)]
    meant = meant_members(family, stems, question.text, asked)
    if family.axis == "category":
        values = {column: name_words(str(value)) for value, column in family.members}
        return [Slot((c,), _said(question, set(map(bm25.stem, values[c])))) for c in meant]
    found = []
    claimed: frozenset[int] = frozenset()
    if meant and len(meant) < len(family.members):
        claimed = _slot_places(question, family, meant)
        found.append(Slot(meant, claimed))
    if family.axis == "number":
        near = {hit.place for hit in hits}
        members = {value: column for value, column in family.members}
        for place, value in _numbers(question):
            beside = place in near or place - 1 in near or not card.words
            if value in members and place not in claimed and members[value] not in meant and beside:
                found.append(Slot((members[value],), frozenset([place])))
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
        if stems.intersection(map(bm25.stem, name_words(word.text)))
    )


def _events(words: Sequence[str], places: Collection[int]) -> set[int]:
    """Places of the event that days are counted from: after planting, the planting day."""
    found = set()
    for place in places:
        after, before = words[place + 1 : place + 2], words[place - 1 : place] if place else []
        if words[place] in ("after", "before", "of", "since", "to") and _event(after):
            found.add(place + 1)
        if words[place] in lexicon().axes and _event(before):
            found.add(place - 1)
    return found


def _event(word: Sequence[str]) -> bool:
    return bool(word) and len(word[0]) >= LEAST_EVENT and word[0].endswith("ing")


def _slot_places(question: Question, family: Family, meant: Sequence[str]) -> frozenset[int]:
    """Places of the numbers that mean these members, and of the slot words beside them."""
    values = [value for value, column in family.members if column in meant]
    ends: set[float] = set()
    for mention in find_mentions(question.text):
        axis = [float(value) for value, _ in family.members] if family.axis == "number" else [0.0]
        there = in_axis_units(mention, axis, ())
        if all(isinstance(v, float) and there.low <= v <= there.high for v in values):
            ends |= {abs(mention.low), abs(mention.high)}
    if family.axis == "date":
        ends = {float(digits) for value in values for digits in re.findall(r"\d+", str(value))}
    places = {n.place for n in question.numbers if abs(n.value) in ends}
    words = [word.text for word in question.words]
    places = places or {p for p, word in enumerate(words) if word in lexicon().axes}
    for step in (1, -1):
        for place in sorted(places)[::step]:
            while 0 <= place + step < len(words) and words[place + step] in lexicon().slots:
                place += step
                places.add(place)
    places |= _events(words, places)
    telling = [place for place in places if words[place] not in lexicon().stopwords] or [*places]
    return frozenset(p for p in places if min(telling) <= p <= max(telling))
