"""Group and Aggregate: measures for each combination of keys, or over the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.measuring.measure import AS_IN_GROUP, BOTH_ENDS, measure_needs
from wideleaf.tools.actions.measuring.measures import (
    COUNT,
    Trait,
    compute_measures,
    resolve_measures,
    tell_measures,
    tell_variants,
)
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table


class Group(Action):
    """Measures for each combination of keys; nulls are left out."""

    purpose = "group"

    keys: Columns = Field(description="Names or families.")
    measures: Annotated[tuple[Trait, ...], BOTH_ENDS] = Field(
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

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The keys, and for each measure what it is of."""
        return [measure_needs(need, self.keys, self.measures)]

    def run(self, *tables: Table) -> Table:
        """Group; a null key is a group of its own, and comes last."""
        groups = compute_measures(tables[0].in_any_order, self.keys, self.measures, tables[0])
        return Table(groups.sort(*self.keys, nulls_last=True))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that were picked out of several, and of keys that are nearly the same."""
        facts = tell_measures(tables[0].frame, self.keys, self.measures, tables[0])
        return facts + tell_variants(result.frame, self.keys, result)


class Aggregate(Action):
    """Measures over the whole table, as one row; nulls are left out."""

    purpose = "group"

    measures: Annotated[tuple[Trait, ...], BOTH_ENDS, AS_IN_GROUP] = Field(min_length=1)

    def resolve(self, *tables: Table) -> Self:
        """Name each measure."""
        return self.model_copy(update={"measures": resolve_measures(self.measures, tables[0])})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """What each measure is of."""
        return [measure_needs(need, (), self.measures)]

    def run(self, *tables: Table) -> Table:
        """Aggregate."""
        return Table(compute_measures(tables[0].in_any_order, (), self.measures, tables[0]))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of cells that were picked out of several."""
        return tell_measures(tables[0].frame, (), self.measures, tables[0])
