"""Selection by words alone: BM25 over cards, with phrases, near spellings and resolved slots."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from wideleaf.retrieval.cards.cards import Card, make_cards
from wideleaf.retrieval.evidence.taken import picked
from wideleaf.retrieval.selection import FEW_COLUMNS, Pick, Selection
from wideleaf.retrieval.words.bm25 import Bm25, stem
from wideleaf.retrieval.words.mentions import meant_members
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.question_words import IMPLIED, asked_words, known_words
from wideleaf.tools.tables.table import Table

OWN, TOLD, EXPANDED, LEVEL = 1.0, 0.9, 0.7, 0.4
"""What a word of a card weighs: of its name, of what the user says it means, of an abbreviation
written out, of a category."""
PHRASE = 0.5
"""Share of two words' rarity that is added where they stand side by side in both."""
WHOLE_NAME = 8.0
TABLE_NAME = 1.0
CUT = 0.35
"""Share of the best score below which a card is left aside."""
KEYS = 3
WORD_COLUMNS = 10
PICKS_A_WORD = 2
"""What a word means is not sure: the best column for it may be another than the one meant."""
KEY_SCORE = 0.01
_WORD = re.compile(r"[^\s,;:?!()\"']+")
_KEYS = "id key code uuid identifier name group type class category year season site region"
_KEY = frozenset(map(stem, _KEYS.split()))


class LexicalRetriever:
    """Chooses columns by the words of their names; needs no model and keeps no state."""

    def select(self, question: str, tables: Mapping[str, Table], limit: int = 24) -> Selection:
        """Choose the columns of these tables that may matter to a question."""
        shared = _shared_names(tables)
        scored: list[Pick] = []
        for name, table in tables.items():
            if len(table.columns) > FEW_COLUMNS:
                hits = _rank(question, name, table.columns, about(table))
                scored += _best(question, name, table, hits, shared, limit)
        scored = sorted(scored, key=lambda pick: -pick.score)[:limit]
        picks: list[Pick] = []
        aside: dict[str, int] = {}
        for name, table in tables.items():
            if len(table.columns) > FEW_COLUMNS:
                chosen = [pick for pick in scored if pick.table == name]
            else:
                chosen = _all(
                    question, name, table, _rank(question, name, table.columns, about(table))
                )
            picks += chosen
            aside[name] = len(table.columns) - len({c for pick in chosen for c in pick.columns})
        return Selection(picks=tuple(picks), aside=aside)


class Hit(NamedTuple):
    """A card that fits a question, how well, and the words they share."""

    card: Card
    score: float
    words: tuple[str, ...]


class Index(NamedTuple):
    """The cards of one table, ready to be searched."""

    cards: tuple[Card, ...]
    bm25: Bm25


@lru_cache(maxsize=64)
def index_columns(names: tuple[str, ...], told: tuple[tuple[str, str], ...] = ()) -> Index:
    """Index the columns of a table by their names and what the user says they mean."""
    cards = make_cards(names, told)
    return Index(cards, Bm25([_bag(card) for card in cards]))


def _bag(card: Card) -> dict[str, float]:
    bag: dict[str, float] = {}
    told = (card.told, TOLD)
    for words, weight in ((card.words, OWN), told, (card.expanded, EXPANDED), (card.levels, LEVEL)):
        for word in words:
            bag.setdefault(stem(word), weight)
    return bag


def rank_columns(question: str, name: str, table: Table) -> dict[str, tuple[int, float]]:
    """Rank, from 1, and score of each column whose card shares a word with the question."""
    hits = _rank(question, name, table.columns, about(table))
    return {
        column: (place, hit.score)
        for place, hit in enumerate(hits, 1)
        for column in hit.card.columns
    }


def about(table: Table) -> tuple[tuple[str, str], ...]:
    """What the user says of a table's columns, as something that can be a key."""
    return tuple(table.about.items())


def _rank(
    question: str, table: str, names: tuple[str, ...], told: tuple[tuple[str, str], ...] = ()
) -> list[Hit]:
    """The cards that share a word with the question, best first."""
    cards, bm25 = index_columns(names, told)
    asked = asked_words(question, table)
    scores: defaultdict[int, float] = defaultdict(float)
    matched: defaultdict[int, list[str]] = defaultdict(list)
    for word, weight in known_words(asked, bm25.rarity).items():
        for place, gain in bm25.gains(word):
            scores[place] += gain * weight
            if weight > IMPLIED:
                matched[place].append(word)
    pairs = set(pairwise(asked))
    folded = f" {' '.join(question.casefold().replace('?', ' ').split())} "
    named = TABLE_NAME * len({stem(word) for word in header_words(table)} & asked.keys())
    for place in scores:
        card = cards[place]
        for words in (card.words, card.told, card.expanded):
            for first, second in pairs.intersection(pairwise(map(stem, words))):
                scores[place] += PHRASE * (bm25.rarity[first] + bm25.rarity[second])
        if f" {card.reference.casefold()} " in folded:
            scores[place] += WHOLE_NAME
        scores[place] += named
    return [
        Hit(cards[place], score, tuple(matched[place]))
        for place, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ]


