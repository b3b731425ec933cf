"""A plan run once more with marks: each frame tells the rows of the bases below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import Join, avoid_clashes
from wideleaf.tools.actions.joining.keys import SUFFIX
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS
from wideleaf.tools.plans.columns import find_leaf_columns
from wideleaf.tools.provenance.frame_rules import Inputs, mark_rows
from wideleaf.tools.provenance.marks import LineageFrame, Mark, number_source
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.needs import Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

if TYPE_CHECKING:
    import polars as pl


COMPARED = 60
"""Columns by which a row is found again where its place has changed."""


def trace_columns(
    plan: Sequence[Node],
    actions: Mapping[str, Action],
    tables: Mapping[str, Table],
    columns: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """The columns of each leaf without which the plan would make other rows, or other cells.

    Beside those that a step names, and those by which the row is found again: the first ones,
    since they settle the order of rows that are equal in the keys of a Sort or Window, and those
    of names that clash in a join, since others are called after them.

    Args:
        plan: The plan, parents before children.
        actions: Its actions, by label.
        tables: Its frames, by label.
        columns: The columns of the last frame that are traced.
    """
    leaves = [node.label for node in plan if not node.parents]
    joins = [node for node in plan if isinstance(actions[node.label], Join)]
    if any(_looks_at_whole_rows(actions[node.label]) for node in plan):
        return {label: tables[label].columns for label in leaves}
    last = plan[-1]
    header = [*columns, *tables[last.label].columns[:COMPARED]]
    call = Call(name="Select", arguments={"columns": list(dict.fromkeys(header))})
    selection = Node(label="", id="", parents=(last.label,), action=call)
    needs = find_leaf_columns([*plan, selection], tables)
    clashing: set[str] = set()
    for node in joins:
        clashing |= _clashing(actions[node.label], *(tables[parent] for parent in node.parents))
    leaf_columns = {}
    for label in leaves:
        table, names = tables[label], {*needs[label], *clashing}
        others = [n for n in table.columns if n not in names and table.kind(n) != "other"]
        names |= {*others[: TIE_BREAKERS + 1]}
        leaf_columns[label] = tuple(name for name in table.columns if name in names)
    return leaf_columns


def _looks_at_whole_rows(action: Action) -> bool:
    """An asof join chooses among rows of equal keys by all their cells."""
    return isinstance(action, Join) and action.how == "asof"


def _clashing(action: Action, left: Table, right: Table) -> set[str]:
    assert isinstance(action, Join)
    keys = {key.right for key in action.on}
    new = avoid_clashes(left.columns, [name for name in right.columns if name not in keys])
    names = {name for name, other in new.items() if name != other}
    names |= {name for name in (*left.columns, *right.columns) if name.endswith(SUFFIX)}
    for name in tuple(names):
        while name.endswith(SUFFIX):
            name = name.removesuffix(SUFFIX)
            names.add(name)
    return names


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
        self.actions = {node.label: store.bound(read_call(node.action)) for node in self.plan}
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
            self._marked[label] = mark_rows(self.actions[label], Inputs(self, node, parents))
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

    def fresh(self, carrier: LineageFrame) -> LineageFrame:
        """The same with other names for the hidden columns."""
        return carrier.rename_marks([next(self._names) for _ in carrier.hidden])

    def as_base(self, carrier: LineageFrame, label: str) -> LineageFrame:
        """A frame whose rows are told by the identities behind them, as those of a base."""
        there = next(self._names)
        carrier = self.fresh(carrier)
        frame = carrier.table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there))
        mark = Mark(label, (there, *carrier.hidden))
        return LineageFrame(
            Table(frame.select(*carrier.shown, *mark.columns)), carrier.shown, (mark,)
        )

    def copy_base(self, label: str, keys: Sequence[str]) -> LineageFrame:
        """A base's own frame, with copies of the columns that tell its rows apart."""
        table = self.tables[label]
        there, *copies = (next(self._names) for _ in range(len(keys) + 1))
        cells = [nw.col(key).alias(copy) for key, copy in zip(keys, copies, strict=True)]
        frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there), *cells)
        return LineageFrame(Table(frame), table.columns, (Mark(label, (there, *copies)),))
