"""Disclosure control: which columns of a frame may tell statistics, by how the frame was made.

A statistic of 20 rows says little of any one of them only if 20 rows of a source stand behind it.
A join or a union can repeat one row 20 times; a window can write one cell beside every row. So a
column counts as a frame's *own* where each of its cells is made of source rows that stand behind
that row of the frame alone, and where no row is there or not because of cells of another one.
What an action leaves own is said by a rule of its type; without one it leaves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import NamedTuple

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.detecting.anomaly import Anomaly
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.group import Group
from wideleaf.tools.actions.inference.associate import Associate
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.inference.fit import Fit
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.learning.cluster import Cluster
from wideleaf.tools.actions.learning.pca import PCA
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.measuring.measure import Trait
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.preparing.bin import Bin
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.preparing.split import Split
from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.rank import Rank
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sequences.runs import Runs
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.actions.set_operations import Union, pair_columns
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.window import Window
from wideleaf.tools.tables.table import Table

ACROSS = ("share",)
"""Measures of a group that hang on the rows of other groups."""
FIGURING = (PCA, Anomaly, Cluster, Predict, Associate, Correlate, Trend, Runs, Test, Fit)
"""Actions whose notes hold figures of their whole input."""


class Origin(NamedTuple):
    """What stands behind a frame.

    Attributes:
        sources: The sources that it was made of, by their content.
        own: Its columns that may tell statistics.
    """

    sources: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()


def find_origin(
    action: Action, tables: Sequence[Table], result: Table, origins: Sequence[Origin]
) -> Origin:
    """Follow the origin of frames through one action.

    Args:
        action: The resolved action.
        tables: Its input frames.
        result: The frame it made.
        origins: The origins of its input frames.
    """
    if isinstance(action, Load):
        content = action.fingerprint or action.source
        return Origin(frozenset((content,)), frozenset(result.columns))
    sources = frozenset().union(*(one.sources for one in origins))
    own = keep_own(action, Passage(tables, result, origins))
    return Origin(sources, own & frozenset(result.columns))


class Passage(NamedTuple):
    """What an action was given and what it made.

    Attributes:
        tables: Its input frames.
        result: The frame it made.
        given: The origins of its input frames.
    """

    tables: Sequence[Table]
    result: Table
    given: Sequence[Origin]


@singledispatch
def keep_own(action: Action, step: Passage) -> frozenset[str]:
    """The columns that stay own through an action; by default none.

    Args:
        action: The resolved action.
        step: What it was given and what it made.
    """
    return frozenset()


def tells_figures(action: Action, table: Table, origin: Origin) -> bool:
    """Whether what an action notes of its whole input, such as a score, is one of many rows."""
    return isinstance(action, FIGURING) and _names(action, table) <= origin.own


@keep_own.register(Projection)
@keep_own.register(Window)
@keep_own.register(Position)
@keep_own.register(Anomaly)
def _keep_given(action: Action, step: Passage) -> frozenset[str]:
    """What they add hangs on other rows."""
    return step.given[0].own


@keep_own.register(PCA)
@keep_own.register(Cluster)
def _learnt(action: PCA | Cluster, step: Passage) -> frozenset[str]:
    """A frame of what was learnt, not of rows, keeps nothing."""
    beside = action.result in ("scores", "labels")
    return _keep_given(action, step) if beside else frozenset()


@keep_own.register(Predict)
def _keep_predicted(action: Predict, step: Passage) -> frozenset[str]:
    return _keep_given(action, step) if action.result == "predictions" else frozenset()


@keep_own.register(Fit)
def _keep_fit(action: Fit, step: Passage) -> frozenset[str]:
    return _keep_given(action, step) if action.result == "residuals" else frozenset()


@keep_own.register(Filter)
@keep_own.register(DropNulls)
def _keep_chosen(action: Action, step: Passage) -> frozenset[str]:
    """Rows are there or not by the columns that are named."""
    return step.given[0].own if _names(action, step.tables[0]) <= step.given[0].own else frozenset()


@keep_own.register(Get)
def _asked(action: Get, step: Passage) -> frozenset[str]:
    """Rows of a table are chosen by their own cells where no other row and no frame is named.

    Of a graph none: what is one source row there is a fact, of which an entity has many.
    """
    if action.layout != "rows" or action.pattern.heads or len(step.tables) > 1:
        return frozenset()
    return _keep_chosen(action, step)


@keep_own.register(Sort)
def _first(action: Sort, step: Passage) -> frozenset[str]:
    return _keep_given(action, step) if action.limit is None else _keep_chosen(action, step)


@keep_own.register(Derive)
@keep_own.register(FromOneHot)
def _keep_derived(action: Derive | FromOneHot, step: Passage) -> frozenset[str]:
    own, new = step.given[0].own, {action.name}
    return own | new if _names(action, step.tables[0]) <= own else own - new


@keep_own.register(Bin)
def _keep_binned(action: Bin, step: Passage) -> frozenset[str]:
    """Edges that are found in the cells hang on all of them."""
    own, new = step.given[0].own, {*action.new_names(step.tables[0].columns)}
    return own | new if action.edges is not None and action.column in own else own - new


@keep_own.register(Normalise)
def _keep_scaled(action: Normalise, step: Passage) -> frozenset[str]:
    """A logarithm is made of its own cell, what is on another scale of the others, too."""
    own, pairs = step.given[0].own, zip(action.columns, action.names, strict=True)
    alone = {new for old, new in pairs if not action.scale.asks and old in own}
    return own - {*action.names} | alone


@keep_own.register(Impute)
def _keep_imputed(action: Impute, step: Passage) -> frozenset[str]:
    """What is filled with cells of other rows is no more a column's own."""
    own = step.given[0].own
    return own if action.method == "value" else own - {*action.columns}


