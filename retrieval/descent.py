"""The descent: from tables over clusters to the columns a question means (TSO, Algorithm 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.retrieval.cards.card_index import CardIndex, card_index
from wideleaf.retrieval.cards.cards import about
from wideleaf.retrieval.cards.domains import Domain, domains, domains_near
from wideleaf.retrieval.evidence.beyond_names import (
    CANDIDATES,
    NEIGHBOURS,
    OWN,
    CellProfiles,
    by_cells,
    by_description,
    by_meaning,
    core,
    merge_evidence,
    name_coverage,
)
from wideleaf.retrieval.evidence.by_name import Evidence, by_name
from wideleaf.retrieval.evidence.cover import cover
from wideleaf.retrieval.evidence.in_case import PHRASES, RANKED, is_sure, likely_cards
from wideleaf.retrieval.evidence.picks import Blind, TableReading, choose_picks
from wideleaf.retrieval.evidence.rewording import Rewording, reword
from wideleaf.retrieval.index.build import BuildProgress, table_key
from wideleaf.retrieval.selection import FEW_COLUMNS, Pick, Selection
from wideleaf.retrieval.words.query import Query, name_stems, read_question
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.retrieval.index.vector_store import VectorStore
    from wideleaf.retrieval.vectors.embedder import Embedder
    from wideleaf.retrieval.vectors.search import Near

NEAR_MISSES = 8
MANY_TEXTS = 500
FEW_TABLES = 8
"""More tables than this are compared by meaning, too, where words leave a question open."""
NAMED = 0.5
"""What a word of a table's name that the question has adds to the table's score."""
TABLES = 0.5
"""A wide table that explains less of the question than this share of the best is left aside."""


class IndexRetriever:
    """Chooses columns by names, cells and, with an embedder, the meanings kept in the index.

    Args:
        folder: Where the index is kept.
        embedder: Who makes vectors; without one meanings are not compared.
        fingerprints: Content fingerprint of each table by name, for its kept profile.
        told: Is told what long work is under way.
    """

    def __init__(
        self,
        folder: Path,
        embedder: Embedder | None = None,
        fingerprints: Mapping[str, str] | None = None,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self._folder, self._embedder = folder, embedder
        self._told = told
        self._cells = CellProfiles(folder, dict(fingerprints or {}))
        self._store: VectorStore | None = None
        self._put: set[str] = set()

    def select(self, question: str, tables: Mapping[str, Table], limit: int = 24) -> Selection:
        """Choose the columns of these tables that a question means, and a few in case."""
        asked = read_question(question)
        readings = self._readings(asked, tables)
        scores = self._table_scores(asked, readings)
        most = max(scores.values(), default=0.0)
        blind = Blind(_shared_names(tables)) if self._embedder is None else None
        picks: list[Pick] = []
        near: list[Pick] = []
        for reading in readings:
            score = scores[reading.name]
            meant = score >= TABLES * most
            likely = self._likely(reading, limit) if meant else []
            found, missed = choose_picks(reading, limit, meant, blind, likely)
            picks += found
            near += missed
        aside = {
            r.name: len(r.table.columns)
            - len({c for p in picks if p.table == r.name for c in p.columns})
            for r in readings
        }
        near.sort(key=lambda pick: -pick.score)
        return Selection(
            picks=tuple(picks), aside=aside, near=tuple(near[:NEAR_MISSES]), tables=scores
        )

    def reword(self, question: str, tables: Mapping[str, Table]) -> Rewording | None:
        """The question in the words of the wide table it is about; None where it has them."""
        asked = read_question(question)
        readings = self._readings(asked, tables)
        best = max(readings, key=lambda one: one.cover.explained, default=None)
        if best is None or not best.wide:
            return None
        return reword(best.asked, best.cards, best.cover.chosen)

    def _readings(self, asked: Query, tables: Mapping[str, Table]) -> list[TableReading]:
        """What each table has to say: by words first, by meaning of what no table's words say."""
        readings = [self._read(asked, name, table) for name, table in tables.items()]
        if self._embedder is None or not readings:
            return readings
        left = frozenset[int].intersection(*(one.open for one in readings))
        return [self._deepened(one, one.open & left) if one.wide else one for one in readings]

    def _table_scores(self, asked: Query, readings: Sequence[TableReading]) -> dict[str, float]:
        """The first level: how much each table explains, by its columns, its name, its meaning."""
        scores = {
            r.name: r.cover.explained + NAMED * len(asked.stems & name_stems(r.name))
            for r in readings
        }
        left = frozenset[int].intersection(*(r.open for r in readings)) if readings else ()
        many = len(readings) > FEW_TABLES or sum(r.wide for r in readings) > 1
        if many and left and self._embedder is not None:
            keys = {r.name: table_key(r.table) for r in readings}
            store = self._opened({r.name: r.table for r in readings})
            found = store.nearest("table", [asked.text], list(keys.values()), 1)[0]
            for name, key in keys.items():
                scores[name] += max((near.score for near in found.get(key, [])), default=0.0)
        return scores

    def _read(self, asked: Query, name: str, table: Table) -> TableReading:
        """The levels below: clusters that are meant whole, and columns."""
        cards = card_index(table.columns, about(table))
        asked = asked.of_table(name_stems(name))
        evidence = by_name(cards, asked)
        wide = len(table.columns) > FEW_COLUMNS
        if wide:
            places = {c: place for place, card in enumerate(cards.cards) for c in card.columns}
            profiles = self._cells.profiles(name, table)
            evidence = merge_evidence(evidence, by_cells(asked, profiles, places))
        if wide and cards.described:
            evidence = self._by_description(asked, name, table, cards, evidence)
        found = cover(asked, cards, evidence.values())
        whole = tuple(domains(asked, cards.clusters, found.open, table.schema))
        return TableReading(asked, name, table, cards, evidence, found, whole)

    def _deepened(self, one: TableReading, left: frozenset[int]) -> TableReading:
        """A reading with what the words left open are near to in meaning."""
        more, meant = self._by_meaning(one.asked, one.name, one.table, one.cards, left)
        one = one._replace(domains=(*one.domains, *more))
        if not meant:
            return one
        evidence = merge_evidence(one.evidence, meant)
        return one._replace(evidence=evidence, cover=cover(one.asked, one.cards, evidence.values()))

    def _by_description(
        self, asked: Query, name: str, table: Table, cards: CardIndex, known: dict[int, Evidence]
    ) -> dict[int, Evidence]:
        """Of many described columns those that the whole question is about, where no name is."""
        if name_coverage(asked, cards, known.values()) >= OWN:
            return known
        own = {c: one for c, one in known.items() if one.how in ("written", "cells")}
        left = asked.telling.difference(*(one.named for one in own.values()))
        near: list[Near] = []
        if self._embedder is not None and left:
            store, key = self._opened({name: table}), table_key(table)
            found = store.nearest("column", [core(asked, left)], [key], CANDIDATES)
            near = found[0].get(key, [])
        places = {card.reference: place for place, card in enumerate(cards.cards)}
        return merge_evidence(own, by_description(asked, cards, left, near, places))

    def _by_meaning(
        self, asked: Query, name: str, table: Table, cards: CardIndex, left: frozenset[int]
    ) -> tuple[tuple[Domain, ...], dict[int, Evidence]]:
        """What the spans around unexplained words are near to: clusters, then columns."""
        spans = asked.spans(left)
        if not spans:
            return (), {}
        store, key = self._opened({name: table}), table_key(table)
        texts = [asked.text_between(*span) for span in spans]
        groups = [found.get(key, []) for found in store.nearest("cluster", texts, [key], 1)]
        whole = tuple(domains_near(asked, spans, groups, cards.clusters))
        left = left.difference(*(domain.places for domain in whole))
        near = store.nearest("column", texts, [key], NEIGHBOURS)
        places = {card.reference: place for place, card in enumerate(cards.cards)}
        hits = [found.get(key, []) for found in near]
        return whole, by_meaning(asked, spans, hits, places, left)

    def _likely(self, one: TableReading, limit: int) -> list[int]:
        """Cards to fill up with where names, cells and categories leave a question open."""
        if not one.wide or is_sure(one.cover, one.open):
            return []
        near: list[dict[int, float]] = []
        if self._embedder is not None:
            store, key = self._opened({one.name: one.table}), table_key(one.table)
            places = {card.reference: place for place, card in enumerate(one.cards.cards)}
            spans = one.asked.spans(one.asked.telling)[:PHRASES]
            texts = [one.asked.text, *(one.asked.text_between(*span) for span in spans)]
            for found in store.nearest("column", texts, [key], RANKED):
                hits = found.get(key, [])
                near.append({places[h.reference]: h.score for h in hits if h.reference in places})
        telling = one.asked.telling
        ranked = [c for c, _ in one.cover.ranked if not telling.isdisjoint(one.evidence[c].words)]
        return likely_cards(one.asked, one.cards, ranked, near)[:limit]

    def _opened(self, tables: Mapping[str, Table]) -> VectorStore:
        """The store, with the three levels of these tables in it."""
        from wideleaf.retrieval.index.build import build_index
        from wideleaf.retrieval.index.vector_store import VectorStore

        assert self._embedder is not None
        if self._store is None:
            self._store = VectorStore(self._folder, self._embedder, self._told)
        new = {name: table for name, table in tables.items() if table_key(table) not in self._put}
        if new:  # nothing is embedded of what is there from an earlier run
            build_index(new, {}, self._store, self._folder, self._progress())
            self._put |= {table_key(table) for table in new.values()}
        return self._store

    def _progress(self) -> BuildProgress | None:
        """Says once of each table how much there is to embed, where that takes seconds."""
        said: set[str] = set()

        def tell(part: str, _: int, count: int) -> None:
            if self._told is not None and count >= MANY_TEXTS and part not in said:
                said.add(part)
                self._told(f"{part} {count:,} texts")

        return tell if self._told is not None else None


def rank_columns(question: str, name: str, table: Table) -> dict[str, tuple[int, float]]:
    """Rank, from 1, and score of each column that the words of a question speak for."""
    cards = card_index(table.columns, about(table))
    asked = read_question(question).of_table(name_stems(name))
    ranked = cover(asked, cards, by_name(cards, asked).values()).ranked
    return {
        column: (rank, score)
        for rank, (card, score) in enumerate(ranked, 1)
        for column in cards.cards[card].columns
        if score
    }


def _shared_names(tables: Mapping[str, Table]) -> set[str]:
    """Names, case folded, that columns of several tables have."""
    counts = Counter(
        name for table in tables.values() for name in {c.casefold() for c in table.columns}
    )
    return {name for name, count in counts.items() if count > 1}
