"""The correlations of Correlate in each group of rows, and the frame that is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.inference.correlations import (
    Method,
    Pairs,
    can_be_whole,
    correlate_all,
    correlate_first,
)
from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.inference.correlate import Correlate

CELLS_AT_ONCE = 8_000_000
"""Columns are read in chunks of so many cells."""
COLUMNS_AT_ONCE = 500
MOST_PAIRS = 5_000_000
MOST_WORK = 1_000_000_000
"""Rows times pairs that are done one by one."""
LEAST_WORK: dict[Method, int] = {
    "pearson": 1_000,
    "spearman": 1_000,
    "kendall": 10_000,
    "mixed": 10_000,
}
"""A pair of fewer rows takes the time of so many."""
SAME = 1e-12
"""Sizes that differ by no more are equal, and rounded otherwise."""


class GroupPairs(NamedTuple):
    """The correlations in one group.

    Attributes:
        key: One row, the group's cells of the columns that group; no column where none does.
        pairs: The correlations.
        rows: How many rows the group has.
    """

    key: pl.DataFrame
    pairs: Pairs
    rows: int


def find_groups(action: Correlate, table: Table) -> tuple[list[GroupPairs], pl.DataFrame]:
    """The correlations in each group, groups in order and a null last, and no row of their keys.

    Raises:
        ActionError: If columns are too large to hold in memory, or there are too many pairs.
    """
    return _all_pairs(action, table) if action.column is None else _with_one(action, table)


def frame_of(
    action: Correlate, groups: Sequence[GroupPairs], keys: pl.DataFrame
) -> tuple[pl.DataFrame, int]:
    """The rows of all groups, strongest first, and how many a limit keeps beyond itself for ties.

    Args:
        action: The resolved action.
        groups: As `find_groups` found them.
        keys: A frame without rows, of the columns that group.
    """
    import polars as pl

    frames, more = [_frame(action, None, keys)[0]], 0
    for group in groups:
        frame, beyond = _frame(action, group.pairs, group.key)
        frames.append(frame)
        more += beyond
    names = dict(zip(keys.columns, action.by or (), strict=True))
    return pl.concat(frames).rename(names), more


def _with_one(action: Correlate, table: Table) -> tuple[list[GroupPairs], pl.DataFrame]:
    """One column with the others, which are read in chunks."""
    import numpy as np

    others, rows = action.with_ or (), table.count()
    singly = 0 if action.method in ("pearson", "spearman") else len(others)
    width = max(1, min(COLUMNS_AT_ONCE, CELLS_AT_ONCE // max(rows, 1) - 1))
    found: dict[tuple[Any, ...], list[GroupPairs]] = {}
    for first in range(0, len(others), width):
        names = (str(action.column), *others[first : first + width])
        frame = _read(action, table, names)
        parts = [*_parts(action, frame)]
        _refuse_work(action, len(others), rows, len(parts), singly=singly)
        for key, part in parts:
            pairs = correlate_first(part.get_columns(), action.method)
            made = GroupPairs(key, pairs._replace(right=pairs.right + first), len(part))
            found.setdefault(key.row(0) if key.width else (), []).append(made)
    groups = []
    for chunks in found.values():
        arrays = zip(*(chunk.pairs for chunk in chunks), strict=True)
        groups.append(chunks[0]._replace(pairs=Pairs(*map(np.concatenate, arrays))))
    return groups, _keys(action, frame).clear()


def _all_pairs(action: Correlate, table: Table) -> tuple[list[GroupPairs], pl.DataFrame]:
    names, method = action.names, action.method
    frame = _read(action, table, names)
    # The order in which an engine lists rows must not show in the last digits of a sum.
    frame = frame.sort(frame.columns[:COLUMNS_AT_ONCE])
    parts = [*_parts(action, frame)]
    pairs = len(names) * (len(names) - 1) // 2
    whole = sum(can_be_whole(frame[str(at)], method) for at in range(len(names)))
    singly = pairs - whole * (whole - 1) // 2
    _refuse_work(action, pairs, len(frame), len(parts), singly=singly)
    groups = [
        GroupPairs(key, correlate_all(part.get_columns(), method), len(part)) for key, part in parts
    ]
    return groups, _keys(action, frame).clear()


def _read(action: Correlate, table: Table, names: Sequence[str]) -> pl.DataFrame:
    """Columns by their places, for a name may be anything, and before them the keys."""
    keys = [nw.col(name).alias(f"key {at}") for at, name in enumerate(action.by or ())]
    cells = [
        text_column(table, name)
        if table.kind(name) == "text"
        else number_column(table, name).cast(nw.Float64)
        for name in names
    ]
    read = [*keys, *(cell.alias(str(at)) for at, cell in enumerate(cells))]
    return Table(table.frame.select(*read)).collect(purpose="Correlate")


def _keys(action: Correlate, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(frame.columns[: len(action.by or ())])


def _parts(action: Correlate, frame: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """The key and the rows of each group, groups in order and a null last."""
    names = _keys(action, frame).columns
    if not names:
        yield frame.select(), frame
        return
    frame = frame.sort(names, nulls_last=True, maintain_order=True)
    for part in frame.partition_by(names, maintain_order=True) if len(frame) else ():
        yield part.select(names).head(1), part.drop(names)


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
    if pairs * groups > MOST_PAIRS:
        raise ActionError(
            f"{pairs} pairs in each of {groups} groups are more than {MOST_PAIRS} correlations; "
            "name fewer columns, or coarser groups",
            kind="too large",
        )
    if singly * max(rows, LEAST_WORK[action.method] * groups) > MOST_WORK:
        raise ActionError(
            f"{singly} pairs of {rows} rows would take too long by {action.method!r}; name fewer "
            "columns, Sample rows, or take 'pearson' of columns without nulls",
            kind="too large",
        )


def _frame(action: Correlate, pairs: Pairs | None, key: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """A group's rows, strongest first, and how many are kept for being as strong as the last."""
    import numpy as np
    import polars as pl

    beside = {"other": pl.String} if action.column is None else {}
    types = {"column": pl.String, **beside, "correlation": pl.Float64, "p_value": pl.Float64}
    if pairs is None:
        return key.hstack(pl.DataFrame(schema=types | {"rows": pl.Int64})), 0
    strength, more = np.where(np.isnan(pairs.size), -1.0, np.abs(pairs.size)), 0
    order = np.argsort(-strength, kind="stable")
    if action.limit is not None:
        order = order[strength[order] >= 0]
        if len(order) > action.limit:
            least = strength[order[action.limit - 1]] - SAME
            order = order[strength[order] >= least]
            more = len(order) - action.limit
    called = pl.Series(action.names, dtype=pl.String)
    ends = [pairs.left, pairs.right] if action.column is None else [pairs.right]
    made = pl.DataFrame(
        [
            *(called.gather(end[order]).alias(n) for end, n in zip(ends, types, strict=False)),
            pl.Series("correlation", pairs.size[order], dtype=pl.Float64, nan_to_null=True),
            pl.Series("p_value", pairs.p_value[order], dtype=pl.Float64, nan_to_null=True),
            pl.Series("rows", pairs.rows[order], dtype=pl.Int64),
        ]
    )
    keys = [column.new_from_index(0, len(made)) for column in key.get_columns()]
    return pl.DataFrame(keys).hstack(made) if keys else made, more
