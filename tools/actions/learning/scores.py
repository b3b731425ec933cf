"""How well predictions go, beside those of no model, and between what each measure lies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from wideleaf.tools.actions.learning.models import Predictions
from wideleaf.tools.actions.learning.splits import Split
from wideleaf.tools.actions.learning.training_data import Array

DRAWS = 200
MIN_DRAWN = 10
"""Of fewer rows nothing is drawn."""
MAX_DRAWN = 20_000
"""Of more rows so many are drawn, and what they spread more for that is taken back."""
BOUNDS = (2.5, 97.5)
Measures = dict[str, float | None]
Measure = Callable[[Array], dict[str, Any]]


class Score(NamedTuple):
    """A measure, its value over all judged rows, and between what it lies; None if undefined."""

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None


def scores(split: Split, predictions: Predictions, seed: int | None = None) -> list[Score]:
    """The measures of all judged rows together.

    Args:
        split: What was learnt from.
        predictions: What came of it.
        seed: Where the draws of intervals start; None for none.
    """
    data, rows = split.data, split.judged
    columns = (data.target, predictions.values, predictions.baseline, predictions.probability)
    true, estimates, base, chance = (column[rows] for column in columns)
    if data.classes is None:
        measure = _measure_numbers(true, estimates, base)
    else:
        measure = _measure_classes(true, estimates, base, chance, len(data.classes))
    values = _numbers(measure(np.arange(len(rows))))
    spread = {} if seed is None else _intervals(measure, values, len(rows), seed)
    measures = [Score(name, value, *spread.get(name, ())) for name, value in values.items()]
    if data.classes is not None:
        measures.append(Score("classes", float(len(np.unique(true)))))
    return [*measures, Score("rows", float(len(rows))), Score("features", float(len(data.names)))]


def _intervals(
    measure: Measure, values: Measures, rows: int, seed: int
) -> dict[str, tuple[float, float]]:
    """The middle 95 % of each measure that has a value in half of the draws or more."""
    if rows < MIN_DRAWN:
        return {}
    random = np.random.RandomState(seed)
    size = min(rows, MAX_DRAWN)
    draws = [_numbers(measure(random.randint(rows, size=size))) for _ in range(DRAWS)]
    bounds = {}
    for name, value in values.items():
        samples = [one for draw in draws if (one := draw.get(name)) is not None]
        if value is not None and 2 * len(samples) >= DRAWS:
            narrower = math.sqrt(size / rows)
            low, high = value + narrower * (np.percentile(samples, BOUNDS) - value)
            bounds[name] = (float(low), float(high))
    return bounds


def _measure_numbers(true: Array, estimates: Array, base: Array) -> Measure:
    """What measures numbers over any rows, one as often as it is named."""

    def measure(rows: Array) -> dict[str, Any]:
        with np.errstate(all="ignore"):  # of numbers so large that their squares overflow
            real, estimate = true[rows], estimates[rows]
            error, plain = real - estimate, real - base[rows]
            square, spread = (error**2).mean(), real.var()
            varied = spread > 0 and estimate.std() > 0
            return {
                "R2": 1 - square / spread if spread else None,
                "RMSE": np.sqrt(square),
                "MAE": np.abs(error).mean(),
                "correlation": np.corrcoef(real, estimate)[0, 1] if varied else None,
                "MSE": square,
                "baseline RMSE": np.sqrt((plain**2).mean()),
                "baseline MAE": np.abs(plain).mean(),
            }

    return measure


def _measure_classes(
    true: Array, estimates: Array, base: Array, chance: Array, kinds: int
) -> Measure:
    """What measures categories over any rows, one as often as it is named.

    A draw is counted in one table of classes; scikit-learn's measures take a hundred times as long.
    """
    true, estimates = true.astype(int), estimates.astype(int)
    probable = not np.isnan(chance).any()
    # Rows of the same chance are one step of the curve.
    order = np.unique(chance, return_inverse=True)[1]

    def measure(rows: Array) -> dict[str, Any]:
        pairs = np.bincount(true[rows] * kinds + estimates[rows], minlength=kinds * kinds)
        table = pairs.reshape(kinds, kinds)
        right, ours, theirs = np.diag(table), table.sum(axis=1), table.sum(axis=0)
        there, either = ours > 0, (ours + theirs) > 0
        recalls = right / np.maximum(ours, 1)
        precisions = right / np.maximum(theirs, 1)
        measures = {
            "accuracy": right.sum() / len(rows),
            "balanced accuracy": recalls[there].mean(),
            "macro F1": (2 * right[either] / (ours + theirs)[either]).mean(),
            "share of the largest class": ours.max() / len(rows),
        }
        if kinds == 2:
            measures["precision"] = precisions[1] if theirs[1] else None
            measures["recall"] = recalls[1] if ours[1] else None
            if probable:
                measures["AUC"] = _area(true[rows], order[rows])
        else:
            measures["macro precision"] = precisions[either].mean()
            measures["macro recall"] = recalls[either].mean()
        if not np.isnan(base[rows]).any():
            measures["baseline accuracy"] = (true[rows] == base[rows]).mean()
        return measures

    return measure


def _area(true: Array, order: Array) -> float | None:
    """How often a row of the second class is thought more probable than one of the first."""
    ours, others = np.bincount(order, weights=true), np.bincount(order, weights=1 - true)
    if not ours.sum() or not others.sum():
        return None
    below = np.cumsum(others) - others
    return float((ours * (below + others / 2)).sum() / (ours.sum() * others.sum()))


def _numbers(measures: dict[str, Any]) -> Measures:
    """Floats, and None where one is none."""
    return {
        name: float(value) if value is not None and np.isfinite(value) else None
        for name, value in measures.items()
    }
