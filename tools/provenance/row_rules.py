"""Which rows stand behind rows that an action made, one rule a type; without one all of them do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.keys import add_keys, fresh_names
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.set_operations import Difference, SetOperation, pair_columns
from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.order import ALL, PLACE, number_rows
from wideleaf.tools.provenance.facts import SidesBehind
from wideleaf.tools.provenance.marks import LineageFrame, collect_rows, matching
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.provenance.rows import Lineage


class RowRequest(NamedTuple):
    """The rows wanted of a base.

    Attributes:
        lineage: The plan.
        node: The base.
        keys: What tells the rows wanted apart.
        narrow: Whether it is one row, of which no more than its cells is wanted.
    """

    lineage: Lineage
    node: Node
    keys: pl.DataFrame
    narrow: bool

    @property
    def below(self) -> LineageFrame:
        """The first input with its marks."""
        return self.lineage.frame_of(self.node.parents[0])

    def matching(
        self, frame: nw.LazyFrame[Any], names: Sequence[str], keys: pl.DataFrame | None = None
    ) -> nw.LazyFrame[Any]:
        """The rows of a frame whose cells equal the keys, by default those of the rows wanted."""
        engine = self.lineage.store.engine
        return matching(frame, names, self.keys if keys is None else keys, engine)

    def rows_below(self) -> nw.LazyFrame[Any]:
        """The rows of the first input that have the marks of the rows wanted."""
        return self.matching(self.below.table.frame, self.below.hidden)

    def want_all(self) -> None:
        """Want every row of the inputs."""
        for parent in self.node.parents:
            self.lineage.want_all(parent)

    def want_equal(self, names: Sequence[str], keys: pl.DataFrame | None = None) -> None:
        """Want the rows of the first input whose cells equal the keys."""
        self.lineage.want_equal(self.node.parents[0], names, self.keys if keys is None else keys)


@singledispatch
def follow(action: Action, request: RowRequest) -> None:
    """Want of the bases below what stands behind the rows wanted of a base.

    Args:
        action: The base's action, resolved.
        request: The rows wanted.
    """
    request.want_all()


@follow.register(Group)
def _group(action: Group, request: RowRequest) -> None:
    if request.lineage.shares(request.node.label, action.measures):
        return request.want_all()
    request.want_equal(action.keys)


@follow.register(Correlate)
@follow.register(Trend)
def _by_group(action: Correlate | Trend, request: RowRequest) -> None:
    request.want_equal(action.by or ())


@follow.register(Summarise)
def _summarise(action: Summarise, request: RowRequest) -> None:
    if not action.by:
        return request.want_all()
    request.want_equal(action.by)


@follow.register(Runs)
def _runs(action: Runs, request: RowRequest) -> None:
    frame, ends = action.rows_with_ends(request.below.table)
    request.lineage.want(request.below, request.matching(frame, [*(action.by or ()), *ends]))


@follow.register(Resample)
def _resample(action: Resample, request: RowRequest) -> None:
    if request.lineage.shares(request.node.label, action.measures):
        return request.want_all()
    by, keys = action.by or (), request.keys
    names = [*by, action.period_column]
    if action.fill != "none":  # a period between others is made of those around it
        names, keys = [*by], keys.select(keys.columns[: len(by)])
    timed = action.with_periods(request.below.table)
    request.lineage.want(request.below, request.matching(timed, names, keys))


@follow.register(Pivot)
def _pivot(action: Pivot, request: RowRequest) -> None:
    lineage, below = request.lineage, request.below
    if action.function == "share":
        return request.want_all()
    frame = request.matching(below.table.frame, action.index or ())
    new_columns = lineage.needs[request.node.label].all - {*(action.index or ())}
    if request.narrow and new_columns:
        table = lineage.tables[request.node.parents[0]]
        cells = frame.filter(action.stands_in(sorted(new_columns), table))
        rows = collect_rows(cells.select(*below.hidden).unique())
        if len(rows):
            return lineage.spread(below, rows)
    lineage.want(below, frame)


@follow.register(Distinct)
def _distinct(action: Distinct, request: RowRequest) -> None:
    request.want_equal(action.columns or request.lineage.tables[request.node.parents[0]].columns)


@follow.register(SetOperation)
def _set_operation(action: SetOperation, request: RowRequest) -> None:
    lineage, (one, other) = request.lineage, request.node.parents
    pairs = pair_columns(lineage.tables[one], lineage.tables[other]).names
    request.want_equal([name for name, _ in pairs])
    if isinstance(action, Difference) and lineage.nothing_of_nothing(other):
        if action.distinct:
            return
    elif isinstance(action, Difference):
        return lineage.want_all(other)
    lineage.want_equal(other, [name for _, name in pairs], request.keys)


@follow.register(Join)
def _join(join: Join, request: RowRequest) -> None:
    lineage, other = request.lineage, request.node.parents[1]
    left, right = request.below, lineage.frame_of(other)
    rows = request.rows_below()
    lineage.want(left, rows)
    if join.how == "anti":
        if not lineage.nothing_of_nothing(other):
            lineage.want_all(other)
        return
    names = fresh_names("key", len(join.on), left.table, right.table)
    ours = add_keys(0, join.on, names, Table(rows), right.table).select(*names).unique()
    theirs = add_keys(1, join.on, names, left.table, right.table)
    lineage.want(right, request.matching(theirs, names, collect_rows(ours)))


@follow.register(Position)
def _position(action: Position, request: RowRequest) -> None:
    """The rows up to those wanted: a place is counted from them."""
    if request.lineage.wide:
        return request.want_all()
    numbered = request.below.run(action).table.frame
    own = collect_rows(request.matching(numbered, request.below.hidden))
    last = max(own[action.name].to_list(), default=0)
    request.lineage.want(request.below, numbered.filter(nw.col(action.name) <= last))


@follow.register(Normalise)
@follow.register(Impute)
def _follow_prepared(action: Normalise | Impute, request: RowRequest) -> None:
    by = action.partition
    if not by:
        return request.want_all()
    request.want_equal(by, collect_rows(request.rows_below().select(*by).unique()))


@follow.register(Get)
def _get(action: Get, request: RowRequest) -> None:
    if request.lineage.wide:
        return request.want_all()
    SidesBehind(action, request.lineage, request.node).want(request.keys)


@follow.register(Window)
def _window(action: Window, request: RowRequest) -> None:
    """The rows that a window looks at: within its reach of one row, else whole partitions."""
    import polars as pl

    by, below = list(action.by or ()), request.below
    if not request.narrow or not action.order:
        frame = below.table.frame
        if by:
            frame = request.matching(
                frame, by, collect_rows(request.rows_below().select(*by).unique())
            )
        return request.lineage.want(below, frame)
    order = number_rows(below.table, action.column, False, by, action.order, action.n)
    own = collect_rows(request.matching(order.frame, below.hidden).select(*by, PLACE))
    low, high = _span(action, int(own[PLACE][0]))
    keys = own.select(by) if by else pl.DataFrame({ALL: [1]})
    frame = request.matching(order.frame, by or [ALL], keys)
    if low is not None:
        frame = frame.filter(nw.col(PLACE) >= low)
    request.lineage.want(below, frame if high is None else frame.filter(nw.col(PLACE) <= high))


def _span(action: Window, place: int) -> tuple[int | None, int | None]:
    """The places in its partition of which a row's window speaks; the whole of it by default."""
    function = action.function
    if function in ("lag", "difference", "percent change"):
        return place - action.n, place
    if function == "lead":
        return place, place + action.n
    if function.startswith("rolling"):
        return place - action.n + 1, place
    if function.startswith("cumulative") or function in ("row number", "rank", "dense rank"):
        return None, place
    return None, None
