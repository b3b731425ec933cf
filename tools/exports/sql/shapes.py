"""Shapes as SQL: rows made of columns, one column made of many, and periods of time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlglot import exp

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.exports.sql.dates import truncated
from wideleaf.tools.exports.sql.measures import measured_sql
from wideleaf.tools.exports.sql.rules import Input, Key, kept, order_of, write_sql
from wideleaf.tools.exports.sql.words import (
    Scope,
    binary,
    case,
    chain,
    constant,
    named,
    not_null,
    number,
    quoted,
    typed,
)
from wideleaf.tools.tables.table import Table, wider_type

MOST_STACKED = 500
_KEY = "__key"


@write_sql.register(Unpivot)
def unpivot_sql(action: Unpivot, inputs: Sequence[Input], scope: Scope) -> exp.Query:
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
            cell = typed(scope, cell, dtype)
        keep = [scope.column(name) for name in action.keep or ()]
        part = exp.select(
            *keep, named(constant(scope, value), action.name), named(cell, action.value)
        ).from_(given.source)
        parts.append(part.where(there) if action.drop_nulls else part)
    return stacked(parts)


def stacked(parts: Sequence[exp.Query]) -> exp.Query:
    """Queries one below the other."""
    made = parts[0]
    for part in parts[1:]:
        made = exp.Union(this=made, expression=part, distinct=False)
    return made


@write_sql.register(FromOneHot)
def one_hot_sql(action: FromOneHot, inputs: Sequence[Input], scope: Scope) -> exp.Query:
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
    beside = [one for one in kept(given.table, given) if one.name not in gone]
    made = case([(binary(exp.EQ, count, number(1)), level)])
    return exp.select(*beside, named(made, action.name)).from_(given.source)


@write_sql.register(Resample)
def resample_sql(action: Resample, inputs: Sequence[Input], scope: Scope) -> exp.Query:
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
    start = truncated(moment, every.unit, kind, scope)
    known = exp.select(exp.Star(), named(start, _KEY)).from_(inputs[0].source)
    known = known.where(not_null(moment))
    keys = [(scope.column(name), name) for name in action.by or ()]
    return measured_sql(
        known.subquery("known"),
        [*keys, (exp.column(quoted(_KEY)), action.time)],
        action.measures,
        scope,
    )


@order_of.register(Resample)
def period_keys(action: Resample, table: Table, result: Table) -> list[Key]:
    """The groups, then time."""
    return [Key(name) for name in (*(action.by or ()), action.time)]
