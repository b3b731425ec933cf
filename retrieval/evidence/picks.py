"""What is shown: the columns a question means, rivals for the same words, and what nearly was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.cards.domains import Domain
from wideleaf.retrieval.evidence.by_name import Evidence
from wideleaf.retrieval.evidence.card_picks import merge_picks, pick_domain, picks_of, without_rows
from wideleaf.retrieval.evidence.cover import Cover, CoverCard
from wideleaf.retrieval.selection import FEW_COLUMNS, Pick
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.table import Table

BESIDE, BESIDE_BLIND, BESIDE_DESCRIBED = 1, 3, 4
"""So many columns are shown beside each that is meant, in case another was; where no meanings are
compared; beside one that only its description speaks for."""
NEARLY = 0.5
"""What explains its words at least so well as the column taken is shown beside it."""
NEAR_MISSES = 8
WORD_COLUMNS = 6
"""So many columns of words are shown where the question has a code that no name explains."""
KEYS = 3
"""So many columns that may join or name rows are shown where no meanings are compared."""
_KEY_WORDS = "id key code uuid identifier name group type class category year season site region"
_KEY = frozenset(map(stem, _KEY_WORDS.split()))


class Blind(NamedTuple):
    """That no meanings are compared, so that more is shown in case another column was meant.

    Attributes:
        shared: Names, case folded, that columns of several tables have.
    """

    shared: Collection[str] = ()


class TableReading(NamedTuple):
    """What one table has to say to a question.

    Attributes:
        asked: The question, as asked of this table.
        name: Its name.
        table: The table.
        cards: Its cards.
        evidence: What speaks for each.
        cover: Those that explain the question.
        domains: Clusters that are meant as a whole.
    """

    asked: Query
    name: str
    table: Table
    cards: CardIndex
    evidence: dict[int, Evidence]
    cover: Cover
    domains: tuple[Domain, ...] = ()

    @property
    def wide(self) -> bool:
        """Whether its columns are chosen from, not shown whole."""
        return len(self.table.columns) > FEW_COLUMNS

    @property
    def open(self) -> frozenset[int]:
        """Places of telling words that neither a column nor a cluster explains."""
        return self.cover.open.difference(*(domain.places for domain in self.domains))


def choose_picks(
    reading: TableReading,
    limit: int,
    relevant: bool,
    blind: Blind | None = None,
    likely: Sequence[int] = (),
) -> tuple[list[Pick], list[Pick]]:
    """The picks of a table, and what nearly was one.

    Args:
        reading: What the table has to say.
        limit: At most so many picks of a wide table.
        relevant: Whether the question is about this table at all.
        blind: Set where no meanings are compared.
        likely: Cards to fill up with, the likeliest first, where the question leaves it open.
    """
    cards = without_rows(reading.asked, reading.cards, reading.cover.chosen) if relevant else []
    picks = [pick.model_copy(update={"resolved": True}) for pick in _made(reading, cards)]
    if not reading.wide:
        return _whole(reading, picks), []
    picks = merge_picks(picks, reading.table)
    if relevant:
        picks += [
            pick_domain(reading.asked, reading.name, reading.table, d) for d in reading.domains
        ]
    card_ids = {one.evidence.card for one in cards}
    others = [
        CoverCard(reading.evidence[card], score, frozenset(reading.evidence[card].words))
        for card, score in reading.cover.ranked
        if card not in card_ids
    ]
    beside = _beside(cards, others, reading.cover.open, BESIDE if blind is None else BESIDE_BLIND)
    if not beside or (blind is not None and not cards):
        beside = others[: 2 * BESIDE if blind is None else limit]
    extra = merge_picks(_made(reading, beside), reading.table)
    if blind is not None:
        extra += _in_case(reading, [*picks, *extra], blind, limit)
    elif relevant:
        extra += _word_columns(reading, {pick.reference for pick in (*picks, *extra)})
    missed = [other for other in others if other not in beside][:NEAR_MISSES]
    extra += _fill_picks(reading, [*picks, *extra], likely)
    return [*picks, *extra][:limit], _made(reading, missed)


def _fill_picks(reading: TableReading, picks: Sequence[Pick], likely: Sequence[int]) -> list[Pick]:
    """Cards that are likely meant, beside those that are shown already."""
    columns = {column for pick in picks for column in pick.columns}
    scores = dict(reading.cover.ranked)
    more = [card for card in likely if columns.isdisjoint(reading.cards.cards[card].columns)]
    words = {card: reading.evidence.get(card, Evidence(card, {}, 0.0)) for card in more}
    cards = [CoverCard(words[c], scores.get(c, 0.0), frozenset(words[c].words)) for c in more]
    return _made(reading, cards)


def _made(reading: TableReading, cards: Sequence[CoverCard]) -> list[Pick]:
    return picks_of(reading.asked, reading.name, reading.table, reading.cards, cards)


def _beside(
    cards: Sequence[CoverCard], others: Sequence[CoverCard], rest: frozenset[int], most: int
) -> list[CoverCard]:
    """Who explains the same words nearly as well as those that were taken, or words left open."""
    extra: list[CoverCard] = []
    for one in cards:
        rivals = [
            other
            for other in others
            if other not in extra
            and one.places & other.places
            and other.score >= NEARLY * one.score
        ]
        many = BESIDE_DESCRIBED if one.evidence.how == "description" else most
        extra += rivals[:many]
    for place in sorted(rest):
        more = [other for other in others if place in other.places and other not in extra]
        extra += more[:most]
    return extra


def _word_columns(reading: TableReading, references: set[str]) -> list[Pick]:
    """Columns of words, where the question has a code that may be a cell of one."""
    query = reading.asked
    codes = [word for place, word in enumerate(query.words) if place in reading.cover.open]
    code = next((word.text for word in codes if word.literal), "")
    if not code:
        return []
    columns = [
        card.reference
        for card in reading.cards.cards
        if card.family is None
        and card.reference not in references
        and reading.table.kind(card.reference) == "text"
    ]
    reason = f"may hold {code!r}"
    return [_plain(reading, column, reason) for column in columns[:WORD_COLUMNS]]


def _in_case(reading: TableReading, picks: Sequence[Pick], blind: Blind, limit: int) -> list[Pick]:
    """Columns that may be keys or hold a word of the question; the first ones if none fits."""
    references = {pick.reference for pick in picks}
    single = [c for c in reading.cards.cards if c.family is None and c.reference not in references]
    keys = [
        card.reference
        for card in single
        if card.reference.casefold() in blind.shared or _KEY & set(map(stem, card.words[-1:]))
    ][:KEYS]
    texts = [c.reference for c in single if reading.table.kind(c.reference) != "number"]
    texts = [reference for reference in texts if reference not in keys][:WORD_COLUMNS]
    extra = [_plain(reading, one, "may serve to join or name rows") for one in keys]
    extra += [_plain(reading, one, "may hold a word of the question") for one in texts]
    if not picks:
        reason = "one of the first columns; no name has a word of the question"
        first = [c for c in single if c.reference not in (*keys, *texts)]
        extra += [_plain(reading, c.reference, reason) for c in first[: max(limit - len(extra), 0)]]
    return extra


def _whole(reading: TableReading, picks: Sequence[Pick]) -> list[Pick]:
    """Every column of a small table in its order, those that are meant with their reasons."""
    by_column = {column: pick for pick in picks for column in pick.columns}
    listing = []
    for column in reading.table.columns:
        pick = _plain(reading, column, "the table is small")
        if column in by_column:
            match = by_column[column]
            update = {"score": match.score, "reason": match.reason, "resolved": True}
            pick = pick.model_copy(update=update)
        listing.append(pick)
    return listing


def _plain(reading: TableReading, column: str, reason: str) -> Pick:
    return Pick(
        table=reading.name,
        reference=column,
        columns=(column,),
        kind=reading.table.kind(column),
        reason=reason,
        meaning=reading.cards.meaning(column, reading.asked.text),
    )
