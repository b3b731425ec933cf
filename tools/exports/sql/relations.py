"""Relations as SQL: steps that keep, number and group rows."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.derive import Derive
from wideleaf.tools.actions.distinct import Distinct
from wideleaf.tools.actions.drop_nulls import DropNulls
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.group import Aggregate, Group
from wideleaf.tools.actions.position import LISTING, Position
from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.actions.set_operations import (
    Difference,
    Intersect,
)
from wideleaf.tools.exports.sql.conditions import condition_sql
from wideleaf.tools.exports.sql.expressions import expression_sql
from wideleaf.tools.exports.sql.measures import aggregate_sql
from wideleaf.tools.exports.sql.rules import (
    PLACE,
    OrderKey,
    StepInput,
    carry_columns,
    order_of,
    write_sql,
)
from wideleaf.tools.exports.sql.words import QueryScope, Sql, chain, not_null, with_alias
from wideleaf.tools.tables.table import Table


@write_sql.register(Projection)
def select_sql(action: Projection, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """A projection."""
    names = [*action.columns, *([PLACE] if inputs[0].placed else [])]
    return exp.select(*map(scope.column, names)).from_(inputs[0].source)


@write_sql.register(Filter)
def filter_sql(action: Filter, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Rows for which a condition is true."""
    made = condition_sql(action.where, scope)
    return exp.select(exp.Star()).from_(inputs[0].source).where(made)


@write_sql.register(DropNulls)
def drop_nulls_sql(action: DropNulls, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Rows without nulls in any, or in all."""
    there = [not_null(scope.column(name)) for name in action.columns or ()]
    whole = chain(exp.And if action.how == "any" else exp.Or, there)
    return exp.select(exp.Star()).from_(inputs[0].source).where(whole)


@write_sql.register(Derive)
def derive_sql(action: Derive, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """A column more, or another in the place of one."""
    given = inputs[0]
    made = with_alias(expression_sql(action.expression, scope), action.name)
    if action.name not in given.table.columns and not scope.stages:
        columns: list[Sql] = [exp.Star(), made]
    else:
        columns = [made if c.name == action.name else c for c in carry_columns(given.table, given)]
        if made not in columns:
            columns.append(made)
    return scope.with_stages(exp.select(*columns).from_(given.source))


@write_sql.register(Position)
def position_sql(action: Position, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """The place of each row of a table, as it gives them."""
    return place_rows(inputs[0], action.name, scope)


def place_rows(given: StepInput, name: str, scope: QueryScope) -> exp.Select:
    """A table's rows with the place of each under a name.

    Raises:
        ActionError: If the rows have no order of their own.
    """
    if not (given.leaf and scope.dialect in LISTING):
        scope.refuse("its rows have no order of their own there; take Window's row number")
    place = exp.Window(this=exp.RowNumber())
    return exp.select(exp.Star(), with_alias(place, name)).from_(given.source)


@write_sql.register(Group)
@write_sql.register(Aggregate)
def group_sql(
    action: Group | Aggregate, inputs: Sequence[StepInput], scope: QueryScope
) -> exp.Query:
    """Measures for each combination of keys, or over all rows."""
    names = action.keys if isinstance(action, Group) else ()
    keys = [(scope.column(name), name) for name in names]
    return aggregate_sql(inputs[0].source, keys, action.measures, scope)


@write_sql.register(Distinct)
def distinct_sql(action: Distinct, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Each combination of values once."""
    given = inputs[0]
    names = action.columns or given.table.columns
    columns = [scope.column(name) for name in names]
    star = [exp.Star()] if names == given.table.columns and not given.placed else columns
    return exp.select(*star).from_(given.source).distinct()


@order_of.register(Group)
def group_keys(action: Group, table: Table, result: Table) -> list[OrderKey]:
    """The keys."""
    return [OrderKey(name) for name in action.keys]


@order_of.register(Distinct)
@order_of.register(Intersect)
@order_of.register(Difference)
def cell_keys(action: Action, table: Table, result: Table) -> list[OrderKey]:
    """All columns that can be."""
    return [OrderKey(name) for name in result.columns if result.kind(name) != "other"]
