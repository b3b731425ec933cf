"""The cards of a table as they are matched with questions: words, rarity, kin and spellings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.cards.cards import Card, make_cards
from wideleaf.retrieval.cards.clusters import Cluster, make_clusters
from wideleaf.retrieval.cards.spellings import LONG, Spellings
from wideleaf.retrieval.words.bm25 import Bm25
from wideleaf.retrieval.words.names import codes_of, header_words, spell_out
from wideleaf.retrieval.words.query import QueryTerm
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import is_function_word, is_light_word

OWN, TOLD = 1.0, 0.9
"""How surely a word means a card: by its name, by what is said of it."""
MIN_SHORT, MAX_BEGUN = 3, 8
PREFIX, PLAIN = 0.12, 0.3
"""Share of its rarity that a word of a name tells that begins many names; that names a measure, a
unit or a number."""
UNKNOWN = 0.8
"""How rare a word counts that no card has."""
MIN_RARE = 0.25
SHORT_NAME, SHORT_PREFIX = 2, 3
MIN_KIN, MANY_CARDS = 3, 100
LEVEL_CUT = re.compile(r"(?<=[a-z_.])(?=[A-Z])")
"""Where a category begins in the tail of a family's name."""
_UNITS = "a bu cm c d degc f g ha hr k kg km l lb m mg ml mm mpa pct s t tha ug w"
_MEASURES = "avg mean median score sub class code id nr no num std sd obs name type value level"
_PLAIN = frozenset(f"{_UNITS} {_MEASURES}".split())


class CardWord(NamedTuple):
    """A word of a card's name.

    Attributes:
        stem: Its stem.
        mass: How much it tells among the cards of its table, 0 to 1.
        long: Stems of what it abbreviates.
        telling: Whether it is no prefix, measure or unit.
        optional: Whether it only tells kin apart, and counts where the question has it.
    """

    stem: str
    mass: float
    long: frozenset[str]
    telling: bool = True
    optional: bool = False


