"""TSO's Algorithms 1 and 2: three vector stores, and a threshold for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from wideleaf.retrieval.cards.cards import Card, make_cards
from wideleaf.retrieval.cards.clusters import make_clusters
from wideleaf.retrieval.vectors.embedder import Embedder
from wideleaf.retrieval.words.names import LONGEST_HEADER, abbreviations, tokenise
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

SUMMARY_WORDS = 20
"""So many words tell a cluster or a table where no model does; more would only blur its vector."""
NEAREST = 0.1
"""Without thresholds this share of each level passes, that most similar to the question.

How similar a question is to what it means hangs on the embedder and on the table: no flat
thresholds that were tuned with one table do for another, and this share does.
"""
SEED = 0
_MINUS = re.compile(r"(?<=[_ ])[.\-−](?=\d)")

DescribeColumn = Callable[[str, str], str]
"""Describes a column by its name and what the user says it means (LLM_Describe)."""
Summarise = Callable[[Sequence[str]], str]
"""Describes a cluster or a table by the descriptions of what is in it (LLM_Describe)."""
Relevance = Literal["no", "yes", "whole"]
"""What is described is not relevant, is, or is with all columns that are in it."""
Validate = Callable[[str, Sequence[str]], Sequence[Relevance]]
"""How relevant to a question what is described is, for all of one level at once."""
Clustering = Callable[["Vectors"], Sequence[int]]
"""A cluster's number for each vector."""
Level = Literal["table", "cluster", "column"]
KeepVectors = Callable[[Level, str, Sequence[str], Sequence[str]], "Vectors"]
"""The vectors of texts on a level of a table, by their ids; for whoever keeps them."""


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
    long_forms = abbreviations()
    parts: list[str] = []
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        width = 2 if pair in long_forms and place + 1 < len(words) else 1
        parts.append(long_forms.get(pair if width == 2 else words[place], words[place]))
        place += width
    text = " ".join(parts) or name[:LONGEST_HEADER]
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
    summaries: Mapping[str, Mapping[str, str]] | None = None,
    keep: KeepVectors | None = None,
) -> Stores:
    """Algorithm 1 (TSO, section 3.5): describe, embed and store columns, clusters and tables.

    Args:
        tables: Tables by name.
        embedder: Turns descriptions into vectors.
        describe: Describes a column.
        summarise: Describes a cluster by its columns, and a table by its clusters.
        cluster: Puts columns into clusters by their vectors.
        summaries: By table what was said of it, by its name, and of its groups of columns, by
            `retrieval.cards.clusters.Cluster.reference`; such groups are its clusters then.
        keep: Gives the vectors in place of the embedder, so that none is made twice.
    """
    import numpy as np

    digests = summaries or {}
    vectors = keep or (lambda level, table, ids, texts: embedder.embed(texts))
    columns: dict[str, VectorEntries] = {}
    clusters: dict[str, VectorEntries] = {}
    members: dict[str, tuple[tuple[int, ...], ...]] = {}
    for name, table in tables.items():
        cards = make_cards(table.columns, tuple(table.about.items()))
        about = {column: card.about for card in cards for column in card.columns}
        about |= dict(table.about)
        notes = [describe(column, about.get(column, "")) for column in table.columns]
        columns[name] = VectorEntries(
            table.columns, vectors("column", name, table.columns, notes), tuple(notes)
        )
        entries = digests.get(name, {})
        groups = _groups(table, cards, entries)
        if not groups:
            labels = list(cluster(columns[name].vectors)) if notes else []
            groups = [
                ("", tuple(place for place, label in enumerate(labels) if label == one))
                for one in dict.fromkeys(labels)
            ]
        members[name] = tuple(places for _, places in groups)
        texts = [
            entries.get(reference) or summarise([notes[place] for place in places])
            for reference, places in groups
        ]
        ids = tuple(str(number) for number in range(len(texts)))
        clusters[name] = VectorEntries(ids, vectors("cluster", name, ids, texts), tuple(texts))
    texts = [
        digests.get(name, {}).get(name) or summarise(clusters[name].descriptions) for name in tables
    ]
    rows = [
        vectors("table", name, (name,), (text,)) for name, text in zip(tables, texts, strict=True)
    ]
    whole = np.concatenate(rows) if rows else embedder.embed(())
    return Stores(VectorEntries(tuple(tables), whole, tuple(texts)), clusters, columns, members)


