"""Which columns of an action's inputs feed given columns of what it makes, and which decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.join import Join, renamed
from wideleaf.tools.actions.measuring.measure import Measure
from wideleaf.tools.actions.needs import CRAFT, read_by_code
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.set_operations import SetOperation, Union, pair_columns
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.actions.window import Window
from wideleaf.tools.conditions.condition import Condition, compares
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
)
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call


class Need(NamedTuple):
    """Columns of one frame that matter to a cell above it.

    Attributes:
        values: Those whose cells the value is made of.
        deciding: Those that decide which rows it is made of: conditions, keys, orders.
    """

    values: frozenset[str] = frozenset()
    deciding: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.values | self.deciding

    def plus(self, values: Iterable[str] = (), deciding: Iterable[str] = ()) -> Need:
        """The same with further columns."""
        return Need(self.values | {*values}, self.deciding | {*deciding})

    def through(self, made: dict[str, Need]) -> Need:
        """What stands behind these columns, each made of others; one not named is not there."""
        found = Need()
        for name in self.values:
            one = made.get(name, Need())
            found = found.plus(one.values, one.deciding)
        for name in self.deciding:
            found = found.plus((), made.get(name, Need()).all)
        return found


def input_needs(action: Action, need: Need, tables: Sequence[Table]) -> list[Need]:
    """What a resolved action reads of each of its inputs for some columns of its result.

    Args:
        action: The resolved action.
        need: Columns of its result.
        tables: Its inputs.
    """
    match action:
        case Join():
            return _of_join(action, need, *tables)
        case SetOperation():
            return _of_sets(action, need, *tables)
        case Craft():
            return _of_code(action, tables)
    return [_of_one(action, need, tables[0])]


def _of_one(action: Action, need: Need, table: Table) -> Need:
    same = {name: Need(frozenset({name})) for name in table.columns}
    match action:
        case Select() | Sample():
            return need
        case Distinct():
            return need.plus((), action.columns or ())
        case Filter(where=where):
            return need.plus((), _condition_columns(where))
        case Sort(by=by, limit=limit):
            return need.plus((), (key.column for key in by if limit is not None))
        case Derive(name=name, expression=expression):
            return need.through(same | {name: _read(expression)})
        case Group(keys=keys, measures=measures):
            return _measured(need, keys, measures)
        case Resample(time=time, by=by, measures=measures):
            return _measured(need, (*(by or ()), time), measures)
        case Aggregate(measures=measures):
            return _measured(need, (), measures)
        case Pivot(index=index, columns=columns, value=value):
            rows = {name: Need(frozenset({name})) for name in index or ()}
            cell = Need(frozenset({value} if value else ()), frozenset({columns}))
            cells = {name: cell for name in need.all if name not in rows}
            return need.through(rows | cells).plus((), index or ())
        case Unpivot(columns=columns, keep=keep, value=value):
            kept = {name: same[name] for name in keep or ()}
            return need.through(kept | {value: Need(frozenset(columns))})
        case FromOneHot(columns=columns, name=name):
            return need.through(same | {name: Need(frozenset(columns))})
        case Position(name=name):
            return need.through(same | {name: Need()})
        case Window(column=column, by=by, order=order, name=name):
            beside = frozenset((*(by or ()), *(key.column for key in order)))
            made = Need(frozenset({column} if column else ()), beside)
            return need.through(same | {str(name): made})
    # An action on many columns at once (correlation, components): those it names, or all.
    named = {text for text in _texts(action.arguments()) if text in same}
    passed = need.through(same)
    return passed.plus(named or table.columns)


def _measured(need: Need, keys: Sequence[str], measures: Sequence[Measure]) -> Need:
    made = {name: Need(frozenset({name})) for name in keys}
    for measure in measures:
        cells = frozenset(name for name in (measure.column, measure.weight) if name)
        made[str(measure.name)] = Need(cells, frozenset(key.column for key in measure.order))
    return need.through(made).plus((), keys)


def _of_join(join: Join, need: Need, left: Table, right: Table) -> list[Need]:
    keys = [*join.on, *([join.nearest] if join.nearest else [])]
    ours = {name: Need(frozenset({name})) for name in left.columns}
    theirs: dict[str, Need] = {}
    if join.how not in ("semi", "anti"):
        pairs = {key.right: key.left for key in join.on}
        others = renamed(left.columns, [name for name in right.columns if name not in pairs])
        theirs = {new: Need(frozenset({old})) for old, new in others.items()}
        if join.how in ("right", "full"):
            theirs |= {key.left: Need(frozenset({key.right})) for key in join.on}
    return [
        need.through(ours).plus((), (key.left for key in keys)),
        need.through(theirs).plus((), (key.right for key in keys)),
    ]


def _of_sets(action: SetOperation, need: Need, left: Table, right: Table) -> list[Need]:
    pairs = dict(pair_columns(left, right).names)
    sides = [
        need,
        need.through({one: Need(frozenset({other})) for one, other in pairs.items()}),
    ]
    if isinstance(action, Union):
        return sides
    return [side.plus((), table.columns) for side, table in zip(sides, (left, right), strict=True)]


def _of_code(craft: Craft, tables: Sequence[Table]) -> list[Need]:
    """What a model-written function reads; which of it decides, nobody knows."""
    columns = [table.columns for table in tables]
    read = read_by_code(Call(name=CRAFT, arguments=craft.arguments()), columns)
    return [
        Need(frozenset(known if names is None else names))
        for names, known in zip(read, columns, strict=True)
    ]


def _read(expression: Expression) -> Need:
    """The columns an expression reads; those of its conditions decide."""
    match expression:
        case str():
            return Need(frozenset({expression}))
        case Apply(args=args):
            return _joined(map(_read, args))
        case Cast(of=inner):
            return _read(inner)
        case Truth(test=test):
            return Need(_condition_columns(test))
        case Choose(if_=test, then=then, else_=other):
            parts = [then] if other is None else [then, other]
            return _joined(map(_read, parts)).plus((), _condition_columns(test))
        case Cases(cases=cases, else_=other):
            parts = [*(case.then for case in cases), *([] if other is None else [other])]
            tests = (name for case in cases for name in _condition_columns(case.if_))
            return _joined(map(_read, parts)).plus((), tests)
        case Across(columns=columns):
            return Need(frozenset(columns))
    return Need()


def _joined(parts: Iterable[Need]) -> Need:
    whole = Need()
    for part in parts:
        whole = whole.plus(part.values, part.deciding)
    return whole


def _condition_columns(where: Condition) -> frozenset[str]:
    found = (name for one in compares(where) for name in (one.column, one.other) if name)
    return frozenset(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
