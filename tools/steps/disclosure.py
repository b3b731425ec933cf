"""Disclosure control: which columns of a frame may tell statistics, by how the frame was made.

A statistic of 20 rows says little of any one of them only if 20 rows of a source stand behind it.
A join or a union can repeat one row 20 times; a window can write one cell beside every row. So a
column counts as a frame's *own* where each of its cells is made of source rows that stand behind
that row of the frame alone, and where no row is there or not because of cells of another one.
What an action leaves own is listed here; what is not listed leaves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.anomaly import Anomaly
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.measuring.measure import Measure
from wideleaf.tools.actions.needs import named_columns
from wideleaf.tools.actions.pca import PCA
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.predict import Predict
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.set_operations import Union, pair_columns
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.window import Window
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

ACROSS = ("share",)
"""Measures of a group that hang on the rows of other groups."""


class Origin(NamedTuple):
    """What stands behind a frame.

    Attributes:
        sources: The sources that it was made of, by their content.
        own: Its columns that may tell statistics.
    """

    sources: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()


def find_origin(
    action: Action, tables: Sequence[Table], result: Table, given: Sequence[Origin]
) -> Origin:
    """Follow the origin of frames through one action.

    Args:
        action: The resolved action.
        tables: Its input frames.
        result: The frame it made.
        given: The origins of its input frames.
    """
    if isinstance(action, Load):
        content = action.fingerprint or action.source
        return Origin(frozenset((content,)), frozenset(result.columns))
    sources = frozenset().union(*(one.sources for one in given))
    if isinstance(action, Join):
        own = _joined(action, tables, result, given)
    elif isinstance(action, Union):
        own = _stacked(tables, given)
    elif given:
        own = _of_one(action, tables[0], given[0].own)
    else:
        own = frozenset()
    return Origin(sources, own & frozenset(result.columns))


def tells_figures(action: Action, table: Table, origin: Origin) -> bool:
    """Whether what an action notes of its whole input, such as a score, is one of many rows."""
    if isinstance(action, Predict):
        used = {*action.target, *action.features, *((action.test,) if action.test else ())}
        return used <= origin.own
    return isinstance(action, PCA | Anomaly) and _names(action, table) <= origin.own


def _of_one(action: Action, table: Table, own: frozenset[str]) -> frozenset[str]:
    """What stays own of an action's one input."""
    named = _names(action, table)
    rows_by_own = named <= own
    match action:
        case Select() | Window() | Position() | PCA() | Anomaly():
            return own  # what they add hangs on other rows
        case Predict(result="predictions"):
            return own
        case Sort(limit=None):
            return own
        case Sort() | Filter():
            return own if rows_by_own else frozenset()
        case Derive() | FromOneHot():
            return own | {action.name} if rows_by_own else own - {action.name}
        case Distinct():
            columns = frozenset(action.columns or table.columns)
            return columns if columns <= own else frozenset()
        case Group():
            return _measured(frozenset(action.keys), action.measures, own)
        case Resample(fill="none"):
            return _measured(frozenset((*(action.by or ()), action.time)), action.measures, own)
    return frozenset()


def _measured(
    keys: frozenset[str], measures: Sequence[Measure], own: frozenset[str]
) -> frozenset[str]:
    """Keys and measures of groups, each of which stands for source rows of its own."""
    if not keys <= own:
        return frozenset()
    made = (str(one.name) for one in measures if one.function not in ACROSS and _used(one) <= own)
    return keys | frozenset(made)


def _used(measure: Measure) -> frozenset[str]:
    beside = (key.column for key in measure.order)
    return frozenset(name for name in (measure.column, measure.weight, *beside) if name)


def _joined(
    join: Join, tables: Sequence[Table], result: Table, given: Sequence[Origin]
) -> frozenset[str]:
    """The columns of each side that has each of its rows in the result once.

    Were a row there twice, it would be repeated; were one missing, the rows of the other side
    would have chosen. Two sides of one source could put one row beside many others.
    """
    (left, right), (ours, theirs) = tables, given
    kept: frozenset[str] = frozenset()
    if whole := join.keeps_each_row(left, right, result):
        kept = ours.own
    if not (whole and ours.sources & theirs.sources) and join.keeps_each_row(
        left, right, result, side="right"
    ):
        kept |= {new for old, new in join.renamed_columns(left, right).items() if old in theirs.own}
    return kept


def _stacked(tables: Sequence[Table], given: Sequence[Origin]) -> frozenset[str]:
    """Columns that are own on both sides, which must not be of one source: rows would repeat."""
    one, other = given
    if one.sources & other.sources:
        return frozenset()
    pairs = pair_columns(*tables).names
    return frozenset(left for left, right in pairs if left in one.own and right in other.own)


def _names(action: Action, table: Table) -> frozenset[str]:
    call = Call(name=type(action).__name__, arguments=action.arguments())
    return frozenset(named_columns(call, [table.columns])[0])
