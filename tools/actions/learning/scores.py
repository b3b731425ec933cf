"""How well predictions go: measures of numbers and of categories, beside those of no model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.learning.intervals import intervals
from wideleaf.tools.actions.learning.models import Learnt
from wideleaf.tools.actions.learning.rows import Material

if TYPE_CHECKING:
    import numpy as np

Measures = dict[str, float | None]


class Score(NamedTuple):
    """A measure, its value over all judged rows, and between what it lies; None if undefined."""

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None


def scores(material: Material, learnt: Learnt, seed: int | None = None) -> list[Score]:
    """The measures of all judged rows together.

    Args:
        material: What was learnt from.
        learnt: What came of it.
        seed: Where the draws of intervals start; None for none.
    """
    import numpy as np

    rows = np.flatnonzero(learnt.judged)
    measure = _of_numbers(material, learnt) if material.classes is None else None
    if measure is None:
        measure = _of_categories(material, learnt)
    found = measure(rows)
    spread = {} if seed is None else intervals(measure, found, rows, seed)
    made = [Score(name, value, *spread.get(name, (None, None))) for name, value in found.items()]
    if material.classes is not None:
        made.append(Score("classes", float(len(np.unique(material.target[rows])))))
    made.append(Score("rows", float(len(rows))))
    made.append(Score("features", float(len(material.names))))
    return made


def _of_numbers(material: Material, learnt: Learnt) -> Callable[[np.ndarray[Any, Any]], Measures]:
    """What measures numbers over any rows, one as often as it is named."""
    import numpy as np

    def measure(rows: np.ndarray[Any, Any]) -> Measures:
        true, said, base = material.target[rows], learnt.predicted[rows], learnt.base[rows]
        with np.errstate(all="ignore"):  # of numbers so large that their squares overflow
            error = true - said
            square, spread = float((error**2).mean()), float(((true - true.mean()) ** 2).mean())
            varied = spread > 0 and float(said.std()) > 0
            made = {
                "R2": 1 - square / spread if spread else None,
                "RMSE": np.sqrt(square),
                "MAE": np.abs(error).mean(),
                "correlation": np.corrcoef(true, said)[0, 1] if varied else None,
                "MSE": square,
                "baseline RMSE": np.sqrt(((true - base) ** 2).mean()),
                "baseline MAE": np.abs(true - base).mean(),
            }
        return {name: _number(value) for name, value in made.items()}

    return measure


def _of_categories(
    material: Material, learnt: Learnt
) -> Callable[[np.ndarray[Any, Any]], Measures]:
    """What measures categories over any rows, one as often as it is named."""
    import numpy as np

    kinds = len(material.classes or ())
    judged = learnt.judged
    true = np.where(judged, material.target, 0).astype(int)
    said = np.where(judged, learnt.predicted, 0).astype(int)
    base = np.where(judged, learnt.base, np.nan)
    # Rows of the same chance are one step of the curve.
    order = np.zeros(len(true), dtype=int)
    probable = judged & ~np.isnan(learnt.chance)
    order[probable] = np.unique(learnt.chance[probable], return_inverse=True)[1]

    def measure(rows: np.ndarray[Any, Any]) -> Measures:
        pairs = np.bincount(true[rows] * kinds + said[rows], minlength=kinds * kinds)
        table = pairs.reshape(kinds, kinds)
        right, ours, theirs = np.diag(table), table.sum(axis=1), table.sum(axis=0)
        there, either = ours > 0, (ours + theirs) > 0
        recalls = right / np.maximum(ours, 1)
        precisions = right / np.maximum(theirs, 1)
        made = {
            "accuracy": right.sum() / len(rows),
            "balanced accuracy": recalls[there].mean(),
            "macro F1": (2 * right[either] / (ours + theirs)[either]).mean(),
            "share of the largest class": ours.max() / len(rows),
        }
        if kinds == 2:
            made |= {"precision": precisions[1] if theirs[1] else None}
            made |= {"recall": recalls[1] if ours[1] else None}
            if probable.any():
                made |= {"AUC": _area(true[rows], order[rows])}
        else:
            made |= {"macro precision": precisions[either].mean()}
            made |= {"macro recall": recalls[either].mean()}
        if not np.isnan(base[rows]).any():
            made |= {"baseline accuracy": (true[rows] == base[rows]).mean()}
        return {name: _number(value) for name, value in made.items()}

    return measure


def _area(true: np.ndarray[Any, Any], order: np.ndarray[Any, Any]) -> float | None:
    """How often a row of the second class is thought more probable than one of the first."""
    import numpy as np

    ours = np.bincount(order, weights=true)
    others = np.bincount(order, weights=1 - true)
    if not ours.sum() or not others.sum():
        return None
    below = np.cumsum(others) - others
    return float((ours * (below + others / 2)).sum() / (ours.sum() * others.sum()))


def _number(value: Any) -> float | None:
    """A float, or None where it is none."""
    import numpy as np

    return float(value) if value is not None and np.isfinite(value) else None
