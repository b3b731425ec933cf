"""Runs as SQL: rows numbered in order, told apart where a run begins, and grouped."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.sequences.islands import STEPS
from wideleaf.tools.actions.sequences.runs import DATED, RunNames, Runs
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.sql.conditions import condition_sql
from wideleaf.tools.exports.sql.dates import days_between
from wideleaf.tools.exports.sql.rules import OrderKey, StepInput, carry_columns, order_of, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    by_keys,
    call,
    case,
    chain,
    not_null,
    number,
    order_key,
    over,
    quote_identifier,
    with_alias,
)
from wideleaf.tools.tables.table import Table

_VALUE, _PLACE, _BEFORE, _EARLIER = "__run_value", "__run_place", "__run_before", "__run_earlier"
_RUN, _FIRST, _LAST, _RANK = "__run", "__run_first", "__run_last", "__run_rank"


@write_sql.register(Runs)
def runs_sql(action: Runs, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Rows that belong together, one of each run."""
    names = action.names(scope.table)
    by = [scope.column(name) for name in action.by or ()]
    if names.days:
        scope.need_clock(action.order[0].column)
    rows = _with_values(action, inputs[0], scope)
    place = over(exp.RowNumber(), by, _order(action, scope))
    rows = _beside(rows, with_alias(place, _PLACE))
    along = [order_key(_column(_PLACE))]
    before = over(call("LAG", _column(_VALUE)), by, along)
    earlier = over(call("LAG", scope.column(action.order[0].column)), by, along)
    rows = _beside(rows, with_alias(before, _BEFORE), with_alias(earlier, _EARLIER))
    begins = case([(_goes_on(action, scope), number(0))], number(1))
    run = over(exp.Sum(this=begins), by, along, "UNBOUNDED")
    rows = _beside(rows, with_alias(run, _RUN))
    value, within = _column(_VALUE), [*by, _column(_RUN)]
    held = not_null(value) if action.where is None else binary(exp.EQ, value, number(1))
    ends = [
        with_alias(over(kind(this=_column(_PLACE)), within), name)
        for kind, name in ((exp.Min, _FIRST), (exp.Max, _LAST))
    ]
    rows = _beside(_kept(rows, held), *ends)
    made = exp.select(*_measures(action, names, scope)).from_(rows.subquery("runs"))
    return _longest(made.group_by(*within), action, names)


@order_of.register(Runs)
def run_keys(action: Runs, table: Table, result: Table) -> list[OrderKey]:
    """The longest first, then the groups and the order."""
    names = action.names(table)
    down = [key.descending for key in action.order for _ in ("start", "end")]
    ends = [OrderKey(name, falls) for name, falls in zip(names.ends, down, strict=True)]
    return [OrderKey(names.length, True), *map(OrderKey, action.by or ()), *ends]


def _column(name: str) -> Sql:
    return exp.column(quote_identifier(name))


def _beside(rows: exp.Select, *made: Sql) -> exp.Select:
    return exp.select(exp.Star(), *made).from_(rows.subquery("run_rows"))


def _kept(rows: exp.Select, held: Sql) -> exp.Select:
    return exp.select(exp.Star()).from_(rows.subquery("run_rows")).where(held)


def _with_values(action: Runs, given: StepInput, scope: QueryScope) -> exp.Select:
    """The rows that have a place in the order, with what makes a run beside them."""
    if action.where is None:
        value = scope.column(str(action.column))
    else:
        value = case([(condition_sql(action.where, scope), number(1))], number(0))
    placed = chain(exp.And, [not_null(scope.column(key.column)) for key in action.order])
    made = exp.Alias(this=value, alias=quote_identifier(_VALUE))
    rows = exp.select(*carry_columns(given.table, given), made)
    return scope.with_stages(rows.from_(given.source)).where(placed)


def _order(action: Runs, scope: QueryScope) -> list[exp.Ordered]:
    """The order of the rows; those equal in its keys by the value, then by other columns."""
    taken = {*(action.by or ()), *(key.column for key in action.order), action.column}
    others = [n for n in scope.table.columns if n not in taken and orders_alike(scope.table, n)]
    beside = [_column(_VALUE), *map(scope.column, others[:TIE_BREAKERS])]
    return [*by_keys(scope, action.order), *(order_key(one, nulls_first=True) for one in beside)]


def _goes_on(action: Runs, scope: QueryScope) -> Sql:
    """Whether a row has the value of the one before, and is no more than a step from it."""
    same = binary(exp.EQ, _column(_VALUE), _column(_BEFORE))
    if action.step is None:
        return same
    key = action.order[0]
    kind = scope.table.kind(key.column)
    ends = [_column(_EARLIER), scope.column(key.column)]
    if key.descending:
        ends.reverse()
    if kind in DATED:
        apart = days_between(ends[0], ends[1], (kind, kind), scope)
    else:
        apart = binary(exp.Sub, exp.cast(ends[1], "double"), exp.cast(ends[0], "double"))
    near = binary(exp.LTE, apart, number(STEPS * action.step, exact=True))
    return chain(exp.And, [same, near])


def _measures(action: Runs, names: RunNames, scope: QueryScope) -> list[Sql]:
    """The columns of a run."""
    made: list[Sql] = [scope.column(name) for name in action.by or ()]
    if names.value:
        made.append(with_alias(exp.Min(this=_column(_VALUE)), names.value))
    ends: list[Sql] = []
    for key in action.order:
        for which in (_FIRST, _LAST):
            here = binary(exp.EQ, _column(_PLACE), _column(which))
            ends.append(exp.Max(this=case([(here, scope.column(key.column))])))
    made += [with_alias(end, name) for end, name in zip(ends, names.ends, strict=True)]
    made.append(with_alias(exp.Count(this=exp.Star()), names.length))
    if names.days:
        kind = scope.table.kind(action.order[0].column)
        start, end = ends[1::-1] if action.order[0].descending else ends[:2]
        made.append(with_alias(days_between(start, end, (kind, kind), scope), names.days))
    return made


def _longest(made: exp.Select, action: Runs, names: RunNames) -> exp.Select:
    """The longest of each group, with those as long as the last of them."""
    if action.limit is None:
        return made
    groups = [_column(name) for name in action.by or ()]
    rank = over(call("RANK"), groups, [order_key(_column(names.length), down=True)])
    ranked = exp.select(exp.Star(), with_alias(rank, _RANK)).from_(made.subquery("measured"))
    shown = [*(action.by or ()), *([names.value] if names.value else []), *names.ends, names.length]
    shown += [names.days] if names.days else []
    within = binary(exp.LTE, _column(_RANK), number(action.limit))
    return exp.select(*map(_column, shown)).from_(ranked.subquery("ranked")).where(within)
