"""Clusters: found among the rows of a matrix, of many rows by a sample, and what each is like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.learning.matrix import Matrix, sample_rows, standard_batches
from wideleaf.tools.tables.batches import CELLS_WHOLE
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np

Method = Literal["k-means", "hierarchical", "hdbscan"]
FITTED: dict[Method, int] = {"k-means": 100_000, "hierarchical": 10_000, "hdbscan": 20_000}
"""Rows that are fitted; k-means of a table that is held whole takes all."""
JUDGED = 5_000
"""Rows whose silhouettes are looked at: each is compared with all others."""
MOST_TRIED = 10
ROUNDS, STILL = 20, 1e-6
"""So often centres are moved over all rows, or until none moves further than that."""
Assign = Callable[["np.ndarray[Any, Any]"], "np.ndarray[Any, Any]"]


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
        by_sample: Whether these are a sample, and no later round saw all.
    """

    matrix: Matrix
    assign: Assign
    sizes: np.ndarray[Any, Any]
    means: np.ndarray[Any, Any]
    apart: np.ndarray[Any, Any]
    silhouettes: dict[int, float]
    fitted: int
    by_sample: bool


class Wish(NamedTuple):
    """How clusters are to be found.

    Attributes:
        columns: What the matrix is of.
        method: How.
        k: How many; None where the number is to be found.
        smallest: The fewest rows of a cluster of HDBSCAN.
        seed: Where random choices start.
    """

    columns: Sequence[str]
    method: Method
    k: int | None
    smallest: int
    seed: int


def find_clusters(table: Table, matrix: Matrix, wish: Wish) -> Clusters:
    """Find clusters, and go over all rows once for how large and of what kind they are.

    Args:
        table: The table.
        matrix: Fitted to its columns.
        wish: How.
    """
    import numpy as np

    whole = wish.method == "k-means" and matrix.rows * len(matrix.features) <= CELLS_WHOLE
    most = matrix.rows if whole else FITTED[wish.method]
    cells = sample_rows(table, wish.columns, matrix, most, wish.seed, "Cluster")
    # Rows come in no promised order, so their cells make one.
    cells = cells[np.lexsort(cells.T[::-1])] if cells.size else cells
    silhouettes: dict[int, float] = {}
    k = wish.k
    if k is None and wish.method != "hdbscan":
        silhouettes = _try_numbers(cells, wish)
        k = max(silhouettes, key=lambda one: silhouettes[one], default=1)
    labels = _fit(cells, wish, k)
    if not silhouettes:
        silhouettes = {len(set(labels.tolist()) - {-1}): _silhouette(cells, labels, wish.seed)}
    assign: Assign
    if not cells.size:  # nothing varies, or no row takes part
        assign = _all_in_one
    elif wish.method == "k-means":
        centres = _means(cells, labels)
        if len(cells) < matrix.rows:
            centres = _move(table, matrix, wish, centres)
        assign = _nearest_centre(centres)
    else:
        assign = _nearest_row(cells, labels)
    number = int(labels.max(initial=0)) + 1
    return _tell_apart(table, matrix, wish, assign, number, silhouettes, len(cells))


