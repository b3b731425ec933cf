"""DropNulls: leave out the rows with a null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

NAMES_TOLD = 3
AT_ONCE = 32
"""So many tests stand side by side; a condition that nests a thousand deep breaks planners."""


class DropNulls(Action):
    """Leave out the rows with a null in any of some columns, or in all of them."""

    purpose = "filter"
    keeps = frozenset(("rows", "order", "columns"))
    phrases = (
        "null", "nulls", "missing", "dropna", "incomplete", "complete rows", "complete cases",
        "blank", "blanks",
    )  # fmt: skip

    columns: Columns | None = Field(default=None, description="Default: all.")
    how: Literal["any", "all"] = "any"

    def resolve(self, *tables: Table) -> Self:
        """Turn families into names."""
        names = tables[0].columns
        if self.columns is not None:
            names = resolve_columns(self.columns, tables[0])
        return self.model_copy(update={"columns": names})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, decided by those that are looked at."""
        return [need.plus((), self.columns or ())]

    def run(self, *tables: Table) -> Table:
        """Keep the other rows."""
        null = [nw.col(name).is_null() for name in self.columns or ()]
        keep = ~_any(null) if self.how == "any" else _any([~one for one in null])
        return Table(tables[0].frame.filter(keep))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows went."""
        names, rows = self.columns or (), tables[0].count()
        where = f"{self.how} of {len(names)} columns"
        if len(names) <= NAMES_TOLD:
            where = f" {'or' if self.how == 'any' else 'and'} ".join(map(repr, names))
        return [Fact(text=f"{rows - result.count()} of {rows} rows went, with a null in {where}")]


def _any(tests: Sequence[nw.Expr]) -> nw.Expr:
    """Whether one of the tests holds; none of them is ever unknown."""
    while len(tests) > 1:
        tests = [
            nw.any_horizontal(*tests[at : at + AT_ONCE], ignore_nulls=False)
            for at in range(0, len(tests), AT_ONCE)
        ]
    return tests[0]
