"""Projection: keep some columns, in the order asked for."""

from __future__ import annotations

from typing import Self

from wideleaf.tools.actions.action import Action
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table


class Select(Action):
    """Keep only these columns, in this order (projection)."""

    purpose = "columns"
    keeps = frozenset(("rows", "order"))

    columns: Columns

    def resolve(self, *tables: Table) -> Self:
        """Turn families into names."""
        return self.model_copy(update={"columns": resolve_columns(self.columns, tables[0])})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns themselves."""
        return [need]

    def run(self, *tables: Table) -> Table:
        """Project."""
        return Table(tables[0].frame.select(*self.columns))
