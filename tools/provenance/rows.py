"""The rows behind rows: a plan walked from some rows of a frame down to the rows of its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.set_operations import SetOperation
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.errors import ActionError
from wideleaf.tools.provenance.frames import COMPARED, LineageFrames
from wideleaf.tools.provenance.marks import (
    LineageFrame,
    collect_rows,
    matching,
    row_at,
    same_cells,
)
from wideleaf.tools.provenance.row_rules import RowRequest, follow
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


class Lineage(LineageFrames):
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
        self.spread(self.frame_of(self.label), top)
        for node in reversed(self.plan):
            targets = self._wanted.get(node.label)
            if not targets or isinstance(self.actions[node.label], Load):
                continue
            alone = node.label == self.label or self._straight(node.label)
            rows = pl.concat(targets, how="vertical_relaxed").unique()
            self.rows[node.label] = len(rows)
            narrow = alone and len(rows) == 1 and not self.wide
            follow(self.actions[node.label], RowRequest(self, node, rows.drop("0"), narrow))
        leaves: dict[str, pl.Series] = {}
        for node in self.plan:
            if isinstance(self.actions[node.label], Load):
                parts = self._wanted.get(node.label, [])
                numbers = [frame.to_series().cast(pl.Int64) for frame in parts]
                empty = pl.Series([], dtype=pl.Int64)
                leaves[node.label] = pl.concat([empty, *numbers]).unique().sort()
                self.rows[node.label] = len(leaves[node.label])
        return leaves

    def _found(self, row: int, cells: pl.DataFrame) -> pl.DataFrame:
        """The hidden cells of a row, by its place or, where that has changed, by its cells."""
        table, carrier = self.tables[self.label], self.frame_of(self.label)
        cells = cells.select(carrier.shown)
        there = row_at(carrier.table, row)
        if len(there) and same_cells(cells, there):
            return there.select(carrier.hidden)
        exact = [n for n in carrier.shown if table.kind(n) != "other" and not _rough(table, n)]
        target = cells.select(exact[:COMPARED])
        rows = matching(carrier.table.frame, target.columns, target, self.store.engine)
        matches = collect_rows(rows).sort(carrier.hidden)
        for place in range(len(matches)):
            if same_cells(cells, matches[place]):
                return matches[place].select(carrier.hidden)
        raise ActionError(
            f"row {row} of {self.label} was not found again when its plan was run once more",
            kind="untraceable",
        )

    def spread(self, carrier: LineageFrame, rows: pl.DataFrame) -> None:
        """Want of each base the rows that some marked rows name."""
        import polars as pl

        for mark in carrier.marks:
            one = rows.select(mark.columns).filter(pl.col(mark.columns[0]).is_not_null()).unique()
            one = one.rename({name: str(place) for place, name in enumerate(mark.columns)})
            if len(one):
                self._wanted.setdefault(mark.label, []).append(one)

    def want(self, carrier: LineageFrame, frame: nw.LazyFrame[Any]) -> None:
        """Want of each base the rows behind those of a frame."""
        self.spread(carrier, collect_rows(frame.select(*carrier.hidden).unique()))

    def want_all(self, label: str) -> None:
        """Want every row of a node."""
        carrier = self.frame_of(label)
        self.want(carrier, carrier.table.frame)

    def _straight(self, label: str) -> bool:
        """Whether nothing above a base looks at more of its rows than those wanted."""
        labels, above = {label}, [node for node in self.plan if label in node.parents]
        while above:
            node = above.pop()
            action = self.actions[node.label]
            limits = isinstance(action, Sort) and action.limit is not None
            if limits or "rows" not in action.keeps:
                return False
            if node.label not in labels:
                labels.add(node.label)
                above += [other for other in self.plan if node.label in other.parents]
        return True

    def shares(self, label: str, measures: Sequence[Any]) -> bool:
        """Whether a share is needed of a node: it hangs on all rows."""
        needed = self.needs[label].all
        return any(m.function == "share" and m.name in needed for m in measures)

    def want_equal(self, parent: str, names: Sequence[str], targets: pl.DataFrame) -> None:
        """Want the rows of a node whose cells equal those wanted."""
        carrier = self.frame_of(parent)
        self.want(carrier, matching(carrier.table.frame, names, targets, self.store.engine))

    def nothing_of_nothing(self, label: str) -> bool:
        """Whether a node has no row for certain where its leaves have none."""
        node, action = self.nodes[label], self.actions[label]
        sure = (Load, Join, SetOperation, Unpivot, Group, Distinct, Window, Resample)
        fine = isinstance(action, sure) or "rows" in action.keeps
        fine = fine or (isinstance(action, Pivot) and bool(action.index))
        return fine and all(map(self.nothing_of_nothing, node.parents))


def _rough(table: Table, name: str) -> bool:
    return table.schema[name].is_float()
