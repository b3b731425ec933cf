"""Rewording: a question with the words of columns in place of others that mean the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.cover import CoverCard
from wideleaf.retrieval.words.query import Query


class Rewording(NamedTuple):
    """A question in the words of its tables.

    Attributes:
        text: The question, reworded.
        said: Pairs of the words that stood there and those that stand there now.
    """

    text: str
    said: tuple[tuple[str, str], ...]

    def without(self, over: Collection[str]) -> Rewording | None:
        """The question without words that it was given and that nothing was made of.

        Args:
            over: Words that are left over; if others than given ones are among them, or all that
                some words were taken for, there is None.
        """
        words = {word for _, new in self.said for word in new.split()}
        if not words.issuperset(over):
            return None
        text, pairs = self.text, []
        for old, new in self.said:
            rest = " ".join(word for word in new.split() if word not in over)
            if not rest:
                return None
            text = text.replace(new, rest, 1)
            pairs.append((old, rest))
        return Rewording(text, tuple(pairs))


def reword(query: Query, cards: CardIndex, cover_cards: Iterable[CoverCard]) -> Rewording | None:
    """Write the names of columns for words that only mean them; None where there are none.

    A reader that knows names alone, as the embedded planner does, understands it then.

    Args:
        query: The question.
        cards: The cards of the table it is about.
        cover_cards: The cards that explain it.
    """
    spans: dict[tuple[int, int], str] = {}
    for one in cover_cards:
        only_meant = sorted(p for p in one.places if p not in one.evidence.named)
        name = _unsaid(query, cards, one)
        if one.tied or not only_meant or not name or one.evidence.how == "description":
            continue  # what a whole question is about says little of each of its words
        for number, run in enumerate(_runs(only_meant)):
            spans[run] = name if number == 0 else ""
    if not spans:
        return None
    text, end = query.text, 0
    changes: list[tuple[str, str, tuple[int, int]]] = []
    pieces: list[str] = []
    for word, first, last in query.tokens:
        start = text.find(word, end)
        if start < 0:
            return None
        pieces.append(text[end:start])
        end = start + len(word)
        span = next((s for s in spans if s[0] <= first and last <= s[1]), None)
        if span is not None and pieces and word[:1].isupper():
            return None  # of a name, Sweden, no other means the same
        if span is None or (span[0] != first and not changes):
            pieces.append(word)
        elif span[0] == first or (changes and changes[-1][2] != span):
            pieces.append(spans[span])
            changes.append((word, spans[span], span))
        else:
            changes[-1] = (f"{changes[-1][0]} {word}", *changes[-1][1:])
    pieces.append(text[end:])
    pairs = tuple((old, new) for old, new, _ in changes if new)
    return Rewording(" ".join("".join(pieces).split()), pairs) if pairs else None


def _unsaid(query: Query, cards: CardIndex, one: CoverCard) -> str:
    """The words of a card's name that the question does not have."""
    card = cards.cards[one.evidence.card]
    there = {query.words[place].stem for place in one.evidence.named}
    parts = zip(card.words, cards.parts[one.evidence.card], strict=True)
    words = [word for word, part in parts if part.telling and part.stem not in there]
    return " ".join(words)


def _runs(places: Iterable[int]) -> Iterable[tuple[int, int]]:
    for _, group in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        yield run[0], run[-1] + 1
