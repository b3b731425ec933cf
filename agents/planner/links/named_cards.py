"""Names of columns, families and categories, split into words that weigh what they tell."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.links.mentions import (
    STOP_WEIGHT,
    NameWord,
)
from wideleaf.agents.planner.links.name_words import UNIT_WEIGHT, name_parts, split_description
from wideleaf.retrieval.cards.card_index import CardIndex, card_index
from wideleaf.retrieval.cards.cards import Card, about, make_cards
from wideleaf.retrieval.cards.spellings import Spellings
from wideleaf.retrieval.words.names import (
    header_words,
    spell_out,
)
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS
from wideleaf.tools.dictionary.synonyms import drop_beside, split_synonyms
from wideleaf.tools.tables.table import Table

_BRACKETS = re.compile(r"\S\s*[(\[]([^()\[\]]+)[)\]]")
PREFIX_WEIGHT = 0.1
MAX_DESCRIBED = 10
QUALIFIER = 0.25
"""What a word of a description weighs behind its first comma or bracket."""
UNQUALIFIED = frozenset(map(stem, ("total", "all", "both", "overall", "sexes", "combined")))
"""What says behind a comma that nothing is told apart: life expectancy, total."""
PREFIXED = 4
MIN_PIECE = 3
RARE = 0.3
"""How fast a word tells less with each name that has it."""


class NamedCards:
    """The names of one table's columns and families, split into words once.

    Args:
        table: The table; only its schema is read.
        spelled: Columns that are to be read under another name.
        categories: Categories that indicator columns may be made into, to those columns.
    """

    def __init__(
        self,
        table: Table,
        spelled: Mapping[str, str] | None = None,
        categories: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.table = table
        self.spelled = spelled or {}
        self.categories = categories or {}

    @property
    def cards(self) -> tuple[Card, ...]:
        """The table's columns, those of a family as one."""
        return self._index.cards

    @cached_property
    def _index(self) -> CardIndex:
        return card_index(self.table.columns, about(self.table))

    @cached_property
    def parts(self) -> list[tuple[NameWord, ...]]:
        """The words of each card; what many names share or begin with weighs less."""
        return self._weigh_words(self.cards)

    @cached_property
    def category_cards(self) -> tuple[Card, ...]:
        """Categories, those that differ only in a number as one."""
        return make_cards(tuple(self.categories))

    def _read(self, cards: tuple[Card, ...]) -> list[tuple[NameWord, ...]]:
        names = [
            f"{c.family.stem} {c.family.tail}"
            if c.family
            else self.spelled.get(c.reference, c.reference)
            for c in cards
        ]
        return [name_parts(name) for name in names]

    @cached_property
    def _times(self) -> tuple[Counter[tuple[str, ...]], Counter[str]]:
        """How many cards begin with some words, and how many have a word; a category is one."""
        levels = {column for columns in self.categories.values() for column in columns}
        plain = tuple(card for card in self.cards if not levels.issuperset(card.columns))
        cards = (*plain, *self.category_cards)
        stems = [tuple(part.stem for part in parts) for parts in self._read(cards)]
        begun = Counter(s[:size] for s in stems for size in range(1, len(s)))
        return begun, Counter(stem for s in stems for stem in set(s))

    def _weigh_words(self, cards: tuple[Card, ...]) -> list[tuple[NameWord, ...]]:
        names = self._read(cards)
        stems = [tuple(part.stem for part in parts) for parts in names]
        begun, counts = self._times
        return [
            tuple(
                part._replace(weight=PREFIX_WEIGHT)
                if begun[s[: place + 1]] >= PREFIXED and place + 1 < _find_name_end(parts)
                else _lighten(part, counts)
                for place, part in enumerate(parts)
            )
            for s, parts in zip(stems, names, strict=True)
        ]

    @cached_property
    def _described(self) -> list[tuple[Card, tuple[NameWord, ...]]]:
        """Cards that the user described, with the words of each name that the description lists.

        What stands behind the first comma only tells columns apart whose descriptions begin alike,
        unless no other column is called so: then it is a name, too.
        """
        texts = {place: self._plain(card) for place, card in enumerate(self.cards) if card.about}
        pieces = {p: split_synonyms(text, lexicon().stopwords) for p, text in texts.items()}
        have: dict[str, set[int]] = defaultdict(set)
        for place, text in texts.items():
            for part in name_parts(text):
                have[part.stem].add(place)

        def names_one(piece: str) -> bool:
            own = [have[part.stem] for part in name_parts(piece)]
            return bool(own) and len(set[int].intersection(*own)) == 1

        pairs: list[tuple[Card, list[NameWord]]] = []
        for place, text in texts.items():
            pairs.append((self.cards[place], _weigh_description(text)))
            others = [one for one in pieces[place][1:] if names_one(one)]
            pairs += [(self.cards[place], [*name_parts(one)]) for one in others]
        pairs += self._in_brackets()
        pairs = [
            (card, [part for part in parts if part.weight > STOP_WEIGHT * QUALIFIER])
            for card, parts in pairs
        ]
        counts = Counter(stem for _, parts in pairs for stem in {part.stem for part in parts})
        return [(card, tuple(_lighten(p, counts) for p in parts)) for card, parts in pairs if parts]

    def _in_brackets(self) -> Iterator[tuple[Card, list[NameWord]]]:
        """Second names that headers have in brackets, as *Economy (GDP per Capita)*; no units."""
        for card in self.cards:
            for inside in _BRACKETS.findall(card.reference if card.family is None else ""):
                words = header_words(inside)
                telling = [one for one in words if one not in lexicon().stopwords]
                if len(telling) > 1 and not {*words} & {*UNITS} and all(map(str.isalpha, telling)):
                    yield card, [*name_parts(inside)]

    def _plain(self, card: Card) -> str:
        """What is said of a card, without the measures that are defined in it."""
        text = card.about
        for one in reversed(self.table.measures):
            text = one.taken_from(text)
        return drop_beside(text)

    @cached_property
    def _entries(self) -> list[tuple[Card, tuple[NameWord, ...]]]:
        """Each card with the words of its name, of its descriptions, and of each category."""
        own = zip(self.cards, self.parts, strict=True)
        categories = zip(self.category_cards, self._weigh_words(self.category_cards), strict=True)
        return [*own, *self._described, *categories]

    @cached_property
    def _holders(self) -> dict[str, list[tuple[int, int, str]]]:
        """Each stem to its cards, the word in each, and the long form it stands in, if any."""
        holders: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for card, (_, parts) in enumerate(self._entries):
            for place, part in enumerate(parts):
                holders[part.stem].append((card, place, ""))
                for long in part.long:
                    holders[long].append((card, place, long))
        return holders

    @cached_property
    def _domains(self) -> dict[str, frozenset[int]]:
        """The first words that many names share, to the cards of each."""
        places = {card.reference: place for place, card in enumerate(self.cards)}
        return {
            one.reference.rstrip("*_. "): frozenset(places[card.reference] for card in one.cards)
            for one in self._index.clusters
            if one.first and len(one.cards) >= PREFIXED
        }

    def domain(self, word: str) -> frozenset[int]:
        """The cards of the domain that a word names, such as METADom or satellite (SatDom)."""
        for first, cards in self._domains.items():
            piece = (header_words(first) or ("",))[0]
            long = {stem(w) for _, text in spell_out([piece]) for w in text.split()}
            long -= {stem(w) for w in lexicon().stopwords}
            begun = len(piece) >= MIN_PIECE and word.startswith(piece) and word.isalpha()
            if word == first.casefold() or begun or stem(word) in long:
                return cards
        return frozenset()

    def place_in_family(self, column: str) -> float:
        """How late a column stands in its family, 0 to 1; 0 outside of one."""
        card = self._card_of.get(column)
        if card is None or card.family is None:
            return 0.0
        return card.family.columns.index(column) / len(card.family.columns)

    @cached_property
    def _card_of(self) -> dict[str, Card]:
        return {column: card for card in self.cards for column in card.columns}

    def _in_family(self, card: int) -> bool:
        return card < len(self.cards) and self.cards[card].family is not None

    @cached_property
    def _spellings(self) -> Spellings:
        own = {part.stem: None for parts in self.parts for part in parts}
        about_stems = {part.stem for _, parts in self._described for part in parts}
        return Spellings(self._holders, own, about_stems, self._index.joined)


def _weigh_description(text: str) -> list[NameWord]:
    """The first words of a description; those before and behind its name weigh less."""
    before, own, after = split_description(text)
    return [
        part._replace(weight=part.weight * weight)
        for piece, weight in ((before, QUALIFIER), (own, 1.0), (after, QUALIFIER))
        for part in name_parts(piece)
        if weight == 1 or part.stem not in UNQUALIFIED
    ][:MAX_DESCRIBED]


def _lighten(part: NameWord, counts: Mapping[str, int]) -> NameWord:
    """A word of a name, weighing less the more names have it."""
    return part._replace(weight=part.weight / (1 + RARE * math.log(counts[part.stem] or 1)))


def _find_name_end(parts: tuple[NameWord, ...]) -> int:
    """One past the last word of a name that is no unit: of *Protein (g)* one past the first."""
    places = (place for place, part in enumerate(parts) if part.weight > UNIT_WEIGHT)
    return max(places, default=-1) + 1
