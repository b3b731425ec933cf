"""Features that tell the target all by themselves: whether the answer is among the questions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.actions.learning.rows import Material

if TYPE_CHECKING:
    import numpy as np

SUSPICIOUS = 0.99
"""Who tells the target so well alone is likely made of it."""
SAME = 1 - 1e-9
"""So correlated two columns are one in another unit."""
PLAIN = 0.9
"""Where one class is so common, telling it is no wonder."""
ROWS_READ = 5_000
MOST_TRIED = 40
"""For so many columns at most, those whose means differ most, a tree is grown."""
LEAVES = 24
AT_ONCE = 4_000_000
"""So many numbers are looked at together."""


class Leaks(NamedTuple):
    """Columns that tell the target alone.

    Attributes:
        same: Numbers that are the target in another unit.
        near: Others that tell it nearly.
    """

    same: list[str]
    near: list[str]


def find_leaks(material: Material) -> Leaks:
    """Look at each feature alone, in rows that have a target.

    Args:
        material: The rows.
    """
    import numpy as np

    rows = np.flatnonzero(material.usable)
    if len(rows) > ROWS_READ:  # spread evenly over the order of the cells
        rows = rows[np.linspace(0, len(rows) - 1, ROWS_READ).astype(int)]
    if material.classes is None:
        return _of_numbers(material, rows)
    return Leaks([], _of_categories(material, rows))


def _of_numbers(material: Material, rows: np.ndarray[Any, Any]) -> Leaks:
    """By correlations; of a text by the means of its levels."""
    import numpy as np

    target = material.target[rows]
    found = np.abs(_correlations(material, rows, target[:, None])).max(axis=1)
    same, near = [], []
    for name, places in _columns(material).items():
        size = float(found[places[0]])
        if len(places) > 1 or material.names[places[0]] != name:
            size = _ratio(material.cells[:, places][rows], target)
        elif size > SAME:
            same.append(name)
            continue
        if size > SUSPICIOUS:
            near.append(name)
    return Leaks(same, near)


def _of_categories(material: Material, rows: np.ndarray[Any, Any]) -> list[str]:
    """By a small tree of one feature, fitted to every second row and judged by the others."""
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    classes = material.target[rows].astype(int)
    share = np.bincount(classes).max() / len(classes)
    if share > PLAIN:
        return []
    marks = np.eye(len(material.classes or ()))[classes]
    found = np.abs(_correlations(material, rows, marks)).max(axis=1)
    columns = _columns(material)
    likely = sorted(columns, key=lambda name: -found[columns[name]].max())[:MOST_TRIED]
    order = np.argsort(classes, kind="stable")
    fitted, judged = order[::2], order[1::2]
    near = []
    for name in likely:
        cells = np.nan_to_num(material.cells[:, columns[name]][rows], nan=-math.pi)
        leaves = max(LEAVES, 2 * marks.shape[1])
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)
        tree.fit(cells[fitted], classes[fitted])
        if (tree.predict(cells[judged]) == classes[judged]).mean() > SUSPICIOUS:
            near.append(name)
    return [name for name in columns if name in near]


def _columns(material: Material) -> dict[str, list[int]]:
    """The places of the columns of each feature."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(material.owners):
        places.setdefault(name, []).append(place)
    return places


def _correlations(
    material: Material, rows: np.ndarray[Any, Any], targets: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Of each feature with each target, over the rows that have the feature; 0 where undefined."""
    import numpy as np

    made = []
    width = max(1, AT_ONCE // max(len(rows), 1))
    targets = targets - targets.mean(axis=0)
    targets = targets / np.maximum(np.abs(targets).max(axis=0), np.finfo(float).tiny)
    for first in range(0, len(material.names), width):
        cells = material.cells[rows, first : first + width]
        there = ~np.isnan(cells)
        with np.errstate(all="ignore"):
            count = there.sum(axis=0)
            size = np.nanmax(np.abs(np.where(there, cells, 0)), axis=0)
            cells = np.where(there, cells / np.where(size > 0, size, 1), 0)
            cells = np.where(there, cells - cells.sum(axis=0) / np.maximum(count, 1), 0)
            each = there.astype(float)
            means = each.T @ targets / np.maximum(count, 1)[:, None]
            products = cells.T @ targets
            spread = each.T @ targets**2 - count[:, None] * means**2
            below = np.sqrt((cells**2).sum(axis=0)[:, None] * spread)
            made.append(np.nan_to_num(products / below, nan=0.0, posinf=0.0, neginf=0.0))
    found: np.ndarray[Any, Any] = np.clip(np.concatenate(made), -1, 1)
    return found


def _ratio(marks: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> float:
    """How well the means of a text's levels tell the target; 0 where each is of few rows."""
    import numpy as np

    codes = np.where(marks.any(axis=1), marks.argmax(axis=1), marks.shape[1])
    counts = np.bincount(codes)
    if len(target) < 3 * (counts > 0).sum():
        return 0.0
    means = np.bincount(codes, weights=target) / np.maximum(counts, 1)
    spread = float(((target - target.mean()) ** 2).sum())
    left = float(((target - means[codes]) ** 2).sum())
    return math.sqrt(max(0.0, 1 - left / spread)) if spread and math.isfinite(spread) else 0.0
