"""What is taken: the columns of a card that a question means, and the reason a person reads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wideleaf.retrieval.cards.card_index import CardIndex
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.cards.domains import Domain
from wideleaf.retrieval.evidence.cover import CoverCard
from wideleaf.retrieval.selection import Pick
from wideleaf.retrieval.words.axes import assign
from wideleaf.retrieval.words.dates import date_key, date_ranges, said_dates
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.query import Query
from wideleaf.retrieval.words.stems import irregular_verbs, stem
from wideleaf.tools.tables.families import Family
from wideleaf.tools.tables.table import Table


def find_members(query: Query, family: Family) -> tuple[str, ...]:
    """The columns of a family along categories or dates that a question says.

    Args:
        query: The question.
        family: The family; where along numbers is said by slots (`axes.members_at`).

    Returns:
        Columns in the order of the axis; none where the question says none.
    """
    return _dates(query, family) if family.axis == "date" else _levels(query, family)


def _dates(query: Query, family: Family) -> tuple[str, ...]:
    """Members of a date, or within a longer time, or of a stretch from one to another."""
    headers = date_headers(family)
    ranges = date_ranges(query.text, headers)
    ends = [(one.key, other.key) for one, other in ranges]
    bounds = {one for pair in ranges for one in pair}
    ends += [(one.key, one.key) for one in said_dates(query.text, headers) if one not in bounds]
    columns = []
    for value, column in family.members:
        key = date_key(str(value))
        if any(low <= key[: len(low)] and key[: len(high)] <= high for low, high in ends):
            columns.append(column)
    return tuple(columns)


def date_headers(family: Family) -> dict[str, str]:
    """The dates of a family as its headers write them, in lower case, and the key of each."""
    first, last = len(family.stem), len(family.tail)
    return {
        column[first : len(column) - last].casefold(): date_key(str(value))
        for value, column in family.members
    }


def _levels(query: Query, family: Family) -> tuple[str, ...]:
    """Levels all of whose words the question has; of two, the one that says more."""
    stems = {word.stem for word in query.words if word.weight or word.text == "all"}
    levels = {
        column: frozenset(map(stem, header_words(str(value)))) for value, column in family.members
    }
    there = {column: level for column, level in levels.items() if level and level <= stems}
    if there and "all" in stems:  # all Early Conventional are Early Conventional Main, too
        return tuple(
            column
            for column, level in levels.items()
            if any(one <= level for one in there.values())
        )
    return tuple(
        column
        for column, level in there.items()
        if not any(level < other for other in there.values())
    )


_ASK_WORDS = "which what list each per every by distinct different name names"
_WORDS_AFTER = """that with of where having in have has are were was is whose from for without over
when which record records row rows entry entries there"""
_SMALL_WORDS = "the all of these those any"
_ASKS, _AFTER, _SPAN, _SMALL = (
    frozenset(words.split())
    for words in (_ASK_WORDS, _WORDS_AFTER, "to through until", _SMALL_WORDS)
)
MIN_MERGED = 3


def picks_of(
    query: Query, name: str, table: Table, index: CardIndex, cards: Sequence[CoverCard]
) -> list[Pick]:
    """Cards as picks: the members the question means of each, and why."""
    columns = resolve_cards(query, index, cards)
    return [_pick(query, name, table, index, one, columns[one.evidence.card]) for one in cards]


def _pick(
    query: Query,
    name: str,
    table: Table,
    index: CardIndex,
    one: CoverCard,
    columns: tuple[str, ...],
) -> Pick:
    card = index.cards[one.evidence.card]
    reason = _reason(query, one)
    if len(columns) < len(card.columns):
        reason += f"; the question means {len(columns)} of {len(card.columns)}"
    return make_pick(card, name, table, columns, one.score, reason, query.text)


def pick_domain(query: Query, name: str, table: Table, domain: Domain) -> Pick:
    """A whole cluster as a pick."""
    words = " ".join(query.words[place].text for place in sorted(domain.places))
    columns = domain.cluster.columns
    kinds = {table.kind(card.columns[0]) for card in domain.cluster.cards}
    return Pick(
        table=name,
        reference=domain.cluster.reference,
        columns=columns,
        kind=kinds.pop() if len(kinds) == 1 else "mixed",
        members=len(columns),
        score=1.0,
        reason=f"all columns that begin so; the question says {words!r}",
        resolved=True,
    )


def merge_picks(picks: Sequence[Pick], table: Table) -> list[Pick]:
    """Picks of the same words whose columns are all that begin alike, as one pick of them all."""
    joint_picks: list[Pick] = []
    groups: dict[tuple[str, str], list[Pick]] = {}
    for pick in picks:
        groups.setdefault((pick.reason, _begin(pick)), []).append(pick)
    for group in groups.values():
        columns = tuple(column for pick in group for column in pick.columns)
        begin = _common(columns)
        whole = tuple(column for column in table.columns if column.startswith(begin))
        if len(group) >= MIN_MERGED and set(whole) == set(columns):
            joint_picks.append(
                group[0].model_copy(
                    update={
                        "reference": f"{begin}*",
                        "columns": whole,
                        "members": len(whole),
                        # What is left of the names are levels: cropWheat, cropBarley.
                        "axis": "category"
                        if all(c[len(begin) :][:1].isupper() for c in whole)
                        else "",
                    }
                )
            )
        else:
            joint_picks += group
    return joint_picks


def _common(names: Sequence[str]) -> str:
    """What all names begin with."""
    first, last = min(names), max(names)
    size = next(
        (n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first)
    )
    return first[:size]


def _begin(pick: Pick) -> str:
    return pick.reference.partition("{")[0] if len(pick.columns) < pick.members else ""


def resolve_cards(
    query: Query, index: CardIndex, cards: Sequence[CoverCard]
) -> dict[int, tuple[str, ...]]:
    """The columns that are meant of each card, all of them where the question does not say.

    Args:
        query: The question.
        index: The cards.
        cards: The cards taken; a slot goes to the one it stands nearest to.

    Returns:
        Columns by the card's place.
    """
    by_place: dict[int, tuple[str, ...]] = {}
    axes = {}
    for one in cards:
        place = one.evidence.card
        card = index.cards[place]
        by_place[place] = card.columns
        if card.family is None:
            continue
        if one.evidence.columns:
            names = tuple(dict.fromkeys(one.evidence.columns))
            by_place[place] = _between(query, card.family, names)
        elif card.family.axis == "number":
            stems = frozenset(map(stem, (*card.words, *card.expanded, *card.told)))
            values = [float(value) for value, _ in card.family.members]
            places = one.places or one.evidence.words
            axes[place] = (sorted(places), values, stems)
        else:
            by_place[place] = find_members(query, card.family) or card.columns
    for place, members in assign(query.slots, axes).items():
        columns = index.cards[place].columns
        by_place[place] = tuple(columns[member] for member in members)
    return by_place


def _between(query: Query, family: Family, names: tuple[str, ...]) -> tuple[str, ...]:
    """Members that are named, with those between two of them where the question says "to"."""
    if len(names) != 2:
        return names
    ends = [
        (first, last)
        for token, first, last in query.tokens
        if token.casefold() in {column.casefold() for column in names}
    ]
    words = {word.text for one, two in pairwise(ends) for word in query.words[one[1] : two[0]]}
    if not words & _SPAN:
        return names
    places = sorted(family.columns.index(column) for column in names)
    return family.columns[places[0] : places[1] + 1]


def without_rows(query: Query, index: CardIndex, cards: Sequence[CoverCard]) -> list[CoverCard]:
    """What was chosen without columns that only say what a row is: "plots that have ..."."""
    rows = [
        one
        for one in cards
        if index.cards[one.evidence.card].family is None
        and sum(part.telling for part in index.parts[one.evidence.card]) == 1
        and one.places & one.evidence.named
        and all(_is_row(query, place) for place in one.places & one.evidence.named)
    ]
    return [one for one in cards if one not in rows] if len(rows) < len(cards) else list(cards)


def _is_row(query: Query, place: int) -> bool:
    word = query.words[place]
    before = [w.text for w in query.words[:place] if w.clause == word.clause]
    whole = before[-2:-1] == ["of"] and before[-1:] in (["every"], ["each"])
    before = [text for text in before if text not in _SMALL][-1:]
    after = [w.text for w in query.words[place + 1 : place + 2] if w.clause == word.clause]
    if whole:  # "of every trial" is of all rows; "for each trial" may group them
        return True
    if _ASKS & set(before) or word.literal:
        return False
    many = word.text.endswith("s") or bool(after and after[0] in ("records", "rows", "record"))
    return many and (
        not after or after[0] in _AFTER or after[0].endswith("ed") or after[0] in irregular_verbs()
    )


def _reason(query: Query, one: CoverCard) -> str:
    words = " ".join(query.words[place].text for place in sorted(one.places or one.evidence.words))
    if one.evidence.how == "description":
        return f"its description is nearest to {words!r}"
    if one.evidence.how == "meaning":
        return f"means nearly the same as {words!r}"
    if one.evidence.how == "cells":
        return f"has {words!r} among its values"
    if one.evidence.how == "written":
        return f"the question writes {words!r}"
    return f"shares {words!r}"


def make_pick(
    card: Card,
    name: str,
    table: Table,
    columns: tuple[str, ...],
    score: float,
    reason: str,
    question: str,
) -> Pick:
    """A card as a pick.

    Args:
        card: The card.
        name: Name of its table.
        table: The table.
        columns: Those of its columns that are meant.
        score: How well it fits.
        reason: Why it was picked.
        question: The user's words.
    """
    return Pick(
        table=name,
        reference=card.reference,
        columns=columns,
        kind=table.kind(card.columns[0]),
        axis=card.family.axis if card.family else "",
        members=len(card.columns),
        score=round(score, 4),
        reason=reason,
        meaning=card.meaning(question),
    )