def query_relevant_columns(
    question: str,
    stores: Stores,
    embedder: Embedder,
    thresholds: Thresholds | None = None,
    validate: Validate | None = None,
) -> list[Relevant]:
    """Algorithm 2 (TSO, section 3.5): tables, clusters and columns above thresholds.

    Args:
        question: The question.
        stores: What Algorithm 1 made, with the same embedder.
        embedder: Turns the question into a vector.
        thresholds: θt, θc and θl; without them each is the similarity that the nearest share of
            its level has, see `NEAREST`.
        validate: Judges what passed a threshold, level by level; without one all of it is
            relevant. A cluster that is relevant whole gives all of its columns (C* = yes, line 14).

    Returns:
        In the order of tables and of their columns, each once.
    """
    query = embedder.embed([question])[0]
    judge = validate or (lambda question, descriptions: ["yes"] * len(descriptions))
    flat = thresholds or (None, None, None)
    near = _above([_similarities(stores.tables, query)], flat[0])[0]
    names = [
        stores.tables.ids[place]
        for place, verdict in _judge_entries(judge, question, stores.tables, near)
        if verdict != "no"
    ]
    by_cluster = [_similarities(stores.clusters[name], query) for name in names]
    passing = [
        (name, group)
        for name, groups in zip(names, _above(by_cluster, flat[1]), strict=True)
        for group in groups
    ]
    by_column = [_similarities(stores.columns[name], query) for name in names]
    near_columns = dict(zip(names, map(set, _above(by_column, flat[2])), strict=True))
    pool = [stores.clusters[name].descriptions[group] for name, group in passing]
    relevant: dict[str, set[int]] = {name: set() for name in names}
    candidates: list[tuple[str, int]] = []
    for (name, group), verdict in zip(passing, judge(question, pool) if pool else (), strict=True):
        members = stores.members[name][group]
        if verdict == "whole":
            relevant[name].update(members)
        elif verdict == "yes":
            candidates += [(name, one) for one in members if one in near_columns[name]]
    pool = [stores.columns[name].descriptions[one] for name, one in candidates]
    for (name, one), verdict in zip(candidates, judge(question, pool) if pool else (), strict=True):
        if verdict != "no":
            relevant[name].add(one)
    return [
        Relevant(name, columns.ids[one], float(columns.vectors[one] @ query))
        for name in names
        if (columns := stores.columns[name])
        for one in sorted(relevant[name])
    ]


def _judge_entries(
    judge: Validate, question: str, store: VectorEntries, places: Sequence[int]
) -> list[tuple[int, Relevance]]:
    pool = [store.descriptions[place] for place in places]
    return [*zip(places, judge(question, pool) if pool else (), strict=True)]


def _groups(
    table: Table, cards: Sequence[Card], entries: Mapping[str, str]
) -> list[tuple[str, tuple[int, ...]]]:
    """The groups of columns that descriptions are kept of, each with the places of its columns.

    A column that is in several stands in the smallest; what is in none is a group by itself.
    """
    if not entries:
        return []
    groups = [one for one in make_clusters(cards) if one.reference in entries]
    place = {column: number for number, column in enumerate(table.columns)}
    free, pairs = {*table.columns}, []
    for group in sorted(groups, key=lambda one: len(one.columns)):
        own = [column for column in group.columns if column in free]
        free.difference_update(own)
        if own:
            pairs.append((group.reference, tuple(place[column] for column in own)))
    if pairs and free:
        pairs.append(("", tuple(place[column] for column in table.columns if column in free)))
    return pairs


def _similarities(store: VectorEntries, query: Vectors) -> Vectors:
    return store.vectors @ query if store.ids else query[:0]


def _above(levels: Sequence[Vectors], least: float | None) -> list[list[int]]:
    """Of each table the places on a level that pass; without a threshold the nearest share."""
    import numpy as np

    scores = np.concatenate(levels) if levels else np.zeros(0)
    if least is None and len(scores):
        least = float(np.quantile(scores, 1 - NEAREST, method="lower"))
    return [[place for place, near in enumerate(one) if near >= least] for one in levels]
