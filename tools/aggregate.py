"""Aggregate: measures over the whole table."""

from __future__ import annotations

from typing import Self

from pydantic import Field

from wideleaf.tools.action import Action
from wideleaf.tools.measures import Measure, plan_measures, resolve_measures
from wideleaf.tools.table import Table


class Aggregate(Action):
    """Measures over the whole table, as one row; nulls are left out."""

    measures: tuple[Measure, ...] = Field(min_length=1)

    def resolve(self, *tables: Table) -> Self:
        """Name each measure."""
        return self.model_copy(update={"measures": resolve_measures(self.measures, tables[0])})

    def run(self, *tables: Table) -> Table:
        """Aggregate."""
        plan = plan_measures(self.measures, tables[0])
        return Table(tables[0].frame.select(*plan.aggregates).select(*plan.results))
