"""Shapes as SQL: rows made of columns, one column made of many, and periods of time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlglot import exp

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.exports.sql.dates import truncate
from wideleaf.tools.exports.sql.measures import aggregate_sql
from wideleaf.tools.exports.sql.rules import OrderKey, StepInput, carry_columns, order_of, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    binary,
    case,
    chain,
    constant,
    not_null,
    number,
    quote_identifier,
    widen_cell,
    with_alias,
)
from wideleaf.tools.tables.table import Table, wider_type

MOST_STACKED = 500
_KEY = "__key"


@write_sql.register(Unpivot)
def unpivot_sql(action: Unpivot, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """One query for each column, stacked."""
    given, table = inputs[0], scope.table
    if scope.lite and len(action.columns) > MOST_STACKED:
        scope.refuse(f"it stacks {MOST_STACKED} queries at most, not {len(action.columns)}")
    dtype = wider_type([table.schema[name] for name in action.columns])
    parts: list[exp.Query] = []
    for column, parameter in zip(action.columns, action.parameters, strict=True):
        value: Any = date.fromisoformat(str(parameter)) if action.axis == "date" else parameter
        cell = scope.column(column)
        there = not_null(cell)
        if table.schema[column] != dtype:
            cell = widen_cell(scope, cell, dtype)
        keep = [scope.column(name) for name in action.keep or ()]
        part = exp.select(
            *keep, with_alias(constant(scope, value), action.name), with_alias(cell, action.value)
        ).from_(given.source)
        parts.append(part.where(there) if action.drop_nulls else part)
    return union_all(parts)


def union_all(parts: Sequence[exp.Query]) -> exp.Query:
    """Queries one below the other."""
    made = parts[0]
    for part in parts[1:]:
        made = exp.Union(this=made, expression=part, distinct=False)
    return made


@write_sql.register(FromOneHot)
def one_hot_sql(action: FromOneHot, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """The level of the one indicator that is set, null where none or several are."""
    given, gone = inputs[0], {*action.columns}
    is_set = []
    for name in action.columns:
        column = scope.column(name)
        truth = scope.table.kind(name) == "boolean"
        is_set.append(column if truth else binary(exp.EQ, column, number(1)))
    count = chain(exp.Add, [case([(one, number(1))], number(0)) for one in is_set])
    levels = zip(is_set, action.levels, strict=True)
    level = case((one, constant(scope, name)) for one, name in levels)
    beside = [one for one in carry_columns(given.table, given) if one.name not in gone]
    made = case([(binary(exp.EQ, count, number(1)), level)])
    return exp.select(*beside, with_alias(made, action.name)).from_(given.source)


@write_sql.register(Resample)
def resample_sql(action: Resample, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Measures for each period, named by its first day."""
    every = action._every
    if action.fill != "none":
        scope.refuse("periods without rows are not made up; take fill none")
    if every.number != 1:
        scope.refuse(f"periods of {every.text} are counted from days of no dialect's own")
    if every.unit == "second":
        scope.refuse("times are not cut to seconds; take a minute or more")
    scope.need_clock(action.time)
    moment, kind = scope.column(action.time), scope.table.kind(action.time)
    start = truncate(moment, every.unit, kind, scope)
    known = exp.select(exp.Star(), with_alias(start, _KEY)).from_(inputs[0].source)
    known = known.where(not_null(moment))
    keys = [(scope.column(name), name) for name in action.by or ()]
    return aggregate_sql(
        known.subquery("known"),
        [*keys, (exp.column(quote_identifier(_KEY)), action.time)],
        action.measures,
        scope,
    )


@order_of.register(Resample)
def period_keys(action: Resample, table: Table, result: Table) -> list[OrderKey]:
    """The groups, then time."""
    return [OrderKey(name) for name in (*(action.by or ()), action.time)]
