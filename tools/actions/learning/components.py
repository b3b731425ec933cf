"""Principal components: found whole, by a random range, or of a table that is read by batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.learning.matrix import Matrix, standard_batches
from wideleaf.tools.tables.batches import CELLS_WHOLE
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np

Method = Literal["full", "randomised", "incremental"]
EXACT_COLUMNS = 2_000
"""Of more columns the components are found by a random range, from a fixed seed."""
OVERSAMPLE, ROUNDS = 10, 7
"""Directions beside those wished for, and how often they are turned towards the widest."""
Batches = Callable[[], Iterator["np.ndarray[Any, Any]"]]


class Components(NamedTuple):
    """What was found.

    Attributes:
        matrix: How rows become numbers.
        loadings: Components times features, each of length one, its largest positive.
        shares: Each component's share of the variance.
        method: How they were found.
    """

    matrix: Matrix
    loadings: np.ndarray[Any, Any]
    shares: np.ndarray[Any, Any]
    method: Method


def choose_method(rows: int, features: int) -> Method:
    """Whole where the table fits in memory, by a random range where columns are many.

    Args:
        rows: Rows that take part.
        features: Features that vary.
    """
    if features > EXACT_COLUMNS:
        return "randomised"
    return "full" if rows * features <= CELLS_WHOLE else "incremental"


def find_components(
    table: Table, columns: tuple[str, ...], matrix: Matrix, count: int, method: Method
) -> Components:
    """Find the directions of largest variance.

    Args:
        table: The table.
        columns: What the matrix is of.
        matrix: Fitted to them.
        count: How many are wished for; there may be fewer.
        method: ``full`` is scikit-learn's by the covariance; ``incremental`` adds up the same
            covariance by batches, so that rows are never held together; ``randomised`` needs no
            covariance of all pairs of columns (Halko, Martinsson and Tropp 2011).
    """
    import numpy as np

    width = len(matrix.features)
    count = min(count, width, max(matrix.rows - 1, 0))
    if not count:
        return Components(matrix, np.zeros((0, width)), np.zeros(0), method)
    total = float((matrix.variance / matrix.scale**2).sum())

    def batches() -> Iterator[np.ndarray[Any, Any]]:
        return standard_batches(table, columns, matrix, "PCA")

    small = matrix.rows * width <= CELLS_WHOLE
    if method == "incremental" or (method == "full" and not small):
        variances, loadings = _of_covariance(batches, matrix.rows, width, count)
    elif method == "full" or small:
        cells = np.concatenate([*batches()])
        variances, loadings = _whole(cells, count, method)
    else:
        variances, loadings = _of_random_range(batches, matrix.rows, width, count)
    largest = np.abs(loadings).argmax(axis=1)
    signs = np.where(loadings[np.arange(count), largest] < 0, -1.0, 1.0)
    return Components(matrix, loadings * signs[:, None], np.maximum(variances, 0) / total, method)


def _whole(
    cells: np.ndarray[Any, Any], count: int, method: Method
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    from sklearn.decomposition import PCA as Decomposition  # type: ignore[import-untyped]

    solver = "covariance_eigh" if method == "full" else "randomized"
    found = Decomposition(n_components=count, svd_solver=solver, random_state=0).fit(cells)
    return found.explained_variance_, found.components_


def _of_covariance(
    batches: Batches, rows: int, width: int, count: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """By the covariance, added up; cells are centred already."""
    import numpy as np
    from scipy.linalg import eigh  # type: ignore[import-untyped]

    covariance = np.zeros((width, width))
    for cells in batches():
        covariance += cells.T @ cells
    covariance /= rows - 1
    values, vectors = eigh(covariance, subset_by_index=(width - count, width - 1))
    return values[::-1], vectors.T[::-1]


def _of_random_range(
    batches: Batches, rows: int, width: int, count: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """By some random directions, turned towards those of largest variance; a pass each time."""
    import numpy as np

    size = min(count + OVERSAMPLE, width)
    basis, _ = np.linalg.qr(np.random.RandomState(0).normal(size=(width, size)))
    for _ in range(ROUNDS):
        turned = np.zeros_like(basis)
        for cells in batches():
            turned += cells.T @ (cells @ basis)
        small = basis.T @ turned / (rows - 1)
        values, vectors = np.linalg.eigh((small + small.T) / 2)
        found = basis @ vectors[:, ::-1]
        basis, _ = np.linalg.qr(turned)
    return values[::-1][:count], found.T[:count]
