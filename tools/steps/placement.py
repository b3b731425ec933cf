"""Placement: a step runs in the database that holds its frames, or else here, on copies of them."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.database import database_of
from wideleaf.tools.queries.meeting import Bring
from wideleaf.tools.tables.table import Table


def run_where_it_stands(action: Action, tables: Sequence[Table], here: Sequence[Bring]) -> Table:
    """Run an action in the database that holds its frames, or here if that cannot say it.

    Args:
        action: What is run.
        tables: Its frames, in one place.
        here: What brings each of them here; none for a leaf, which works on no frame.

    Raises:
        ActionError: If it cannot be run, or a frame has too many cells to be brought here.
    """
    try:
        result = action.run(*tables)
        if (database := database_of(result.frame)) is not None:
            database.write(nw.to_native(result.frame))
        return result
    except NotImplementedError:
        refusal = ActionError("the database has no words for this step", kind="sql")
    except ActionError as error:
        refusal = error
    away = any(database_of(table.frame) is not None for table in tables)
    if refusal.kind != "sql" or not (away and here):
        raise refusal
    return action.run(*(bring() for bring in here))
