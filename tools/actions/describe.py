"""Describe: one row about each column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

MAX_COLUMNS = 200
SCHEMA: dict[str, Any] = {
    "column": nw.String,
    "type": nw.String,
    "nulls": nw.Int64,
    "distinct": nw.Int64,
    "min": nw.Float64,
    "max": nw.Float64,
    "mean": nw.Float64,
}


class Describe(Action):
    """One row about each column: type, nulls, distinct values, range and mean."""

    purpose = "sources"
    phrases = (
        "describe", "summary statistics", "descriptive statistics", "summarise", "summarize",
        "data types", "overview of",
    )  # fmt: skip
    lazy = False

    columns: Columns | None = Field(default=None, description="Default: all.")

    def resolve(self, *tables: Table) -> Self:
        """Turn families into names."""
        names = tables[0].columns
        if self.columns is not None:
            names = resolve_columns(self.columns, tables[0])
        return self.model_copy(update={"columns": names[:MAX_COLUMNS]})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about."""
        return [Need(frozenset(self.column_references(*headers)[0]))]

    def run(self, *tables: Table) -> Table:
        """Read the columns once."""
        table, names = tables[0], self.columns or ()
        aggregates = [
            aggregate.alias(f"{place} {what}")
            for place, name in enumerate(names)
            for what, aggregate in _aggregates(name, table).items()
        ]
        row = table.frame.select(*aggregates).collect().rows(named=True)[0] if aggregates else {}
        cells: dict[str, list[Any]] = {name: [] for name in SCHEMA}
        for place, name in enumerate(names):
            nulls = int(row[f"{place} nulls"] or 0)
            cells["column"].append(name)
            cells["type"].append(table.kind(name))
            cells["nulls"].append(nulls)
            cells["distinct"].append(int(row[f"{place} distinct"] or 0) - (nulls > 0))
            for what in ("min", "max", "mean"):
                cells[what].append(row.get(f"{place} {what}"))
        frame = nw.from_dict(cells, schema=SCHEMA, backend="polars")
        return Table(frame.lazy("polars"))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell where columns were left out."""
        described, there = len(self.columns or ()), len(tables[0].columns)
        if described < MAX_COLUMNS or described == there:
            return []
        return [Fact(text=f"The first {described} columns only; the table has {there}")]


def _aggregates(name: str, table: Table) -> dict[str, nw.Expr]:
    column = nw.col(name)
    aggregates = {"nulls": column.is_null().cast(nw.Int64).sum(), "distinct": column.n_unique()}
    if table.kind(name) == "number":
        numbers = column.cast(nw.Float64)
        aggregates |= {"min": numbers.min(), "max": numbers.max(), "mean": numbers.mean()}
    return aggregates
