"""Grouped SELECTs: keys and aggregates become columns, and what speaks of them is rewritten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sql_expressions import Expressions
from sql_relations import Field, Relation, UnexpressibleError, Value
from sqlglot import exp

MADE = "#"
"""The table name of what grouping made; no table of SQL can be called so."""
AGGREGATES: dict[type[exp.Expression], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "mean",
    exp.Min: "min",
    exp.Max: "max",
}


class Aggregated(NamedTuple):
    """One aggregate of a query: its node, what it reads and the column it makes."""

    node: exp.Expression
    function: str
    value: Value | None
    name: str


def own(node: exp.Expression) -> Iterator[exp.Expression]:
    """The nodes of an expression, without those of its sub-queries."""
    return node.walk(prune=lambda one: isinstance(one, (exp.Select, exp.SetOperation)))


def aggregates(node: exp.Expression) -> list[exp.Expression]:
    """The aggregate functions in an expression, outside its sub-queries and windows."""
    return [one for one in own(node) if _is_aggregate(one) and not _is_window(one)]


def _is_window(node: exp.Expression) -> bool:
    return isinstance(node.parent, exp.Window) and node.parent.this is node


def _is_aggregate(node: exp.Expression) -> bool:
    if isinstance(node, (exp.Min, exp.Max)):
        return not node.expressions
    if isinstance(node, exp.Anonymous) and node.name.lower() == "total":
        raise UnexpressibleError("function", "total")
    return isinstance(node, exp.AggFunc)


def group(
    relation: Relation,
    expressions: Expressions,
    keys: Sequence[exp.Expression],
    nodes: Sequence[exp.Expression],
) -> list[exp.Expression]:
    """Group a relation, or make it one row where there are no keys.

    Args:
        relation: Becomes the grouped one.
        expressions: Reads expressions over it.
        keys: What to group by.
        nodes: The expressions that will be read of the groups.

    Returns:
        The nodes, speaking of the groups.
    """
    made: dict[str, Field] = {}
    key_columns: list[str] = []
    for key in keys:
        value = relation_value(relation, expressions.value(key))
        if str(value.tree) not in key_columns:
            key_columns.append(str(value.tree))
        made[_written(key, relation)] = Field(MADE, str(value.tree).casefold(), value)
    found: dict[str, Aggregated] = {}
    for node in nodes:
        for one in aggregates(node):
            if (text := _written(one, relation)) not in found:
                found[text] = _aggregated(one, relation, expressions)
    for text, one in found.items():
        whole = one.function.startswith("count") or (
            one.value is not None and one.value.whole and one.function != "mean"
        )
        textual = one.function in ("min", "max") and one.value is not None
        kind = one.value.kind if textual and one.value is not None else "number"
        nullable = not one.function.startswith("count")
        value = Value(one.name, kind, whole=whole, nullable=nullable)
        made[text] = Field(MADE, one.name.casefold(), value)
    measures: list[dict[str, Any]] = []
    for one in found.values():
        column = {} if one.value is None else {"column": one.value.tree}
        measures.append({"function": one.function, **column, "name": one.name})
    rewritten = [_rewritten(node, made, relation) for node in nodes]
    picked = _bare(rewritten, relation, list(found.values()))
    for text, (one, measure) in picked.items():
        made[text] = one
        measures.append(measure)
    rewritten = [_rewritten(node, made, relation) for node in rewritten]
    if key_columns:
        arguments = {"keys": key_columns, "measures": measures} if measures else {
            "keys": key_columns,
            "measures": [{"function": "count", "name": relation.plan.fresh("count")}],
        }  # fmt: skip
        relation.act("Group", arguments)
    else:
        relation.act("Aggregate", {"measures": measures})
    names = [measure["name"] for measure in (measures or arguments["measures"])]
    relation.columns = (*key_columns, *names)
    relation.fields = tuple(made.values())
    relation.keys = tuple(key_columns)
    relation.one_row = not key_columns
    return rewritten


def relation_value(relation: Relation, value: Value) -> Value:
    """A value as a column of the relation."""
    return replace(value, tree=relation.column(value))


def _aggregated(node: exp.Expression, relation: Relation, expressions: Expressions) -> Aggregated:
    function = AGGREGATES.get(type(node))
    if function is None:
        raise UnexpressibleError("aggregate", type(node).__name__)
    name, inner = relation.plan.fresh(function), node.this
    if isinstance(inner, exp.Distinct):
        inner = inner.expressions[0]
        if function in ("sum", "mean"):
            raise UnexpressibleError("aggregate", f"{function} distinct")
        function = "count distinct" if function == "count" else function
    if isinstance(inner, exp.Star) or (isinstance(inner, exp.Literal) and function == "count"):
        return Aggregated(node, function, None, name)
    value = expressions.value(inner)
    if function in ("sum", "mean"):
        value = expressions.as_number(value)
    return Aggregated(node, function, relation_value(relation, value), name)


def _bare(
    nodes: Sequence[exp.Expression], relation: Relation, found: Sequence[Aggregated]
) -> dict[str, tuple[Field, dict[str, Any]]]:
    """Columns beside aggregates: SQLite takes the row of the only min or max, else any row."""
    columns = {
        _written(one, relation): one
        for node in nodes
        for one in own(node)
        if isinstance(one, exp.Column) and one.table != MADE
    }
    edges = [one for one in found if one.function in ("min", "max")]
    made = {}
    for text, column in columns.items():
        value = relation.find(column.name, column.table)
        if value is None:
            continue  # a text in double quotes, or an error that reading tells
        name = relation.plan.fresh("bare")
        measure = {"function": "min", "column": value.tree, "name": name}
        if len(edges) == 1 and edges[0].value is not None:
            sign = "-" if edges[0].function == "max" else ""
            order = [f"{sign}{edges[0].value.tree}"]
            measure = {"function": "first", "column": value.tree, "order": order, "name": name}
            relation.plan.remarks.add("bare column beside min or max")
        else:
            relation.plan.remarks.add("bare column of any row")
        made[text] = Field(MADE, name.casefold(), replace(value, tree=name)), measure
    return made


def _written(node: exp.Expression, relation: Relation) -> str:
    """An expression as text in which a column is written one way, however SQL named it."""

    def plain(one: exp.Expression) -> exp.Expression:
        if isinstance(one, exp.Column) and one.table != MADE:
            value = relation.find(one.name, one.table)
            if value is not None:
                return exp.column(exp.to_identifier(str(value.tree), quoted=True))
        return one

    return node.unnest().transform(plain).sql("sqlite")


def _rewritten(node: exp.Expression, made: dict[str, Field], relation: Relation) -> exp.Expression:
    root = node.copy()

    def found(one: exp.Expression) -> Field | None:
        return None if _is_made(one) else made.get(_written(one, relation))

    def ends(one: exp.Expression) -> bool:
        return isinstance(one, (exp.Select, exp.SetOperation, exp.Column)) or bool(found(one))

    hits = [(one, hit) for one in root.walk(prune=ends) if (hit := found(one)) is not None]
    for one, hit in hits:
        column = exp.column(exp.to_identifier(hit.name, quoted=True), table=MADE)
        if one is root:
            return column
        one.replace(column)
    return root


def _is_made(one: exp.Expression) -> bool:
    return isinstance(one, exp.Identifier) or (isinstance(one, exp.Column) and one.table == MADE)
