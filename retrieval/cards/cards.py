"""Cards: what a column or a family of columns is about, as words to search and text to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from wideleaf.retrieval.words.names import expand, header_words, spell_out, tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.families import Family, find_families, unslotted
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import as_name

MIN_MEMBERS = 3
"""Fewer members stand better by their own names."""
QUESTION_READ = 20_000
TELLING = 3
"""Words of fewer letters, such as ``of``, tell nothing."""
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
        about: What the user says it means.
    """

    reference: str
    columns: tuple[str, ...]
    words: tuple[str, ...]
    levels: tuple[str, ...] = ()
    expanded: tuple[str, ...] = ()
    family: Family | None = None
    about: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """The words of what the user says it means."""
        return header_words(self.about)

    def meaning(self, question: str) -> str:
        """What the user says, or what abbreviations stand for, on one line, bounded.

        An abbreviation may stand for something else here, so it is written out only where the
        question has a word of what it commonly stands for. That `max` is a maximum needs no word.

        Args:
            question: The user's words.
        """
        if self.about or not self.expanded:
            return self.about
        stems = _stems(question[:QUESTION_READ])
        meanings = [
            f"{short}: {long}"
            for short, long in spell_out(self.words)
            if not long.startswith(short) and stems & _stems(long)
        ]
        return as_name("; ".join(meanings)) if meanings else ""


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in tokenise(text) if len(word) >= TELLING)


@lru_cache(maxsize=64)
def make_cards(names: tuple[str, ...], about: tuple[tuple[str, str], ...] = ()) -> tuple[Card, ...]:
    """One card for each family and each column outside of one, in the order of the columns.

    Args:
        names: Column names of one table.
        about: Pairs of a column or family and what the user says it means.
    """
    texts = dict(about)
    own = tuple((name, texts[name]) for name in names if name in texts)
    families = [
        family
        for family in find_families(names, own)
        if (len(family.members) >= MIN_MEMBERS or all(c in texts for c in family.columns))
        and not _tells_apart(family, texts)
    ]
    member_of = {column: family for family in families for column in family.columns}
    entries: dict[str, Card] = {}
    for name in names:
        family = member_of.get(name)
        if family is None:
            words = header_words(name)
            card = Card(name, (name,), words, expanded=expand(words))
            entries[name] = card._replace(about=texts.get(name, ""))
        elif family.columns[0] not in entries:
            card = family_card(family)
            references = (card.reference, family.pattern, family.notation)
            meaning = next((texts[one] for one in references if one in texts), "")
            members = (unslotted(texts[c], _slot(c, family)) for c in family.columns if c in texts)
            entries[family.columns[0]] = card._replace(about=meaning or next(members, ""))
    return tuple(entries.values())


def _tells_apart(family: Family, texts: Mapping[str, str]) -> bool:
    """Whether most members have a meaning of their own, as the numbers of probes or codes do."""
    if not texts:
        return False
    meanings = (
        {unslotted(texts[c], _slot(c, family), most) for c in family.columns if c in texts}
        for most in (0, 1)
    )
    return min(map(len, meanings)) > len(family.members) / 2


def _slot(column: str, family: Family) -> str:
    """What fills a member's slot, as its name has it."""
    return column[len(family.stem) : len(column) - len(family.tail)]


def about(table: Table) -> tuple[tuple[str, str], ...]:
    """What the user says of a table's columns, as something that can be a key."""
    return tuple(table.about.items())


def family_card(family: Family) -> Card:
    """The card of a family: the words around its slot, and its categories' words."""
    words = header_words(f"{family.stem} {family.tail}")
    levels: Sequence[str] = ()
    if family.axis == "category":
        levels = [word for value, _ in family.members for word in header_words(str(value))]
    whole = as_name(family.notation) == family.notation  # else a prompt would show it cut
    return Card(
        family.notation if whole else family.pattern,
        family.columns,
        words,
        tuple(dict.fromkeys(levels))[:WORDS_OF_A_FAMILY],
        expand(words),
        family,
    )
