"""A table as every action sees it: a lazy narwhals frame with its schema read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import narwhals as nw

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

MOST_CELLS = 50_000_000
"""What an eager action may hold in memory: rows times columns."""
Kind = Literal["number", "text", "boolean", "date", "datetime", "other"]


def kind_of(dtype: nw.dtypes.DType) -> Kind:
    """Name the kind of a column's type in the word that people and models read."""
    if dtype.is_numeric():
        return "number"
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return "text"
    if isinstance(dtype, nw.Boolean):
        return "boolean"
    if isinstance(dtype, nw.Date):
        return "date"
    if isinstance(dtype, nw.Datetime):
        return "datetime"
    return "other"


@dataclass(frozen=True)
class Table:
    """A lazy frame; nothing is read until rows are asked for.

    Attributes:
        frame: The query, on whatever engine holds the data.
        about: What columns and families mean, in the user's words; of a raw table only.
    """

    frame: nw.LazyFrame[Any]
    about: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def schema(self) -> dict[str, nw.dtypes.DType]:
        """Column names and types, in order."""
        return dict(self.frame.collect_schema())

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(self.schema)

    def kind(self, column: str) -> Kind:
        """The kind of one column, which must exist."""
        return kind_of(self.schema[column])

    def count(self) -> int:
        """Number of rows; runs the query, once."""
        return self._rows

    @cached_property
    def _rows(self) -> int:
        return int(self.frame.select(nw.len()).collect().item())

    def rows(self, limit: int) -> list[dict[str, Any]]:
        """The first rows as plain dicts; runs the query."""
        return self.frame.head(limit).collect().rows(named=True)

    def collect(self, *columns: str, purpose: str) -> pl.DataFrame:
        """Some columns, or all, in memory, on every engine as a Polars frame, for eager actions.

        Args:
            columns: What to read; nothing else is.
            purpose: Who asks, for the message.

        Raises:
            ActionError: If that is more than `MOST_CELLS`, before anything is read.
        """
        names = columns or self.columns
        rows = self.count()
        if rows * len(names) > MOST_CELLS:
            raise ActionError(
                f"{purpose} holds its columns in memory; {rows} rows x {len(names)} columns are "
                f"more than {MOST_CELLS} cells; Select columns, Filter rows or Sample first",
                kind="too large",
            )
        made: pl.DataFrame = nw.to_native(self.frame.select(*names).collect("polars"))
        return made

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas frame; runs the query."""
        return self.frame.collect("pyarrow").to_pandas()
