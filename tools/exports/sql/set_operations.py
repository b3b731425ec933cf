"""Set operations as SQL: rows of two tables stacked, shared or left over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from wideleaf.tools.actions.set_operations import (
    Difference,
    Intersect,
    SetOperation,
    Union,
    pair_columns,
)
from wideleaf.tools.exports.sql.rules import StepInput, write_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    over,
    quote_identifier,
    widen_cell,
    with_alias,
)
from wideleaf.tools.tables.table import wider_type


@write_sql.register(SetOperation)
def set_sql(action: SetOperation, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Rows of two tables stacked, shared or left over; rows that repeat are numbered to count."""
    left, right = inputs
    pairs = pair_columns(left.table, right.table).names
    numbered = not action.distinct and not isinstance(action, Union)
    sides: list[exp.Query] = []
    for side, given in enumerate(inputs):
        cells: list[Sql] = []
        for pair in pairs:
            own = pair[side]
            dtypes = [left.table.schema[pair[0]], right.table.schema[pair[1]]]
            dtype = wider_type(dtypes)
            cell: Sql = exp.column(quote_identifier(own))
            if given.table.schema[own] != dtype and given.table.kind(own) in ("number", "date"):
                cell = widen_cell(scope, cell, dtype)
            cells.append(with_alias(cell, pair[0]))
        if numbered:
            rows = [exp.column(quote_identifier(pair[side])) for pair in pairs]
            count = over(exp.RowNumber(), rows, [])
            cells.append(with_alias(count, "__number"))
        sides.append(exp.select(*cells).from_(given.source))
    kinds: dict[type[SetOperation], Any] = {
        Union: exp.Union, Intersect: exp.Intersect, Difference: exp.Except
    }  # fmt: skip
    distinct = action.distinct or numbered
    made: exp.Query = kinds[type(action)](this=sides[0], expression=sides[1], distinct=distinct)
    if not numbered:
        return made
    names = (exp.column(quote_identifier(one)) for one, _ in pairs)
    return exp.select(*names).from_(made.subquery("numbered"))