@keep_own.register(Split)
def _keep_split(action: Split, step: Passage) -> frozenset[str]:
    """As rows it repeats the others' cells."""
    own = step.given[0].own
    if action.into == "rows":
        return frozenset()
    return own | {*action.new_names} if action.column in own else own


@keep_own.register(Distinct)
def _distinct(action: Distinct, step: Passage) -> frozenset[str]:
    columns = frozenset(action.columns or step.tables[0].columns)
    return columns if columns <= step.given[0].own else frozenset()


@keep_own.register(Group)
def _keep_groups(action: Group, step: Passage) -> frozenset[str]:
    return _keep_measures(frozenset(action.keys), action.measures, step.given[0].own)


@keep_own.register(Resample)
def _keep_resampled(action: Resample, step: Passage) -> frozenset[str]:
    if action.fill != "none":
        return frozenset()
    keys = frozenset((*(action.by or ()), action.time))
    return _keep_measures(keys, action.measures, step.given[0].own)


def _keep_measures(
    keys: frozenset[str], measures: Sequence[Trait], own: frozenset[str]
) -> frozenset[str]:
    """Keys and measures of groups, each of which stands for source rows of its own."""
    if not keys <= own:
        return frozenset()
    names = (str(one.name) for one in measures if one.function not in ACROSS and _used(one) <= own)
    return keys | frozenset(names)


def _used(measure: Trait) -> frozenset[str]:
    beside = (key.column for key in measure.order)
    return frozenset(name for name in (measure.column, measure.weight, *beside) if name)


@keep_own.register(Join)
def _joined(join: Join, step: Passage) -> frozenset[str]:
    """The columns of each side that has each of its rows in the result once.

    Were a row there twice, it would be repeated; were one missing, the rows of the other side
    would have chosen. Two sides of one source could put one row beside many others.
    """
    (left, right), result, (ours, theirs) = step
    columns: frozenset[str] = frozenset()
    if whole := join.keeps_each_row(left, right, result):
        columns = ours.own
    if not (whole and ours.sources & theirs.sources) and join.keeps_each_row(
        left, right, result, side="right"
    ):
        columns |= {new for old, new in join.right_names(left, right).items() if old in theirs.own}
    return columns


@keep_own.register(Reading)
def _keep_read(action: Reading, step: Passage) -> frozenset[str]:
    """What a model says of a row hangs on the cells that it read of that row alone."""
    own, new = step.given[0].own, frozenset(action.new_columns)
    if isinstance(action, Match | Summarise):
        return frozenset()
    if not {*action.columns} <= own:
        return frozenset() if action.leaves_out else own - new
    return own if isinstance(action, Rank) else own | new


@keep_own.register(Union)
def _keep_stacked(action: Union, step: Passage) -> frozenset[str]:
    """Columns that are own on both sides, which must not be of one source: rows would repeat."""
    one, other = step.given
    if one.sources & other.sources:
        return frozenset()
    pairs = pair_columns(*step.tables).names
    return frozenset(left for left, right in pairs if left in one.own and right in other.own)


def _names(action: Action, table: Table) -> frozenset[str]:
    return frozenset(action.column_references(table.columns)[0])
