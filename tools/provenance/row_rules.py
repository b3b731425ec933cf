"""Which rows stand behind rows that an action made, one rule a type; without one all of them do."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

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
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.set_operations import Difference, SetOperation, pair_columns
from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.order import ALL, PLACE, number_rows
from wideleaf.tools.engines.engine import Engine
from wideleaf.tools.provenance.facts import SidesBehind
from wideleaf.tools.provenance.marks import LineageFrame, collect_rows, matching
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.provenance.rows import Lineage


def up_to(
    action: Position, marked: LineageFrame, keys: pl.DataFrame, engine: Engine
) -> nw.LazyFrame[Any]:
    """The rows up to those wanted: a place is counted from them.

    Args:
        action: What numbers the rows.
        marked: Its input.
        keys: The hidden cells of the rows wanted.
        engine: Who holds them.
    """
    numbered = marked.run(action).table.frame
    own = collect_rows(matching(numbered, marked.hidden, keys, engine))
    last = max(own[action.name].to_list(), default=0)
    return numbered.filter(nw.col(action.name) <= last)


def find_window_rows(
    action: Window, marked: LineageFrame, keys: pl.DataFrame, engine: Engine, *, narrow: bool
) -> nw.LazyFrame[Any]:
    """The rows a window looks at for the rows wanted.

    Args:
        action: The window.
        marked: Its input.
        keys: The hidden cells of the rows wanted.
        engine: Who holds them.
        narrow: Whether it is one row, so that its own reach will do; else whole partitions.
    """
    import polars as pl

    by = list(action.by or ())
    if not narrow or not action.order:
        rows = matching(marked.table.frame, marked.hidden, keys, engine)
        wanted = collect_rows(rows.select(*by).unique()) if by else None
        frame = marked.table.frame
        return frame if wanted is None else matching(frame, by, wanted, engine)
    order = number_rows(marked.table, action.column, False, by, action.order, action.n)
    own = collect_rows(matching(order.frame, marked.hidden, keys, engine).select(*by, PLACE))
    place = int(own[PLACE][0])
    low, high = _span(action, place)
    wanted = own.select(by) if by else pl.DataFrame({ALL: [1]})
    frame = matching(order.frame, by or [ALL], wanted, engine)
    if low is not None:
        frame = frame.filter(nw.col(PLACE) >= low)
    return frame if high is None else frame.filter(nw.col(PLACE) <= high)


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


@singledispatch
def follow(
    action: Action, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    """Want of the bases below what stands behind the rows wanted of a base.

    Args:
        action: The base's action, resolved.
        lineage: The plan.
        node: The base.
        keys: What tells the rows wanted apart.
        narrow: Whether it is one row, of which no more than its cells is wanted.
    """
    for parent in node.parents:
        lineage.want_all(parent)


@follow.register(Group)
def _group(
    action: Group, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    if lineage.shares(node.label, action.measures):
        return lineage.want_all(node.parents[0])
    lineage.want_equal(node.parents[0], action.keys, keys)


@follow.register(Correlate)
@follow.register(Trend)
def _by_group(
    action: Correlate | Trend, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    lineage.want_equal(node.parents[0], action.by or (), keys)


@follow.register(Runs)
def _runs(action: Runs, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool) -> None:
    marked = lineage.frame_of(node.parents[0])
    frame, ends = action.rows_with_ends(marked.table)
    lineage.want(marked, matching(frame, [*(action.by or ()), *ends], keys, lineage.store.engine))


@follow.register(Resample)
def _resample(
    action: Resample, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    if lineage.shares(node.label, action.measures):
        return lineage.want_all(node.parents[0])
    marked, by = lineage.frame_of(node.parents[0]), action.by or ()
    names = [*by, action.period_column]
    if action.fill != "none":  # a period between others is made of those around it
        names, keys = [*by], keys.select(keys.columns[: len(by)])
    timed = action.with_periods(marked.table)
    lineage.want(marked, matching(timed, names, keys, lineage.store.engine))


@follow.register(Pivot)
def _pivot(
    action: Pivot, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    (parent,) = node.parents
    if action.function == "share":
        return lineage.want_all(parent)
    marked = lineage.frame_of(parent)
    frame = matching(marked.table.frame, action.index or (), keys, lineage.store.engine)
    made = lineage.needs[node.label].all - {*(action.index or ())}
    if narrow and made:
        cells = frame.filter(action.stands_in(sorted(made), lineage.tables[parent]))
        rows = collect_rows(cells.select(*marked.hidden).unique())
        if len(rows):
            return lineage.spread(marked, rows)
    lineage.want(marked, frame)


@follow.register(Distinct)
def _distinct(
    action: Distinct, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    (parent,) = node.parents
    lineage.want_equal(parent, action.columns or lineage.tables[parent].columns, keys)


@follow.register(SetOperation)
def _set_operation(
    action: SetOperation, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    one, other = node.parents
    pairs = pair_columns(lineage.tables[one], lineage.tables[other]).names
    lineage.want_equal(one, [name for name, _ in pairs], keys)
    if isinstance(action, Difference) and lineage.nothing_of_nothing(other):
        if action.distinct:
            return
    elif isinstance(action, Difference):
        return lineage.want_all(other)
    lineage.want_equal(other, [name for _, name in pairs], keys)


@follow.register(Join)
def _join(join: Join, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool) -> None:
    left, right = (lineage.frame_of(parent) for parent in node.parents)
    engine = lineage.store.engine
    rows = matching(left.table.frame, left.hidden, keys, engine)
    lineage.want(left, rows)
    if join.how == "anti":
        if not lineage.nothing_of_nothing(node.parents[1]):
            lineage.want_all(node.parents[1])
        return
    names = fresh_names("key", len(join.on), left.table, right.table)
    ours = add_keys(0, join.on, names, Table(rows), right.table).select(*names).unique()
    theirs = add_keys(1, join.on, names, left.table, right.table)
    lineage.want(right, matching(theirs, names, collect_rows(ours), engine))


@follow.register(Position)
def _position(
    action: Position, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    if lineage.wide:
        return lineage.want_all(node.parents[0])
    below = lineage.frame_of(node.parents[0])
    lineage.want(below, up_to(action, below, keys, lineage.store.engine))


@follow.register(Normalise)
@follow.register(Impute)
def _prepared(
    action: Normalise | Impute, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    by, below = action.partition, lineage.frame_of(node.parents[0])
    if not by:
        return lineage.want_all(node.parents[0])
    rows = matching(below.table.frame, below.hidden, keys, lineage.store.engine)
    lineage.want_equal(node.parents[0], by, collect_rows(rows.select(*by).unique()))


@follow.register(Get)
def _get(action: Get, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool) -> None:
    if lineage.wide:
        for parent in node.parents:
            lineage.want_all(parent)
    else:
        SidesBehind(action, lineage, node).want(keys)


@follow.register(Window)
def _window(
    action: Window, lineage: Lineage, node: Node, keys: pl.DataFrame, *, narrow: bool
) -> None:
    below = lineage.frame_of(node.parents[0])
    lineage.want(below, find_window_rows(action, below, keys, lineage.store.engine, narrow=narrow))
