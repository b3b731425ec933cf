"""Correlations of columns of numbers, of ranks or of whatever kinds, with their p-values."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.inference.association import Sort, effect_of
from wideleaf.tools.work import tell_progress

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Method = Literal["pearson", "spearman", "kendall", "mixed"]
LEAST_PAIRS = 3
ROWS_AT_ONCE = 256
"""Of a matrix of correlations."""
TOLD_EVERY = 1_000
"""Pairs after which whoever watches is told."""


class Pairs(NamedTuple):
    """Correlations of pairs of columns, an array each.

    Attributes:
        left: The place of one column.
        right: The place of the other.
        size: The correlation; NaN where it is not defined.
        p_value: Two-sided, of no correlation; NaN where it is not defined.
        rows: How many rows have both.
        thin: Whether it was tested by a table with cells of few rows.
    """

    left: np.ndarray[Any, Any]
    right: np.ndarray[Any, Any]
    size: np.ndarray[Any, Any]
    p_value: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any]
    thin: np.ndarray[Any, Any]


class _One(NamedTuple):
    """One pair's correlation; a p-value of None is worked out from these, a NaN is none."""

    size: float | None
    rows: int
    p_value: float | None = None
    thin: bool = False


def correlate_first(columns: Sequence[pl.Series], method: Method) -> Pairs:
    """The first column with each other one."""
    return _one_by_one(columns, [(0, place) for place in range(1, len(columns))], method)


