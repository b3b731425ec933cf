"""Principal components: found whole, by a random range, or of a table that is read by batches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh  # type: ignore[import-untyped]
from sklearn.decomposition import PCA  # type: ignore[import-untyped]

from wideleaf.tools.actions.learning.matrix import Matrix
from wideleaf.tools.tables.batches import CELLS_WHOLE
from wideleaf.tools.tables.table import Table

Array = np.ndarray[Any, Any]
EXACT_COLUMNS = 2_000
"""Of more columns the components are found by a random range, from a fixed seed."""
OVERSAMPLE, ROUNDS = 10, 7
"""Directions beside those wished for, and how often they are turned towards the widest."""


class Components(NamedTuple):
    """What was found.

    Attributes:
        matrix: How rows become numbers.
        loadings: Components times features, each of length one, its largest positive.
        shares: Each component's share of the variance.
        method: How they were found.
    """

    matrix: Matrix
    loadings: Array
    shares: Array
    method: str


def find_components(table: Table, matrix: Matrix, count: int, method: str) -> Components:
    """Find the directions of largest variance.

    Args:
        table: The table.
        matrix: Fitted to its columns.
        count: How many are wished for; there may be fewer.
        method: ``full`` is scikit-learn's by the covariance; ``incremental`` adds up the same
            covariance by batches, so that rows are never held together; ``randomised`` needs no
            covariance of all pairs of columns (Halko, Martinsson and Tropp 2011); ``auto`` is whole
            where the table fits in memory, by a random range where columns are many.
    """
    width = len(matrix.centre)
    small = matrix.rows * width <= CELLS_WHOLE
    if method == "auto":
        whole = "full" if small else "incremental"
        method = "randomised" if width > EXACT_COLUMNS else whole
    count = min(count, width, max(matrix.rows - 1, 0))
    if not count:
        return Components(matrix, np.zeros((0, width)), np.zeros(0), method)
    if small and method != "incremental":
        solver = "covariance_eigh" if method == "full" else "randomized"
        model = PCA(n_components=count, svd_solver=solver, random_state=0)
        model.fit(np.concatenate([*matrix.batches(table)]))
        variances, loadings = model.explained_variance_, model.components_
    elif method == "randomised":
        variances, loadings = _of_random_range(table, matrix, count)
    else:
        covariance = np.zeros((width, width))  # cells are centred already
        for cells in matrix.batches(table):
            covariance += cells.T @ cells
        largest_first = (width - count, width - 1)
        values, vectors = eigh(covariance / (matrix.rows - 1), subset_by_index=largest_first)
        variances, loadings = values[::-1], vectors.T[::-1]
    largest = np.abs(loadings).argmax(axis=1)
    signs = np.where(loadings[np.arange(count), largest] < 0, -1.0, 1.0)
    total = float((matrix.variance / matrix.scale**2).sum())
    return Components(matrix, loadings * signs[:, None], np.maximum(variances, 0) / total, method)


def _of_random_range(table: Table, matrix: Matrix, count: int) -> tuple[Array, Array]:
    """By some random directions, turned towards those of largest variance; a pass each time."""
    width = len(matrix.centre)
    start = np.random.RandomState(0).normal(size=(width, min(count + OVERSAMPLE, width)))
    basis, _ = np.linalg.qr(start)
    for _ in range(ROUNDS):
        turned = np.zeros_like(basis)
        for cells in matrix.batches(table):
            turned += cells.T @ (cells @ basis)
        small = basis.T @ turned / (matrix.rows - 1)
        values, vectors = np.linalg.eigh((small + small.T) / 2)
        directions = basis @ vectors[:, ::-1]
        basis, _ = np.linalg.qr(turned)
    return values[::-1][:count], directions.T[:count]
