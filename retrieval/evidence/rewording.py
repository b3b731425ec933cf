"""Rewording: a question with the words of columns in place of others that mean the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.evidence.cover import CoverCard
from wideleaf.retrieval.words.query import Query

_Span = tuple[int, int]
"""A first place and one past the last."""


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
    spans = _find_spans(query, cards, cover_cards)
    text, end = query.text, 0
    changes: list[tuple[str, _Span]] = []
    pieces: list[str] = []
    for word, first, last in query.tokens:
        start = text.find(word, end)
        if start < 0:
            return None
        pieces.append(text[end:start])
        end = start + len(word)
        span = next((s for s in spans if s[0] <= first and last <= s[1]), None)
        if span is not None and word[:1].isupper():
            return None  # of a name, Sweden, no other means the same
        if span is None or (span[0] != first and not changes):
            pieces.append(word)
        elif changes and changes[-1][1] == span:
            changes[-1] = (f"{changes[-1][0]} {word}", span)
        else:
            pieces.append(spans[span])
            changes.append((word, span))
    pieces.append(text[end:])
    pairs = tuple((old, spans[span]) for old, span in changes if spans[span])
    return Rewording(" ".join("".join(pieces).split()), pairs) if pairs else None


def _find_spans(
    query: Query, cards: CardIndex, cover_cards: Iterable[CoverCard]
) -> dict[_Span, str]:
    """The runs of words that only mean a column, the first of each with the words of its name."""
    spans: dict[_Span, str] = {}
    for one in cover_cards:
        only_meant = sorted(one.places - one.evidence.named)
        name = _unsaid(query, cards, one)
        if one.tied or not name or one.evidence.how == "description":
            continue  # what a whole question is about says little of each of its words
        for number, run in enumerate(_runs(only_meant)):
            spans[run] = name if number == 0 else ""
    return spans


def _unsaid(query: Query, cards: CardIndex, one: CoverCard) -> str:
    """The words of a card's name that the question does not have."""
    card = cards.cards[one.evidence.card]
    there = {query.words[place].stem for place in one.evidence.named}
    parts = zip(card.words, cards.parts[one.evidence.card], strict=True)
    words = [word for word, part in parts if part.telling and part.stem not in there]
    return " ".join(words)


def _runs(places: Iterable[int]) -> Iterable[_Span]:
    for _, group in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        yield run[0], run[-1] + 1
