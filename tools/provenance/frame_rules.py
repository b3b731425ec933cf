"""How marks pass through an action, one rule a type; without one its frame is a base of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING

import narwhals as nw

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.preparing.bin import Bin
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.preparing.split import Split
from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.set_operations import SetOperation, Union
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.knowledge.patterns import ROW
from wideleaf.tools.provenance.crafts import row_by_row
from wideleaf.tools.provenance.marks import LineageFrame, collect_rows, on_engine
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node

if TYPE_CHECKING:
    from wideleaf.tools.provenance.frames import LineageFrames


@singledispatch
def mark_rows(
    action: Action, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    """A node's frame with the identities of the rows behind each of its rows.

    Args:
        action: The node's action, resolved.
        plan: The plan.
        node: The node.
        parents: Its inputs with their marks.
    """
    if "rows" in action.keeps:
        made = parents[0].run(action)
        return made._replace(table=on_engine(made.table, plan.store.engine))
    return plan.copy_base(node.label, identify(action, plan.tables[node.label]))


@singledispatch
def identify(action: Action, table: Table) -> Sequence[str]:
    """The columns that tell a base's rows apart; none where all are made of the same rows."""
    return ()


@identify.register(Group)
def _by_keys(action: Group, table: Table) -> Sequence[str]:
    return action.keys


@identify.register(Resample)
def _by_periods(action: Resample, table: Table) -> Sequence[str]:
    return (*(action.by or ()), action.time)


@identify.register(Correlate)
@identify.register(Trend)
def _by_groups(action: Correlate | Trend, table: Table) -> Sequence[str]:
    return action.by or ()


@identify.register(Runs)
def _by_ends(action: Runs, table: Table) -> Sequence[str]:
    return (*(action.by or ()), *action.ends_in(table))


@identify.register(Pivot)
def _by_index(action: Pivot, table: Table) -> Sequence[str]:
    return action.index or ()


@identify.register(Get)
def _by_subjects(action: Get, table: Table) -> Sequence[str]:
    return (ROW,) if action.gives_rows else table.columns


@identify.register(Distinct)
@identify.register(SetOperation)
def _by_cells(action: Action, table: Table) -> Sequence[str]:
    return table.columns


@mark_rows.register(Load)
def _load(
    action: Load, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    return plan.number_leaf(node.label, plan.read[node.label])


@mark_rows.register(Window)
@mark_rows.register(Position)
def _window(
    action: Window | Position, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    made = parents[0].run(action)
    needed = str(action.name) in plan.needs[node.label].all
    return plan.as_base(made, node.label) if needed else made


@mark_rows.register(Bin)
@mark_rows.register(Normalise)
@mark_rows.register(Impute)
def _prepared(
    action: Bin | Normalise | Impute,
    plan: LineageFrames,
    node: Node,
    parents: Sequence[LineageFrame],
) -> LineageFrame:
    """A base where a cell that is made of other rows is looked at."""
    made = parents[0].run(action)
    made = made._replace(table=on_engine(made.table, plan.store.engine))
    if isinstance(action, Bin):
        new = action.new_names(parents[0].shown) if action.edges is None else ()
    else:
        new = action.names if isinstance(action, Normalise) else action.columns
    return plan.as_base(made, node.label) if plan.needs[node.label].all & {*new} else made


@mark_rows.register(Split)
def _split(
    action: Split, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    made = parents[0].run(action)
    return made._replace(table=on_engine(made.table, plan.store.engine))


@mark_rows.register(Unpivot)
def _unpivot(
    action: Unpivot, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    kept = (*(action.keep or ()), *parents[0].hidden)
    return parents[0].run(action.model_copy(update={"keep": kept}))


@mark_rows.register(Projection)
def _select(
    action: Projection, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    kept = (*action.columns, *parents[0].hidden)
    return parents[0].run(action.model_copy(update={"columns": kept}))


@mark_rows.register(Join)
def _join(
    action: Join, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    if action.how in ("semi", "anti"):
        made = parents[0].run(action, plan.tables[node.parents[1]])
        return plan.as_base(made, node.label)
    right = plan.fresh(parents[1])
    both = LineageFrame(parents[0].table, parents[0].shown, (*parents[0].marks, *right.marks))
    return both.run(action, right.table)


@mark_rows.register(Union)
def _union(
    action: Union, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    if action.distinct:
        return plan.copy_base(node.label, identify(action, plan.tables[node.label]))
    left, right = parents[0], plan.fresh(parents[1])
    names = (*left.hidden, *right.hidden)
    sides = []
    for side in (left, right):
        others = [n for n in names if n not in side.hidden]
        source = right if side is left else left
        blanks = [nw.lit(None).cast(source.table.schema[n]).alias(n) for n in others]
        frame = side.table.frame.with_columns(*blanks) if blanks else side.table.frame
        sides.append(Table(frame.select(*side.shown, *names)))
    whole = LineageFrame(sides[0], left.shown, (*left.marks, *right.marks))
    return whole.run(action, sides[1])


@mark_rows.register(Craft)
def _craft(
    action: Craft, plan: LineageFrames, node: Node, parents: Sequence[LineageFrame]
) -> LineageFrame:
    """A function's frame beside the marks of its input's rows, where each is made of one."""
    if len(parents) == 1:
        below = parents[0]
        rows = collect_rows(below.table.frame.select(*below.shown, *below.hidden))
        made = row_by_row(plan.store, action, rows.select(below.shown))
        if made is not None and not {*made.columns} & {*below.hidden}:
            plan.by_rows.add(node.label)
            beside = made.hstack(rows.select(below.hidden))
            table = on_engine(Table(nw.from_native(beside.lazy())), plan.store.engine)
            return LineageFrame(table, tuple(made.columns), below.marks)
    return plan.copy_base(node.label, ())
