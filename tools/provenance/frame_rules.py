"""How marks pass through an action, one rule a type; without one its frame is a base of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

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
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.summarise import Summarise
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


class Inputs(NamedTuple):
    """What a node's frame is made of.

    Attributes:
        plan: The plan.
        node: The node.
        frames: Its inputs with their marks.
    """

    plan: LineageFrames
    node: Node
    frames: Sequence[LineageFrame]

    def run(self, action: Action) -> LineageFrame:
        """The frame with its input's marks, on the plan's engine."""
        lineage = self.frames[0].run(action)
        return lineage._replace(table=on_engine(lineage.table, self.plan.store.engine))

    def as_base(self, lineage: LineageFrame, new: Sequence[str]) -> LineageFrame:
        """A base, where a new cell that is made of other rows is looked at."""
        needed = self.plan.needs[self.node.label].all & {*new}
        return self.plan.as_base(lineage, self.node.label) if needed else lineage

    def copy_base(self, action: Action) -> LineageFrame:
        """A base of its own."""
        table = self.plan.tables[self.node.label]
        keys = (_KEYS[kind](action, table) for kind in type(action).__mro__ if kind in _KEYS)
        return self.plan.copy_base(self.node.label, next(keys, ()))


_KEYS: dict[type, Callable[[Any, Table], Sequence[str]]] = {
    Group: lambda action, _: action.keys,
    Resample: lambda action, _: (*(action.by or ()), action.time),
    Correlate: lambda action, _: action.by or (),
    Trend: lambda action, _: action.by or (),
    Runs: lambda action, table: (*(action.by or ()), *action.ends_in(table)),
    Pivot: lambda action, _: action.index or (),
    Summarise: lambda action, _: action.by or (),
    Get: lambda action, table: (ROW,) if action.gives_rows else table.columns,
    Distinct: lambda _, table: table.columns,
    SetOperation: lambda _, table: table.columns,
}
"""The columns that tell a base's rows apart; none where all are made of the same rows."""


@singledispatch
def mark_rows(action: Action, inputs: Inputs) -> LineageFrame:
    """A node's frame with the identities of the rows behind each of its rows.

    Args:
        action: The node's action, resolved.
        inputs: What it is applied to.
    """
    return inputs.run(action) if "rows" in action.keeps else inputs.copy_base(action)


@mark_rows.register(Load)
def _load(action: Load, inputs: Inputs) -> LineageFrame:
    label = inputs.node.label
    return inputs.plan.number_leaf(label, inputs.plan.read[label])


@mark_rows.register(Window)
@mark_rows.register(Position)
def _window(action: Window | Position, inputs: Inputs) -> LineageFrame:
    return inputs.as_base(inputs.frames[0].run(action), [str(action.name)])


@mark_rows.register(Bin)
@mark_rows.register(Normalise)
@mark_rows.register(Impute)
def _mark_prepared(action: Bin | Normalise | Impute, inputs: Inputs) -> LineageFrame:
    lineage = inputs.run(action)
    if isinstance(action, Bin):
        new = action.new_names(inputs.frames[0].shown) if action.edges is None else ()
    else:
        new = action.names if isinstance(action, Normalise) else action.columns
    return inputs.as_base(lineage, new)


@mark_rows.register(Split)
def _split(action: Split, inputs: Inputs) -> LineageFrame:
    return inputs.run(action)


@mark_rows.register(Unpivot)
def _unpivot(action: Unpivot, inputs: Inputs) -> LineageFrame:
    columns = (*(action.keep or ()), *inputs.frames[0].hidden)
    return inputs.frames[0].run(action.model_copy(update={"keep": columns}))


@mark_rows.register(Projection)
def _select(action: Projection, inputs: Inputs) -> LineageFrame:
    columns = (*action.columns, *inputs.frames[0].hidden)
    return inputs.frames[0].run(action.model_copy(update={"columns": columns}))


@mark_rows.register(Join)
def _join(action: Join, inputs: Inputs) -> LineageFrame:
    plan, left = inputs.plan, inputs.frames[0]
    if action.how in ("semi", "anti"):
        lineage = left.run(action, plan.tables[inputs.node.parents[1]])
        return plan.as_base(lineage, inputs.node.label)
    right = plan.fresh(inputs.frames[1])
    return LineageFrame(left.table, left.shown, (*left.marks, *right.marks)).run(
        action, right.table
    )


@mark_rows.register(Match)
def _match(action: Match, inputs: Inputs) -> LineageFrame:
    left, right = inputs.frames[0], inputs.plan.fresh(inputs.frames[1])
    both = LineageFrame(left.table, left.shown, (*left.marks, *right.marks))
    lineage = both.run(action, right.table)
    return lineage._replace(table=on_engine(lineage.table, inputs.plan.store.engine))


@mark_rows.register(Union)
def _union(action: Union, inputs: Inputs) -> LineageFrame:
    if action.distinct:
        return inputs.copy_base(action)
    left, right = inputs.frames[0], inputs.plan.fresh(inputs.frames[1])
    names = (*left.hidden, *right.hidden)
    sides = []
    for side, other in ((left, right), (right, left)):
        schema = other.table.schema
        blanks = [nw.lit(None).cast(schema[n]).alias(n) for n in names if n not in side.hidden]
        frame = side.table.frame.with_columns(*blanks) if blanks else side.table.frame
        sides.append(Table(frame.select(*side.shown, *names)))
    whole = LineageFrame(sides[0], left.shown, (*left.marks, *right.marks))
    return whole.run(action, sides[1])


@mark_rows.register(Craft)
def _craft(action: Craft, inputs: Inputs) -> LineageFrame:
    """A function's frame beside the marks of its input's rows, where each is made of one."""
    if len(inputs.frames) == 1:
        plan, below = inputs.plan, inputs.frames[0]
        rows = collect_rows(below.table.frame.select(*below.shown, *below.hidden))
        output = row_by_row(plan.store, action, rows.select(below.shown))
        if output is not None and not {*output.columns} & {*below.hidden}:
            plan.by_rows.add(inputs.node.label)
            beside = output.hstack(rows.select(below.hidden))
            table = on_engine(Table(nw.from_native(beside.lazy())), plan.store.engine)
            return LineageFrame(table, tuple(output.columns), below.marks)
    return inputs.copy_base(action)
