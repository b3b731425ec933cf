"""The profile of a column: what one pass over its cells tells; it never leaves the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.tables.table import Kind

EXACT_CELLS = 20_000_000
"""Distinct values are counted one by one where so many cells at most are profiled, else
estimated, to some percent."""
MAX_FREQUENT = 20
"""So many frequent values are kept with their counts; a number column of more values has none."""
MAX_VALUES = 500
"""Of a text column with at most so many values, all are kept."""
MAX_COUNTED = 200_000
"""Of a text column with about so many values or more, none is counted: it is all but a key, and to
group it would hold it in memory."""
FEW_AT_MOST = MAX_FREQUENT + 6
"""An estimate that may stand for `MAX_FREQUENT` values."""
CELL_KEPT = 60
"""Characters of a cell that are kept; a longer one ends in an ellipsis."""
CELLS_HELD = {"number": 24_000_000, "text": 2_000_000}
"""A chunk of number columns, or of text columns, may have so many cells to be held in memory."""
MIN_HELD = 16
"""Where fewer columns than this fit in memory, each chunk is streamed instead."""


class ColumnProfile(BaseModel):
    """What is known of a column's cells.

    Attributes:
        kind: Kind of the column.
        rows: Number of rows.
        nulls: How many of them are null.
        distinct: About how many different values there are; None where it was not counted.
        low: Smallest number, or earliest date as text; None without one.
        high: Largest number, or latest date as text.
        frequent: The most frequent values of a text or boolean column with their counts, and of a
            number column of few values.
        others: The further values of a text column that has some hundred at most, by frequency.
        read: How many rows it was read of, where those are a sample; what was not in it is not
            known, and all counts but that of the rows are estimates.
    """

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")

    kind: Kind
    rows: int
    nulls: int
    distinct: int | None = None
    low: float | str | None = None
    high: float | str | None = None
    frequent: tuple[tuple[str, int], ...] = ()
    others: tuple[str, ...] = ()
    read: int | None = None

    @property
    def constant(self) -> bool:
        """Whether all its cells are alike."""
        return self.distinct is not None and self.distinct <= 1

    @property
    def indicator(self) -> bool:
        """Whether it holds 0 and 1 alone, as one category of several does."""
        return self.kind == "number" and self.distinct == 2 and (self.low, self.high) == (0, 1)

    @property
    def values(self) -> tuple[str, ...]:
        """The values known of it, most frequent first."""
        return (*(value for value, _ in self.frequent), *self.others)


class Chunk(NamedTuple):
    """Columns that are read together.

    Attributes:
        columns: Their kinds by name.
        rows: Number of rows of the table.
        exact: Whether distinct values are counted one by one.
        held: Whether their cells fit in memory.
    """

    columns: Mapping[str, Kind]
    rows: int
    exact: bool
    held: bool


class ColumnReading(NamedTuple):
    """What an engine tells of a column.

    Attributes:
        cells: How many are not null.
        distinct: How many different values there are, or about.
        low: The smallest value.
        high: The largest value.
        counts: Values with their counts, most frequent first; text is cut, and there is one value
            more than `MAX_VALUES` where there are more.
    """

    cells: int
    distinct: int | None = None
    low: Any = None
    high: Any = None
    counts: tuple[tuple[Any, int], ...] = ()
