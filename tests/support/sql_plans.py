"""A SQL query as a plan of actions, which means what SQLite would answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sqlglot
from sql_conditions import Conditions, conjuncts
from sql_expressions import Expressions
from sql_groups import MADE, aggregates, group
from sql_joins import joined, split_outer
from sql_outputs import Outputs, arrange, drop_duplicates, outputs_of, with_term
from sql_relations import Field, Plan, Relation, Schema, UnexpressibleError, Value, load
from sql_subqueries import Selected, Subqueries, is_membership
from sqlglot import exp

SETS = {exp.Union: "Union", exp.Intersect: "Intersect", exp.Except: "Difference"}


def translate(sql: str, schema: Schema, *, ties: bool = True) -> Plan:
    """Make a plan of a SELECT in SQLite's dialect.

    Args:
        sql: The query.
        schema: The sources that it may name.
        ties: Whether groups that are equal in what orders them come in SQLite's own order, which
            SQL leaves open.

    Raises:
        UnexpressibleError: If no plan of the actions can mean it.
    """
    query = sqlglot.parse_one(sql, read="sqlite")
    plan = Plan(ordered=query.args.get("order") is not None, ties=ties)
    Queries(plan, schema).query(query)
    return plan


@dataclass
class Reading:
    """One relation with all that reads expressions, conditions and sub-queries over it."""

    relation: Relation
    expressions: Expressions
    conditions: Conditions
    subqueries: Subqueries

    def value(self, node: exp.Expression) -> Value:
        """The value of an expression."""
        return self.expressions.value(node)


class Queries:
    """Translates queries into one plan.

    Args:
        plan: Gets the calls.
        schema: The sources.
        named: Relations that a WITH made.
    """

    def __init__(
        self, plan: Plan, schema: Schema, named: Mapping[str, Relation] | None = None
    ) -> None:
        self.plan = plan
        self.schema = schema
        self.named = dict(named or {})

    def query(self, node: exp.Expression, outer: Relation | None = None) -> Selected:
        """A SELECT or a set operation as the relation of what it selects."""
        while isinstance(node, (exp.Subquery, exp.Paren)):
            node = node.this
        if with_ := node.args.get("with_"):
            if with_.args.get("recursive"):
                raise UnexpressibleError("recursive with")
            inner = Queries(self.plan, self.schema, self.named)
            for one in with_.expressions:
                inner.named[one.alias.casefold()] = inner.query(one.this).relation
            node = node.copy()
            node.set("with_", None)
            return inner.query(node, outer)
        if isinstance(node, exp.SetOperation):
            return Selected(self._set(node), [])
        if not isinstance(node, exp.Select):
            raise UnexpressibleError("statement", type(node).__name__)
        return self._select(node, outer)

    def reading(self, relation: Relation) -> Reading:
        """What reads expressions over a relation."""
        subqueries = Subqueries(relation, self.query)
        conditions = Conditions(relation, subqueries.scalar, subqueries.member)
        subqueries.conditions = conditions
        return Reading(relation, conditions.expressions, conditions, subqueries)

    def table(self, node: exp.Expression) -> Relation:
        """What a FROM or JOIN names."""
        if isinstance(node, exp.Subquery):
            relation, alias = self.query(node.this).relation.copy(), node.alias
        elif not isinstance(node, exp.Table):
            raise UnexpressibleError("from", type(node).__name__)
        elif (known := self.named.get(node.name.casefold())) is not None:
            relation, alias = known.copy(), node.alias or node.name
        else:
            return load(self.plan, self.schema, node.name, node.alias)
        relation.fields = tuple(one._replace(table=alias.casefold()) for one in relation.fields)
        return relation

    def _select(self, node: exp.Select, outer: Relation | None) -> Selected:
        if node.args.get("from_") is None:
            raise UnexpressibleError("select without a table")
        relation, rest = joined(node, self.table, self.reading)
        mine, pairs = split_outer(_clause(node, "where"), relation, outer)
        reading = self.reading(relation)
        outputs = outputs_of(node, relation)
        self._filter(reading, [*rest, *(outputs.spelled_out(part, relation) for part in mine)])
        inside = [relation.held(reading.value(one)) for _, one in pairs]
        having = [outputs.spelled_out(one, relation) for one in conjuncts(_clause(node, "having"))]
        orders = outputs.orders(node)
        nodes = [*outputs.nodes, *having, *(one.this for one in orders)]
        found = node.args.get("group")
        keys = [] if found is None else [outputs.key(k, relation) for k in found.expressions]
        if keys or any(aggregates(one) for one in nodes):
            keys += [_outer_key(relation, place, value) for place, value in enumerate(inside)]
            nodes = group(relation, reading.expressions, keys, nodes)
            made = {one.value.tree: one.value for one in relation.fields}
            inside = [made[value.tree] for value in inside]
            reading = self.reading(relation)
            first = len(outputs.nodes)
            self._filter(reading, nodes[first : first + len(having)])
        elif having:
            raise UnexpressibleError("having without groups")
        values = [reading.value(one) for one in nodes[: len(outputs.nodes)]]
        terms = nodes[len(nodes) - len(orders) :]
        orders = [with_term(one, term) for one, term in zip(orders, terms, strict=True)]
        if inside:
            if node.args.get("limit") or node.args.get("offset"):
                raise UnexpressibleError("limit in a correlated sub-query")
            relation.select([*outputs.names, *("" for _ in inside)], [*values, *inside])
            its = [one.value for one in relation.fields[len(values) :]]
            return Selected(relation, list(zip([one for one, _ in pairs], its, strict=True)))
        if node.args.get("distinct"):
            values, orders = drop_duplicates(reading.conditions, outputs.names, values, orders)
        arrange(reading.conditions, outputs.names, values, orders, node)
        return Selected(relation, [])

    def _filter(self, reading: Reading, parts: Sequence[exp.Expression]) -> None:
        """Keep the rows for which all parts hold; membership tests are joins, after the rest."""
        plain = [part.unnest() for part in parts if not is_membership(part)]
        reading.relation.filter([reading.conditions.condition(part) for part in plain])
        for part in parts:
            if is_membership(part):
                reading.subqueries.keep(part.unnest())

    def _set(self, node: exp.SetOperation) -> Relation:
        left = self.query(node.this).relation.copy()
        right = self.query(node.expression).relation.copy()
        if len(left.columns) != len(right.columns):
            raise UnexpressibleError("set operation of unlike columns")
        left.fields = tuple(map(_both, left.fields, right.fields))
        if left.columns != right.columns and set(left.columns) & set(right.columns):
            copies = [right.copied(name) for name in right.columns]
            right.act("Select", {"columns": copies})
        left.act(SETS[type(node)], {"distinct": bool(node.args.get("distinct"))}, right)
        left.one_row = False
        names = [one.name for one in left.fields]
        outputs = Outputs([exp.column(name, quoted=True) for name in names], names)
        orders = outputs.orders(node)
        if orders or node.args.get("limit"):
            values = [one.value for one in left.fields]
            arrange(self.reading(left).conditions, names, values, orders, node)
        return left


def _clause(node: exp.Select, name: str) -> exp.Expression | None:
    found = node.args.get(name)
    return None if found is None else found.this


def _outer_key(relation: Relation, place: int, value: Value) -> exp.Expression:
    """A key for what a correlated sub-query is tied by, under a name that SQL cannot say."""
    name = f"outer {place}"
    relation.fields += (Field(MADE + MADE, name, value),)
    return exp.column(name, table=MADE + MADE, quoted=True)


def _both(one: Field, other: Field) -> Field:
    """A column of a set operation."""
    if one.value.kind != other.value.kind:
        raise UnexpressibleError("set operation of unlike kinds", one.name)
    whole = one.value.whole and other.value.whole
    nullable = one.value.nullable or other.value.nullable
    return one._replace(value=replace(one.value, whole=whole, nullable=nullable))
