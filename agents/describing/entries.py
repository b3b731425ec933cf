"""What a describer is shown of a column, a family, a group or a table, as the policy allows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.describing.cache import identity
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.words.names import spell_out
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Fact, Policy
from wideleaf.tools.tables.families import slot_text
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.words import cell_text, one_line

NAME_CHARACTERS = 120
SAID_CHARACTERS = 160
TEXT_CHARACTERS = 110
GROUP_CHARACTERS = 1_600
LISTED = 8
FREQUENT = 4
LONG_AXIS = 12
"""Families of a table with the very same axis of more members count the same thing on it."""


class Subject(NamedTuple):
    """One thing that is to be described.

    Attributes:
        reference: A column, a family's notation, a group or a table.
        line: What the model is shown of it.
        told: All that a description of it may draw on.
        of: What it is known by in the cache.
        card: The card, of a column or family.
    """

    reference: str
    line: str
    told: str
    of: str
    card: Card | None = None


def card_subjects(
    cards: Sequence[Card],
    table: str,
    kinds: Mapping[str, str],
    profiles: Mapping[str, ColumnProfile],
    policy: Policy,
) -> list[Subject]:
    """Those cards that the user has not described, each with what may be shown of it.

    Args:
        cards: All cards of the table; what the user says of siblings is shown, too.
        table: The table's name.
        kinds: Kinds of the columns.
        profiles: Profiles of columns, as far as there are any.
        policy: What may leave the machine.
    """
    siblings: dict[object, Card] = {}
    for card in cards:
        if card.about:
            for key in _siblings(card):
                siblings.setdefault(key, card)
    subjects = []
    for card in cards:
        if card.about:
            continue
        kind = kinds.get(card.columns[0], "other")
        parts = [_what(card, kind)]
        parts += [f"{a} may stand for {long}" for a, long in spell_out(card.words)[:LISTED]]
        sibling = next((siblings[key] for key in _siblings(card) if key in siblings), None)
        if sibling is not None:
            words = _quote(sibling.about, SAID_CHARACTERS)
            parts.append(f"of {_quote(sibling.reference)} the user says {words}")
        facts = _facts([profiles[c] for c in card.columns if c in profiles], policy)
        parts += [fact for fact in policy.text(facts).split("\n") if fact]
        line = f"{_quote(card.reference)}: {'; '.join(parts)}"
        values = [slot_text(v) for v, _ in card.family.members] if card.family else []
        text = " ".join([line, card.reference, *card.columns[:1], *values])
        subjects.append(Subject(card.reference, line, text, card_identity(card, table, kind), card))
    return subjects


def card_identity(card: Card, table: str, kind: str) -> str:
    """What a card's description is known by: any change of its columns makes it another."""
    return identity(table, card.reference, kind, str(len(card.columns)), *card.columns[:1])


def group_subjects(
    groups: Sequence[tuple[str, Sequence[str]]], table: str, word: str
) -> list[Subject]:
    """Groups of things that are described already (TSO, Algorithm 1, lines 9 and 12).

    Args:
        groups: Pairs of a reference and the texts of its members.
        table: The table's name.
        word: What they are called, such as ``group of columns``.
    """
    subjects = []
    for reference, texts in groups:
        # From all over the group, for its members are sorted by name.
        step = max(1, -(-len(texts) // (GROUP_CHARACTERS // TEXT_CHARACTERS)))
        sample = [_quote(text, TEXT_CHARACTERS) for text in texts[::step]]
        more = f", {len(sample)} of which are" if step > 1 else ":"
        count = f"{len(texts)} member{'s' * (len(texts) != 1)}"
        line = f"{_quote(reference)}: {word} of {count}{more} {'; '.join(sample)}"
        of = identity(table, reference, word)
        subjects.append(Subject(reference, line, f"{line} {reference}", of))
    return subjects


def _what(card: Card, kind: str) -> str:
    family = card.family
    if family is None:
        return f"{kind} column"
    values = [slot_text(value) for value, _ in family.members]
    if family.axis == "number":
        slot = f"numbers {values[0]} to {values[-1]}"
    elif family.axis == "date":
        slot = f"dates {values[0]} to {values[-1]}"
    else:
        sample = ", ".join(_quote(value, 40) for value in values[:LISTED])
        slot = f"the categories {sample}{' and more' if len(values) > LISTED else ''}"
    # As written, for a notation shows "minus_1" and ".80" as numbers.
    first = f", the first is {_quote(card.columns[0])}"
    return f"family of {len(card.columns)} {kind} columns{first}, its slot holds {slot}"


def _facts(profiles: Sequence[ColumnProfile], policy: Policy) -> list[Fact]:
    """What the cells tell; of a family, of all its columns together."""
    rows = sum(profile.rows for profile in profiles)
    nulls = sum(profile.nulls for profile in profiles)
    few = any(p.rows - p.nulls < MIN_FOR_STATISTICS for p in profiles)
    if not rows or (few and not policy.allows("values")):
        return []
    first = profiles[0]
    of = f" in a sample of {first.read} of {first.rows} rows" if first.read else ""
    facts = [Fact(text=f"{nulls / rows:.0%} null{of}", matter="statistics")]
    if first.distinct is not None:
        facts.append(Fact(text=f"about {first.distinct} different values", matter="statistics"))
    lows = [p.low for p in profiles if isinstance(p.low, int | float)]
    highs = [p.high for p in profiles if isinstance(p.high, int | float)]
    if lows and highs:
        span = f"from {cell_text(min(lows))} to {cell_text(max(highs))}"
        facts.append(Fact(text=span, matter="values"))
    elif first.low is not None and first.high is not None:
        facts.append(Fact(text=f"from {first.low} to {first.high}", matter="values"))
    if first.frequent:
        cells = ", ".join(_quote(value, 40) for value, _ in first.frequent[:FREQUENT])
        facts.append(Fact(text=f"often {cells}", matter="values"))
    return facts


def _siblings(card: Card) -> list[object]:
    """What two cards share whose numbers count the same thing, surest first."""
    name = card.family.pattern if card.family else card.reference
    keys: list[object] = [re.sub(r"\d+(?:\.\d+)?", "#", name)] if re.search(r"\d", name) else []
    if card.family is not None and card.family.axis == "number":
        values = tuple(value for value, _ in card.family.members)
        shared = 1 if len(values) > LONG_AXIS else 3
        keys.append((card.words[:shared], values))
    return keys


def _quote(text: str, characters: int = NAME_CHARACTERS) -> str:
    """Text of a user, a table or a cell: on one line, bounded, in quotes."""
    return json.dumps(one_line(text, characters), ensure_ascii=False)
