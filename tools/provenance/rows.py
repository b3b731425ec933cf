"""The rows behind rows: a plan walked from some rows of a frame down to the rows of its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.keys import hidden, keyed
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.set_operations import Difference, SetOperation, pair_columns
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.errors import ActionError
from wideleaf.tools.provenance.frames import PASSING, MarkedPlan
from wideleaf.tools.provenance.marks import (
    Marked,
    collected,
    matching,
    row_at,
    same_cells,
)
from wideleaf.tools.provenance.narrow import COMPARED
from wideleaf.tools.provenance.windows import looked_at, up_to
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

if TYPE_CHECKING:
    import polars as pl


class Lineage(MarkedPlan):
    """A plan whose rows can be followed: from those wanted of a frame to those of its leaves."""

    def behind(self, row: int, cells: pl.DataFrame) -> dict[str, pl.Series]:
        """The numbers of the rows of each leaf that stand behind a row.

        Args:
            row: Its place.
            cells: Its cells, for an engine may put rows in another order when it runs again.

        Raises:
            ActionError: If the row cannot be found, or a leaf's rows have no numbers.
        """
        import polars as pl

        top = self._found(row, cells)
        self._spread(self.marked(self.label), top)
        for node in reversed(self.plan):
            wanted = self._wanted.get(node.label)
            if not wanted or isinstance(self.actions[node.label], Load):
                continue
            alone = node.label == self.label or self._straight(node.label)
            rows = pl.concat(wanted, how="vertical_relaxed").unique()
            self.rows[node.label] = len(rows)
            self._step(node, rows, narrow=alone and len(rows) == 1 and not self.wide)
        leaves: dict[str, pl.Series] = {}
        for node in self.plan:
            if isinstance(self.actions[node.label], Load):
                found = self._wanted.get(node.label, [])
                numbers = [frame.to_series().cast(pl.Int64) for frame in found]
                empty = pl.Series([], dtype=pl.Int64)
                leaves[node.label] = pl.concat([empty, *numbers]).unique().sort()
                self.rows[node.label] = len(leaves[node.label])
        return leaves

    def _found(self, row: int, cells: pl.DataFrame) -> pl.DataFrame:
        """The hidden cells of a row, by its place or, where that has changed, by its cells."""
        table, marked = self.tables[self.label], self.marked(self.label)
        cells = cells.select(marked.shown)
        there = row_at(marked.table, row)
        if len(there) and same_cells(cells, there):
            return there.select(marked.hidden)
        exact = [n for n in marked.shown if table.kind(n) != "other" and not _rough(table, n)]
        wanted = cells.select(exact[:COMPARED])
        rows = matching(marked.table.frame, wanted.columns, wanted, self.store.engine)
        found = collected(rows).sort(marked.hidden)
        for place in range(len(found)):
            if same_cells(cells, found[place]):
                return found[place].select(marked.hidden)
        raise ActionError(
            f"row {row} of {self.label} was not found again when its plan was run once more",
            kind="untraceable",
        )

    def _spread(self, marked: Marked, rows: pl.DataFrame) -> None:
        """Want of each base the rows that some marked rows name."""
        import polars as pl

        for mark in marked.marks:
            one = rows.select(mark.columns).filter(pl.col(mark.columns[0]).is_not_null()).unique()
            one = one.rename({name: str(place) for place, name in enumerate(mark.columns)})
            if len(one):
                self._wanted.setdefault(mark.label, []).append(one)

    def _want(self, marked: Marked, frame: nw.LazyFrame[Any]) -> None:
        self._spread(marked, collected(frame.select(*marked.hidden).unique()))

    def _want_all(self, label: str) -> None:
        marked = self.marked(label)
        self._want(marked, marked.table.frame)

    def _straight(self, label: str) -> bool:
        """Whether nothing above a base looks at more of its rows than those wanted."""
        seen, above = {label}, [node for node in self.plan if label in node.parents]
        while above:
            node = above.pop()
            action = self.actions[node.label]
            limits = isinstance(action, Sort) and action.limit is not None
            if limits or not isinstance(action, PASSING):
                return False
            if node.label not in seen:
                seen.add(node.label)
                above += [other for other in self.plan if node.label in other.parents]
        return True

    def _step(self, node: Node, wanted: pl.DataFrame, *, narrow: bool) -> None:
        """Want of the bases below what stands behind the rows wanted of a base."""
        action, parents = self.actions[node.label], node.parents
        engine = self.store.engine
        keys = wanted.drop("0")
        match action:
            case Group(keys=names) if not self._shares(node.label, action.measures):
                self._want_equal(parents[0], names, keys)
            case Resample() if not self._shares(node.label, action.measures):
                self._want_periods(action, parents[0], keys)
            case Pivot() if action.function != "share":
                self._want_cells(node.label, action, parents[0], keys, narrow=narrow)
            case Distinct(columns=names):
                self._want_equal(parents[0], names or self.tables[parents[0]].columns, keys)
            case SetOperation():
                self._want_in_both(action, parents, keys)
            case Join():
                self._want_partners(action, parents, keys)
            case Position() if not self.wide:
                below = self.marked(parents[0])
                self._want(below, up_to(action, below, keys, engine))
            case Window():
                below = self.marked(parents[0])
                self._want(below, looked_at(action, below, keys, engine, narrow=narrow))
            case _:
                for parent in parents:
                    self._want_all(parent)

    def _shares(self, label: str, measures: Sequence[Any]) -> bool:
        needed = self.needs[label].all
        return any(m.function == "share" and m.name in needed for m in measures)

    def _want_equal(self, parent: str, names: Sequence[str], wanted: pl.DataFrame) -> None:
        marked = self.marked(parent)
        self._want(marked, matching(marked.table.frame, names, wanted, self.store.engine))

    def _want_periods(self, action: Resample, parent: str, keys: pl.DataFrame) -> None:
        marked, by = self.marked(parent), action.by or ()
        timed = action.with_periods(marked.table)
        names = [*by, action.period_column]
        if action.fill != "none":  # a period between others is made of those around it
            names, keys = [*by], keys.select(keys.columns[: len(by)])
        self._want(marked, matching(timed, names, keys, self.store.engine))

    def _want_cells(
        self, label: str, action: Pivot, parent: str, keys: pl.DataFrame, *, narrow: bool
    ) -> None:
        marked = self.marked(parent)
        frame = matching(marked.table.frame, action.index or (), keys, self.store.engine)
        made = self.needs[label].all - {*(action.index or ())}
        if narrow and made:
            cells = frame.filter(action.stands_in(sorted(made), self.tables[parent]))
            rows = collected(cells.select(*marked.hidden).unique())
            if len(rows):
                self._spread(marked, rows)
                return
        self._want(marked, frame)

    def _want_in_both(
        self, action: SetOperation, parents: Sequence[str], keys: pl.DataFrame
    ) -> None:
        left, right = (self.tables[parent] for parent in parents)
        pairs = pair_columns(left, right).names
        self._want_equal(parents[0], [one for one, _ in pairs], keys)
        if isinstance(action, Difference) and self.nothing_of_nothing(parents[1]):
            if action.distinct:
                return
        elif isinstance(action, Difference):
            self._want_all(parents[1])
            return
        self._want_equal(parents[1], [other for _, other in pairs], keys)

    def _want_partners(self, join: Join, parents: Sequence[str], keys: pl.DataFrame) -> None:
        left, right = (self.marked(parent) for parent in parents)
        engine = self.store.engine
        rows = matching(left.table.frame, left.hidden, keys, engine)
        self._want(left, rows)
        if join.how == "anti":
            if not self.nothing_of_nothing(parents[1]):
                self._want_all(parents[1])
            return
        names = hidden("key", len(join.on), left.table, right.table)
        ours = keyed(0, join.on, names, Table(rows), right.table).select(*names).unique()
        theirs = keyed(1, join.on, names, left.table, right.table)
        self._want(right, matching(theirs, names, collected(ours), engine))

    def nothing_of_nothing(self, label: str) -> bool:
        """Whether a node has no row for certain where its leaves have none."""
        node, action = self.nodes[label], self.actions[label]
        sure = (Load, Join, SetOperation, Unpivot, Group, Distinct, Window, Resample, *PASSING)
        fine = isinstance(action, sure) or (isinstance(action, Pivot) and bool(action.index))
        return fine and all(map(self.nothing_of_nothing, node.parents))


def _rough(table: Table, name: str) -> bool:
    return table.schema[name].is_float()