class CardIndex:
    """The cards of one table, ready to be matched with questions.

    Args:
        cards: The cards.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)

    @cached_property
    def bm25(self) -> Bm25:
        """The words of the cards, their names, meanings, abbreviations and categories."""
        texts = ((*card.words, *card.told, *card.expanded, *card.levels) for card in self.cards)
        return Bm25([dict.fromkeys(map(stem, words), 1.0) for words in texts])

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much each stem tells, 0 to 1: the rarer among the cards, the more."""
        rarities = self.bm25.rarity
        most = max(rarities.values(), default=1.0) or 1.0
        return {word: max(rarity / most, MIN_RARE) for word, rarity in rarities.items()}

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        """Groups of cards by prefixes of their names."""
        return make_clusters(self.cards)

    @cached_property
    def described(self) -> bool:
        """Whether most of many cards are described: texts more than names."""
        count = sum(bool(card.about) for card in self.cards)
        return len(self.cards) > MANY_CARDS and count > len(self.cards) / 2

    @cached_property
    def _card_of(self) -> dict[str, Card]:
        return {column: card for card in self.cards for column in card.columns}

    def meaning(self, column: str, question: str) -> str:
        """What is said of a column, or what its abbreviations stand for; see `Card.meaning`."""
        return self._card_of[column].meaning(question)

    @cached_property
    def kin(self) -> dict[int, frozenset[int]]:
        """Cards that differ in a category alone, such as a crop, beside the axis of a family."""
        groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for place, card in enumerate(self.cards):
            if card.family and (cut := LEVEL_CUT.search(card.family.tail)):
                groups[card.family.stem, card.family.tail[: cut.start()]].append(place)
        return {
            place: frozenset(group)
            for group in groups.values()
            if len(group) >= MIN_KIN
            for place in group
        }

    @cached_property
    def parts(self) -> tuple[tuple[CardWord, ...], ...]:
        """The words of each card's name; what many begin with, and units, tell little."""
        begun = {
            (card.reference, word)
            for cluster in self.clusters
            if cluster.outer
            for word in header_words(cluster.reference)
            for card in cluster.cards
        }
        by_card = []
        for place, card in enumerate(self.cards):
            own = set()
            if place in self.kin and card.family:
                own = set(header_words(LEVEL_CUT.split(card.family.tail, maxsplit=1)[-1]))
            parts, words = [], list[str]()
            for word, long in _with_long(card.words):
                share = 1.0
                if (card.reference, word) in begun:
                    share = PREFIX
                elif is_generic(word) or (not words and _is_prefix(card.words)):
                    share = PLAIN
                mass = share * self.rarity[stem(word)]
                after_of = bool(words) and words[-1] == "of"
                words.append(word)
                part = CardWord(stem(word), mass, long, share == 1.0, word in own)
                # "pct of average" is no average.
                parts.append(part._replace(stem=f"of {part.stem}") if after_of else part)
            by_card.append(tuple(parts))
        return tuple(by_card)

    @cached_property
    def holders(self) -> dict[str, list[tuple[int, float]]]:
        """Each stem to the cards it may mean, and how surely."""
        by_stem: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for place, (card, parts) in enumerate(zip(self.cards, self.parts, strict=True)):
            sure = {stem(word): LONG for word in card.expanded}
            sure |= {stem(word): TOLD for word in card.told}
            sure |= {part.stem: OWN for part in parts}
            for word, strength in sure.items():
                by_stem[word][place] = strength
        return {word: list(cards.items()) for word, cards in by_stem.items()}

    def weigh(self, word: QueryTerm) -> float:
        """How much a word of the question tells of this table's columns."""
        return word.weight * self.rarity.get(word.stem, UNKNOWN)

    @cached_property
    def by_level(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        """A stem to the categories that have it, with all their stems."""
        by_stem: defaultdict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
        for place, card in enumerate(self.cards):
            if card.family and card.family.axis == "category":
                for value, _ in card.family.members:
                    level = frozenset(map(stem, header_words(str(value))))
                    for word in level:
                        by_stem[word].append((place, level))
        return by_stem

    def beginning(self, token: str) -> set[int]:
        """Cards whose names go on after a code with a separator, or with a family's slot.

        Of more than a few no one is meant, but a whole cluster.
        """
        if len(token) < MIN_SHORT:
            return set()
        places = {
            place
            for place, name in enumerate(self.names)
            if name.startswith(token) and (name == token or name[len(token)] in "_. ")
        }
        return places if len(places) <= MAX_BEGUN else set()

    @cached_property
    def names(self) -> list[str]:
        """How the name of each card begins, case folded."""
        return [(c.family.stem if c.family else c.reference).casefold() for c in self.cards]

    @cached_property
    def exact(self) -> dict[str, list[tuple[int, str]]]:
        """Column name to its card and itself."""
        by_column: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, card in enumerate(self.cards):
            for column in card.columns:
                by_column[column].append((place, column))
        return dict(by_column)

    @cached_property
    def folded(self) -> dict[str, list[tuple[int, str]]]:
        """The same, case folded."""
        by_column: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for column, cards in self.exact.items():
            by_column[column.casefold()] += cards
        return dict(by_column)

    @cached_property
    def coded(self) -> dict[str, list[tuple[int, str]]]:
        """A code within names, case folded, to the columns that have it, and their cards."""
        by_code: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, card in enumerate(self.cards):
            for column in card.columns:
                for code in codes_of(column):
                    by_code[code].append((place, column))
        return dict(by_code)

    @cached_property
    def joined(self) -> dict[str, tuple[str, str]]:
        """Neighbours in a name, written as one word: "windspeed"."""
        return {
            one + two: (stem(one), stem(two))
            for card in self.cards
            for one, two in pairwise(card.words)
            if len(one) > MIN_SHORT - 1 and len(two) > MIN_SHORT - 1
        }

    @cached_property
    def spellings(self) -> Spellings:
        """The words of names, and of what is said of them, to be met by those of questions."""
        own = [part.stem for parts in self.parts for part in parts if part.telling]
        return Spellings(self.holders, own, self.holders, self.joined)


@lru_cache(maxsize=64)
def card_index(names: tuple[str, ...], about: tuple[tuple[str, str], ...] = ()) -> CardIndex:
    """The index of a table by its column names and what is said of them.

    Args:
        names: Column names.
        about: Pairs of a column or family and what it means.
    """
    return CardIndex(make_cards(names, about))


def _with_long(words: Sequence[str]) -> Iterable[tuple[str, frozenset[str]]]:
    """The words of a name, each with the stems of what it abbreviates, alone or with the next."""
    long = {short: frozenset(map(stem, text.split())) for short, text in spell_out(words)}
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        if " " in pair and pair in long:
            yield words[place], long[pair]
            yield words[place + 1], long[pair]
            place += 2
        else:
            yield words[place], long.get(words[place], frozenset())
            place += 1


def _is_prefix(words: Sequence[str]) -> bool:
    """Whether a name's first word may be a prefix that no other name happens to have: Met_."""
    return len(words) > SHORT_NAME and len(words[0]) <= SHORT_PREFIX


def is_generic(word: str) -> bool:
    """Whether a word of a name is a measure, a unit or a number, which tells no names apart."""
    return (
        word in _PLAIN
        or is_light_word(word)
        or is_function_word(word)
        or word.replace(".", "").isdigit()
    )
