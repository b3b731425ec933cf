"""Models of rows among others: an isolation forest, and local outlier factors; many by batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.learning.matrix import Matrix, sample_rows
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np

Model = Literal["isolation forest", "local outlier factor"]
FITTED: dict[Model, int] = {"isolation forest": 100_000, "local outlier factor": 20_000}
"""Of more rows so many are fitted, and the others scored by what that told."""
NEIGHBOURS = 20
Score = Callable[["np.ndarray[Any, Any]"], "np.ndarray[Any, Any]"]


class Crowd(NamedTuple):
    """What rows are compared with.

    Attributes:
        matrix: How rows become numbers.
        score: How strange each row of standardised cells is.
        fitted: How many rows were fitted.
    """

    matrix: Matrix
    score: Score
    fitted: int


def fit_crowd(
    table: Table, columns: tuple[str, ...], matrix: Matrix, model: Model, neighbours: int, seed: int
) -> Crowd:
    """Fit a model to the whole rows, or to a sample drawn evenly from a fixed seed.

    Args:
        table: The table.
        columns: What the matrix is of.
        matrix: Fitted to them.
        model: Which.
        neighbours: With how many a row is compared, of local outlier factors.
        seed: Where random choices start.
    """
    import numpy as np

    cells = sample_rows(table, columns, matrix, FITTED[model], seed, "Anomaly")
    if len(cells) < 2 or not cells.shape[1]:
        return Crowd(matrix, lambda rows: np.full(len(rows), ALONE[model]), len(cells))
    if model == "isolation forest":
        score = _forest(cells, seed)
    else:
        score = _neighbourhood(cells, min(neighbours, len(cells) - 1))
    return Crowd(matrix, score, len(cells))


ALONE: dict[Model, float] = {"isolation forest": 0.5, "local outlier factor": 1.0}
"""The score of a row among equal ones."""


def _forest(cells: np.ndarray[Any, Any], seed: int) -> Score:
    """How easily random cuts part a row from the others, from 0 to 1 (Liu, Ting, Zhou 2008)."""
    import numpy as np
    from sklearn.ensemble import IsolationForest  # type: ignore[import-untyped]

    forest = IsolationForest(random_state=seed).fit(cells)

    def score(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if not len(rows):
            return np.zeros(0)
        # Rounded, since equal rows score a half but for the last digits.
        found: np.ndarray[Any, Any] = np.round(-forest.score_samples(rows), 12)
        return found

    return score


def _neighbourhood(cells: np.ndarray[Any, Any], neighbours: int) -> Score:
    """How much thinner it is around a row than around its neighbours (Breunig et al. 2000)."""
    import numpy as np
    from sklearn.neighbors import (  # type: ignore[import-untyped]
        LocalOutlierFactor,
        NearestNeighbors,
    )

    inside = LocalOutlierFactor(n_neighbors=neighbours).fit(cells)
    near = NearestNeighbors(n_neighbors=1).fit(cells)
    outside: list[Any] = []

    def score(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if not len(rows):
            return np.zeros(0)
        place = near.kneighbors(rows, return_distance=False)[:, 0]
        found: np.ndarray[Any, Any] = -inside.negative_outlier_factor_[place]
        new = (rows != cells[place]).any(axis=1)  # a row that was fitted is nearest to itself
        if new.any():
            if not outside:
                model = LocalOutlierFactor(n_neighbors=neighbours, novelty=True)
                outside.append(model.fit(cells))
            found[new] = -outside[0].score_samples(rows[new])
        return found

    return score
