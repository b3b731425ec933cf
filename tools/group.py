"""Group: measures for each combination of keys."""

from __future__ import annotations

from typing import Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.action import Action
from wideleaf.tools.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.measures import COUNT, Measure, plan_measures, resolve_measures
from wideleaf.tools.table import Table


class Group(Action):
    """Measures for each combination of keys; nulls are left out."""

    keys: Columns = Field(description="Names or families.")
    measures: tuple[Measure, ...] = Field(
        default=(COUNT,), min_length=1, description="Default: count."
    )

    def resolve(self, *tables: Table) -> Self:
        """Name keys and measures."""
        table = tables[0]
        keys = resolve_columns(self.keys, table)
        kinds = ("number", "text", "boolean", "date", "datetime")
        need_kind(table, keys, *kinds, purpose="Group")
        measures = resolve_measures(self.measures, table, taken=keys)
        return self.model_copy(update={"keys": keys, "measures": measures})

    def run(self, *tables: Table) -> Table:
        """Group; a null key is a group of its own, and comes last."""
        plan = plan_measures(self.measures, tables[0])
        grouped = tables[0].frame.group_by(*self.keys).agg(*plan.aggregates)
        named = grouped.select(*(nw.col(key) for key in self.keys), *plan.results)
        return Table(named.sort(*self.keys, nulls_last=True))
