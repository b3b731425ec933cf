"""Pivot as SQL: a column for each value that the data held."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import narwhals as nw
from sqlglot import exp

from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.exports.sql.measures import aggregate_sql
from wideleaf.tools.exports.sql.rules import OrderKey, StepInput, order_of, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    case,
    constant,
    is_null,
    number,
    quote_identifier,
    with_alias,
)
from wideleaf.tools.tables.table import Table

_KEY, _CELL = "__key", "__cell"


@write_sql.register(Pivot)
def pivot_sql(action: Pivot, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """A measure for each cell, then a column for each value that the data held."""
    table, index = scope.table, action.index or ()
    column, kind = scope.column(action.columns), scope.table.kind(action.columns)
    scope.need_clock(action.columns)
    values = action._values(table)
    measure = action._measure(_CELL)
    keys = [(scope.column(name), name) for name in index]
    cells = aggregate_sql(inputs[0].source, [*keys, (column, _KEY)], [measure], scope)
    made: list[Sql] = [exp.column(quote_identifier(name)) for name in index]
    key, cell = exp.column(quote_identifier(_KEY)), exp.column(quote_identifier(_CELL))
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
        made.append(with_alias(most, header))
    query = exp.select(*made).from_(cells.subquery("cells"))
    return (
        query.group_by(*(exp.column(quote_identifier(name)) for name in index)) if index else query
    )


def _literal(key: Any, kind: str, scope: QueryScope) -> Sql:
    if kind == "date":
        return constant(scope, date.fromisoformat(str(key)))
    if kind == "datetime":
        return constant(scope, datetime.fromisoformat(str(key)))
    return constant(scope, key)


@order_of.register(Pivot)
def index_keys(action: Pivot, table: Table, result: Table) -> list[OrderKey]:
    """The index."""
    return [OrderKey(name) for name in action.index or ()]