def _try_numbers(cells: np.ndarray[Any, Any], wish: Wish) -> dict[int, float]:
    """The mean silhouette of each number of clusters (Rousseeuw 1987)."""
    import numpy as np

    # Every so many of rows in order are as mixed as all.
    cells = cells[:: max(1, -(-len(cells) // FITTED["hierarchical"]))]
    apart = len(np.unique(cells, axis=0)) if cells.size else 0
    numbers = range(2, min(MOST_TRIED, apart - 1) + 1)
    return {k: _silhouette(cells, _fit(cells, wish, k), wish.seed) for k in numbers}


def _silhouette(cells: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], seed: int) -> float:
    import numpy as np
    from sklearn.metrics import silhouette_score  # type: ignore[import-untyped]

    inside = labels >= 0
    if not cells.size:
        return float("nan")
    cells, labels = cells[inside], labels[inside]
    if len(cells) > JUDGED:
        places = np.sort(np.random.RandomState(seed).permutation(len(cells))[:JUDGED])
        cells, labels = cells[places], labels[places]
    if not 1 < len(np.unique(labels)) < len(cells):
        return float("nan")
    return float(silhouette_score(cells, labels))


def _fit(cells: np.ndarray[Any, Any], wish: Wish, k: int | None) -> np.ndarray[Any, Any]:
    """The label of each row; -1 of one in no cluster."""
    import numpy as np
    from sklearn import cluster  # type: ignore[import-untyped]

    if not cells.size or (wish.method != "hdbscan" and (k or 1) < 2):
        return np.zeros(len(cells), dtype=int)
    if wish.method == "hdbscan":
        if len(cells) < max(wish.smallest, 2):
            return np.full(len(cells), -1)
        found = cluster.HDBSCAN(min_cluster_size=wish.smallest, copy=True).fit_predict(cells)
    elif wish.method == "hierarchical":
        found = cluster.AgglomerativeClustering(n_clusters=k).fit_predict(cells)
    else:
        found = cluster.KMeans(n_clusters=k, n_init=10, random_state=wish.seed).fit_predict(cells)
    labels: np.ndarray[Any, Any] = np.maximum(found, -1)
    return labels


def _means(cells: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.array([cells[labels == one].mean(axis=0) for one in np.unique(labels)])


def _move(
    table: Table, matrix: Matrix, wish: Wish, centres: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Lloyd's rounds over all rows, from the centres of a sample."""
    import numpy as np

    for _ in range(ROUNDS):
        sums, counts = np.zeros_like(centres), np.zeros(len(centres))
        nearest = _nearest_centre(centres)
        for cells in standard_batches(table, wish.columns, matrix, "Cluster"):
            _add(sums, counts, cells, nearest(cells))
        there = counts > 0
        moved = np.where(there[:, None], sums / np.maximum(counts, 1)[:, None], centres)
        far = np.abs(moved - centres).max()
        centres = moved
        if far < STILL:
            break
    return centres


def _add(
    sums: np.ndarray[Any, Any],
    counts: np.ndarray[Any, Any],
    cells: np.ndarray[Any, Any],
    labels: np.ndarray[Any, Any],
) -> None:
    import numpy as np

    counts += np.bincount(labels, minlength=len(counts))
    for one in np.unique(labels):
        sums[one] += cells[labels == one].sum(axis=0)


def _nearest_centre(centres: np.ndarray[Any, Any]) -> Assign:
    import numpy as np

    sizes = (centres**2).sum(axis=1)

    def assign(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        # Of |x - c|^2 what hangs on the centre alone decides.
        found: np.ndarray[Any, Any] = np.argmin(sizes - 2 * (cells @ centres.T), axis=1)
        return found

    return assign


def _all_in_one(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.zeros(len(cells), dtype=int)


def _nearest_row(rows: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> Assign:
    """A row that was fitted is nearest to itself; another one goes with its nearest."""
    import numpy as np
    from sklearn.neighbors import NearestNeighbors  # type: ignore[import-untyped]

    near = NearestNeighbors(n_neighbors=1).fit(rows)

    def assign(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if not len(cells):
            return np.full(0, -1)
        found: np.ndarray[Any, Any] = labels[near.kneighbors(cells, return_distance=False)[:, 0]]
        return found

    return assign


def _tell_apart(
    table: Table,
    matrix: Matrix,
    wish: Wish,
    assign: Assign,
    number: int,
    silhouettes: dict[int, float],
    fitted: int,
) -> Clusters:
    """Number the clusters by size; their means; what part of each variance lies between them."""
    import numpy as np

    known, width = number + 1, len(matrix.features)
    sums, counts = np.zeros((known, width)), np.zeros(known)
    total = np.zeros(width)
    for cells in standard_batches(table, wish.columns, matrix, "Cluster"):
        _add(sums, counts, cells, assign(cells) + 1)
        total += (cells**2).sum(axis=0)
    means = sums / np.maximum(counts, 1)[:, None]
    between = (counts[:, None] * means**2).sum(axis=0)
    apart = between / np.where(total > 0, total, 1)
    order = sorted(range(1, known), key=lambda one: (-counts[one], *means[one].tolist()))
    order = [one for one in order if counts[one]]
    place = np.zeros(known, dtype=int)
    place[order] = range(1, len(order) + 1)
    kept = [0, *order]
    by_sample = fitted < matrix.rows and wish.method != "k-means"
    return Clusters(
        matrix, lambda cells: place[assign(cells) + 1], counts[kept].astype(int), means[kept],
        apart, silhouettes, fitted, by_sample,
    )  # fmt: skip