def _best(
    question: str,
    name: str,
    table: Table,
    hits: Sequence[Hit],
    shared: Collection[str],
    limit: int,
) -> list[Pick]:
    """The hits above the cut, the best few for each word of the question, keys, text columns."""
    floor = CUT * hits[0].score if hits else 0.0
    covered: Counter[str] = Counter()
    picks = _said(question, name, table, hits)
    said = {pick.reference for pick in picks}
    for hit in hits:
        if hit.card.reference in said:
            continue
        if hit.score >= floor or any(covered[word] < PICKS_A_WORD for word in hit.words):
            picks.append(_pick(question, name, table, hit, max(hit.score, floor)))
            covered.update(set(hit.words))
    cards = index_columns(table.columns, about(table)).cards
    taken = {pick.reference for pick in picks}
    keys = [
        card
        for card in cards
        if card.family is None
        and card.reference not in taken
        and (card.reference.casefold() in shared or (card.words and stem(card.words[-1]) in _KEY))
    ]
    taken |= {card.reference for card in keys[:KEYS]}
    words = [
        card
        for card in cards
        if card.family is None
        and card.reference not in taken
        and table.kind(card.reference) != "number"
    ]
    # A question speaks of cells, too: what is not a number is where such a cell may be.
    for reason, found in (
        ("may serve to join or name rows", keys[:KEYS]),
        ("may hold a word of the question", words[:WORD_COLUMNS]),
    ):
        picks += [
            _pick(question, name, table, Hit(card, KEY_SCORE, ()), KEY_SCORE, reason)
            for card in found
        ]
    if not hits:
        reason = "one of the first columns; no name has a word of the question"
        told = {pick.reference for pick in picks}
        rest = [card for card in cards if card.reference not in told]
        picks += [
            _pick(question, name, table, Hit(card, 0.0, ()), 0.0, reason) for card in rest[:limit]
        ]
    return picks


def _said(question: str, name: str, table: Table, hits: Sequence[Hit]) -> list[Pick]:
    """The columns that the question names as they are written, members of families too."""
    words = {word.rstrip(".").casefold() for word in _WORD.findall(question)}
    columns = [column for column in table.columns if column.casefold() in words]
    picks: dict[str, Pick] = {}
    for card in index_columns(table.columns, about(table)).cards if columns else ():
        if found := tuple(column for column in columns if column in card.columns):
            score = max([hit.score for hit in hits], default=0.0) + WHOLE_NAME
            pick = _pick(
                question, name, table, Hit(card, score, ()), score, "the question names it"
            )
            picks[card.reference] = pick.model_copy(update={"columns": found})
    return list(picks.values())


def _pick(question: str, name: str, table: Table, hit: Hit, score: float, reason: str = "") -> Pick:
    card = hit.card
    columns = card.columns
    reason = reason or f"shares {', '.join(hit.words) or 'what an abbreviation stands for'}"
    if card.family is not None:
        stems = {stem(word) for word in (*card.words, *card.expanded)}
        meant = meant_members(card.family, stems, question, asked_words(question))
        if meant and len(meant) < len(columns):
            columns = meant
            reason += f"; the question means {len(meant)} of {len(card.columns)}"
    return picked(card, name, table, columns, score, reason, question)


def _all(question: str, name: str, table: Table, hits: Iterable[Hit]) -> list[Pick]:
    """Every column of a small table; the scores only tell how much the table matters."""
    scores = {column: hit.score for hit in hits for column in hit.card.columns}
    cards = make_cards(table.columns, about(table))
    meanings = {card.reference: card.meaning(question) for card in cards}
    return [
        Pick(
            table=name,
            reference=column,
            columns=(column,),
            kind=table.kind(column),
            score=round(scores.get(column, 0.0), 4),
            reason="the table is small",
            meaning=meanings.get(column, ""),
        )
        for column in table.columns
    ]


def _shared_names(tables: Mapping[str, Table]) -> set[str]:
    """Names, case folded, that columns of several tables have."""
    counts = Counter(
        name for table in tables.values() for name in {c.casefold() for c in table.columns}
    )
    return {name for name, count in counts.items() if count > 1}
