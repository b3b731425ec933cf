"""Shapes as SQL: rows made of columns, columns made of rows, and periods of time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import narwhals as nw
from sqlglot import exp

from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.resample import Resample
from wideleaf.tools.actions.unpivot import Unpivot
from wideleaf.tools.exports.sql.dates import truncated
from wideleaf.tools.exports.sql.measures import measured_sql
from wideleaf.tools.exports.sql.relations import Input, kept
from wideleaf.tools.exports.sql.words import (
    Scope,
    Sql,
    binary,
    case,
    chain,
    constant,
    is_null,
    named,
    not_null,
    number,
    quoted,
    typed,
)
from wideleaf.tools.tables.table import wider_type

MOST_STACKED = 500
_KEY, _CELL = "__key", "__cell"


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


def pivot_sql(action: Pivot, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """A measure for each cell, then a column for each value that the data held."""
    table, index = scope.table, action.index or ()
    column, kind = scope.column(action.columns), scope.table.kind(action.columns)
    scope.need_clock(action.columns)
    values = action._values(table)
    measure = action._measure(_CELL)
    keys = [(scope.column(name), name) for name in index]
    cells = measured_sql(inputs[0].source, [*keys, (column, _KEY)], [measure], scope)
    made: list[Sql] = [exp.column(quoted(name)) for name in index]
    key, cell = exp.column(quoted(_KEY)), exp.column(quoted(_CELL))
    counts = measure.function.startswith("count") or measure.column is None
    truth = measure.function in ("any", "all") or (
        measure.column is not None
        and isinstance(table.schema[measure.column], nw.Boolean)
        and measure.function in ("min", "max", "mode")
    )
    for value, header in zip(values, action._headers(values), strict=True):
        literal = None if value.key is None else _literal(value.key, kind, scope)
        here = is_null(key) if literal is None else binary(exp.EQ, key, literal)
        only = case([(here, cell)])
        most: Sql = exp.LogicalOr(this=only) if truth and not scope.lite else exp.Max(this=only)
        if counts:
            most = exp.Coalesce(this=most, expressions=[number(0)])
        made.append(named(most, header))
    query = exp.select(*made).from_(cells.subquery("cells"))
    return query.group_by(*(exp.column(quoted(name)) for name in index)) if index else query


def _literal(key: Any, kind: str, scope: Scope) -> Sql:
    if kind == "date":
        return constant(scope, date.fromisoformat(str(key)))
    if kind == "datetime":
        return constant(scope, datetime.fromisoformat(str(key)))
    return constant(scope, key)


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
