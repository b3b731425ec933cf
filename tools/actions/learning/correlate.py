"""Correlate: how one number moves with each of many others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import ConfigDict, Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

CELLS_AT_ONCE = 8_000_000
"""Columns are read in chunks of so many cells."""
COLUMNS_AT_ONCE = 500
LEAST_PAIRS = 3
SCHEMA: dict[str, Any] = {"column": nw.String, "correlation": nw.Float64, "rows": nw.Int64}


class Correlate(Action):
    """Correlation of a column with others, strongest first: columns column, correlation, rows."""

    purpose = "learning"
    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    lazy = False
    phrases = (
        "correlation", "correlate", "correlated", "correlations", "related to", "relate to",
        "relation between", "relationship between", "associated with", "association between",
        "depend on", "main factor", "factors affect", "factors influence", "contribute to",
        "contributes most", "influence on", "influences", "causally", "effect on", "impact on",
        "drivers of",
    )  # fmt: skip

    column: Column
    with_: Columns | None = Field(
        default=None, alias="with", description="Default: all other number columns."
    )
    method: Literal["pearson", "spearman"] = "pearson"

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is no number, or there is no other.
        """
        table = tables[0]
        column = resolve_column(self.column, table)
        need_kind(table, [column], "number", "boolean", purpose="Correlate")
        if self.with_ is None:
            found = tuple(name for name in table.columns if table.kind(name) == "number")
        else:
            found = resolve_columns(self.with_, table)
            need_kind(table, found, "number", "boolean", purpose="Correlate")
        others = tuple(name for name in found if name != column)
        if not others:
            raise ActionError(
                f"there is no number column beside {column!r} to correlate it with",
                kind="argument with",
            )
        return self.model_copy(update={"column": column, "with_": others})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about."""
        return [Need(frozenset(self.column_references(*headers)[0]))]

    def run(self, *tables: Table) -> Table:
        """Read the columns in chunks, the one column with each of them.

        Raises:
            ActionError: If two columns are too large to hold in memory.
        """
        table, others = tables[0], self.with_ or ()
        width = max(1, min(COLUMNS_AT_ONCE, CELLS_AT_ONCE // max(table.count(), 1) - 1))
        found: list[tuple[str, float | None, int]] = []
        for first in range(0, len(others), width):
            names = others[first : first + width]
            # A name may be anything, so columns go by their places.
            picked = (self.column, *names)
            numbers = [
                number_column(table, name).cast(nw.Float64).alias(str(place))
                for place, name in enumerate(picked)
            ]
            chunk = Table(table.frame.select(*numbers)).collect(purpose="Correlate")
            made = _correlations(chunk, ranked=self.method == "spearman")
            found += [(name, *pair) for name, pair in zip(names, made, strict=True)]
        found.sort(key=lambda row: -1.0 if row[1] is None else abs(row[1]), reverse=True)
        cells = dict(zip(SCHEMA, map(list, zip(*found, strict=True)), strict=True))
        return Table(nw.from_dict(cells, schema=SCHEMA, backend="polars").lazy("polars"))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of columns without a correlation and of pairs that lack rows."""
        rows = tables[0].count()
        missing = nw.col("correlation").is_null().cast(nw.Int64).sum()
        part = (nw.col("rows") < rows).cast(nw.Int64).sum()
        facts = []
        undefined, partial = result.frame.select(missing, part).collect().row(0)
        if undefined:
            text = f"{undefined} columns have no correlation: constant, or under {LEAST_PAIRS} rows"
            facts.append(Fact(text=text, caveat=True))
        if partial:
            text = f"{partial} correlations leave out rows of {rows}, where a cell is null"
            facts.append(Fact(text=text, caveat=True))
        return facts


def _correlations(chunk: pl.DataFrame, *, ranked: bool) -> list[tuple[float | None, int]]:
    """The first column's correlation with each other one, over the rows that have both."""
    import numpy as np
    import polars as pl

    made = []
    target = chunk.to_series(0)
    for place in range(1, chunk.width):
        other = chunk.to_series(place)
        both = target.is_not_null() & other.is_not_null()
        pair = [target, other] if both.all() else [target.filter(both), other.filter(both)]
        if ranked:
            pair = [one.rank("average").cast(pl.Float64) for one in pair]
        made.append((_pearson(*(np.asarray(one) for one in pair)), len(pair[0])))
    return made


def _pearson(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float | None:
    """Their correlation, by deviations from the mean; None where it is not defined."""
    import numpy as np

    sides = []
    for side in (left, right):
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
        # Not by @, which would set threads to work on each short column.
        sides.append(deviation / np.sqrt(np.einsum("i,i", deviation, deviation)))
    return float(np.clip(np.einsum("i,i", *sides), -1, 1))
