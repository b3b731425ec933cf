"""Groups, filters and joins of ibis written of a table's own columns, which are read after them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import ibis
import ibis.expr.operations as ops

CASTS_BY_TEXT = ("postgres",)
"""Dialects in which to cast a decimal to a float takes longer than to add it up."""


def call(name: str, *arguments: Any, made: Any = str) -> Any:
    """A function that the database has by this name, of arguments of any type."""

    def function() -> None: ...

    places = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(f"argument_{n}", places) for n in range(len(arguments))]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {"return": made}
    return ibis.udf.scalar.builtin(function, name=name)(*arguments)


def pull_up(operation: Any) -> Any:
    """An operation of ibis in which groups, filters and joins name the columns of tables bare.

    It says the same in every dialect; what a dialect has other words for is `operations.rewrite`.
    """

    def replace(node: Any, arguments: dict[str, Any] | None) -> Any:
        result = node.__recreate__(arguments) if arguments else node
        rule = next((rule for kind, rule in RULES.items() if isinstance(result, kind)), None)
        return rule(result) if rule else result

    return operation.replace(replace)


def _keep_distinct(node: Any) -> Any:
    """Rows of which each is kept once, which narwhals says by numbers within groups."""
    selection, dropped = node.parent, node.columns_to_drop
    if len(dropped) != 1 or not isinstance(selection, ops.Filter) or len(selection.predicates) != 1:
        return node
    numbered, (name,), (first,) = selection.parent, dropped, selection.predicates
    if not isinstance(numbered, ops.Project) or not isinstance(first, ops.Equals):
        return node
    number, rows = numbered.values[name], numbered.parent
    if not isinstance(number, ops.Add) or not isinstance(number.left, ops.WindowFunction):
        return node
    window, every = number.left, {ops.Field(rows, column) for column in rows.schema}
    whole = {*window.group_by} == every and isinstance(window.func, ops.RowNumber)
    ones = [getattr(one, "value", None) for one in (number.right, first.right)] == [1, 1]
    if not (whole and ones and first.left == ops.Field(numbered, name)):
        return node
    return ops.Distinct(rows)


def _write_without_reads(node: Any) -> Any:
    """A group or a filter of columns that are only read otherwise: of the table itself.

    So the database sees which of its own columns is compared, or added up.
    """
    base, reads = _behind(node.parent)
    inner = node.predicates if isinstance(node, ops.Filter) else node.metrics.values()
    if not reads or any(value.find(ops.Subquery) for value in inner):
        return node
    behind: dict[Any, Any] = {node.parent: base}
    behind |= {ops.Field(node.parent, name): value for name, value in reads.items()}

    def rewrite(value: Any) -> Any:
        return value.replace(behind)

    if isinstance(node, ops.Filter):
        selection = ops.Filter(base, tuple(_of_whole(rewrite(p)) for p in node.predicates))
        names = {ops.Field(base, name): ops.Field(selection, name) for name in base.schema}
        return ops.Project(selection, {name: v.replace(names) for name, v in reads.items()})
    groups = {name: rewrite(value) for name, value in node.groups.items()}
    metrics = {name: rewrite(value) for name, value in node.metrics.items()}
    return ops.Aggregate(base, groups, metrics)


def _join_without_reads(node: Any) -> Any:
    """A join of columns that are only read otherwise: of the tables, read after it.

    So keys are compared as the database has them, by its indexes; null stays null in every read.
    """
    swaps: dict[Any, Any] = {}

    def bare(table: Any) -> Any:
        base, reads = _behind(table.parent)
        if not reads:
            return table
        new = table.copy(parent=base)
        names = {ops.Field(base, name): ops.Field(new, name) for name in base.schema}
        swaps.update({ops.Field(table, name): v.replace(names) for name, v in reads.items()})
        return new

    first, tables = bare(node.first), [bare(link.table) for link in node.rest]
    if not swaps:
        return node
    rest = tuple(
        link.copy(
            table=table,
            predicates=tuple(_of_whole(p.replace(swaps)) for p in link.predicates),
        )
        for link, table in zip(node.rest, tables, strict=True)
    )
    values = {name: value.replace(swaps) for name, value in node.values.items()}
    fields = {name: _field_of(v) if _is_read(v) else v for name, v in values.items()}
    chain = ops.JoinChain(first, rest, fields)
    outputs = {
        name: v.replace({fields[name]: ops.Field(chain, name)})
        if _is_read(v)
        else ops.Field(chain, name)
        for name, v in values.items()
    }
    return ops.Project(chain, outputs)


def _behind(relation: Any) -> tuple[Any, dict[str, Any]]:
    """The table whose columns a relation only reads otherwise, and how; none where it does more."""
    reads: dict[str, Any] = {}
    while isinstance(relation, ops.Project) and all(map(_is_read, relation.values.values())):
        fields = {ops.Field(relation, name): value for name, value in relation.values.items()}
        reads = {n: v.replace(fields) for n, v in reads.items()} or dict(relation.values)
        relation = relation.parent
    return relation, reads


def _is_read(value: Any) -> bool:
    """Whether a value is a column, cast or with NaN as null, as a source reads it."""
    while isinstance(value, (ops.Cast, ops.ScalarUDF)):
        value, *others = value.args
        if any(
            isinstance(other, ops.Value) and not isinstance(other, ops.Literal) for other in others
        ):
            return False
    return isinstance(value, ops.Field)


def _field_of(value: Any) -> Any:
    while not isinstance(value, ops.Field):
        value = value.args[0]
    return value


def _of_whole(node: Any) -> Any:
    """Whole numbers compared as they are, not as wider ones, so that an index is of use."""
    if not isinstance(node, ops.Comparison):
        return node
    sides = [_narrow(side) for side in (node.left, node.right)]
    columns = [side for side in sides if not isinstance(side, ops.Literal)]
    whole = all(side.dtype.is_integer() for side in sides)
    return type(node)(*sides) if columns and whole else node


def _narrow(value: Any) -> Any:
    wider = isinstance(value, ops.Cast) and value.arg.dtype.is_integer() and value.to.is_integer()
    return value.arg if wider else value


def aggregate_decimals(node: Any, dialect: str) -> Any:
    """An aggregate of decimals that are read as floats: of the decimals, then a float.

    PostgreSQL casts a decimal by way of its text.
    """
    cast = node.arg
    if dialect not in CASTS_BY_TEXT or not isinstance(cast, ops.Cast):
        return node
    if not (cast.arg.dtype.is_decimal() and cast.to.is_floating()):
        return node
    aggregate = node.copy(arg=cast.arg)
    return aggregate if isinstance(node, ops.Count) else ops.Cast(aggregate, cast.to)


def write_plain_sum(node: Any, dialect: str) -> Any:
    """A sum that is null where there is no cell, which is what SQL calls one."""
    if len(node.cases) != 1 or not isinstance(node.results[0], ops.Coalesce):
        return node
    (several,), (sum_or_none,) = node.cases, node.results
    total, *other = sum_or_none.arg
    whole = total.arg if isinstance(total, ops.Cast) else total
    if not (isinstance(several, ops.Greater) and isinstance(several.left, ops.Count)):
        return node
    count, least, none = several.left, several.right, node.default
    empty = isinstance(none, ops.Literal) and none.value is None
    zeros = [one.value for one in (least, *other) if isinstance(one, ops.Literal)] == [0, 0]
    if not (isinstance(whole, ops.Sum) and empty and zeros):
        return node
    cells = whole.arg
    alike = count.where == whole.where and count.arg in (cells, getattr(cells, "arg", None))
    return total if alike else node


RULES: dict[Any, Callable[[Any], Any]] = {
    ops.DropColumns: _keep_distinct,
    (ops.Filter, ops.Aggregate): _write_without_reads,
    ops.JoinChain: _join_without_reads,
}
"""What is written otherwise, by the operation."""
