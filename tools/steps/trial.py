"""Trials: candidate plans run on the side, what they share computed once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.keys import resolve_pair
from wideleaf.tools.actions.joining.samples import sample_here, sample_partners
from wideleaf.tools.errors import ActionError
from wideleaf.tools.queries.meeting import copy_here, meet
from wideleaf.tools.sources.reading_errors import as_action_error
from wideleaf.tools.steps.order import need_order
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.steps.semantics import Profile, under
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.profiling.sampled import is_large
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

MAX_ROWS = 1000
HELD_CELLS = 2_000_000
"""A frame no larger than this is held in memory for the plans that go on from it."""
INPUTS = ("table", "left", "right")


class Trial:
    """Runs plans over tables; nothing enters a tree.

    Args:
        tables: The tables by the labels that steps name.
        profile: What actions mean.
        samples: Whether of large tables samples will do; a join's still find their partners.
    """

    def __init__(
        self, tables: Mapping[str, Table], profile: Profile = "standard", *, samples: bool = False
    ) -> None:
        self.tables = tables
        self.profile = profile
        self.samples = samples
        self._made: dict[str, Table | ActionError] = {}
        self._of_sample: set[str] = set()

    def branch(self, *, samples: bool = True) -> Trial:
        """A trial that knows what this one made, and tells it nothing of its own.

        Args:
            samples: Whether samples will do where they do here; else it knows none of them.
        """
        other = Trial(self.tables, self.profile, samples=samples and self.samples)
        keys = (key for key in self._made if samples or not self._is_sampled(key))
        other._made = {key: self._made[key] for key in keys}
        other._of_sample = {*self._of_sample} if samples else set()
        return other

    def unseen(self, steps: Sequence[Call], rows: Sequence[Mapping[str, Any]] | None) -> bool:
        """Whether a plan gave nothing of a sample, which does not tell what it gives of all rows.

        Args:
            steps: The plan.
            rows: What it gave here; None if it could not be run.
        """
        return rows is not None and nothing(rows) and self.of_sample(steps)

    def of_sample(self, steps: Sequence[Call]) -> bool:
        """Whether a plan is run on some of the rows here."""
        return any(map(self._is_sampled, (label for step in steps for label in labels(step))))

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

    def rows(self, steps: Sequence[Call], limit: int = MAX_ROWS) -> list[dict[str, Any]] | None:
        """The first rows that a plan gives; None if it cannot be run."""
        try:
            with as_action_error("a plan"):
                return self.run(steps).rows(limit)
        except ActionError:
            return None

    def _find(self, key: str) -> Table:
        if key in self.tables and key not in self._made:
            table = self.tables[key]
            self._made[key] = sample_here(table) if self._is_sampled(key) else table
        frame = self._made[key]
        if isinstance(frame, ActionError):
            raise frame
        return frame

    def _step(self, key: str, step: Call, inputs: Sequence[str]) -> None:
        if key not in self._made:
            try:
                tables = meet(self._inputs(key, step, inputs))
                here = [partial(copy_here, table) for table in tables]
                if step.name == "Position":
                    need_order(self._lineage(inputs[0]))
                with as_action_error(step.name):
                    action = under(self.profile, read_call(bare(step))).resolve(*tables)
                    result = run_where_it_stands(action, tables, here)
                    holds = step.name in ("Filter", "Join", "Group")
                    holds = holds and not (step.name == "Filter" and tables[0].remote)
                    self._made[key] = hold(result) if holds else result
            except ActionError as error:
                self._made[key] = error
        self._find(key)

    def _is_sampled(self, key: str) -> bool:
        """Whether a frame is, or is made of, a sample."""
        if key in self.tables:
            return self.samples and is_large(self.tables[key])
        return key in self._of_sample

    def _inputs(self, key: str, step: Call, names: Sequence[str]) -> list[Table]:
        """The frames of a step, in memory if there is a sample among them."""
        frames = [self._find(name) for name in names]
        sampled = [self._is_sampled(name) for name in names]
        if not any(sampled):
            return frames
        self._of_sample.add(key)
        if step.name == "Join" and all(sampled) and names[1] in self.tables:
            action, large = read_call(bare(step)), self.tables[names[1]]
            if isinstance(action, Join) and action.on:
                keys = [resolve_pair(one, frames[0], large) for one in action.on]
                return [*sample_partners(keys, frames[0], large)]
        return [sample_here(table) for table in frames]

    def _lineage(self, key: str) -> Iterator[str]:
        """Names of the actions behind a frame, the last one first, along first parents."""
        while key not in self.tables:
            name, _, inputs = json.loads(key)
            yield name
            key = inputs[0]


def nothing(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a plan gives no row, nothing but missing cells, or a count of none."""
    return all(cell is None or cell == 0 for row in rows for cell in row.values())


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
    arguments = {k: v for k, v in step.arguments.items() if k not in INPUTS}
    return Call(name=step.name, arguments=arguments)


def try_plan(steps: Sequence[Call], tables: Mapping[str, Table]) -> Table:
    """Run a plan once on the side.

    Raises:
        ActionError: If a step does not fit.
    """
    return Trial(tables).run(steps)
