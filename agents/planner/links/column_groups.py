"""Groups of columns that a question speaks of as one: a domain, or all that share a meaning."""

from __future__ import annotations

from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.words.axes import MANY_MEMBERS
from wideleaf.tools.tables.families import Family


class ColumnGroup(NamedTuple):
    """Columns that some words of a question name together.

    Attributes:
        cards: Their columns and families.
        places: Places of the words.
    """

    cards: tuple[Card, ...]
    places: frozenset[int]

    @property
    def columns(self) -> frozenset[str]:
        """All of them."""
        return frozenset(column for card in self.cards for column in card.columns)


def column_groups(
    question: Question, index: TableIndex, start: int, end: int
) -> ColumnGroup | None:
    """The columns that the words between two places name together.

    What words name in common counts, as of ``satellite vegetation indices``; what stands at both
    sides of an ``and`` is added up, as of ``soil and weather data``.

    Args:
        question: The question.
        index: What is known of the table.
        start: Place of the first word.
        end: One past the last word's place.
    """
    cards: dict[int, None] = {}
    places: set[int] = set()
    for first, last in _sides(question, start, end):
        matches, spots = _match_cards(question, index, first, last)
        cards |= dict.fromkeys(matches)
        places |= spots
    candidates = [index.names.cards[card] for card in sorted(cards)]
    numeric = tuple(card for card in candidates if _numeric(index, card))
    return ColumnGroup(numeric, frozenset(places)) if numeric else None


def _sides(question: Question, start: int, end: int) -> list[tuple[int, int]]:
    sides, first = [], start
    for place in range(start, end):
        if question.words[place].text in ("and", "or"):
            sides.append((first, place))
            first = place + 1
    return [*sides, (first, end)]


def _match_cards(
    question: Question, index: TableIndex, start: int, end: int
) -> tuple[frozenset[int], set[int]]:
    """The cards that these words name in common; words for a domain count first."""
    matches: frozenset[int] | None = None
    spots: set[int] = set()
    kinds = [
        {place: index.names.domain(question.words[place].text) for place in range(start, end)},
        {
            place: index.names.naming(question.words[place])
            for place in range(start, end)
            if question.content(place, place + 1) and question.words[place].text.isalpha()
        },
    ]
    for kind in kinds:
        for place, cards in kind.items():
            common = cards if matches is None else matches & cards
            if common and place not in spots:
                matches = common
                spots.add(place)
    return matches or frozenset(), spots


def _numeric(index: TableIndex, card: Card) -> bool:
    return all(index.kinds[column] in ("number", "boolean") for column in card.columns)


def references(index: TableIndex, cards: tuple[Card, ...]) -> list[str]:
    """What actions may write for some cards: a star over a family where it takes no others."""
    names: list[str] = []
    for card in cards:
        family = card.family
        if family is not None and _alone(index, family):
            names.append(family.pattern)
        else:
            names += card.columns
    return list(dict.fromkeys(names))


def _alone(index: TableIndex, family: Family) -> bool:
    if set("*{}") & set(family.stem + family.tail):
        return False
    like = [c for c in index.kinds if c.startswith(family.stem) and c.endswith(family.tail)]
    return len(like) == len(family.members)


def series(card: Card) -> bool:
    """Whether a card is a long series along a number or a date, such as one column a day."""
    family = card.family
    return family is not None and family.axis != "category" and len(card.columns) > MANY_MEMBERS
