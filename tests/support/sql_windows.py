"""SQL window functions as Window, one call each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sql_expressions import Expressions
from sql_relations import Relation, UnexpressibleError, Value
from sqlglot import exp

RANKS: dict[type[exp.Expression], str] = {
    exp.RowNumber: "row number",
    exp.Rank: "rank",
    exp.DenseRank: "dense rank",
}
SHIFTS: dict[type[exp.Expression], str] = {exp.Lag: "lag", exp.Lead: "lead"}
TOTALS: dict[type[exp.Expression], str] = {
    exp.Sum: "group sum",
    exp.Avg: "group mean",
    exp.Min: "group min",
    exp.Max: "group max",
    exp.Count: "group count",
}


def windowed(node: exp.Window, relation: Relation, expressions: Expressions) -> Value:
    """The value of a window function: a column that the relation gains.

    Raises:
        UnexpressibleError: If Window has no such function, or rows that are tied would differ.
    """
    inner, kind = node.this, type(node.this)
    order = node.args.get("order")
    parts = [relation.column(expressions.value(one)) for one in node.args.get("partition_by") or ()]
    arguments: dict[str, Any] = {"by": parts} if parts else {}
    if kind in RANKS:
        value = Value(None, "number", whole=True, nullable=False)
        arguments["function"] = RANKS[kind]
    elif kind in SHIFTS:
        if inner.args.get("default") is not None:
            raise UnexpressibleError("window function", "lag with a default")
        value = relation.held(expressions.value(inner.this))
        offset = inner.args.get("offset")
        arguments |= {"function": SHIFTS[kind], "column": value.tree}
        arguments["n"] = 1 if offset is None else int(offset.this)
    elif kind in TOTALS and order is None:
        star = isinstance(inner.this, exp.Star)
        value = expressions.value(exp.Literal.number(1) if star else inner.this)
        value = relation.held(value)
        arguments |= {"function": TOTALS[kind], "column": value.tree}
    else:
        raise UnexpressibleError("window function", kind.__name__.lower())
    if node.args.get("spec") is not None:
        raise UnexpressibleError("window function", "frame")
    if order is not None:
        arguments["order"] = order_keys(relation, expressions, order.expressions)
    name = relation.plan.fresh(str(arguments["function"]))
    relation.act("Window", arguments | {"name": name})
    relation.columns += (name,)
    whole = (value.whole and kind is not exp.Avg) or kind is exp.Count
    return Value(name, "number" if kind in TOTALS else value.kind, whole=whole)


def order_keys(
    relation: Relation, expressions: Expressions, terms: Sequence[exp.Ordered]
) -> list[dict[str, Any]]:
    """Keys that put nulls where SQLite does, before everything else.

    Window gives no rank to a null, so whether there is one is a key of its own.
    """
    keys: list[dict[str, Any]] = []
    for one in terms:
        value, down = relation.held(expressions.value(one.this)), bool(one.args.get("desc"))
        if value.nullable:
            keys.append({"column": null_flag(relation, value), "descending": down})
        keys.append({"column": value.tree, "descending": down})
    return keys


def null_flag(relation: Relation, value: Value) -> str:
    """A column that is 0 where a value is null and 1 elsewhere."""
    tree = {"if": {"column": value.tree, "op": "is null"}, "then": 0, "else": 1}
    return relation.column(Value(tree, "number", whole=True, nullable=False))
