"""Evidence: which words of a question speak for which column, by its name and its categories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import MOST_BEGUN, CardIndex, CardWord
from wideleaf.retrieval.words.names import codes_of
from wideleaf.retrieval.words.query import SLOT, YEAR_NUMBER, Query
from wideleaf.retrieval.words.stems import stem

LEVEL = 0.8
"""How surely a word means a one-hot family that has it as a category."""
LEVEL_COVERED = 0.6
"""How much of a name counts as said where one of its categories is."""
NAMED = 1.5
"""How surely a header that is written out means its column."""
MOST_WEIGHED = 400
NEIGHBOURS = 0.2
"""What is added where two words stand side by side in name and question."""


class Evidence(NamedTuple):
    """What speaks for one card.

    Attributes:
        card: The card's place.
        words: Place of a word in the question to how surely it means the card.
        covered: How much of the card's name the question has, 0 to 1.
        bonus: For words that stand side by side in both.
        how: By which way it was found, for the reason that a person reads.
        columns: The members that the question names outright.
        named: Places of the words that its name has, and that are not only near in meaning.
    """

    card: int
    words: Mapping[int, float]
    covered: float
    bonus: float = 0.0
    how: str = "name"
    columns: tuple[str, ...] = ()
    named: frozenset[int] = frozenset()


class NameMatch(NamedTuple):
    """A card that the question writes as its header is: where, and which of its members."""

    places: frozenset[int] = frozenset()
    columns: tuple[str, ...] = ()


def by_name(index: CardIndex, asked: Query) -> dict[int, Evidence]:
    """What the words of the question say of each card, those of names and of meanings."""
    matched: defaultdict[int, dict[int, float]] = defaultdict(dict)
    known: dict[str, set[int]] = defaultdict(set)  # stems the question has, and where
    named = _named(index, asked)
    codes = {place for cards in named.values() for place in cards.places}
    for place, word in enumerate(asked.words):
        if word.weight <= SLOT or place in codes:
            continue
        for found, quality in _meant_words(index, asked, place):
            known[found].add(place)
            for card, strength in index.holders.get(found, ()):
                best = matched[card].get(place, 0.0)
                matched[card][place] = max(best, strength * quality)
    pairs = {
        (one.stem, two.stem): (place, place + 1)
        for place, (one, two) in enumerate(pairwise(asked.words))
        if one.weight and two.weight
    }
    levels = _levels_said(index, asked)
    for card, places in levels.items():
        for place in places:
            matched[card][place] = max(LEVEL, matched[card].get(place, 0.0))
    for card, name in named.items():
        matched[card].update(dict.fromkeys(name.places, NAMED))
    made: dict[int, Evidence] = {}
    for card, words in _foremost(index, asked, matched).items():
        covered, bonus = _covered(index, card, known), _bonus(index, card, pairs)
        how = "level" if card in levels else "name"
        if card in levels:
            covered = max(covered, LEVEL_COVERED)
        made[card] = Evidence(card, words, covered, bonus, how, named=frozenset(words))
        if card in named:
            columns = named[card].columns
            made[card] = made[card]._replace(covered=1.0, how="written", columns=columns)
    return made


def _meant_words(index: CardIndex, asked: Query, place: int) -> Iterator[tuple[str, float]]:
    """Stems of names that a word means; of one that no name has, those that it nearly spells."""
    word = asked.words[place]
    if YEAR_NUMBER.match(word.text) and "year" in index.holders:
        yield "year", 1.0
    yield from index.spellings.meet(asked.words, place)
    yield from index.spellings.written_out(word)
    if word.stem not in index.holders and word.tells and word.stem.isalpha():
        yield from index.spellings.near(word)


def _levels_said(index: CardIndex, asked: Query) -> dict[int, set[int]]:
    """Places of words that are a category of a one-hot family, the whole of it."""
    said: defaultdict[str, set[int]] = defaultdict(set)
    for place, word in enumerate(asked.words):
        if word.weight:
            said[word.stem].add(place)
    found: defaultdict[int, set[int]] = defaultdict(set)
    for first in said:
        for card, level in index.by_level.get(first, ()):
            if level <= said.keys():
                found[card].update(*(said[word] for word in level))
    return found


def _named(index: CardIndex, asked: Query) -> dict[int, NameMatch]:
    """Cards that the question writes as a code, such as ``T2M_MAX``; all of them that begin so.

    A code may stand within a name, such as ``M19507`` in M19507_at.

    What such a code's pieces mean by themselves does not count any more.
    """
    found: dict[int, NameMatch] = {}
    for token, first, last in asked.tokens:
        folded = token.casefold()
        coded = codes_of(token) == (folded,) and folded in index.coded
        if not (asked.words[first].literal or "_" in token or coded) and token not in index.exact:
            continue
        columns = index.exact.get(token) or index.folded.get(folded) or ()
        if not columns and coded:
            columns = index.coded[folded]
        cards = {card for card, _ in columns} or index.beginning(folded)
        if len(cards) > MOST_BEGUN:
            continue  # a whole cluster
        for card in cards:
            places = {*range(first, last), *found.get(card, NameMatch()).places}
            own = [c for held, c in columns if held == card]
            found[card] = NameMatch(
                frozenset(places), (*found.get(card, NameMatch()).columns, *own)
            )
    return found


def _foremost(
    index: CardIndex, asked: Query, matched: Mapping[int, dict[int, float]]
) -> Mapping[int, dict[int, float]]:
    """The cards that explain most; of thousands the others cannot matter."""
    if len(matched) <= MOST_WEIGHED:
        return matched
    weights = [index.weigh(word) for word in asked.words]
    gains = {
        card: sum(weights[place] * sure for place, sure in words.items())
        for card, words in matched.items()
    }
    best = nlargest(MOST_WEIGHED, gains, key=gains.__getitem__)
    return {card: matched[card] for card in sorted(best)}


def _covered(index: CardIndex, card: int, known: Mapping[str, set[int]]) -> float:
    met = [(part, _met(part, known)) for part in index.parts[card]]
    whole = sum(part.mass for part, share in met if share or not part.optional)
    if not whole:
        return 0.0
    covered = sum(part.mass * share for part, share in met) / whole
    level = any(share == 1.0 and part.optional for part, share in met)
    return max(covered, LEVEL_COVERED) if level else covered


def _bonus(index: CardIndex, card: int, pairs: Mapping[tuple[str, str], tuple[int, int]]) -> float:
    entry = index.cards[card]
    gained = 0.0
    for words in (entry.words, entry.told, entry.expanded):
        for pair in pairwise(map(stem, words)):
            if pair in pairs:
                gained += NEIGHBOURS * min(index.rarity[pair[0]], index.rarity[pair[1]])
    return gained


def _met(part: CardWord, known: Mapping[str, set[int]]) -> float:
    """How much of a word of a name the question has, the word itself or its long form."""
    if part.stem in known:
        return 1.0
    met = sum(word in known for word in part.long)
    return met / len(part.long) if met else 0.0
