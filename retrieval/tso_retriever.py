"""A retriever that chooses columns by TSO's Algorithms 1 and 2, in place of the descent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.tso import (
    PUBLISHED,
    Clustering,
    DescribeColumn,
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


class TsoRetriever:
    """Chooses columns by Algorithms 1 and 2; the stores of the last tables are kept.

    Nothing is added to what the algorithm returns of a wide table: where nothing passes the
    thresholds, nothing is chosen.

    Args:
        embedder: Turns descriptions and questions into vectors.
        thresholds: θt, θc and θl.
        describe: Describes a column; by default by its name's words.
        summarise: Describes clusters and tables; by default by frequent words.
        validate: Judges what passed a threshold; without one all of it is relevant.
        validate_whole: Whether all columns of a cluster are relevant; without one, never.
        cluster: Puts columns into clusters by their vectors.
        whole: Tables of at most so many columns are chosen whole beside it; by default none.
    """

    def __init__(
        self,
        embedder: Embedder,
        thresholds: Thresholds = PUBLISHED,
        *,
        describe: DescribeColumn = describe_by_name,
        summarise: Summarise = summarise_by_words,
        validate: Validate | None = None,
        validate_whole: Validate | None = None,
        cluster: Clustering = kmeans,
        whole: int = 0,
    ) -> None:
        self._few = whole
        self.embedder = embedder
        self.thresholds = thresholds
        self._describe, self._summarise, self._cluster = describe, summarise, cluster
        self._validate, self._whole = validate, validate_whole
        self._kept: tuple[object, Stores] | None = None

    def stores(self, tables: Mapping[str, Table]) -> Stores:
        """The vector stores of these tables, built where they are not those of the last time."""
        key = [(name, table.columns, dict(table.about)) for name, table in tables.items()]
        if self._kept is None or self._kept[0] != key:
            built = build_vector_stores(
                tables, self.embedder, self._describe, self._summarise, self._cluster
            )
            self._kept = (key, built)
        return self._kept[1]

    def relevant_columns(self, question: str, tables: Mapping[str, Table]) -> set[tuple[str, str]]:
        """Pairs of a table and a column, all that Algorithm 2 returns."""
        return {(one.table, one.column) for one in self._query(question, tables)}

    def select(self, question: str, tables: Mapping[str, Table], limit: int = 24) -> Selection:
        """Choose the columns of these tables that may matter to a question.

        All that Algorithm 2 returns is chosen, whatever the limit: it has none.
        """
        picks = [
            _pick(one, tables, f"as similar to the question as {one.score:.2f}")
            for one in sorted(self._query(question, tables), key=lambda one: -one.score)
        ]
        known = {(pick.table, pick.reference) for pick in picks}
        few = [name for name, table in tables.items() if len(table.columns) <= self._few]
        beside = [
            Relevant(name, column, 0.0)
            for name in few
            for column in tables[name].columns
            if (name, column) not in known
        ]
        picks += [_pick(one, tables) for one in beside]
        taken = Counter(pick.table for pick in picks)
        aside = {name: len(table.columns) - taken[name] for name, table in tables.items()}
        return Selection(picks=tuple(picks), aside=aside)

    def _query(self, question: str, tables: Mapping[str, Table]) -> list[Relevant]:
        return query_relevant_columns(
            question,
            self.stores(tables),
            self.embedder,
            self.thresholds,
            self._validate,
            self._whole,
        )


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
