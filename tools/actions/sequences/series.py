"""Time series: a number at each moment of each group, several of one moment averaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

MAX_GROUPS = 10_000
DAY = 86_400_000_000
"""Microseconds."""


class SeriesGroups(NamedTuple):
    """The series of all groups.

    Attributes:
        keys: The groups in order, a row each; without columns where all rows are one.
        points: The moments of each group in order, each once: `group` by its place, `time` in the
            type of the column, `at` as a number (days since 1970 of dates), `value`, the mean
            there, and of how many `rows` that is.
        ends: Where each group's points end.
    """

    keys: pl.DataFrame
    points: pl.DataFrame
    ends: list[int]

    def each(self) -> Iterator[pl.DataFrame]:
        """Each group's points."""
        return (self.points[start:end] for start, end in pairwise([0, *self.ends]))


def plain_cell(table: Table, name: str) -> nw.Expr:
    """A cell, of a text as plain strings."""
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def read_series(table: Table, time: str, column: str, by: Sequence[str]) -> SeriesGroups:
    """Read the rows that have a moment and a finite number, and average those of one moment.

    Raises:
        ActionError: If there are too many cells or groups.
    """
    import numpy as np
    import polars as pl

    # By place, for a header may be anything.
    keys = [str(place) for place in range(len(by))]
    key_cells = [plain_cell(table, name).alias(key) for name, key in zip(by, keys, strict=True)]
    truth = table.kind(column) == "boolean"
    number = (number_column(table, column) if truth else nw.col(column)).cast(nw.Float64)
    selection = table.frame.select(*key_cells, nw.col(time).alias("time"), number.alias("value"))
    raw_frame = Table(selection).collect(purpose="Trend")
    # An engine promises no order, so cells make one, in which sums are added up alike.
    frame = raw_frame.sort([*keys, "time", "value"], nulls_last=True)
    group = pl.struct(keys).rle_id() if keys and len(frame) else pl.lit(0)
    frame = frame.with_columns(group.cast(pl.Int64).alias("group"))
    first = frame.unique("group", keep="first", maintain_order=True)
    groups = len(first) if by else 1
    if groups > MAX_GROUPS:
        raise ActionError(
            f"by makes {groups} groups, more than {MAX_GROUPS}; take coarser ones",
            kind="argument by",
        )
    rows = frame.filter(pl.col("value").is_finite())
    at = _as_numbers(rows["time"])
    points = _average(rows.with_columns(at=at).filter(at.is_finite()))
    ends = np.searchsorted(points["group"].to_numpy(), np.arange(groups), side="right")
    group_keys = first.select(pl.col(key).alias(name) for key, name in zip(keys, by, strict=True))
    return SeriesGroups(group_keys, points, ends.tolist())


def _as_numbers(moments: pl.Series) -> pl.Series:
    """Moments as numbers: those of dates and times in days since 1970."""
    import polars as pl

    if moments.dtype == pl.Date:
        moments = moments.to_physical()
    elif moments.dtype == pl.Datetime:
        # Divided by numpy, whose quotients are rounded once.
        return pl.Series(moments.dt.epoch("us").to_numpy() / DAY)
    return moments.cast(pl.Float64)


def _average(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a moment of rows that are in order."""
    import numpy as np
    import polars as pl

    place = rows.select(pl.struct("group", "time").rle_id()).to_series().to_numpy()
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    counts = np.diff(starts, append=len(place))
    values = rows["value"].to_numpy()
    if len(values):
        # Made smaller by a power of two, which is exact, so that no sum runs over.
        power = int(counts.max()).bit_length()
        means = np.ldexp(np.add.reduceat(np.ldexp(values, -power), starts) / counts, power)
        # Of equal cells the mean is the cell, however their sum was rounded.
        values = np.clip(means, values[starts], values[starts + counts - 1])
    points = rows.select("group", "time", "at")[starts]
    return points.with_columns(pl.Series("value", values), pl.Series("rows", counts, pl.Int64))