def correlate_all(columns: Sequence[pl.Series], method: Method) -> Pairs:
    """Each column with each other one, each pair once.

    Columns without a null are done at once, as a product of matrices.
    """
    import numpy as np

    whole = [place for place, one in enumerate(columns) if can_be_whole(one, method)]
    if len(whole) < 2:
        return _one_by_one(columns, [*combinations(range(len(columns)), 2)], method)
    parts = [_at_once(columns, whole, method)]
    if len(whole) < len(columns):
        there = {*whole}
        others = [
            (one, other)
            for one, other in combinations(range(len(columns)), 2)
            if one not in there or other not in there
        ]
        parts.append(_one_by_one(columns, others, method))
    made = Pairs(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    order = np.lexsort((made.right, made.left))
    return Pairs(*(array[order] for array in made))


def can_be_whole(column: pl.Series, method: Method) -> bool:
    """Whether a column's correlations with others of the kind can be worked out at once."""
    return method in ("pearson", "spearman") and not column.null_count()


def pearson(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float | None:
    """The correlation of numbers, by deviations from the mean; None where it is not defined."""
    import numpy as np

    sides = [_direction(side) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    # Not by @, which would set threads to work on each short column.
    return float(np.clip(np.einsum("i,i", sides[0], sides[1]), -1, 1))


def two_sided(size: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The p-value of a correlation of numbers or ranks, by Student's t."""
    import numpy as np
    from scipy.special import stdtr  # type: ignore[import-untyped]

    degrees = rows - 2.0
    with np.errstate(all="ignore"):
        t = np.abs(size) * np.sqrt(degrees / ((1 - size) * (1 + size)))
        made: np.ndarray[Any, Any] = np.clip(2 * stdtr(degrees, -t), 0, 1)
    return np.where((rows >= LEAST_PAIRS) & ~np.isnan(size), made, np.nan)


def _direction(side: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """Deviations from the mean, of length 1; None of a constant, or of what is not finite."""
    import numpy as np

    if len(side) < LEAST_PAIRS or side.min() == side.max() or not np.isfinite(side).all():
        return None
    # Scaled by a power of two, which is exact, so that no difference or square runs over.
    scaled = np.ldexp(side, -int(np.frexp(np.abs(side).max())[1]) - 1)
    deviation = scaled - scaled.mean()
    deviation = deviation - deviation.mean()  # what the first mean was rounded by
    size = np.abs(deviation).max()
    if size == 0:
        return None
    deviation = deviation / size
    made: np.ndarray[Any, Any] = deviation / np.sqrt(np.einsum("i,i", deviation, deviation))
    return made


def _at_once(columns: Sequence[pl.Series], places: Sequence[int], method: Method) -> Pairs:
    """All pairs of columns without nulls."""
    import numpy as np
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    rows, at = len(columns[places[0]]), np.array(places)
    sides = np.full((len(places), rows), np.nan)
    for number, place in enumerate(places):
        cells = np.asarray(columns[place])
        side = _direction(_ranks(cells) if method == "spearman" else cells)
        if side is not None:
            sides[number] = side
    left, right, sizes = [], [], []
    with threadpool_limits(1):  # several threads add up in another order
        for start in range(0, len(places), ROWS_AT_ONCE):
            block = np.clip(sides[start : start + ROWS_AT_ONCE] @ sides[start:].T, -1, 1)
            here, there = np.triu_indices(len(block), 1, block.shape[1])
            left.append(at[start + here])
            right.append(at[start + there])
            sizes.append(block[here, there])
            tell_progress("Correlate", min(start + ROWS_AT_ONCE, len(places)), len(places))
    size = np.concatenate(sizes)
    count = np.full(len(size), rows)
    thin = np.zeros(len(size), dtype=bool)
    return Pairs(
        np.concatenate(left), np.concatenate(right), size, two_sided(size, count), count, thin
    )


def _one_by_one(
    columns: Sequence[pl.Series], places: Sequence[tuple[int, int]], method: Method
) -> Pairs:
    import numpy as np

    made = [*_each(columns, places, method)]
    size = np.array([np.nan if one.size is None else one.size for one in made], dtype=float)
    rows = np.array([one.rows for one in made], dtype=np.int64)
    told = np.array([np.nan if one.p_value is None else one.p_value for one in made], dtype=float)
    later = np.array([one.p_value is None for one in made], dtype=bool)
    p_value = np.where(later, two_sided(size, rows), told)
    left, right = np.array(places, dtype=np.int64).reshape(-1, 2).T
    thin = np.array([one.thin for one in made], dtype=bool)
    return Pairs(left, right, size, p_value, rows, thin)


class _Side(NamedTuple):
    """A column made ready for many pairs.

    Attributes:
        column: The column.
        cells: Its numbers, whatever where it has none; None of a text.
        there: Where it has a number; None where it has one everywhere.
    """

    column: pl.Series
    cells: np.ndarray[Any, Any] | None
    there: np.ndarray[Any, Any] | None


def _side(column: pl.Series) -> _Side:
    import numpy as np
    import polars as pl

    if column.dtype == pl.String:
        return _Side(column, None, None)
    if not column.null_count():
        return _Side(column, np.asarray(column), None)
    return _Side(column, np.asarray(column.fill_null(0.0)), column.is_not_null().to_numpy())


def _each(
    columns: Sequence[pl.Series], places: Sequence[tuple[int, int]], method: Method
) -> Iterator[_One]:
    sides = [_side(column) for column in columns]
    for done, (left, right) in enumerate(places, 1):
        yield _pair(sides[left], sides[right], method)
        if done % TOLD_EVERY == 0:
            tell_progress("Correlate", done, len(places))


def _pair(left: _Side, right: _Side, method: Method) -> _One:
    """Two columns over the rows that have both."""
    if left.cells is None or right.cells is None:
        sort: Sort = "category" if left.cells is None else "number"
        found = effect_of(left.column, sort, right.column)
        p_value = float("nan") if found.p_value is None else found.p_value
        return _One(found.size, found.rows, p_value, found.thin)
    ends = [left.cells, right.cells]
    masks = [side.there for side in (left, right) if side.there is not None]
    if masks:
        both = masks[0] if len(masks) == 1 else masks[0] & masks[1]
        ends = [cells[both] for cells in ends]
    if method == "kendall":
        return _kendall(ends[0], ends[1])
    if method == "spearman":
        ends = [_ranks(cells) for cells in ends]
    return _One(pearson(ends[0], ends[1]), len(ends[0]))


def _kendall(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> _One:
    """Tau-b, which allows for ties."""
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]

    rows = len(left)
    for side in (left, right):
        if rows < LEAST_PAIRS or side.min() == side.max() or not np.isfinite(side).all():
            return _One(None, rows)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = stats.kendalltau(left, right)
    return _One(float(found.statistic), rows, float(found.pvalue))


def _ranks(cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Ranks, those of equal cells averaged."""
    import numpy as np
    import polars as pl

    return np.asarray(pl.Series(cells).rank("average").cast(pl.Float64))
