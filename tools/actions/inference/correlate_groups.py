"""The correlations of Correlate, in each group of rows, and the frame that is made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, cast

import narwhals as nw

from wideleaf.tools.actions.inference.association import Sort, effect_of
from wideleaf.tools.actions.inference.reading import COLUMNS_AT_ONCE, columns_at_once, groups_of
from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.work import one_thread, tell_progress

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.correlate import Correlate

Method = Literal["pearson", "spearman", "kendall", "mixed"]
MAX_PAIRS = 5_000_000
MAX_WORK = 1_000_000_000
"""Rows times pairs that are done one by one."""
MIN_WORK = {"pearson": 1_000, "spearman": 1_000, "kendall": 10_000, "mixed": 10_000}
"""A pair of fewer rows takes the time of so many."""
SAME = 1e-12
"""Sizes that differ by no more are equal, and rounded otherwise."""
ROWS_AT_ONCE = 256
"""Of a matrix of correlations."""
TOLD_EVERY = 1_000
"""Pairs after which whoever watches is told."""


def find_pairs(action: Correlate, table: Table) -> pl.DataFrame:
    """A row for each pair in each group, groups in order and a null last.

    Its columns are those that group, by their places (``key 0``), and ``group``, the number of the
    group, ``of``, its rows, ``left`` and ``right``, the places of the columns, ``size``, null where
    no correlation is defined, ``p_value``, ``rows``, those that have both, and ``thin``, whether
    it was tested by a table with cells of few rows.

    Raises:
        ActionError: If columns are too large to hold in memory, or there are too many pairs.
    """
    import polars as pl

    names, by, rows = action.names, len(action.by or ()), table.count()
    alone = action.column is None
    width = len(names) if alone else columns_at_once(rows)
    frames = []
    for first in range(0, len(names) - 1, width):
        frame = _read(action, table, [names[0], *names[first + 1 : first + 1 + width]])
        if alone:
            # The order in which an engine lists rows must not show in the last digits of a sum.
            frame = frame.sort(frame.columns[:COLUMNS_AT_ONCE])
        parts = [part for _, part in groups_of(frame, by)]
        whole = sum(_can_be_whole(one, action.method) for one in frame.get_columns()[by:])
        pairs = math.comb(len(names), 2) if alone else len(names) - 1
        singly = pairs - math.comb(whole, 2) * alone
        _refuse_work(action, pairs, rows, len(parts), singly=singly)
        frames.append(
            _correlate([], action.method, alone=False)
            .with_columns(group=pl.lit(0), of=pl.lit(0))
            .hstack(frame[:, :by].clear())
        )
        for group, part in enumerate(parts):
            cells = part.get_columns()
            correlations = _correlate(cells[by:], action.method, alone=alone).with_columns(
                pl.col("right") + first, group=pl.lit(group), of=pl.lit(len(part))
            )
            frames.append(
                correlations.with_columns(
                    key.new_from_index(0, len(correlations)) for key in cells[:by]
                )
            )
    correlations = pl.concat(frames)
    return correlations if alone else correlations.sort("group", maintain_order=True)


def frame_of(action: Correlate, pairs: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """The rows of all groups, strongest first, and how many a limit keeps beyond itself for ties.

    Args:
        action: The resolved action.
        pairs: As `find_pairs` found them.
    """
    import polars as pl

    strength, beyond = pl.col("size").abs(), 0
    # By one key after the other, which takes a quarter of the time.
    pairs = pairs.sort(-strength, nulls_last=True, maintain_order=True)
    pairs = pairs.sort("group", maintain_order=True)
    if action.limit is not None:
        pairs = pairs.drop_nulls("size")
        least = strength.head(action.limit).last().over("group")
        pairs = pairs.filter(strength >= least - SAME)
        excess = pairs.group_by("group").len()["len"].cast(pl.Int64) - action.limit
        beyond = int(excess.clip(0).sum())
    called = pl.Series(action.names, dtype=pl.String)
    ends = {"column": "left", "other": "right"} if action.column is None else {"column": "right"}
    frame = pairs.select(
        *(pl.col(f"key {at}").alias(name) for at, name in enumerate(action.by or ())),
        *(called.gather(pairs[end]).alias(name) for name, end in ends.items()),
        pl.col("size").alias("correlation"),
        "p_value",
        "rows",
    )
    return frame, beyond


def _read(action: Correlate, table: Table, names: Sequence[str]) -> pl.DataFrame:
    """Columns by their places, for a name may be anything, and before them the keys."""
    keys = [nw.col(name).alias(f"key {at}") for at, name in enumerate(action.by or ())]
    cells = [
        text_column(table, name)
        if table.kind(name) == "text"
        else number_column(table, name).cast(nw.Float64)
        for name in names
    ]
    selection = [*keys, *(cell.alias(str(at)) for at, cell in enumerate(cells))]
    return Table(table.frame.select(*selection)).collect(purpose="Correlate")


def _refuse_work(action: Correlate, pairs: int, rows: int, groups: int, *, singly: int) -> None:
    """Refuse what would take too long.

    Args:
        action: The resolved action.
        pairs: In each group.
        rows: Of all groups.
        groups: How many there are.
        singly: Pairs that are done one by one.

    Raises:
        ActionError: If it would.
    """
    if pairs * groups > MAX_PAIRS:
        raise ActionError(
            f"{pairs} pairs in each of {groups} groups are more than {MAX_PAIRS} correlations; "
            "name fewer columns, or coarser groups",
            kind="too large",
        )
    if singly * max(rows, MIN_WORK[action.method] * groups) > MAX_WORK:
        raise ActionError(
            f"{singly} pairs of {rows} rows would take too long by {action.method!r}; name fewer "
            "columns, Sample rows, or take 'pearson' of columns without nulls",
            kind="too large",
        )


def _can_be_whole(column: pl.Series, method: Method) -> bool:
    """Whether a column's correlations with others of the kind can be worked out at once."""
    return method in ("pearson", "spearman") and not column.null_count()


