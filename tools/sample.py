"""Sample: some rows at random, the same ones each time."""

from __future__ import annotations

import random

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.table import Table

MOST_CELLS = 50_000_000


class Sample(Action):
    """Some rows at random, in table order."""

    lazy = False

    n: int = Field(default=10, ge=1, le=1000)
    seed: SkipJsonSchema[int] = 0

    def run(self, *tables: Table) -> Table:
        """Draw the rows.

        Raises:
            ActionError: If the table is too large to hold in memory.
        """
        table, rows = tables[0], tables[0].count()
        if rows * len(table.columns) > MOST_CELLS:
            raise ActionError(
                f"Sample holds the table in memory; {rows} rows x {len(table.columns)} columns "
                f"are more than {MOST_CELLS} cells; Select columns or Filter rows first",
                kind="too large",
            )
        drawn = random.Random(self.seed).sample(range(rows), min(self.n, rows))
        collected = table.frame.collect()[sorted(drawn)]
        return Table(collected.lazy(table.frame.implementation))
