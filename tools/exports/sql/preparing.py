"""Prepared columns as SQL: intervals, scales and filled nulls, by windows over the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from wideleaf.tools.actions.preparing.bin import Bin
from wideleaf.tools.actions.preparing.fillings import ALONG, read_value
from wideleaf.tools.actions.preparing.impute import Impute
from wideleaf.tools.actions.preparing.normalise import Normalise
from wideleaf.tools.actions.windowing.order import TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.sql.rules import StepInput, carry_columns, write_sql
from wideleaf.tools.exports.sql.scales import NO_QUARTILES, SCALES, Layers
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    by_keys,
    case,
    chain,
    coalesce,
    constant,
    not_null,
    number,
    order_key,
    over,
    text,
    with_alias,
)


@write_sql.register(Bin)
def bin_sql(action: Bin, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """The interval of a number, by edges that are looked up where they hang on the cells."""
    given = inputs[0]
    edges, cell = action.find_edges(given.table), scope.column(action.column)
    name, *numbers = action.new_names(given.table.columns)
    labels = action.texts(edges)
    ends: list[Sql] = []
    if edges and edges[0] is not None:
        ends.append(binary(exp.GTE, cell, number(edges[0])))
    if edges and edges[-1] is not None:
        ends.append(binary(exp.LTE, cell, number(edges[-1])))
    inside = chain(exp.And, ends) if ends else not_null(cell)
    below = exp.LTE if action.closed == "right" else exp.LT
    tests = [binary(below, cell, number(edge)) for edge in edges[1:-1] if edge is not None]

    def written(results: Sequence[Sql]) -> Sql:
        if not results:
            return exp.Null()
        *before, last = results
        found = case(zip(tests, before, strict=True), last) if before else last
        return case([(inside, found)])

    made = [with_alias(written([text(label) for label in labels]), name)]
    for new in numbers:
        places = [number(place) for place in range(1, len(edges))]
        made.append(with_alias(written(places), new))
    return exp.select(exp.Star(), *made).from_(given.source)


@write_sql.register(Normalise)
def normalise_sql(action: Normalise, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Each number on its scale."""
    by = [scope.column(name) for name in action.by or ()]
    scale, layers = SCALES[action.method], Layers(scope)
    made = {}
    for old, new in zip(action.columns, action.names, strict=True):
        value = exp.cast(scope.number(old), "double")
        made[new] = with_alias(scale(value, by, action, layers), new)
    return _with_columns(made, inputs[0], layers)


@write_sql.register(Impute)
def impute_sql(action: Impute, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Cells with their nulls filled."""
    if action.method in ("interpolate", "neighbours"):
        scope.refuse(f"it has no {action.method}; take the notebook or script")
    layers = Layers(scope)
    made = {name: with_alias(_filled(action, name, layers), name) for name in action.columns}
    return _with_columns(made, inputs[0], layers)


def _with_columns(made: Mapping[str, Sql], given: StepInput, layers: Layers) -> exp.Query:
    """A table's columns, some in a new form, and further ones behind them."""
    columns = [made.get(one.name, one) for one in carry_columns(given.table, given)]
    columns += [one for name, one in made.items() if name not in given.table.columns]
    return exp.select(*columns).from_(layers.below(given))


def _filled(action: Impute, name: str, layers: Layers) -> Sql:
    scope = layers.scope
    cell, by = scope.column(name), [scope.column(one) for one in action.by or ()]
    if action.method == "value":
        return _or_value(action, name, scope)
    if action.method in ALONG:
        return coalesce([cell, _near(action, cell, by, layers)])
    if action.method == "median" and scope.dialect != "duckdb":
        scope.refuse(NO_QUARTILES)
    scopes = [by, []] if by and action.fallback else [by]
    if action.method == "mode":
        return coalesce([cell, *(_mode(cell, name, one, layers) for one in scopes)])
    value = exp.cast(scope.number(name), "double")
    kind = exp.Avg if action.method == "mean" else exp.Median
    return coalesce([value, *(over(kind(this=value.copy()), one) for one in scopes)])


def _or_value(action: Impute, name: str, scope: QueryScope) -> Sql:
    assert action.value is not None
    cell = scope.column(name)
    fitted, dtype = read_value(scope.table, name, action.value)
    if scope.table.kind(name) == "number" and not dtype.is_integer():
        return coalesce([exp.cast(cell, "double"), number(float(fitted))])
    return coalesce([cell, constant(scope, fitted)])


def _mode(cell: Sql, name: str, by: Sequence[Sql], layers: Layers) -> Sql:
    """The most frequent cell; of several the smallest."""
    counted = over(exp.Count(this=exp.Star()), [*by, cell])
    often = layers.add(1, case([(not_null(cell), counted)]))
    most = layers.add(2, over(exp.Max(this=often.copy()), by))
    found = case([(binary(exp.EQ, often, most), cell)])
    truth = layers.scope.table.kind(name) == "boolean" and not layers.scope.lite
    return over(exp.LogicalAnd(this=found) if truth else exp.Min(this=found), by)


def _near(action: Impute, cell: Sql, by: Sequence[Sql], layers: Layers) -> Sql:
    """The last known cell, or the next one: of those that share how many were known so far."""
    scope = layers.scope
    keys = by_keys(scope, action.order)
    gone = {*(action.by or ()), *(key.column for key in action.order)}
    others = [n for n in scope.table.columns if n not in gone and orders_alike(scope.table, n)]
    order = [*keys]
    order += [order_key(scope.column(n), nulls_first=True) for n in others[: TIE_BREAKERS + 1]]
    if action.method == "next":
        order = [
            order_key(one.this, down=not one.args["desc"], nulls_first=not one.args["nulls_first"])
            for one in order
        ]
    known = layers.add(1, over(exp.Count(this=cell.copy()), by, order, "UNBOUNDED"))
    truth = scope.table.kind(cell.name) == "boolean" and not scope.lite
    return over(
        exp.LogicalAnd(this=cell.copy()) if truth else exp.Max(this=cell.copy()), [*by, known]
    )
