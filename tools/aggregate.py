"""Aggregate: measures over the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field

from wideleaf.tools.action import Action
from wideleaf.tools.measure import AS_IN_GROUP, Measure
from wideleaf.tools.measures import measured, resolve_measures, tell_ties
from wideleaf.tools.privacy import Fact
from wideleaf.tools.table import Table


class Aggregate(Action):
    """Measures over the whole table, as one row; nulls are left out."""

    measures: Annotated[tuple[Measure, ...], AS_IN_GROUP] = Field(min_length=1)

    def resolve(self, *tables: Table) -> Self:
        """Name each measure."""
        return self.model_copy(update={"measures": resolve_measures(self.measures, tables[0])})

    def run(self, *tables: Table) -> Table:
        """Aggregate."""
        return Table(measured(tables[0].frame, (), self.measures, tables[0]))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that were picked out of several."""
        return tell_ties(tables[0].frame, (), self.measures, tables[0])