def _correlate(columns: Sequence[pl.Series], method: Method, *, alone: bool) -> pl.DataFrame:
    """The first column with each other one; alone all with each other, whole ones at once."""
    import polars as pl

    if not alone:
        return _one_by_one(columns, [(0, place) for place in range(1, len(columns))], method)
    whole = [place for place, one in enumerate(columns) if _can_be_whole(one, method)]
    if len(whole) == len(columns):
        return _at_once(columns, whole, method)
    pairs = combinations(range(len(columns)), 2)
    if len(whole) < 2:
        return _one_by_one(columns, [*pairs], method)
    there = {*whole}
    others = [pair for pair in pairs if not there.issuperset(pair)]
    frames = [_at_once(columns, whole, method), _one_by_one(columns, others, method)]
    return pl.concat(frames).sort(pl.col("left") * len(columns) + pl.col("right"))


def _at_once(columns: Sequence[pl.Series], places: Sequence[int], method: Method) -> pl.DataFrame:
    """All pairs of columns without nulls, as a product of matrices."""
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]

    from wideleaf.tools.actions.inference.hypothesis_tests import direction_of, two_sided

    rows, at = len(columns[places[0]]), np.array(places)
    sides = np.full((len(places), max(rows, 1)), np.nan)  # without a row still no correlation
    for number, place in enumerate(places):
        cells = _numbers(columns[place])
        side = direction_of(stats.rankdata(cells) if method == "spearman" else cells)
        if side is not None:
            sides[number] = side
    parts = []
    with one_thread():
        for start in range(0, len(places), ROWS_AT_ONCE):
            block = np.clip(sides[start : start + ROWS_AT_ONCE] @ sides[start:].T, -1, 1)
            here, there = np.triu_indices(len(block), 1, block.shape[1])
            size = block[here, there]
            count = np.full(len(size), rows)
            parts.append((at[start + here], at[start + there], size, two_sided(size, rows), count))
            tell_progress("Correlate", min(start + ROWS_AT_ONCE, len(places)), len(places))
    arrays = [np.concatenate(one) for one in zip(*parts, strict=True)]
    return _frame([*arrays, np.zeros(len(arrays[0]))])


def _one_by_one(
    columns: Sequence[pl.Series], places: Sequence[tuple[int, int]], method: Method
) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.hypothesis_tests import correlate_pair

    cells = {at: _numbers(one) for at, one in enumerate(columns) if one.dtype != pl.String}
    matrix = np.zeros((len(places), 6))
    for count, (left, right) in enumerate(places, 1):
        if left in cells and right in cells:
            figures: Sequence[Any] = (*correlate_pair(cells[left], cells[right], method), False)
        else:
            sort: Sort = "number" if left in cells else "category"
            effect = effect_of(columns[left], sort, columns[right])
            figures = effect.size, effect.p_value, effect.rows, effect.thin
        matrix[count - 1] = np.array([left, right, *figures], dtype=float)
        if count % TOLD_EVERY == 0:
            tell_progress("Correlate", count, len(places))
    return _frame([*matrix.T])


def _numbers(column: pl.Series) -> np.ndarray[Any, Any]:
    """Numbers, NaN where there is none; what is no number otherwise is infinite."""
    return column.fill_nan(math.inf).to_numpy()


def _frame(arrays: Sequence[np.ndarray[Any, Any]]) -> pl.DataFrame:
    import polars as pl

    types = {"left": pl.Int64, "right": pl.Int64, "rows": pl.Int64, "thin": pl.Boolean}
    names = ("left", "right", "size", "p_value", "rows", "thin")
    cells = dict(zip(names, arrays, strict=True))
    return pl.DataFrame(cells, nan_to_null=True).cast(cast("Any", types))
