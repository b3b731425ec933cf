"""What the index is compared with: flat searches over all columns, and thresholds tuned for TSO."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.tso import Stores, Thresholds, describe_by_name, kmeans
from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.retrieval.words.bm25 import Bm25
from wideleaf.retrieval.words.names import expand, header_words, tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tables.table import Table

TOP = 20
Vectors = npt.NDArray[np.float32]


class KeptVectors:
    """An embedder that keeps the vectors of tables on disk, so that a benchmark runs again soon.

    A text that comes alone is a question or one table's summary: it is embedded each time, so
    that the time of a query is told as it is.

    Args:
        embedder: Who embeds what is not there.
        folder: Where vectors are kept, one file for each list of texts.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._folder = folder
        self.name = embedder.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, one row a text."""
        if len(texts) == 1:
            return self._embedder.embed(texts)
        key = hashlib.sha256("\0".join([self.name, *texts]).encode()).hexdigest()[:24]
        path = self._folder / f"{key}.npy"
        if path.exists():
            kept: Vectors = np.load(path, allow_pickle=False)
            return kept
        made = self._embedder.embed(texts)
        self._folder.mkdir(parents=True, exist_ok=True)
        np.save(path, made, allow_pickle=False)
        return made


class KeptClusters:
    """A clustering that is kept on disk by the vectors it is of."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, vectors: Vectors) -> list[int]:
        """A cluster's number for each vector, by k-means."""
        key = hashlib.sha256(np.ascontiguousarray(vectors).tobytes()).hexdigest()[:24]
        path = self._folder / f"{key}.clusters.json"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(kmeans(vectors)), "utf-8")
        return [int(label) for label in json.loads(path.read_text("utf-8"))]


class FlatDense:
    """The 20 columns whose descriptions are most similar to the question, of all columns."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[tuple[str, ...], Vectors] = {}

    def select(self, question: str, tables: Mapping[str, Table], limit: int = TOP) -> Selection:
        """Choose columns by cosine alone."""
        query = self._embedder.embed([question])[0]
        scored = [
            (float(near), name, column)
            for name, table in tables.items()
            for near, column in zip(self._vectors(table) @ query, table.columns, strict=True)
        ]
        return chosen(sorted(scored, key=lambda one: -one[0])[:TOP], tables)

    def _vectors(self, table: Table) -> Vectors:
        texts = tuple(describe_by_name(one, table.about.get(one, "")) for one in table.columns)
        if texts not in self._kept:
            self._kept[texts] = self._embedder.embed(texts)
        return self._kept[texts]


class FlatBm25:
    """The 20 columns whose words fit the question best, of all columns, by BM25."""

    def __init__(self) -> None:
        self._kept: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Bm25] = {}

    def select(self, question: str, tables: Mapping[str, Table], limit: int = TOP) -> Selection:
        """Choose columns by BM25 alone."""
        words = tokenise(question)
        asked = {stem(word) for word in (*words, *expand(words))}
        scored: list[tuple[float, int, str, int]] = []
        for rank, (name, table) in enumerate(tables.items()):
            scores: defaultdict[int, float] = defaultdict(float)
            for word in sorted(asked):
                for place, gain in self._index(table).gains(word):
                    scores[place] += gain
            scored += [(-score, rank, name, place) for place, score in scores.items()]
        best = [(-one[0], one[2], tables[one[2]].columns[one[3]]) for one in sorted(scored)[:TOP]]
        return chosen(best, tables)

    def _index(self, table: Table) -> Bm25:
        key = (table.columns, tuple(table.about.items()))
        if key not in self._kept:
            self._kept[key] = Bm25([_bag(one, table.about.get(one, "")) for one in table.columns])
        return self._kept[key]


def chosen(scored: Sequence[tuple[float, str, str]], tables: Mapping[str, Table]) -> Selection:
    """A selection of single columns, from triples of score, table and column, best first."""
    picks = tuple(
        Pick(
            table=name,
            reference=column,
            columns=(column,),
            kind=tables[name].kind(column),
            score=round(score, 4),
            resolved=True,
        )
        for score, name, column in scored
    )
    taken = [pick.table for pick in picks]
    return Selection(
        picks=picks,
        aside={name: len(table.columns) - taken.count(name) for name, table in tables.items()},
    )


class Tuned(NamedTuple):
    """Thresholds, and how they did on the questions they were tuned on."""

    thresholds: Thresholds
    f1: float
    equal: float


def tune(
    stores: Stores,
    embedder: Embedder,
    questions: Sequence[tuple[str, Sequence[frozenset[str]]]],
    progress: Callable[[str], None] = lambda told: None,
) -> Tuned:
    """Thresholds of Algorithm 2 with the best mean F1 of columns, over a grid.

    Args:
        stores: What Algorithm 1 made of the one table that the questions ask of.
        embedder: The same as made the stores.
        questions: Development questions, each with the gold alternatives.
        progress: Told what is under way.
    """
    (name,) = stores.tables.ids
    columns, clusters = stores.columns[name], stores.clusters[name]
    place = {column: n for n, column in enumerate(columns.ids)}
    cluster_of = np.zeros(len(columns.ids), dtype=int)
    for number, members in enumerate(stores.members[name]):
        cluster_of[list(members)] = number
    queries = np.vstack([embedder.embed([question]) for question, _ in questions])
    by_table = queries @ stores.tables.vectors[0]
    by_cluster = queries @ clusters.vectors.T
    by_column = queries @ columns.vectors.T
    gold = [
        [np.isin(np.arange(len(place)), [place[c] for c in one]) for one in alternatives]
        for _, alternatives in questions
    ]
    grid = product(np.arange(0.0, 0.76, 0.05), np.arange(0.2, 0.91, 0.02))
    best = Tuned(Thresholds(0.0, 0.0, 1.0), -1.0, 0.0)
    for least_cluster, least_column in grid:
        scores = []
        for number, alternatives in enumerate(gold):
            found = by_column[number] >= least_column
            found &= by_cluster[number][cluster_of] >= least_cluster
            scores.append(max(_f1(found, one) for one in alternatives))
        mean, equal = float(np.mean(scores)), float(np.mean([one == 1.0 for one in scores]))
        if (mean, equal) > (best.f1, best.equal):
            # One table: the highest threshold that lets every question in is as good as none.
            lowest = float(np.floor(by_table.min() * 20) / 20)
            thresholds = Thresholds(lowest, float(least_cluster), float(least_column))
            best = Tuned(thresholds, mean, equal)
    progress(f"tuned on {len(questions)} questions: {best}")
    return best


def _f1(found: npt.NDArray[np.bool_], gold: npt.NDArray[np.bool_]) -> float:
    both = int((found & gold).sum())
    return 2 * both / max(1, int(found.sum()) + int(gold.sum()))


def _bag(column: str, about: str) -> dict[str, float]:
    words = header_words(column)
    return {stem(word): 1.0 for word in (*words, *expand(words), *header_words(about))}
