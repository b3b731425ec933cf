"""Relations as SQL: steps that keep, order, group, match and stack rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.projection import Select
from wideleaf.tools.actions.set_operations import (
    Difference,
    Intersect,
    SetOperation,
    Union,
    pair_columns,
)
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.exports.sql.conditions import condition_sql
from wideleaf.tools.exports.sql.expressions import expression_sql
from wideleaf.tools.exports.sql.measures import measured_sql
from wideleaf.tools.exports.sql.words import (
    Scope,
    Sql,
    binary,
    named,
    number,
    ordered,
    over,
    quoted,
    typed,
)
from wideleaf.tools.tables.sort_keys import tie_breakers
from wideleaf.tools.tables.table import Table, wider_type

PLACE = "__place"
"""A hidden column that carries the order of a Sort past steps that drop its keys."""


class Input(NamedTuple):
    """An input of a step.

    Attributes:
        name: What its query or table is called.
        table: Its frame, for the types.
        placed: Whether it has the hidden column `PLACE`.
        leaf: Whether it is a table, not a step's query.
    """

    name: str
    table: Table
    placed: bool = False
    leaf: bool = False

    @property
    def source(self) -> exp.Table:
        """The input as something to select from."""
        return exp.Table(this=quoted(self.name))


class Key(NamedTuple):
    """A column by which rows come in order."""

    column: str
    down: bool = False
    nulls_first: bool = False

    def sql(self) -> exp.Ordered:
        """As a key to order by."""
        made = exp.column(quoted(self.column))
        return ordered(made, down=self.down, nulls_first=self.nulls_first)


def kept(table: Table, given: Input) -> list[Sql]:
    """Columns by name, and the hidden one where there is one."""
    names = [*table.columns, *([PLACE] if given.placed else [])]
    return [exp.column(quoted(name)) for name in names]


def select_sql(action: Select, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """A projection."""
    names = [*action.columns, *([PLACE] if inputs[0].placed else [])]
    return exp.select(*map(scope.column, names)).from_(inputs[0].source)


def filter_sql(action: Filter, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """Rows for which a condition is true."""
    made = condition_sql(action.where, scope)
    return exp.select(exp.Star()).from_(inputs[0].source).where(made)


def derive_sql(action: Derive, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """A column more, or another in the place of one."""
    given = inputs[0]
    made = named(expression_sql(action.expression, scope), action.name)
    if action.name not in given.table.columns and not scope.stages:
        columns: list[Sql] = [exp.Star(), made]
    else:
        columns = [made if c.name == action.name else c for c in kept(given.table, given)]
        if made not in columns:
            columns.append(made)
    return scope.staged(exp.select(*columns).from_(given.source))


def sort_keys(action: Sort, table: Table) -> list[Key]:
    """The order of a Sort's rows; those equal in the keys by the columns beside them."""
    names = {key.column for key in action.by}
    first = action.nulls == "smallest"
    keys = [Key(k.column, k.descending, first and not k.descending) for k in action.by]
    uniform = len({key.down for key in keys}) == 1
    others = first and uniform and not keys[0].down
    return keys + [Key(n, False, others) for n in tie_breakers(table) if n not in names]


def sort_sql(
    action: Sort, inputs: Sequence[Input], scope: Scope, *, placed: bool = False
) -> exp.Query:
    """Rows cut at a limit, with their ties or without; the order itself is the answer's."""
    given, rank = inputs[0], "__rank"
    order = [key.sql() for key in sort_keys(action, given.table)]
    carried: list[Sql] = [named(over(exp.RowNumber(), (), order), PLACE)] if placed else []
    star: list[Sql] = [exp.Star()]
    if given.placed:
        star = [exp.column(quoted(name)) for name in given.table.columns]
    query = exp.select(*star, *carried).from_(given.source)
    if action.limit is None:
        return query
    if action.ties == "cut":
        return query.order_by(*order).limit(action.limit)
    by_keys = order[: len(action.by)]
    ranked = query.select(named(over(exp.Anonymous(this="RANK"), (), by_keys), rank))
    columns = [*given.table.columns, *([PLACE] if placed else [])]
    within = binary(exp.LTE, exp.column(quoted(rank)), number(action.limit))
    return (
        exp.select(*(exp.column(quoted(name)) for name in columns))
        .from_(ranked.subquery("ranked"))
        .where(within)
    )


def position_sql(action: Position, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """The place of each row of a table, as it gives them."""
    place = exp.Window(this=exp.RowNumber())
    return exp.select(exp.Star(), named(place, action.name)).from_(inputs[0].source)


def group_sql(action: Group | Aggregate, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """Measures for each combination of keys, or over all rows."""
    names = action.keys if isinstance(action, Group) else ()
    keys = [(scope.column(name), name) for name in names]
    return measured_sql(inputs[0].source, keys, action.measures, scope)


def distinct_sql(action: Distinct, inputs: Sequence[Input], scope: Scope) -> exp.Query:
    """Each combination of values once."""
    given = inputs[0]
    names = action.columns or given.table.columns
    columns = [scope.column(name) for name in names]
    star = [exp.Star()] if names == given.table.columns and not given.placed else columns
    return exp.select(*star).from_(given.source).distinct()


def set_sql(action: SetOperation, inputs: Sequence[Input], scope: Scope) -> exp.Query:
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
            cell: Sql = exp.column(quoted(own))
            if given.table.schema[own] != dtype and given.table.kind(own) in ("number", "date"):
                cell = typed(scope, cell, dtype)
            cells.append(named(cell, pair[0]))
        if numbered:
            rows = [exp.column(quoted(pair[side])) for pair in pairs]
            count = over(exp.RowNumber(), rows, [])
            cells.append(named(count, "__number"))
        sides.append(exp.select(*cells).from_(given.source))
    kinds: dict[type[SetOperation], Any] = {
        Union: exp.Union, Intersect: exp.Intersect, Difference: exp.Except
    }  # fmt: skip
    distinct = action.distinct or numbered
    made: exp.Query = kinds[type(action)](this=sides[0], expression=sides[1], distinct=distinct)
    if not numbered:
        return made
    names = (exp.column(quoted(one)) for one, _ in pairs)
    return exp.select(*names).from_(made.subquery("numbered"))
