"""TSO's Algorithms 1 and 2 as published: three vector stores and flat thresholds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.retrieval.words.names import LONGEST_HEADER, abbreviations, tokenise
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

SUMMARY_WORDS = 20
"""So many words tell a cluster or a table where no model does; more would only blur its vector."""
SEED = 0
_MINUS = re.compile(r"(?<=[_ ])[.\-−](?=\d)")

DescribeColumn = Callable[[str, str], str]
"""Describes a column by its name and what the user says it means (LLM_Describe)."""
Summarise = Callable[[Sequence[str]], str]
"""Describes a cluster or a table by the descriptions of what is in it (LLM_Describe)."""
Validate = Callable[[str, str], bool]
"""Whether what is described is relevant to a question."""
Clustering = Callable[["Vectors"], Sequence[int]]
"""A cluster's number for each vector."""


class Thresholds(NamedTuple):
    """Least similarity of tables, clusters and columns (θt, θc, θl); TSO, appendix A.4."""

    table: float = 0.75
    cluster: float = 0.75
    column: float = 0.75


PUBLISHED = Thresholds()


class VectorEntries(NamedTuple):
    """Entries of a vector store.

    Attributes:
        ids: A table's name, a cluster's number or a column's name.
        vectors: One row an entry, of length 1.
        descriptions: What was embedded.
    """

    ids: tuple[str, ...]
    vectors: Vectors
    descriptions: tuple[str, ...]


class Stores(NamedTuple):
    """What Algorithm 1 returns.

    Attributes:
        tables: The store of tables.
        clusters: The store of clusters, by table.
        columns: The store of columns, by table.
        members: By table, of each cluster the places of its columns.
    """

    tables: VectorEntries
    clusters: Mapping[str, VectorEntries]
    columns: Mapping[str, VectorEntries]
    members: Mapping[str, tuple[tuple[int, ...], ...]]


class Relevant(NamedTuple):
    """A column that Algorithm 2 returns, and how similar to the question it is."""

    table: str
    column: str
    score: float


def describe_by_name(name: str, about: str = "") -> str:
    """A column's description without a model: its name's words, abbreviations written out.

    Args:
        name: The column's name; of a long one the beginning counts.
        about: What the user says it means; stands behind the words.
    """
    words = tokenise(_MINUS.sub(" minus ", name[:LONGEST_HEADER]))
    known = abbreviations()
    told: list[str] = []
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        width = 2 if pair in known and place + 1 < len(words) else 1
        told.append(known.get(pair if width == 2 else words[place], words[place]))
        place += width
    text = " ".join(told) or name[:LONGEST_HEADER]
    return f"{text}: {about}" if about else text


def summarise_by_words(descriptions: Sequence[str]) -> str:
    """A summary without a model: the words that most descriptions have, most frequent first."""
    counts = Counter(
        word
        for text in descriptions
        for word in dict.fromkeys(text.casefold().replace(":", " ").split())
        if word.isalpha()
    )
    ranked = sorted(counts, key=lambda word: -counts[word])  # stable: ties as they are met
    return " ".join(ranked[:SUMMARY_WORDS]) or " ".join(descriptions[:SUMMARY_WORDS])


def kmeans(vectors: Vectors) -> list[int]:
    """Clusters by k-means, about as many as each has members (k is the root of the count).

    The paper says neither how it clusters nor into how many. K-means needs no matrix of all
    pairs (half a gigabyte at 8,058 columns) and leaves no column out, as density methods do;
    on vectors of length 1 its distances rank as cosines do. It is seeded.
    """
    import numpy as np
    from sklearn.cluster import KMeans  # type: ignore[import-untyped]

    distinct = len(np.unique(vectors, axis=0))
    count = min(distinct, max(1, round(len(vectors) ** 0.5)))
    model = KMeans(n_clusters=count, n_init=1, random_state=SEED)
    return [int(label) for label in model.fit_predict(vectors)]


def build_vector_stores(
    tables: Mapping[str, Table],
    embedder: Embedder,
    describe: DescribeColumn = describe_by_name,
    summarise: Summarise = summarise_by_words,
    cluster: Clustering = kmeans,
) -> Stores:
    """Algorithm 1 (TSO, section 3.5): describe, embed and store columns, clusters and tables.

    Args:
        tables: Tables by name.
        embedder: Turns descriptions into vectors.
        describe: Describes a column.
        summarise: Describes a cluster by its columns, and a table by its clusters.
        cluster: Puts columns into clusters by their vectors.
    """
    columns: dict[str, VectorEntries] = {}
    clusters: dict[str, VectorEntries] = {}
    members: dict[str, tuple[tuple[int, ...], ...]] = {}
    for name, table in tables.items():
        told = [describe(column, table.about.get(column, "")) for column in table.columns]
        columns[name] = _stored(table.columns, told, embedder)
        labels = list(cluster(columns[name].vectors)) if told else []
        members[name] = tuple(
            tuple(place for place, label in enumerate(labels) if label == one)
            for one in dict.fromkeys(labels)
        )
        summaries = [summarise([told[place] for place in group]) for group in members[name]]
        clusters[name] = _stored([str(n) for n in range(len(summaries))], summaries, embedder)
    texts = [summarise(clusters[name].descriptions) for name in tables]
    return Stores(_stored(list(tables), texts, embedder), clusters, columns, members)


def query_relevant_columns(
    question: str,
    stores: Stores,
    embedder: Embedder,
    thresholds: Thresholds = PUBLISHED,
    validate: Validate | None = None,
    validate_whole: Validate | None = None,
) -> list[Relevant]:
    """Algorithm 2 (TSO, section 3.5): tables, clusters and columns above flat thresholds.

    Args:
        question: The question.
        stores: What Algorithm 1 made, with the same embedder.
        embedder: Turns the question into a vector.
        thresholds: θt, θc and θl.
        validate: Judges what passed a threshold; without one all of it is relevant.
        validate_whole: Whether all columns of a cluster are relevant (C* = yes in line 14);
            without one its columns are looked at one by one.

    Returns:
        In the order of tables and of their columns, each once.
    """
    query = embedder.embed([question])[0]
    passes = validate or (lambda question, description: True)
    whole = validate_whole or (lambda question, description: False)
    found: list[Relevant] = []
    for place in _above(stores.tables, query, thresholds.table):
        if not passes(question, stores.tables.descriptions[place]):
            continue
        name = stores.tables.ids[place]
        columns, clusters = stores.columns[name], stores.clusters[name]
        if not columns.ids:
            continue
        near = columns.vectors @ query
        relevant: set[int] = set()
        for group in _above(clusters, query, thresholds.cluster):
            description = clusters.descriptions[group]
            if not passes(question, description):
                continue
            members = stores.members[name][group]
            if whole(question, description):
                relevant.update(members)
                continue
            candidates = [one for one in members if near[one] >= thresholds.column]
            relevant.update(o for o in candidates if passes(question, columns.descriptions[o]))
        found += [Relevant(name, columns.ids[o], float(near[o])) for o in sorted(relevant)]
    return found


def _stored(ids: Sequence[str], descriptions: Sequence[str], embedder: Embedder) -> VectorEntries:
    return VectorEntries(tuple(ids), embedder.embed(descriptions), tuple(descriptions))


def _above(store: VectorEntries, query: Vectors, least: float) -> list[int]:
    if not store.ids:
        return []
    return [place for place, near in enumerate(store.vectors @ query) if near >= least]
