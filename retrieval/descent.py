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
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._folder, self._embedder = folder, embedder
        self._told = tell
        self._cells = CellProfiles(folder, dict(fingerprints or {}))
        self._store: VectorStore | None = None
        self._put: set[str] = set()

    def select(self, question: str, tables: Mapping[str, Table], limit: int = 24) -> Selection:
        """Choose the columns of these tables that a question means, and a few in case."""
        query = read_question(question)
        readings = self._readings(query, tables)
        scores = self._table_scores(query, readings)
        most = max(scores.values(), default=0.0)
        blind = Blind(_find_shared_names(tables)) if self._embedder is None else None
        picks: list[Pick] = []
        near: list[Pick] = []
        for reading in readings:
            score = scores[reading.name]
            relevant = score >= TABLES * most
            likely = self._likely(reading, limit) if relevant else []
            hits, missed = choose_picks(reading, limit, relevant, blind, likely)
            picks += hits
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
        query = read_question(question)
        readings = self._readings(query, tables)
        best = max(readings, key=lambda one: one.cover.explained, default=None)
        if best is None or not best.wide:
            return None
        return reword(best.asked, best.cards, best.cover.chosen)

    def _readings(self, query: Query, tables: Mapping[str, Table]) -> list[TableReading]:
        """What each table has to say: by words first, by meaning of what no table's words say."""
        readings = [self._read(query, name, table) for name, table in tables.items()]
        if self._embedder is None or not readings:
            return readings
        rest = frozenset[int].intersection(*(one.open for one in readings))
        return [self._deepen_reading(one, one.open & rest) if one.wide else one for one in readings]

    def _table_scores(self, query: Query, readings: Sequence[TableReading]) -> dict[str, float]:
        """The first level: how much each table explains, by its columns, its name, its meaning."""
        scores = {
            r.name: r.cover.explained + NAMED * len(query.stems & name_stems(r.name))
            for r in readings
        }
        rest = frozenset[int].intersection(*(r.open for r in readings)) if readings else ()
        many = len(readings) > FEW_TABLES or sum(r.wide for r in readings) > 1
        if many and rest and self._embedder is not None:
            keys = {r.name: table_key(r.table) for r in readings}
            store = self._open_store({r.name: r.table for r in readings})
            by_table = store.nearest("table", [query.text], list(keys.values()), 1)[0]
            for name, key in keys.items():
                scores[name] += max((near.score for near in by_table.get(key, [])), default=0.0)
        return scores

    def _read(self, query: Query, name: str, table: Table) -> TableReading:
        """The levels below: clusters that are meant whole, and columns."""
        cards = card_index(table.columns, about(table))
        query = query.of_table(name_stems(name))
        evidence = by_name(cards, query)
        wide = len(table.columns) > FEW_COLUMNS
        if wide:
            places = {c: place for place, card in enumerate(cards.cards) for c in card.columns}
            profiles = self._cells.profiles(name, table)
            evidence = merge_evidence(evidence, by_cells(query, profiles, places))
        if wide and cards.described:
            evidence = self._by_description(query, name, table, cards, evidence)
        coverage = cover(query, cards, evidence.values())
        whole = tuple(domains(query, cards.clusters, coverage.open, table.schema))
        return TableReading(query, name, table, cards, evidence, coverage, whole)

    def _deepen_reading(self, one: TableReading, rest: frozenset[int]) -> TableReading:
        """A reading with what the words left open are near to in meaning."""
        more, meanings = self._by_meaning(one.asked, one.name, one.table, one.cards, rest)
        one = one._replace(domains=(*one.domains, *more))
        if not meanings:
            return one
        evidence = merge_evidence(one.evidence, meanings)
        return one._replace(evidence=evidence, cover=cover(one.asked, one.cards, evidence.values()))

    def _by_description(
        self, query: Query, name: str, table: Table, cards: CardIndex, evidence: dict[int, Evidence]
    ) -> dict[int, Evidence]:
        """Of many described columns those that the whole question is about, where no name is."""
        if name_coverage(query, cards, evidence.values()) >= OWN:
            return evidence
        own = {c: one for c, one in evidence.items() if one.how in ("written", "cells")}
        rest = query.telling.difference(*(one.named for one in own.values()))
        near: list[Near] = []
        if self._embedder is not None and rest:
            store, key = self._open_store({name: table}), table_key(table)
            hits = store.nearest("column", [core(query, rest)], [key], CANDIDATES)
            near = hits[0].get(key, [])
        places = {card.reference: place for place, card in enumerate(cards.cards)}
        return merge_evidence(own, by_description(query, cards, rest, near, places))

    def _by_meaning(
        self, query: Query, name: str, table: Table, cards: CardIndex, rest: frozenset[int]
    ) -> tuple[tuple[Domain, ...], dict[int, Evidence]]:
        """What the spans around unexplained words are near to: clusters, then columns."""
        spans = query.spans(rest)
        if not spans:
            return (), {}
        store, key = self._open_store({name: table}), table_key(table)
        texts = [query.text_between(*span) for span in spans]
        groups = [by_table.get(key, []) for by_table in store.nearest("cluster", texts, [key], 1)]
        whole = tuple(domains_near(query, spans, groups, cards.clusters))
        rest = rest.difference(*(domain.places for domain in whole))
        near = store.nearest("column", texts, [key], NEIGHBOURS)
        places = {card.reference: place for place, card in enumerate(cards.cards)}
        hits = [by_table.get(key, []) for by_table in near]
        return whole, by_meaning(query, spans, hits, places, rest)

    def _likely(self, one: TableReading, limit: int) -> list[int]:
        """Cards to fill up with where names, cells and categories leave a question open."""
        if not one.wide or is_sure(one.cover, one.open):
            return []
        near: list[dict[int, float]] = []
        if self._embedder is not None:
            store, key = self._open_store({one.name: one.table}), table_key(one.table)
            places = {card.reference: place for place, card in enumerate(one.cards.cards)}
            spans = one.asked.spans(one.asked.telling)[:PHRASES]
            texts = [one.asked.text, *(one.asked.text_between(*span) for span in spans)]
            for by_table in store.nearest("column", texts, [key], RANKED):
                hits = by_table.get(key, [])
                near.append({places[h.reference]: h.score for h in hits if h.reference in places})
        telling = one.asked.telling
        ranked = [c for c, _ in one.cover.ranked if not telling.isdisjoint(one.evidence[c].words)]
        return likely_cards(one.asked, one.cards, ranked, near)[:limit]

    def _open_store(self, tables: Mapping[str, Table]) -> VectorStore:
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
        parts: set[str] = set()

        def tell(part: str, _: int, count: int) -> None:
            if self._told is not None and count >= MANY_TEXTS and part not in parts:
                parts.add(part)
                self._told(f"{part} {count:,} texts")

        return tell if self._told is not None else None


def rank_columns(question: str, name: str, table: Table) -> dict[str, tuple[int, float]]:
    """Rank, from 1, and score of each column that the words of a question speak for."""
    cards = card_index(table.columns, about(table))
    query = read_question(question).of_table(name_stems(name))
    ranked = cover(query, cards, by_name(cards, query).values()).ranked
    return {
        column: (rank, score)
        for rank, (card, score) in enumerate(ranked, 1)
        for column in cards.cards[card].columns
        if score
    }


def _find_shared_names(tables: Mapping[str, Table]) -> set[str]:
    """Names, case folded, that columns of several tables have."""
    counts = Counter(
        name for table in tables.values() for name in {c.casefold() for c in table.columns}
    )
    return {name for name, count in counts.items() if count > 1}
