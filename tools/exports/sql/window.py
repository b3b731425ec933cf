"""Windows as SQL: columns made along or across the rows of each group."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.window import Window
from wideleaf.tools.actions.windowing.functions import WINDOWS
from wideleaf.tools.actions.windowing.order import ANY, TIE_BREAKERS, orders_alike
from wideleaf.tools.exports.sql.dates import days_between
from wideleaf.tools.exports.sql.rules import StepInput, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    by_keys,
    call,
    case,
    divide,
    is_null,
    not_null,
    number,
    order_key,
    over,
    with_alias,
)

_AGGREGATES: dict[str, type[Sql]] = {
    "sum": exp.Sum, "mean": exp.Avg, "min": exp.Min, "max": exp.Max, "count": exp.Count,
    "std": exp.StddevSamp,
}  # fmt: skip


@write_sql.register(Window)
def window_sql(action: Window, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """A further column."""
    made = with_alias(_made(action, scope), str(action.name))
    return exp.select(exp.Star(), made).from_(inputs[0].source)


def _made(action: Window, scope: QueryScope) -> Sql:
    by = [scope.column(name) for name in action.by or ()]
    keys = by_keys(scope, action.order)
    order = [*keys, *(order_key(scope.column(n), nulls_first=True) for n in _others(action, scope))]
    function = action.function
    if function == "row number":
        return over(exp.RowNumber(), by, order)
    if "rank" in function:
        return _rank(function, by, keys, scope.column(action.order[0].column))
    name = action.column
    value: Sql = exp.Star() if name is None else scope.column(name)
    kind = "number" if name is None else scope.table.kind(name)
    wide = WINDOWS[function].takes is not ANY and kind in ("number", "boolean")
    if name is not None and wide:
        value = scope.number_for(name, action.wide)
    if function in ("lag", "lead"):
        return over(call(function.upper(), value, number(action.n)), by, order)
    if function in ("difference", "percent change"):
        before = over(call("LAG", value, number(action.n)), by, order)
        if kind != "number":
            return days_between(before, value, (kind, kind), scope)
        change = binary(exp.Sub, value, before)
        return change if function == "difference" else divide(change, before)
    if function == "share":
        return divide(value, over(exp.Sum(this=value.copy()), by))
    way, what = function.split(" ", 1)
    if way == "group":
        return over(_aggregate(what, value, kind, scope), by)
    if way == "cumulative":
        return over(_aggregate(what, value, kind, scope), by, order, "UNBOUNDED")
    if what == "std" and scope.lite:
        scope.refuse("it has no deviation over a window")
    back = action.n - 1
    there = over(exp.Count(this=value.copy()), by, order, back)
    rolled = over(_aggregate(what, value, kind, scope), by, order, back)
    return case([(binary(exp.EQ, there, number(action.n)), rolled)])


def _aggregate(what: str, value: Sql, kind: str, scope: QueryScope) -> Sql:
    if what == "mean" and scope.dialect not in ("duckdb", "sqlite"):
        value = exp.cast(value, "double")
    return _AGGREGATES[what](this=value.copy())


def _rank(function: str, by: Sequence[Sql], keys: Sequence[exp.Ordered], first: Sql) -> Sql:
    """Ties share the lowest; a null in the first key has none."""
    word = "DENSE_RANK" if function == "dense rank" else "RANK"
    rank = over(call(word), by, keys)
    if function == "percent rank":
        others = binary(exp.Sub, over(exp.Count(this=first.copy()), by), number(1))
        share = divide(binary(exp.Sub, rank, number(1)), others)
        rank = case([(binary(exp.GT, others, number(0)), share)], number(0.0))
    return case([(is_null(first), exp.Null())], rank) if not keys else _known(first, rank)


def _known(first: Sql, rank: Sql) -> Sql:
    return case([(not_null(first), rank)])


def _others(action: Window, scope: QueryScope) -> list[str]:
    """The columns that order rows which are equal in the order's keys."""
    if not action.order:
        return []
    gone = {*(action.by or ()), *(key.column for key in action.order)}
    names = [n for n in scope.table.columns if n not in gone and orders_alike(scope.table, n)]
    if action.column in names:
        names.remove(str(action.column))
        names.insert(0, str(action.column))
    return names[: TIE_BREAKERS + 1]
