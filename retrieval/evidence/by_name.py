"""Evidence: which words of a question speak for which column, by its name and its categories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import MAX_BEGUN, CardIndex, CardWord
from wideleaf.retrieval.words.names import codes_of
from wideleaf.retrieval.words.query import SLOT, YEAR_NUMBER, Query
from wideleaf.retrieval.words.stems import stem

LEVEL = 0.8
"""How surely a word means a one-hot family that has it as a category."""
LEVEL_COVERED = 0.6
"""How much of a name counts as said where one of its categories is."""
NAMED = 1.5
"""How surely a header that is written out means its column."""
MAX_WEIGHED = 400
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


def by_name(index: CardIndex, query: Query) -> dict[int, Evidence]:
    """What the words of the question say of each card, those of names and of meanings."""
    matches: defaultdict[int, dict[int, float]] = defaultdict(dict)
    stems: dict[str, set[int]] = defaultdict(set)  # stems the question has, and where
    name_matches = _match_codes(index, query)
    codes = {place for cards in name_matches.values() for place in cards.places}
    for place, word in enumerate(query.words):
        if word.weight <= SLOT or place in codes:
            continue
        for term, quality in _find_stems(index, query, place):
            stems[term].add(place)
            for card, strength in index.holders.get(term, ()):
                best = matches[card].get(place, 0.0)
                matches[card][place] = max(best, strength * quality)
    pairs = {
        (one.stem, two.stem): (place, place + 1)
        for place, (one, two) in enumerate(pairwise(query.words))
        if one.weight and two.weight
    }
    levels = _levels_said(index, query)
    for card, places in levels.items():
        for place in places:
            matches[card][place] = max(LEVEL, matches[card].get(place, 0.0))
    for card, name in name_matches.items():
        matches[card].update(dict.fromkeys(name.places, NAMED))
    evidence: dict[int, Evidence] = {}
    for card, words in _foremost(index, query, matches).items():
        coverage, bonus = _compute_cover(index, card, stems), _bonus(index, card, pairs)
        how = "level" if card in levels else "name"
        if card in levels:
            coverage = max(coverage, LEVEL_COVERED)
        evidence[card] = Evidence(card, words, coverage, bonus, how, named=frozenset(words))
        if card in name_matches:
            columns = name_matches[card].columns
            evidence[card] = evidence[card]._replace(covered=1.0, how="written", columns=columns)
    return evidence


def _find_stems(index: CardIndex, query: Query, place: int) -> Iterator[tuple[str, float]]:
    """Stems of names that a word means; of one that no name has, those that it nearly spells."""
    word = query.words[place]
    if YEAR_NUMBER.match(word.text) and "year" in index.holders:
        yield "year", 1.0
    yield from index.spellings.meet(query.words, place)
    yield from index.spellings.written_out(word)
    if word.stem not in index.holders and word.tells and word.stem.isalpha():
        yield from index.spellings.near(word)


def _levels_said(index: CardIndex, query: Query) -> dict[int, set[int]]:
    """Places of words that are a category of a one-hot family, the whole of it."""
    stems: defaultdict[str, set[int]] = defaultdict(set)
    for place, word in enumerate(query.words):
        if word.weight:
            stems[word.stem].add(place)
    levels: defaultdict[int, set[int]] = defaultdict(set)
    for first in stems:
        for card, level in index.by_level.get(first, ()):
            if level <= stems.keys():
                levels[card].update(*(stems[word] for word in level))
    return levels


def _match_codes(index: CardIndex, query: Query) -> dict[int, NameMatch]:
    """Cards that the question writes as a code, such as ``T2M_MAX``; all of them that begin so.

    A code may stand within a name, such as ``M19507`` in M19507_at.

    What such a code's pieces mean by themselves does not count any more.
    """
    name_matches: dict[int, NameMatch] = {}
    for token, first, last in query.tokens:
        folded = token.casefold()
        coded = codes_of(token) == (folded,) and folded in index.coded
        if not (query.words[first].literal or "_" in token or coded) and token not in index.exact:
            continue
        columns = index.exact.get(token) or index.folded.get(folded) or ()
        if not columns and coded:
            columns = index.coded[folded]
        cards = {card for card, _ in columns} or index.beginning(folded)
        if len(cards) > MAX_BEGUN:
            continue  # a whole cluster
        for card in cards:
            places = {*range(first, last), *name_matches.get(card, NameMatch()).places}
            own = [c for holder, c in columns if holder == card]
            name_matches[card] = NameMatch(
                frozenset(places), (*name_matches.get(card, NameMatch()).columns, *own)
            )
    return name_matches


def _foremost(
    index: CardIndex, query: Query, matches: Mapping[int, dict[int, float]]
) -> Mapping[int, dict[int, float]]:
    """The cards that explain most; of thousands the others cannot matter."""
    if len(matches) <= MAX_WEIGHED:
        return matches
    weights = [index.weigh(word) for word in query.words]
    gains = {
        card: sum(weights[place] * sure for place, sure in words.items())
        for card, words in matches.items()
    }
    best = nlargest(MAX_WEIGHED, gains, key=gains.__getitem__)
    return {card: matches[card] for card in sorted(best)}


def _compute_cover(index: CardIndex, card: int, stems: Mapping[str, set[int]]) -> float:
    met = [(part, _met(part, stems)) for part in index.parts[card]]
    whole = sum(part.mass for part, share in met if share or not part.optional)
    if not whole:
        return 0.0
    coverage = sum(part.mass * share for part, share in met) / whole
    level = any(share == 1.0 and part.optional for part, share in met)
    return max(coverage, LEVEL_COVERED) if level else coverage


def _bonus(index: CardIndex, card: int, pairs: Mapping[tuple[str, str], tuple[int, int]]) -> float:
    entry = index.cards[card]
    gained = 0.0
    for words in (entry.words, entry.told, entry.expanded):
        for pair in pairwise(map(stem, words)):
            if pair in pairs:
                gained += NEIGHBOURS * min(index.rarity[pair[0]], index.rarity[pair[1]])
    return gained


def _met(part: CardWord, stems: Mapping[str, set[int]]) -> float:
    """How much of a word of a name the question has, the word itself or its long form."""
    if part.stem in stems:
        return 1.0
    met = sum(word in stems for word in part.long)
    return met / len(part.long) if met else 0.0
