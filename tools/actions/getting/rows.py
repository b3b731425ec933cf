"""Rows of a table as subjects: each is known by its number."""

from __future__ import annotations

from wideleaf.tools.actions.position import Position
from wideleaf.tools.knowledge.patterns import ROW, layout_of
from wideleaf.tools.tables.table import Table


def number_rows(table: Table) -> Table:
    """A table with the numbers of its rows, which rows of an earlier step have already."""
    return Position(name=ROW).resolve(table).run(table) if numbers(table) else table


def numbers(table: Table) -> bool:
    """Whether a Get of a frame numbers its rows, which must have an order for that."""
    return layout_of(table) == "rows" and ROW not in table.columns
