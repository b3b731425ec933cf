"""Sort as SQL: the keys that order the rows, and where the rows are cut."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.exports.sql.rules import PLACE, OrderKey, StepInput, order_of, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    number,
    over,
    quote_identifier,
    with_alias,
)
from wideleaf.tools.tables.sort_keys import tie_breakers
from wideleaf.tools.tables.table import Table


@order_of.register(Sort)
def sort_keys(action: Sort, table: Table, result: Table | None = None) -> list[OrderKey]:
    """The order of a Sort's rows; those equal in the keys by the columns beside them."""
    names = {key.column for key in action.by}
    first = action.nulls == "smallest"
    keys = [OrderKey(k.column, k.descending, first and not k.descending) for k in action.by]
    uniform = len({key.down for key in keys}) == 1
    others = first and uniform and not keys[0].down
    return keys + [OrderKey(n, False, others) for n in tie_breakers(table) if n not in names]


@write_sql.register(Sort)
def sort_sql(action: Sort, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Rows cut at a limit, with their ties or without; the order itself is the answer's."""
    given, rank = inputs[0], "__rank"
    order = [key.sql() for key in sort_keys(action, given.table)]
    carried: list[Sql] = (
        [with_alias(over(exp.RowNumber(), (), order), PLACE)] if scope.places else []
    )
    star: list[Sql] = [exp.Star()]
    if given.placed:
        star = [exp.column(quote_identifier(name)) for name in given.table.columns]
    query = exp.select(*star, *carried).from_(given.source)
    if action.limit is None:
        return query
    if action.ties == "cut":
        return query.order_by(*order).limit(action.limit)
    by_keys = order[: len(action.by)]
    ranked = query.select(with_alias(over(exp.Anonymous(this="RANK"), (), by_keys), rank))
    columns = [*given.table.columns, *([PLACE] if scope.places else [])]
    within = binary(exp.LTE, exp.column(quote_identifier(rank)), number(action.limit))
    return (
        exp.select(*(exp.column(quote_identifier(name)) for name in columns))
        .from_(ranked.subquery("ranked"))
        .where(within)
    )
