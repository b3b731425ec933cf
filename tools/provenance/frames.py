"""A plan run once more with marks: each frame tells the rows of the bases below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.set_operations import SetOperation, Union
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.provenance.crafts import row_by_row
from wideleaf.tools.provenance.marks import Mark, Marked, collected, numbered, on_engine
from wideleaf.tools.provenance.narrow import columns_read
from wideleaf.tools.provenance.needs import Need, input_needs
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree, Node

if TYPE_CHECKING:
    import polars as pl

PASSING = (Select, Filter, Sort, Derive, FromOneHot, Sample)
"""Each row they make is one row of their input."""


class MarkedPlan:
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
            self.read |= columns_read(self.plan, self.actions, self.tables, columns)
        self.rows: dict[str, int] = {}
        self.by_rows: set[str] = set()
        names = {name for table in self.tables.values() for name in table.columns}
        stem = "__why"
        while any(name.startswith(stem) for name in names):
            stem = f"_{stem}"
        self._names = (f"{stem}_{number}" for number in count())
        self._marked: dict[str, Marked] = {}
        self._wanted: dict[str, list[pl.DataFrame]] = {}

    def marked(self, label: str) -> Marked:
        """A node's frame with the identities of the rows behind each of its rows."""
        if label not in self._marked:
            self._marked[label] = self._mark(self.nodes[label], self.actions[label])
        return self._marked[label]

    def numbered_leaf(self, label: str, columns: Sequence[str]) -> Marked:
        """Some columns of a leaf, and the numbers of its rows."""
        action = self.actions[label]
        assert isinstance(action, Load)
        return numbered(self.store.catalog, action.source, columns, next(self._names), label)

    def _all_needs(self, columns: Sequence[str]) -> dict[str, Need]:
        needs = {node.label: Need() for node in self.plan}
        needs[self.label] = Need(frozenset(columns))
        for node in reversed(self.plan):
            tables = [self.tables[parent] for parent in node.parents]
            if tables:
                below = input_needs(self.actions[node.label], needs[node.label], tables)
                for parent, need in zip(node.parents, below, strict=True):
                    needs[parent] = needs[parent].plus(need.values, need.deciding)
        return needs

    def _mark(self, node: Node, action: Action) -> Marked:
        parents = [self.marked(parent) for parent in node.parents]
        made: Marked
        match action:
            case Load():
                return self.numbered_leaf(node.label, self.read[node.label])
            case Window() | Position():
                made = parents[0].run(action)
                needed = str(action.name) in self.needs[node.label].all
                return self._based(made, node.label) if needed else made
            case Unpivot(keep=keep):
                kept = (*(keep or ()), *parents[0].hidden)
                return parents[0].run(action.model_copy(update={"keep": kept}))
            case Select(columns=columns):
                kept = (*columns, *parents[0].hidden)
                return parents[0].run(action.model_copy(update={"columns": kept}))
            case Join(how="semi" | "anti"):
                made = parents[0].run(action, self.tables[node.parents[1]])
                return self._based(made, node.label)
            case Join():
                right = self._fresh(parents[1])
                both = Marked(parents[0].table, parents[0].shown, (*parents[0].marks, *right.marks))
                return both.run(action, right.table)
            case Union(distinct=False):
                return self._stacked(action, *parents)
            case Craft() if len(parents) == 1 and (found := self._by_rows(action, parents[0])):
                self.by_rows.add(node.label)
                return found
        if isinstance(action, PASSING):
            made = parents[0].run(action)
            return made._replace(table=on_engine(made.table, self.store.engine))
        return self._copied(node.label, _identity(action, self.tables[node.label]))

    def _by_rows(self, action: Craft, below: Marked) -> Marked | None:
        """A function's frame beside the marks of its input's rows, where each is made of one."""
        rows = collected(below.table.frame.select(*below.shown, *below.hidden))
        made = row_by_row(self.store, action, rows.select(below.shown))
        if made is None or {*made.columns} & {*below.hidden}:
            return None
        beside = made.hstack(rows.select(below.hidden))
        table = on_engine(Table(nw.from_native(beside.lazy())), self.store.engine)
        return Marked(table, tuple(made.columns), below.marks)

    def _fresh(self, marked: Marked) -> Marked:
        return marked.renamed([next(self._names) for _ in marked.hidden])

    def _based(self, made: Marked, label: str) -> Marked:
        """A frame whose rows are told by the identities behind them, as those of a base."""
        there = next(self._names)
        made = self._fresh(made)
        frame = made.table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there))
        mark = Mark(label, (there, *made.hidden))
        return Marked(Table(frame.select(*made.shown, *mark.columns)), made.shown, (mark,))

    def _copied(self, label: str, keys: Sequence[str]) -> Marked:
        """A base's own frame, with copies of the columns that tell its rows apart."""
        table = self.tables[label]
        there, *copies = (next(self._names) for _ in range(len(keys) + 1))
        cells = [nw.col(key).alias(copy) for key, copy in zip(keys, copies, strict=True)]
        frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(there), *cells)
        return Marked(Table(frame), table.columns, (Mark(label, (there, *copies)),))

    def _stacked(self, action: Union, left: Marked, right: Marked) -> Marked:
        right = self._fresh(right)
        names = (*left.hidden, *right.hidden)
        sides = []
        for side in (left, right):
            others = [n for n in names if n not in side.hidden]
            source = right if side is left else left
            blanks = [nw.lit(None).cast(source.table.schema[n]).alias(n) for n in others]
            frame = side.table.frame.with_columns(*blanks) if blanks else side.table.frame
            sides.append(Table(frame.select(*side.shown, *names)))
        whole = Marked(sides[0], left.shown, (*left.marks, *right.marks))
        return whole.run(action, sides[1])


def _identity(action: Action, table: Table) -> Sequence[str]:
    """The columns that tell a base's rows apart; none where all are made of the same rows."""
    match action:
        case Group(keys=keys):
            return keys
        case Resample(by=by, time=time):
            return (*(by or ()), time)
        case Pivot(index=index):
            return index or ()
        case Distinct() | SetOperation():
            return table.columns
    return ()
