"""A plan run once more with marks: each frame tells the rows of the bases below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.actions.load import Load
from wideleaf.tools.provenance.frame_rules import mark_rows
from wideleaf.tools.provenance.marks import LineageFrame, Mark, number_source
from wideleaf.tools.provenance.narrow import trace_columns
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.needs import Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree

if TYPE_CHECKING:
    import polars as pl


class LineageFrames:
    """A plan whose frames are run once more with marks beside their rows.

    A node is a *base* where its rows are made of several rows, or of rows that stand elsewhere;
    the frames between two bases are run once more with the identity of each base's rows carried
    along in hidden columns. From the rows wanted of a base follow those wanted of the bases below.

    Args:
        tree: The tree.
        label: The node to start at.
        store: Its frames.
        columns: The columns of it that matter.
        wide: Whether to take whole partitions of windows and whole rows of pivots.
        narrow: Whether to read only the columns of leaves that the plan looks at.
    """

    def __init__(
        self,
        tree: FrameTree,
        label: str,
        store: FrameStore,
        columns: Sequence[str],
        *,
        wide: bool = False,
        narrow: bool = False,
    ) -> None:
        self.store, self.label, self.wide = store, label, wide
        self.plan = tree.plan(label)
        self.nodes = {node.label: node for node in self.plan}
        self.actions = {node.label: read_call(node.action) for node in self.plan}
        self.tables = {node.label: store.get(node.id) for node in self.plan}
        self.needs = self._all_needs(columns)
        self.read = {node.label: self.tables[node.label].columns for node in self.plan}
        if narrow:
            self.read |= trace_columns(self.plan, self.actions, self.tables, columns)
        self.rows: dict[str, int] = {}
        self.by_rows: set[str] = set()
        names = {name for table in self.tables.values() for name in table.columns}
        stem = "__why"
        while any(name.startswith(stem) for name in names):
            stem = f"_{stem}"
        self._names = (f"{stem}_{number}" for number in count())
        self._marked: dict[str, LineageFrame] = {}
        self._wanted: dict[str, list[pl.DataFrame]] = {}

    def frame_of(self, label: str) -> LineageFrame:
        """A node's frame with the identities of the rows behind each of its rows."""
        if label not in self._marked:
            node = self.nodes[label]
            parents = [self.frame_of(parent) for parent in node.parents]
            self._marked[label] = mark_rows(self.actions[label], self, node, parents)
        return self._marked[label]

    def number_leaf(self, label: str, columns: Sequence[str]) -> LineageFrame:
        """Some columns of a leaf, and the numbers of its rows."""
        action = self.actions[label]
        assert isinstance(action, Load)
        return number_source(self.store.catalog, action.source, columns, next(self._names), label)

    def _all_needs(self, columns: Sequence[str]) -> dict[str, Need]:
        needs = {node.label: Need() for node in self.plan}
        needs[self.label] = Need(frozenset(columns))
        for node in reversed(self.plan):
            headers = [self.tables[parent].columns for parent in node.parents]
            below = self.actions[node.label].needs(needs[node.label], *headers)
            for parent, need in zip(node.parents, below, strict=True):
                needs[parent] = needs[parent].plus(need.values, need.deciding)
        return needs

    def fresh(self, marked: LineageFrame) -> LineageFrame:
        """The same with other names for the hidden columns."""
        return marked.rename_marks([next(self._names) for _ in marked.hidden])

    def as_base(self, made: LineageFrame, label: str) -> LineageFrame:
        """A frame whose rows are told by the identities behind them, as those of a base."""
        there = next(self._names)
        made = self.fresh(made)
        frame = made.table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there))
        mark = Mark(label, (there, *made.hidden))
        return LineageFrame(Table(frame.select(*made.shown, *mark.columns)), made.shown, (mark,))

    def copy_base(self, label: str, keys: Sequence[str]) -> LineageFrame:
        """A base's own frame, with copies of the columns that tell its rows apart."""
        table = self.tables[label]
        there, *copies = (next(self._names) for _ in range(len(keys) + 1))
        cells = [nw.col(key).alias(copy) for key, copy in zip(keys, copies, strict=True)]
        frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there), *cells)
        return LineageFrame(Table(frame), table.columns, (Mark(label, (there, *copies)),))
