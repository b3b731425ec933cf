"""A retriever that chooses columns by TSO's Algorithms 1 and 2, in place of the descent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.retrieval.index.build import table_key
from wideleaf.retrieval.index.chroma_folder import Tell
from wideleaf.retrieval.index.vector_store import VectorStore
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.tso import (
    Clustering,
    DescribeColumn,
    Level,
    Relevant,
    Stores,
    Summarise,
    Thresholds,
    Validate,
    build_vector_stores,
    describe_by_name,
    kmeans,
    query_relevant_columns,
    summarise_by_words,
)
from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors


class TsoRetriever:
    """Chooses columns by Algorithms 1 and 2; the vectors are kept in the index of a folder.

    Nothing is added to what the algorithm returns of a wide table: where nothing passes the
    thresholds, nothing is chosen.

    Args:
        embedder: Turns descriptions and questions into vectors.
        thresholds: θt, θc and θl; by default those of `NEAREST` for each question.
        describe: Describes a column; by default by its name's words.
        summarise: Describes clusters and tables; by default by frequent words.
        summaries: What was said of tables and groups of their columns, see `build_vector_stores`.
        cluster: Puts columns into clusters by their vectors.
        whole: Tables of at most so many columns are chosen whole beside it; by default none.
        folder: The folder of a run, whose index keeps the vectors; by default none are kept.
        told: Told how far the index is.
    """

    def __init__(
        self,
        embedder: Embedder,
        thresholds: Thresholds | None = None,
        *,
        describe: DescribeColumn = describe_by_name,
        summarise: Summarise = summarise_by_words,
        summaries: Mapping[str, Mapping[str, str]] | None = None,
        cluster: Clustering = kmeans,
        whole: int = 0,
        folder: Path | None = None,
        told: Tell | None = None,
    ) -> None:
        self._few = whole
        self._told = told or (lambda message: None)
        self._store = VectorStore(folder, embedder, told) if folder else None
        self.embedder = embedder
        self.thresholds = thresholds
        self._describe, self._summarise, self._cluster = describe, summarise, cluster
        self._summaries = summaries
        self._kept: tuple[object, Stores] | None = None

    def stores(self, tables: Mapping[str, Table]) -> Stores:
        """The vector stores of these tables, built where they are not those of the last time."""
        key = [(name, table.columns, dict(table.about)) for name, table in tables.items()]
        if self._kept is None or self._kept[0] != key:
            stores = build_vector_stores(
                tables,
                self.embedder,
                self._describe,
                self._summarise,
                self._cluster,
                self._summaries,
                partial(self._vectors, tables, self._store) if self._store else None,
            )
            self._kept = (key, stores)
        return self._kept[1]

    def select(
        self,
        question: str,
        tables: Mapping[str, Table],
        limit: int = 24,
        validate: Validate | None = None,
    ) -> Selection:
        """Choose the columns of these tables that may matter to a question.

        All that Algorithm 2 returns is chosen, whatever the limit: it has none.

        Args:
            question: The question.
            tables: The tables by name.
            limit: Of other retrievers.
            validate: Judges what passed a threshold; without one all of it is relevant.
        """
        picks = [
            _pick(one, tables, f"as similar to the question as {one.score:.2f}")
            for one in sorted(self._query(question, tables, validate), key=lambda one: -one.score)
        ]
        references = {(pick.table, pick.reference) for pick in picks}
        few = [name for name, table in tables.items() if len(table.columns) <= self._few]
        beside = [
            Relevant(name, column, 0.0)
            for name in few
            for column in tables[name].columns
            if (name, column) not in references
        ]
        picks += [_pick(one, tables) for one in beside]
        counts = Counter(pick.table for pick in picks)
        aside = {name: len(table.columns) - counts[name] for name, table in tables.items()}
        return Selection(picks=tuple(picks), aside=aside)

    def _vectors(
        self,
        tables: Mapping[str, Table],
        store: VectorStore,
        level: Level,
        table: str,
        ids: Sequence[str],
        texts: Sequence[str],
    ) -> Vectors:
        """The vectors of a level as the index has them; what is not there is embedded and put."""
        import numpy as np

        # Beside what the descent has of the same table.
        key = f"tso {table_key(tables[table])} {table}"
        records = dict(zip(ids, texts, strict=True))
        store.put(level, key, records, lambda number, of: self._told(f"{table}: {number} of {of}"))
        vectors = store.vectors(level, key) or {}
        if not texts or not vectors.keys() >= records.keys():  # such as names that Chroma refuses
            return self.embedder.embed(texts)
        return np.stack([vectors[one] for one in ids])

    def _query(
        self, question: str, tables: Mapping[str, Table], validate: Validate | None = None
    ) -> list[Relevant]:
        stores = self.stores(tables)
        return query_relevant_columns(question, stores, self.embedder, self.thresholds, validate)


def _pick(one: Relevant, tables: Mapping[str, Table], reason: str = "") -> Pick:
    return Pick(
        table=one.table,
        reference=one.column,
        columns=(one.column,),
        kind=tables[one.table].kind(one.column),
        score=round(one.score, 4),
        reason=reason,
        resolved=bool(reason),
    )
