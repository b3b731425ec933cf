"""Features that tell the target all by themselves: whether the answer is among the questions."""

from __future__ import annotations

import math

import numpy as np

from wideleaf.tools.actions.learning.training_data import Array, TrainingData

SUSPICIOUS = 0.99
"""Who tells the target so well alone is likely made of it."""
SAME = 1 - 1e-9
"""So correlated two columns are one in another unit."""
PLAIN = 0.9
"""Where one class is so common, telling it is no wonder."""
ROWS_READ = 5_000
MAX_TRIED = 40
"""For so many columns at most, those whose means differ most, a tree is grown."""
LEAVES = 24
AT_ONCE = 4_000_000
"""So many numbers are looked at together."""


def find_leaks(data: TrainingData) -> tuple[list[str], list[str]]:
    """Look at each column alone, in rows that have a target.

    Args:
        data: The rows.

    Returns:
        Numbers that are the target in another unit; and other columns that tell it nearly.
    """
    rows = np.flatnonzero(data.usable)
    if len(rows) > ROWS_READ:  # spread evenly over the order of the cells
        rows = rows[np.linspace(0, len(rows) - 1, ROWS_READ).astype(int)]
    places: dict[str, list[int]] = {}
    for place, name in enumerate(data.owners):
        places.setdefault(name, []).append(place)
    if data.classes is None:
        return _of_numbers(data, rows, places)
    return [], _of_categories(data, rows, places)


def _of_numbers(
    data: TrainingData, rows: Array, columns: dict[str, list[int]]
) -> tuple[list[str], list[str]]:
    """By correlations; of a text by the means of its levels."""
    target = data.target[rows]
    correlations = np.abs(_correlations(data, rows, target[:, None]))[:, 0]
    same, near = [], []
    for name, places in columns.items():
        text = len(places) > 1 or data.names[places[0]] != name
        size = _ratio(data.cells[:, places][rows], target) if text else correlations[places[0]]
        if size > SAME and not text:
            same.append(name)
        elif size > SUSPICIOUS:
            near.append(name)
    return same, near


def _of_categories(data: TrainingData, rows: Array, columns: dict[str, list[int]]) -> list[str]:
    """By a small tree of one column, fitted to every second row and judged by the others."""
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    classes = data.target[rows].astype(int)
    if np.bincount(classes).max() > PLAIN * len(classes):
        return []
    marks = np.eye(len(data.classes or ()))[classes]
    correlations = np.abs(_correlations(data, rows, marks)).max(axis=1)
    likely = sorted(columns, key=lambda name: -correlations[columns[name]].max())[:MAX_TRIED]
    order = np.argsort(classes, kind="stable")
    train, test = order[::2], order[1::2]
    near = set()
    for name in likely:
        cells = np.nan_to_num(data.cells[:, columns[name]][rows], nan=-math.pi)
        tree = DecisionTreeClassifier(
            max_leaf_nodes=max(LEAVES, 2 * marks.shape[1]), random_state=0
        )
        if tree.fit(cells[train], classes[train]).score(cells[test], classes[test]) > SUSPICIOUS:
            near.add(name)
    return [name for name in columns if name in near]


def _correlations(data: TrainingData, rows: Array, targets: Array) -> Array:
    """Of each feature with each target, over the rows that have the feature; 0 where undefined."""
    blocks = []
    width = max(1, AT_ONCE // max(len(rows), 1))
    targets = targets - targets.mean(axis=0)
    targets = targets / np.maximum(np.abs(targets).max(axis=0), np.finfo(float).tiny)
    for first in range(0, len(data.names), width):
        cells = data.cells[rows, first : first + width]
        there = ~np.isnan(cells)
        cells = np.where(there, cells, 0)
        with np.errstate(all="ignore"):
            count = np.maximum(there.sum(axis=0), 1)
            size = np.abs(cells).max(axis=0)
            cells = cells / np.where(size > 0, size, 1)
            cells = np.where(there, cells - cells.sum(axis=0) / count, 0)
            each = there.T.astype(float)
            spread = each @ targets**2 - (each @ targets) ** 2 / count[:, None]
            below = np.sqrt((cells**2).sum(axis=0)[:, None] * spread)
            products = cells.T @ targets / below
        blocks.append(np.nan_to_num(products, nan=0.0, posinf=0.0, neginf=0.0))
    correlations: Array = np.clip(np.concatenate(blocks), -1, 1)
    return correlations


def _ratio(marks: Array, target: Array) -> float:
    """How well the means of a text's levels tell the target; 0 where each is of few rows."""
    codes = np.where(marks.any(axis=1), marks.argmax(axis=1), marks.shape[1])
    counts = np.bincount(codes)
    if len(target) < 3 * (counts > 0).sum():
        return 0.0
    means = np.bincount(codes, weights=target) / np.maximum(counts, 1)
    spread = float(((target - target.mean()) ** 2).sum())
    residual = float(((target - means[codes]) ** 2).sum())
    return math.sqrt(max(0.0, 1 - residual / spread)) if spread and math.isfinite(spread) else 0.0
