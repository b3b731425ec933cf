"""Clusters: found among the rows of a matrix, of many rows by a sample, and what each is like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn import cluster  # type: ignore[import-untyped]
from sklearn.metrics import silhouette_score  # type: ignore[import-untyped]
from sklearn.neighbors import NearestNeighbors  # type: ignore[import-untyped]

from wideleaf.tools.actions.learning.matrix import Matrix, fit_matrix
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.batches import CELLS_WHOLE
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.cluster import Cluster

Array = np.ndarray[Any, Any]
Assign = Callable[[Array], Array]
FITTED = {"k-means": 100_000, "hierarchical": 10_000, "hdbscan": 20_000}
"""Rows that are fitted; k-means of a table that is held whole takes all."""
JUDGED = 5_000
"""Rows whose silhouettes are looked at: each is compared with all others."""
MAX_TRIED = 10
SMALLEST = 5
ROUNDS, STILL = 20, 1e-6
"""So often centres are moved over all rows, or until none moves further than that."""


class Clusters(NamedTuple):
    """What was found; clusters from 1, the largest first, and 0 where a row is in none.

    Attributes:
        matrix: How rows become numbers.
        assign: The cluster of each row of standardised cells.
        sizes: The rows of each cluster, that of none first.
        means: The means of the standardised cells of each, that of none first.
        apart: How much of each feature's variance lies between clusters.
        silhouettes: By number of clusters that was tried, how well rows fit theirs, -1 to 1.
        fitted: How many rows the clusters were found in.
    """

    matrix: Matrix
    assign: Assign
    sizes: Array
    means: Array
    apart: Array
    silhouettes: dict[int, float]
    fitted: int


def find_clusters(action: Cluster, table: Table) -> Clusters:
    """Find clusters, and go over all rows once for how large and of what kind they are.

    Args:
        action: The resolved action.
        table: The table.

    Raises:
        ActionError: If fewer rows take part than there are to be clusters.
    """
    matrix = fit_matrix(
        table, action.columns, scale=action.scale, nulls=action.nulls, purpose="Cluster"
    )
    if 0 < matrix.rows < (action.k or 0):
        raise ActionError(
            f"{matrix.rows} rows take part and cannot be {action.k} clusters; take a smaller k",
            kind="argument k",
        )
    whole = action.method == "k-means" and matrix.rows * len(matrix.centre) <= CELLS_WHOLE
    most = matrix.rows if whole else FITTED[action.method]
    cells = matrix.sample(table, most, action.seed)
    # Rows come in no promised order, so their cells make one.
    cells = cells[np.lexsort(cells.T[::-1])] if cells.size else cells
    silhouettes: dict[int, float] = {}
    k = action.k
    if k is None and action.method != "hdbscan":
        silhouettes = _try_numbers(action, cells)
        k = max(silhouettes, key=lambda one: silhouettes[one], default=1)
    labels = _fit(action, cells, k)
    if not silhouettes:
        silhouettes = {len(set(labels.tolist()) - {-1}): _silhouette(action, cells, labels)}
    if not cells.size:  # nothing varies, or no row takes part: all are in one
        assign = _nearest_centre(np.zeros((1, len(matrix.centre))))
    elif action.method == "k-means":
        centres = np.array([cells[labels == one].mean(axis=0) for one in np.unique(labels)])
        if len(cells) < matrix.rows:
            centres = _move(table, matrix, centres)
        assign = _nearest_centre(centres)
    else:
        assign = _nearest_row(cells, labels)
    number = int(labels.max(initial=0)) + 1
    sums, counts = _add_up(table, matrix, lambda cells: assign(cells) + 1, number + 1)
    means = sums / np.maximum(counts, 1)[:, None]
    between = (counts[:, None] * means**2).sum(axis=0)
    apart = between / (matrix.variance / matrix.scale**2 * max(matrix.rows - 1, 1))
    there = (one for one in range(1, number + 1) if counts[one])
    order = [0, *sorted(there, key=lambda one: (-counts[one], *means[one].tolist()))]
    place = np.zeros(number + 1, dtype=int)
    place[order] = range(len(order))
    return Clusters(
        matrix, lambda cells: place[assign(cells) + 1], counts[order].astype(int), means[order],
        apart, silhouettes, len(cells),
    )  # fmt: skip


def _try_numbers(action: Cluster, cells: Array) -> dict[int, float]:
    """The mean silhouette of each number of clusters (Rousseeuw 1987)."""
    # Every so many of rows in order are as mixed as all.
    cells = cells[:: max(1, -(-len(cells) // FITTED["hierarchical"]))]
    apart = len(np.unique(cells, axis=0)) if cells.size else 0
    numbers = range(2, min(MAX_TRIED, apart - 1) + 1)
    return {k: _silhouette(action, cells, _fit(action, cells, k)) for k in numbers}


def _silhouette(action: Cluster, cells: Array, labels: Array) -> float:
    inside = np.flatnonzero(labels >= 0)
    if len(inside) > JUDGED:
        places = np.random.RandomState(action.seed).permutation(len(inside))[:JUDGED]
        inside = inside[np.sort(places)]
    cells, labels = cells[inside], labels[inside]
    if not cells.size or not 1 < len(np.unique(labels)) < len(cells):
        return float("nan")
    return float(silhouette_score(cells, labels))


def _fit(action: Cluster, cells: Array, k: int | None) -> Array:
    """The label of each row; -1 of one in no cluster."""
    if not cells.size or (action.method != "hdbscan" and (k or 1) < 2):
        return np.zeros(len(cells), dtype=int)
    smallest = action.smallest or SMALLEST
    if action.method == "hdbscan" and len(cells) < smallest:
        return np.full(len(cells), -1)
    models = {
        "k-means": cluster.KMeans(n_clusters=k, n_init=10, random_state=action.seed),
        "hierarchical": cluster.AgglomerativeClustering(n_clusters=k),
        "hdbscan": cluster.HDBSCAN(min_cluster_size=smallest, copy=True),
    }
    labels: Array = np.maximum(models[action.method].fit_predict(cells), -1)
    return labels


def _move(table: Table, matrix: Matrix, centres: Array) -> Array:
    """Lloyd's rounds over all rows, from the centres of a sample."""
    for _ in range(ROUNDS):
        sums, counts = _add_up(table, matrix, _nearest_centre(centres), len(centres))
        there = counts > 0
        moved = np.where(there[:, None], sums / np.maximum(counts, 1)[:, None], centres)
        far = np.abs(moved - centres).max()
        centres = moved
        if far < STILL:
            break
    return centres


def _add_up(table: Table, matrix: Matrix, assign: Assign, number: int) -> tuple[Array, Array]:
    """The sums of the cells of each cluster, and its rows, over all batches."""
    sums, counts = np.zeros((number, len(matrix.centre))), np.zeros(number)
    for cells in matrix.batches(table):
        labels = assign(cells)
        counts += np.bincount(labels, minlength=number)
        for one in np.unique(labels):
            sums[one] += cells[labels == one].sum(axis=0)
    return sums, counts


def _nearest_centre(centres: Array) -> Assign:
    """Of ``|x - c|**2`` what hangs on the centre alone decides."""
    sizes = (centres**2).sum(axis=1)
    return lambda cells: np.argmin(sizes - 2 * (cells @ centres.T), axis=1)


def _nearest_row(rows: Array, labels: Array) -> Assign:
    """A row that was fitted is nearest to itself; another one goes with its nearest."""
    near = NearestNeighbors(n_neighbors=1).fit(rows)

    def assign(cells: Array) -> Array:
        if not len(cells):
            return np.full(0, -1)
        assignment: Array = labels[near.kneighbors(cells, return_distance=False)[:, 0]]
        return assignment

    return assign
