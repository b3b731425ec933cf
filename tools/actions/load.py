"""Load: open a source as a leaf of the tree."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.table import Table


class Load(Action):
    """Open another table by its name; it becomes a leaf of that name."""

    purpose = "sources"
    inputs = ()

    source: str
    fingerprint: SkipJsonSchema[str] = ""
    """Of the source's content; filled in when the leaf is grown, part of every id above it."""

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell that it is a knowledge graph."""
        if not result.relations:
            return []
        return [Fact(text=f"A knowledge graph of {len(result.relations)} relations; Get asks it")]

    def run(self, *tables: Table) -> Table:
        """Pass on the source; the catalog hands it in, normalised and without denied columns."""
        return tables[0]
