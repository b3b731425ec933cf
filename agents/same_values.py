"""Whether two frames say the same: their rows as bags of values, whatever their columns are called.

Two answers to one question differ in headers, in order and in the last digits of a mean; what
counts is the denotation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from wideleaf.agents.writer import plain
from wideleaf.tools.table import Table

TOLERANCE = 1e-6
MOST_ROWS = 10_000
MOST_ORDERS = 720
"""Orders of columns that are tried; of more columns than six only the one they stand in."""
Row = tuple[Any, ...]


def same_values(one: Table, other: Table, *, partly: bool = False) -> bool | None:
    """Compare two frames as bags of rows.

    Args:
        one: A frame.
        other: Another.
        partly: Whether columns that only one of them has are passed over.

    Returns:
        None where they are too large to be compared.
    """
    counts = one.count(), other.count()
    if counts[0] != counts[1]:
        return False
    if counts[0] > MOST_ROWS:
        return None
    narrow, wide = sorted((one, other), key=lambda table: len(table.columns))
    if len(narrow.columns) != len(wide.columns) and not partly:
        return False
    ours, theirs = _columns(narrow), _columns(wide)
    return any(_same_bag(ours, chosen) for chosen in _matchings(ours, theirs))


def _columns(table: Table) -> list[list[Any]]:
    rows = table.rows(MOST_ROWS)
    return [[_cell(row[name]) for row in rows] for name in table.columns]


def _cell(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return str(value) if isinstance(value, (list, dict)) else value


def _matchings(ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> list[list[list[Any]]]:
    """Choices of their columns that may stand for ours, each holding the same bag of cells."""
    sorted_theirs = [sorted(column, key=_place) for column in theirs]
    options = []
    for column in ours:
        own = sorted(column, key=_place)
        fits = [n for n, other in enumerate(sorted_theirs) if _alike(own, other)]
        if not fits:
            return []
        options.append(fits)
    if len(ours) > len(theirs):
        return []
    if math.perm(len(theirs), len(ours)) <= MOST_ORDERS:
        orders = permutations(range(len(theirs)), len(ours))
        chosen = (o for o in orders if all(n in fits for n, fits in zip(o, options, strict=True)))
        return [[theirs[n] for n in order] for order in chosen]
    taken: list[int] = []
    for fits in options:
        free = [n for n in fits if n not in taken]
        if not free:
            return []
        taken.append(free[0])
    return [[theirs[n] for n in taken]]


def _same_bag(ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> bool:
    mine, others = (
        sorted(zip(*columns, strict=True), key=lambda row: tuple(map(_place, row)))
        for columns in (ours, theirs)
    )
    return all(_alike(row, other) for row, other in zip(mine, others, strict=True))


def _alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return all(_equal(a, b) for a, b in zip(one, other, strict=True))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def _place(cell: Any) -> tuple[str, Any]:
    """Where a cell stands in an order of cells of every type; near numbers stand together."""
    if isinstance(cell, float):
        return "number", float(f"{cell:.6g}")
    return type(cell).__name__, "" if cell is None else cell
