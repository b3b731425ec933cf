"""Placement: a step runs in the database that holds its frames, or else here, on copies of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.database import Database, database_of
from wideleaf.tools.tables.table import MOST_CELLS, Table

Bring = Callable[[], Table]
"""Gives a frame here, on the engine of the run."""


def run_where_it_stands(
    action: Action, tables: Sequence[Table], there: Sequence[Table], here: Sequence[Bring]
) -> Table:
    """Run an action in the one database that holds all its frames, or else on this machine.

    Args:
        action: What is run.
        tables: Its frames, each where it is read fastest.
        there: The same, those as queries of a database that may be also read here.
        here: What brings each of them here; none for a leaf, which is not brought before it is
            worked on.

    Raises:
        ActionError: If it cannot be run, or a frame has too many cells to be brought here.
    """
    databases = {database_of(table.frame) for table in tables}
    if databases == {None}:
        return action.run(*tables)
    if len(databases) > 1:
        tables, databases = there, {database_of(table.frame) for table in there}
    refusal = "its tables are not all in one database"
    if len(databases) == 1:
        try:
            return _written(action.run(*tables))
        except NotImplementedError as error:
            refusal = str(error)
        except ActionError as error:
            if error.kind != "sql":
                raise
            refusal = error.text
    if not here:
        raise ActionError(refusal, kind="sql")
    return action.run(*(bring() for bring in here))


def need_few(table: Table) -> None:
    """Refuse to bring a frame here that has too many cells.

    Raises:
        ActionError: With the numbers.
    """
    rows, columns = table.count(), len(table.columns)
    if rows * columns <= MOST_CELLS:
        return
    database = database_of(table.frame)
    raise ActionError(
        f"this step cannot be done in {database.origin if database else 'the database'}, and "
        f"{rows:,} rows x {columns} columns are more than the {MOST_CELLS:,} cells that are "
        "brought here; Select columns, Filter rows or Group first",
        kind="too large",
    )


def _written(table: Table) -> Table:
    """The table, if its database can say it."""
    database: Database | None = database_of(table.frame)
    if database is not None:
        database.write(nw.to_native(table.frame))
    return table
