"""Distinct: each combination of values once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, aggregate_by


class Distinct(Action):
    """Each row, or each combination of some columns, once; sorted."""

    purpose = "filter"
    phrases = (
        "distinct", "unique", "different", "duplicate", "duplicates", "deduplicate",
        "deduplicated", "dedupe",
    )  # fmt: skip

    columns: Columns | None = Field(default=None, description="Keep only these. Default: all.")

    def resolve(self, *tables: Table) -> Self:
        """Turn families into names."""
        if self.columns is None:
            return self
        return self.model_copy(update={"columns": resolve_columns(self.columns, tables[0])})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, found by those that are compared."""
        return [need.plus((), self.columns or ())]

    def column_references(self, *headers: Header) -> list[list[str]]:
        """Its columns, or all."""
        return super().column_references(*headers) if self.columns else [list(headers[0] or ())]

    def run(self, *tables: Table) -> Table:
        """Project and leave out what is there already; nulls equal each other."""
        names = self.columns or tables[0].columns
        return Table(in_order(Table(distinct_rows(tables[0].frame, names))))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows fell away."""
        rows = tables[0].count()
        fell = rows - result.count()
        return [Fact(text=f"{fell} of {rows} rows fell away as duplicates")]


def distinct_rows(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """Each combination of some columns once, in no order."""
    # A window, as narwhals' own unique makes it in SQL, is twice as slow as a group.
    return aggregate_by(frame, columns)


def in_order(table: Table) -> nw.LazyFrame[Any]:
    """A table whose rows came in no order, sorted by all its columns that can be.

    Rows that differ then stand in the same place however often the query runs.
    """
    names = [name for name in table.columns if table.kind(name) != "other"]
    return table.frame.sort(*names, nulls_last=True) if names else table.frame
