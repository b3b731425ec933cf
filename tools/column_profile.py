"""The profile of a column: what one pass over its cells tells; it never leaves the machine."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.table import Kind


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
