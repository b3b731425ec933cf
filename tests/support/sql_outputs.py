"""What a query selects: its outputs by name and place, and the order in which rows come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sql_conditions import Conditions
from sql_groups import MADE, own
from sql_relations import Field, Relation, UnexpressibleError, Value
from sql_windows import null_flag
from sqlglot import exp


class Outputs(NamedTuple):
    """The expressions that a query selects, stars written out, and their names."""

    nodes: list[exp.Expression]
    names: list[str]

    def called(self, node: exp.Expression) -> exp.Expression | None:
        """The output that an unqualified name is the alias of, or a number the place of."""
        if isinstance(node, exp.Literal) and not node.is_string:
            return self.nodes[int(node.this) - 1]
        if not isinstance(node, exp.Column) or node.table:
            return None
        for name, output in zip(self.names, self.nodes, strict=True):
            if name.casefold() == node.name.casefold():
                return output
        return None

    def key(self, node: exp.Expression, relation: Relation) -> exp.Expression:
        """A GROUP BY term; one that is no column may be an output's place or name."""
        if isinstance(node, exp.Column) and relation.find(node.name, node.table) is not None:
            return node
        return self.called(node) or node

    def orders(self, node: exp.Expression) -> list[exp.Ordered]:
        """The ORDER BY terms of a query, places and names of outputs written out."""
        order = node.args.get("order")
        terms = [] if order is None else list(order.expressions)
        if any(isinstance(one.this, exp.Collate) for one in terms):
            raise UnexpressibleError("collate")
        return [with_term(one, self.called(one.this) or one.this) for one in terms]

    def spelled_out(self, node: exp.Expression, relation: Relation) -> exp.Expression:
        """A condition in which aliases, where no column has the name, are written out."""
        made = node.copy()
        for one in [one for one in own(made) if isinstance(one, exp.Column)]:
            found = None if relation.find(one.name, one.table) else self.called(one)
            if found is not None and one is not found:
                one.replace(exp.Paren(this=found.copy()))
        return made


def outputs_of(node: exp.Select, relation: Relation) -> Outputs:
    """The outputs of a SELECT over a relation."""
    made = Outputs([], [])
    for one in node.expressions:
        star = isinstance(one, exp.Star)
        if star or (isinstance(one, exp.Column) and isinstance(one.this, exp.Star)):
            for field in relation.fields:
                if star or field.table == one.table.casefold():
                    made.nodes.append(exp.column(field.name, table=field.table, quoted=True))
                    made.names.append(field.name)
            continue
        made.nodes.append(one.this if isinstance(one, exp.Alias) else one)
        made.names.append(one.alias_or_name)
    return made


def with_term(one: exp.Ordered, term: exp.Expression) -> exp.Ordered:
    """An ORDER BY term that orders by something else."""
    changed = one.copy()
    changed.set("this", term.copy())
    return changed


def drop_duplicates(
    conditions: Conditions,
    names: Sequence[str],
    values: Sequence[Value],
    orders: Sequence[exp.Ordered],
) -> tuple[list[Value], list[exp.Ordered]]:
    """Keep each row once; what orders the rows must be one of the columns that stay.

    Returns:
        The values that stay, and the terms that order them.
    """
    relation = conditions.relation
    held = [relation.held(value) for value in values]
    terms = [relation.held(conditions.expressions.value(one.this)).tree for one in orders]
    places = {value.tree: place for place, value in enumerate(held)}
    if any(term not in places for term in terms):
        raise UnexpressibleError("distinct ordered by what is not selected")
    relation.select(names, held)
    relation.act("Distinct", {})
    kept = [one.value for one in relation.fields]
    relation.fields += tuple(Field(MADE, f"output {p}", value) for p, value in enumerate(kept))
    columns = [exp.column(f"output {places[t]}", table=MADE, quoted=True) for t in terms]
    return kept, [with_term(one, column) for one, column in zip(orders, columns, strict=True)]


def arrange(
    conditions: Conditions,
    names: Sequence[str],
    values: Sequence[Value],
    orders: Sequence[exp.Ordered],
    node: exp.Expression,
) -> None:
    """Order the rows, keep as many as asked for, and of them the outputs.

    Args:
        conditions: Reads conditions over the relation.
        names: Of the outputs.
        values: The outputs.
        orders: What orders the rows.
        node: The query, for its LIMIT and OFFSET.
    """
    relation = conditions.relation
    by = _keys(conditions, orders)
    limit, offset = (_number(node.args.get(part)) for part in ("limit", "offset"))
    held = [relation.held(value) for value in values]
    if not by:
        relation.select(names, held)
    if limit == 0:
        relation.filter([conditions.fixed(False)])
    elif not by and not relation.one_row and (offset or (limit is not None and limit > 0)):
        raise UnexpressibleError("limit without order")
    elif by and not relation.one_row:
        if offset:
            _skip(relation, by, offset)
        cut = {"limit": limit} if limit is not None and limit > 0 else {}
        relation.act("Sort", {"by": by} | cut)
    if by:  # after the sort, since rows that are tied go by the first columns of all
        relation.select(names, held)
    relation.keys = ()


def _keys(conditions: Conditions, orders: Sequence[exp.Ordered]) -> list[dict[str, Any]]:
    """What Sort sorts by."""
    relation, by = conditions.relation, []
    for one in orders:
        value, down = conditions.expressions.value(one.this), bool(one.args.get("desc"))
        if value.constant is not None:
            continue
        column, first = relation.column(value), bool(one.args.get("nulls_first"))
        if first == down and value.nullable:  # not SQLite's way, in which nulls are smallest
            flag = null_flag(relation, Value(column, ""))
            by.append({"column": flag, "descending": not first})
        by.append({"column": column, "descending": down})
    if not by or not relation.plan.ties:
        return by
    # SQLite makes its groups in the direction of the order, if that has as many terms.
    downs = [bool(one.args.get("desc")) for one in orders]
    downs = downs if len(downs) == len(relation.keys) else [False] * len(relation.keys)
    ordered = {one["column"] for one in by}
    for key, down in zip(relation.keys, downs, strict=True):
        if key in relation.columns and key not in ordered:
            by.append({"column": key, "descending": down})
            relation.plan.remarks.add("order of groups that are tied")
    return by


def _skip(relation: Relation, by: Sequence[Mapping[str, Any]], offset: int) -> None:
    """Leave out the first rows in an order."""
    keys: list[Mapping[str, Any]] = []
    for key in by:
        flag = null_flag(relation, Value(key["column"], ""))
        keys += [{"column": flag, "descending": key["descending"]}, key]
    place = relation.plan.fresh("place")
    relation.act("Window", {"function": "row number", "order": keys, "name": place})
    relation.columns += (place,)
    relation.filter([{"column": place, "op": ">", "value": offset}])


def _number(node: exp.Expression | None) -> int | None:
    """The number of a LIMIT or OFFSET; a negative one sets no limit."""
    if node is None:
        return None
    inner = node.expression
    sign = -1 if isinstance(inner, exp.Neg) else 1
    inner = inner.this if isinstance(inner, exp.Neg) else inner
    if not isinstance(inner, exp.Literal) or inner.is_string:
        raise UnexpressibleError("computed limit")
    return sign * int(inner.this)
