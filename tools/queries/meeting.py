"""Meeting: frames that are worked on together are brought to one place, within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.database import database_of
from wideleaf.tools.tables.table import MAX_CELLS, Table

Bring = Callable[[], Table]
"""Gives a frame here, on the engine of the run."""


def meet(
    tables: Sequence[Table],
    there: Sequence[Table] | None = None,
    here: Sequence[Bring] | None = None,
) -> list[Table]:
    """Frames in one place: in the one database that holds them all, or else here.

    Args:
        tables: The frames, each where it is read fastest.
        there: The same, those as queries of a database that are also kept here.
        here: What brings each of them here; by default a copy in memory.

    Raises:
        ActionError: If a frame has too many cells to be brought here.
    """
    for some in (tables, there or tables):
        if len({database_of(table.frame) for table in some}) <= 1:
            return [*some]
    return [bring() for bring in here or [partial(copy_here, table) for table in tables]]


def copy_here(table: Table) -> Table:
    """A frame of a database in memory; any other as it is.

    Raises:
        ActionError: If it has too many cells for that.
    """
    if database_of(table.frame) is None:
        return table
    need_few(table)
    rows = table.frame.collect("polars").lazy("polars")
    return Table(rows, table.about, table.relations, table.measures)


def need_few(table: Table) -> None:
    """Refuse to bring a frame here that has too many cells.

    Raises:
        ActionError: With the numbers.
    """
    rows, columns = table.count(), len(table.columns)
    if rows * columns <= MAX_CELLS:
        return
    database = database_of(table.frame)
    raise ActionError(
        f"this step cannot be done in {database.origin if database else 'the database'} alone, and "
        f"{rows:,} rows x {columns} columns are more than the {MAX_CELLS:,} cells that are "
        "brought here; Select columns, Filter rows or Group first",
        kind="too large",
    )
