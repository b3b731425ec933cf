"""Cards: what a column or a family of columns is about, as words to search and text to read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from wideleaf.retrieval.names import expand, header_words, spell_out
from wideleaf.tools.families import Family, find_families
from wideleaf.tools.observation import shown

LEAST_MEMBERS = 3
"""Fewer members stand better by their own names."""
WORDS_OF_A_FAMILY = 400
"""Of so many level words at most a one-hot family is known."""


class Card(NamedTuple):
    """One entry of the index.

    Attributes:
        reference: A column's name or a family's notation.
        columns: What it stands for.
        words: The words of the name, in order; of a family without its slot.
        levels: The words of a family's categories.
        expanded: What the abbreviations among the words stand for.
        family: The family, if it is one.
    """

    reference: str
    columns: tuple[str, ...]
    words: tuple[str, ...]
    levels: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    family: Family | None = None

    @property
    def meaning(self) -> str:
        """What the abbreviations of the name stand for, on one line of bounded length."""
        text = shown("; ".join(f"{short}: {long}" for short, long in spell_out(self.words)))
        return "" if not self.expanded else text


@lru_cache(maxsize=64)
def make_cards(names: tuple[str, ...]) -> tuple[Card, ...]:
    """One card for each family and each column outside of one, in the order of the columns.

    Args:
        names: Column names of one table.
    """
    families = [family for family in find_families(names) if len(family.members) >= LEAST_MEMBERS]
    member_of = {column: family for family in families for column in family.columns}
    entries: dict[str, Card] = {}
    for name in names:
        family = member_of.get(name)
        if family is None:
            words = header_words(name)
            entries[name] = Card(name, (name,), words, expanded=expand(words))
        elif family.columns[0] not in entries:
            entries[family.columns[0]] = family_card(family)
    return tuple(entries.values())


def family_card(family: Family) -> Card:
    """The card of a family: the words around its slot, and its categories' words."""
    words = header_words(f"{family.stem} {family.tail}")
    levels: Sequence[str] = ()
    if family.axis == "category":
        levels = [word for value, _ in family.members for word in header_words(str(value))]
    whole = shown(family.notation) == family.notation  # else a prompt would show it cut
    return Card(
        family.notation if whole else family.pattern,
        family.columns,
        words,
        tuple(dict.fromkeys(levels))[:WORDS_OF_A_FAMILY],
        expand(words),
        family,
    )
