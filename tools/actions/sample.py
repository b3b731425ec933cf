"""Sample: some rows at random, the same ones each time."""

from __future__ import annotations

import random

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table


class Sample(Action):
    """Some rows at random, in table order."""

    purpose = "sources"
    phrases = ("random sample", "sample of", "sample rows", "at random", "random rows", "randomly")
    keeps = frozenset(("rows", "order", "columns"))
    lazy = False

    n: int = Field(default=10, ge=1, le=1000)
    seed: SkipJsonSchema[int] = 0

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns themselves."""
        return [need]

    def run(self, *tables: Table) -> Table:
        """Draw the rows.

        Raises:
            ActionError: If the table is too large to hold in memory.
        """
        frame = tables[0].collect(purpose="Sample")
        places = random.Random(self.seed).sample(range(len(frame)), min(self.n, len(frame)))
        return Table(nw.from_native(frame[sorted(places)].lazy()))
