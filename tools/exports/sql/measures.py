"""Measures as SQL: aggregates over groups of rows, composed where a dialect has none."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw
from sqlglot import exp

from wideleaf.tools.actions.measuring.listings import SEPARATOR
from wideleaf.tools.actions.measuring.measures import Trait
from wideleaf.tools.exports.sql.expressions import as_text
from wideleaf.tools.exports.sql.moments import composed_sql, deviation, quantile
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    by_keys,
    call,
    case,
    chain,
    coalesce,
    divide,
    not_null,
    number,
    order_key,
    over,
    text,
    with_alias,
)

_PLAIN: dict[str, type[Sql]] = {"sum": exp.Sum, "min": exp.Min, "max": exp.Max}


def aggregate_sql(
    source: Sql, keys: Sequence[tuple[Sql, str]], measures: Sequence[Trait], scope: QueryScope
) -> exp.Select:
    """Resolved measures for each combination of keys, in no order; one row where keys are none.

    Args:
        source: What is selected from.
        keys: What is grouped by, and its name; a null is a key like others.
        measures: As `resolve_measures` gave them.
        scope: What the query knows; stages are computed before the groups are made.
    """
    parts = [key for key, _ in keys]
    made = [with_alias(_measure(one, parts, scope), str(one.name)) for one in measures]
    query = exp.select(*(with_alias(key, name) for key, name in keys), *made).from_(source)
    if keys:
        query = query.group_by(*(key.copy() for key in parts))
    return scope.with_stages(query)


def _measure(measure: Trait, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    function, name = measure.function, measure.column
    if name is None:
        counted: Sql = exp.Count(this=exp.Star())
        return _share(counted) if function == "share" else counted
    column, kind = scope.column(name), scope.table.kind(name)
    match function:
        case "count":
            return exp.Count(this=column)
        case "count distinct":
            return exp.Count(this=exp.Distinct(expressions=[column]))
        case "min" | "max" if kind != "boolean" or scope.lite:
            return _PLAIN[function](this=column)
        case "any" | "max":
            return exp.LogicalOr(this=column)
        case "all" | "min":
            return exp.LogicalAnd(this=column)
        case "mode":
            return _mode(column, keys, scope)
        case "first" | "last":
            return _picked(measure, column, keys, scope)
        case "list" | "list distinct":
            return _listed(measure, column, keys, scope)
    value = scope.number_for(name, measure.wide)
    match function:
        case "sum":
            return exp.Sum(this=value)
        case "share":
            return _share(exp.Sum(this=value))
        case "range":
            return binary(exp.Sub, exp.Max(this=value), exp.Min(this=value))
        case "mean":
            return _mean(value, name, scope)
        case "weighted mean":
            return _weighted_mean(value, str(measure.weight), scope)
        case "median" | "quantile":
            return quantile(value, 0.5 if measure.q is None else measure.q, keys, scope)
        case "std" | "variance":
            return deviation(function, value, keys, scope, population=measure.population)
        case _:
            return composed_sql(measure, value, keys, scope)


def _share(made: Sql) -> Sql:
    total = over(exp.Sum(this=made.copy()))
    return divide(made, total)


def _mean(value: Sql, name: str, scope: QueryScope) -> Sql:
    if scope.dialect not in ("duckdb", "sqlite"):
        value = exp.cast(value, "double")
    return exp.Avg(this=value)


def _weighted_mean(value: Sql, weight: str, scope: QueryScope) -> Sql:
    weighs = scope.number(weight)
    product = exp.Mul(this=exp.cast(value.copy(), "double"), expression=weighs)
    there = case([(not_null(value), weighs)])
    return divide(exp.Sum(this=product), exp.Sum(this=there))


def _mode(column: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """The most frequent cell; of several the smallest."""
    often = scope.stage(
        case([(not_null(column), over(exp.Count(this=exp.Star()), [*keys, column]))])
    )
    most = scope.stage(over(exp.Max(this=often.copy()), keys))
    return _least(case([(binary(exp.EQ, often, most), column)]), column, scope)


def _picked(measure: Trait, column: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """The cell of the first or last row by an order, nulls of which come last both ways."""
    order = by_keys(scope, measure.order)
    if measure.function == "last":
        order = [order_key(one.this, down=not one.args.get("desc")) for one in order]
    rank = scope.stage(over(exp.Anonymous(this="RANK"), keys, order))
    return _least(case([(binary(exp.EQ, rank, number(1)), column)]), column, scope)


def _listed(measure: Trait, column: Sql, keys: Sequence[Sql], scope: QueryScope) -> Sql:
    """A group's cells as one text, or each different one; the empty text of none."""
    if scope.lite:
        scope.refuse("many of its versions join no texts in an order; duckdb does")
    cell = as_text(column, scope.table.kind(column.name), scope)
    if scope.table.schema[column.name].is_float() and scope.dialect == "duckdb":
        pattern = text(r"^(-?)(\d)\.?(\d*)e-05$")
        cell = call("REGEXP_REPLACE", cell, pattern, text(r"\10.0000\2\3"))
        cell = exp.func("REPLACE", cell, text("e-0"), text("e-"))
    order = [*by_keys(scope, measure.order), order_key(column)]
    if measure.function == "list distinct":
        cell = scope.stage(cell)
        place = over(exp.RowNumber(), [*keys, cell], order)
        cell = case([(binary(exp.EQ, scope.stage(place), number(1)), cell)])
    sorted_cells = exp.Order(this=cell, expressions=order)
    return coalesce([exp.GroupConcat(this=sorted_cells, separator=text(SEPARATOR)), text("")])


def _least(cells: Sql, column: Sql, scope: QueryScope) -> Sql:
    truth = isinstance(scope.table.schema[column.name], nw.Boolean)
    return exp.LogicalAnd(this=cells) if truth and not scope.lite else exp.Min(this=cells)


def all_of(parts: Sequence[Sql]) -> Sql:
    """A condition that all parts hold; true of none."""
    return chain(exp.And, parts) if parts else exp.true()
