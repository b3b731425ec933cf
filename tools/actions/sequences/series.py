"""Time series: a number at each moment of each group, several of one moment averaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MOST_GROUPS = 10_000
DAY = 86_400_000_000
"""Microseconds."""
YEAR = 365.2425
"""Days of a year of the calendar, in the mean."""
_TIME, _VALUE, _GROUP, _ROWS = "time", "value", "group", "rows"


class TimeSeries(NamedTuple):
    """One group's moments in order, each once.

    Attributes:
        moments: In the type of the column.
        times: The same as numbers: days since 1970 of dates.
        values: The mean at each.
        rows: How many rows that is of.
    """

    moments: pl.Series
    times: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any]


class SeriesGroups(NamedTuple):
    """The series of all groups.

    Attributes:
        keys: The groups in order, a row each; without columns where all rows are one.
        points: Group, time, value and rows, in order.
        ends: Where each group's points end.
    """

    keys: pl.DataFrame
    points: pl.DataFrame
    ends: list[int]

    def each(self) -> Iterator[TimeSeries]:
        """Each group's series."""
        start = 0
        for end in self.ends:
            part = self.points.slice(start, end - start)
            moments = part[_TIME]
            yield TimeSeries(
                moments, as_numbers(moments), part[_VALUE].to_numpy(), part[_ROWS].to_numpy()
            )
            start = end


def plain_cell(table: Table, name: str) -> nw.Expr:
    """A cell, and of a text plain strings."""
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
    picked = [plain_cell(table, name).alias(key) for name, key in zip(by, keys, strict=True)]
    truth = table.kind(column) == "boolean"
    number = (number_column(table, column) if truth else nw.col(column)).cast(nw.Float64)
    chosen = table.frame.select(*picked, nw.col(time).alias(_TIME), number.alias(_VALUE))
    read = Table(chosen).collect(purpose="Trend")
    # An engine promises no order, so cells make one, in which sums are added up alike.
    frame = read.sort([*keys, _TIME, _VALUE], nulls_last=True)
    number_of = _numbers_of_groups(frame, keys)
    groups = int(number_of[-1]) + 1 if len(frame) else int(not by)
    if groups > MOST_GROUPS:
        raise ActionError(
            f"by makes {groups} groups, more than {MOST_GROUPS}; take coarser ones",
            kind="argument by",
        )
    first = frame.with_columns(number_of).unique(_GROUP, keep="first", maintain_order=True)
    there = pl.col(_VALUE).is_finite() & pl.col(_TIME).is_not_null()
    if frame[_TIME].dtype.is_float():
        there &= pl.col(_TIME).is_finite()
    known = frame.with_columns(number_of).filter(there)
    points = _averaged(known)
    ends = np.searchsorted(points[_GROUP].to_numpy(), np.arange(groups), side="right")
    named = first.select(pl.col(key).alias(name) for key, name in zip(keys, by, strict=True))
    return SeriesGroups(named, points, ends.tolist())


def as_numbers(moments: pl.Series) -> np.ndarray[Any, Any]:
    """Moments as numbers: those of dates and times in days since 1970."""
    import numpy as np
    import polars as pl

    made: np.ndarray[Any, Any]
    if moments.dtype == pl.Date:
        made = moments.to_physical().to_numpy().astype(float)
    elif moments.dtype == pl.Datetime:
        made = moments.dt.epoch("us").to_numpy() / DAY
    else:
        made = moments.cast(pl.Float64).to_numpy()
    return np.asarray(made, dtype=float)


def _numbers_of_groups(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """The place of each row's group among the groups, of rows in order."""
    import polars as pl

    if not keys or not len(frame):
        return pl.zeros(len(frame), dtype=pl.Int64, eager=True).alias(_GROUP)
    return frame.select(keys).to_struct("key").rle_id().cast(pl.Int64).alias(_GROUP)


def _averaged(known: pl.DataFrame) -> pl.DataFrame:
    """One row a moment of rows that are in order."""
    import numpy as np
    import polars as pl

    if not len(known):
        return known.select(_GROUP, _TIME, _VALUE, pl.lit(0, pl.Int64).alias(_ROWS))
    place = known.select(_GROUP, _TIME).to_struct("place").rle_id().to_numpy()
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    counts = np.diff(starts, append=len(place))
    values = known[_VALUE].to_numpy()
    # Made smaller by a power of two, which is exact, so that no sum runs over.
    power = int(counts.max()).bit_length()
    sums = np.add.reduceat(np.ldexp(values, -power), starts)
    means = np.ldexp(sums / counts, power)
    # Of equal cells the mean is the cell, however their sum was rounded.
    means = np.clip(means, values[starts], values[starts + counts - 1])
    made = known.select(_GROUP, _TIME)[starts]
    return made.with_columns(pl.Series(_VALUE, means), pl.Series(_ROWS, counts, dtype=pl.Int64))
