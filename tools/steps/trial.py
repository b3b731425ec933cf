"""Trials: candidate plans run on the side, what they share computed once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.meeting import copy_here, meet
from wideleaf.tools.sources.reading_errors import as_action_error
from wideleaf.tools.steps.order import need_order
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.steps.semantics import Profile, under
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

MOST_ROWS = 1000
HELD_CELLS = 2_000_000
"""A frame no larger than this is held in memory for the plans that go on from it."""
INPUTS = ("table", "left", "right")


class Trial:
    """Runs plans over tables; nothing enters a tree.

    Args:
        tables: The tables by the labels that steps name.
        profile: What actions mean.
    """

    def __init__(self, tables: Mapping[str, Table], profile: Profile = "standard") -> None:
        self.tables = tables
        self.profile = profile
        self._made: dict[str, Table | ActionError] = {}

    def branch(self) -> Trial:
        """A trial that knows what this one made, and tells it nothing of its own."""
        other = Trial(self.tables, self.profile)
        other._made = dict(self._made)
        return other

    def run(self, steps: Sequence[Call]) -> Table:
        """The frame of a plan's last step.

        Raises:
            ActionError: If a step does not fit.
        """
        keys: list[str] = []
        for step in steps:
            inputs = [
                keys[int(label[1:])] if label.startswith("$") else label for label in labels(step)
            ]
            keys.append(json.dumps([step.name, bare(step).arguments, inputs]))
            self._step(keys[-1], step, inputs)
        if not keys:
            raise ActionError("a plan without steps", kind="argument")
        return self._find(keys[-1])

    def rows(self, steps: Sequence[Call], limit: int = MOST_ROWS) -> list[dict[str, Any]] | None:
        """The first rows that a plan gives; None if it cannot be run."""
        try:
            with as_action_error("a plan"):
                return self.run(steps).rows(limit)
        except ActionError:
            return None

    def _find(self, key: str) -> Table:
        found = self.tables[key] if key in self.tables else self._made[key]
        if isinstance(found, ActionError):
            raise found
        return found

    def _step(self, key: str, step: Call, inputs: Sequence[str]) -> None:
        if key not in self._made:
            try:
                found = [self._find(name) for name in inputs]
                tables = meet(found)
                here = [partial(copy_here, table) for table in tables]
                if step.name == "Position":
                    need_order(self._lineage(inputs[0]))
                with as_action_error(step.name):
                    action = under(self.profile, read_call(bare(step))).resolve(*tables)
                    made = run_where_it_stands(action, tables, here)
                    held = step.name in ("Filter", "Join", "Group")
                    self._made[key] = hold(made) if held else made
            except ActionError as error:
                self._made[key] = error
        self._find(key)

    def _lineage(self, key: str) -> Iterator[str]:
        """Names of the actions behind a frame, the last one first, along first parents."""
        while key not in self.tables:
            name, _, inputs = json.loads(key)
            yield name
            key = inputs[0]


def hold(table: Table) -> Table:
    """The table in memory if it is small, so that what comes after need not compute it again."""
    if not table.frame.implementation.is_polars():
        return table
    cells = HELD_CELLS // max(len(table.columns), 1)
    few = table.frame.head(cells + 1).collect("polars")
    return Table(few.lazy("polars")) if len(few) <= cells else table


def labels(step: Call) -> list[str]:
    """The labels of a step's input frames, in order."""
    return [str(step.arguments[name]) for name in INPUTS if name in step.arguments]


def bare(step: Call) -> Call:
    """The step without its input labels."""
    kept = {k: v for k, v in step.arguments.items() if k not in INPUTS}
    return Call(name=step.name, arguments=kept)


def try_plan(steps: Sequence[Call], tables: Mapping[str, Table]) -> Table:
    """Run a plan once on the side.

    Raises:
        ActionError: If a step does not fit.
    """
    return Trial(tables).run(steps)
