"""Sub-queries in conditions and values, as joins with what they select."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sql_conditions import Conditions
from sql_relations import Field, Relation, UnexpressibleError, Value
from sql_values import as_text
from sql_windows import windowed
from sqlglot import exp


@dataclass
class Selected:
    """What a sub-query selects.

    Attributes:
        relation: Its rows; its fields are its outputs.
        outer: Pairs of an outer expression and the column it must equal, for a correlated one.
    """

    relation: Relation
    outer: list[tuple[exp.Expression, Value]]


class Subqueries:
    """Joins sub-queries to one relation.

    Args:
        relation: The one whose conditions and values they are in.
        conditions: Reads conditions over it; set once both are made.
        select: Translates a sub-query, given the relation around it.
    """

    def __init__(
        self, relation: Relation, select: Callable[[exp.Expression, Relation], Selected]
    ) -> None:
        self.relation = relation
        self.select = select
        self.conditions: Conditions

    def keep(self, node: exp.Expression) -> None:
        """Filter by a membership test that must hold: a semi join or an anti join."""
        test, negated = (node.this.unnest(), True) if isinstance(node, exp.Not) else (node, False)
        if isinstance(test, exp.Exists):
            self._exists(test, negated)
        else:
            self._in(test, negated)

    def member(self, node: exp.Expression) -> Any:
        """A membership test as a condition: what is selected leaves a mark on the rows."""
        test, negated = (node.this.unnest(), True) if isinstance(node, exp.Not) else (node, False)
        query = test.args["query"] if isinstance(test, exp.In) else test.this
        selected = self.select(_query(query), self.relation)
        pairs = self._pairs(selected)
        left = column = ""
        if isinstance(test, exp.In):
            left, column = self._beside(test.this, selected)
            pairs.append((left, column))
        if not pairs:
            raise UnexpressibleError("exists without a condition")
        right = selected.relation.copy()
        values = [Value(column, "") for _, column in pairs]
        right.select([""] * len(values), values)
        right.act("Distinct", {})
        mark = right.plan.fresh("mark")
        right.act("Derive", {"name": mark, "expression": 1})
        right.columns += (mark,)
        right.fields = (Field("", mark, Value(mark, "number")),)
        rights = [str(name) for name in right.columns[:-1]]
        before = self.relation.fields
        self.relation.join(right, list(zip([one for one, _ in pairs], rights, strict=True)), "left")
        held = self.relation.fields[-1].value.tree
        self.relation.fields = before
        found = {"column": held, "op": "is not null"}
        if not isinstance(test, exp.In):
            return {"not": found} if negated else found
        if self._maybe_null(test.this, selected):
            if selected.outer:
                raise UnexpressibleError("nulls in a correlated 'in' within an 'or'")
            found = self._known(found, selected.relation, left, column)
        return {"not": found} if negated else found

    def _known(self, found: Any, right: Relation, left: str, column: str) -> Any:
        """Whether a row was found; unknown if it was not, but might be but for nulls."""
        rows, known = self._counted(right, column)
        never = {"if": self.conditions.fixed(False), "then": 1}
        unknown = self.relation.column(Value(never, "number"))
        nulls = [{"column": rows, "op": "!=", "other": known}, {"column": left, "op": "is null"}]
        perhaps = [{"column": rows, "op": ">", "value": 0}, {"any": nulls}]
        return {"any": [found, {"all": [*perhaps, {"column": unknown, "op": "==", "value": 1}]}]}

    def scalar(self, node: exp.Expression) -> Value:
        """The value of a sub-query or a window function, beside every row."""
        if isinstance(node, exp.Window):
            return windowed(node, self.relation, self.conditions.expressions)
        selected = self.select(_query(node), self.relation)
        relation, plan = selected.relation, self.relation.plan
        value = relation.fields[0].value
        before = self.relation.fields
        if selected.outer:
            pairs = self._pairs(selected)
            self.relation.join(relation, pairs, "left")
            found = next(f for f in self.relation.fields[len(before) :]).value
            self.relation.fields = before
            if found.tree and value.kind == "number" and not value.nullable:
                tree = {"op": "coalesce", "args": [found.tree, 0]}  # a count of no rows
                return Value(tree, "number", whole=True, nullable=False)
            return found
        if not relation.one_row:
            # Of none it is null, and of several SQLite takes the first.
            name = plan.fresh("scalar")
            measure = {"function": "min", "column": value.tree, "name": name}
            relation.act("Aggregate", {"measures": [measure]})
            relation.columns = (name,)
            value = Value(name, value.kind, value.whole, value.affinity)
            relation.fields = (Field("", name, value),)
        self.relation.join(relation, [])
        found = self.relation.fields[-1].value
        self.relation.fields = before
        return found

    def _exists(self, test: exp.Exists, negated: bool) -> None:
        selected = self.select(_query(test.this), self.relation)
        pairs = self._pairs(selected)
        if not pairs:
            counted = selected.relation
            name = counted.plan.fresh("rows")
            counted.act("Aggregate", {"measures": [{"function": "count", "name": name}]})
            counted.columns = (name,)
            counted.fields = (Field("", name, Value(name, "number", whole=True)),)
            before = self.relation.fields
            self.relation.join(counted, [])
            rows = self.relation.fields[-1].value.tree
            self.relation.fields = before
            self.relation.filter([{"column": rows, "op": "==" if negated else ">", "value": 0}])
            return
        self.relation.keep(selected.relation, pairs, "anti" if negated else "semi")

    def _in(self, test: exp.In, negated: bool) -> None:
        selected = self.select(_query(test.args["query"]), self.relation)
        left, right = self._beside(test.this, selected)
        pairs = [*self._pairs(selected), (left, right)]
        if negated and self._maybe_null(test.this, selected):
            if selected.outer:
                raise UnexpressibleError("nulls in a correlated 'not in'")
            self._not_in_with_nulls(selected.relation, left, right)
        self.relation.keep(selected.relation, pairs, "anti" if negated else "semi")

    def _not_in_with_nulls(self, right: Relation, left: str, column: str) -> None:
        """NOT IN holds for no row if anything selected is null, and for a null only of nothing."""
        rows, known = self._counted(right, column)
        possible = [
            {"column": rows, "op": "==", "other": known},
            {"column": left, "op": "is not null"},
        ]
        nothing = {"column": rows, "op": "==", "value": 0}
        self.relation.filter([{"any": [nothing, {"all": possible}]}])

    def _counted(self, right: Relation, column: str) -> tuple[str, str]:
        """Columns beside every row: how many rows are selected, and how many are not null."""
        counted, before = right.copy(), self.relation.fields
        rows, known = (counted.plan.fresh(stem) for stem in ("rows", "known"))
        measures = [
            {"function": "count", "name": rows},
            {"function": "count", "column": column, "name": known},
        ]
        counted.act("Aggregate", {"measures": measures})
        counted.columns, counted.one_row = (rows, known), True
        counted.fields = tuple(
            Field("", name, Value(name, "number", whole=True)) for name in (rows, known)
        )
        self.relation.join(counted, [])
        of_all, of_known = (str(one.value.tree) for one in self.relation.fields[-2:])
        self.relation.fields = before
        return of_all, of_known

    def _beside(self, node: exp.Expression, selected: Selected) -> tuple[str, str]:
        """The two columns that a membership test compares."""
        left = self.conditions.expressions.value(node)
        return key_pair(self.relation, left, selected.relation, selected.relation.fields[0].value)

    def _pairs(self, selected: Selected) -> list[tuple[str, str]]:
        return [
            key_pair(self.relation, self.conditions.expressions.value(one), selected.relation, its)
            for one, its in selected.outer
        ]

    def _maybe_null(self, node: exp.Expression, selected: Selected) -> bool:
        left = self.conditions.expressions.value(node)
        return left.nullable or selected.relation.fields[0].value.nullable


def is_membership(node: exp.Expression) -> bool:
    """Whether a condition asks for a row in a sub-query, or for none."""
    inner = node.unnest()
    inner = inner.this.unnest() if isinstance(inner, exp.Not) else inner
    return isinstance(inner, exp.Exists) or (
        isinstance(inner, exp.In) and inner.args.get("query") is not None
    )


def key_pair(left: Relation, one: Value, right: Relation, other: Value) -> tuple[str, str]:
    """Columns of two relations that are equal where SQLite takes the values for equal."""
    if one.kind != other.kind:
        numbers = "number" in (one.affinity, other.affinity) or "text" not in (
            one.affinity,
            other.affinity,
        )
        if {one.kind, other.kind} != {"number", "text"}:
            one, other = as_text(one), as_text(other)
        elif numbers:
            one, other = (
                Value({"cast": "number", "of": v.tree}, "number") if v.kind == "text" else v
                for v in (one, other)
            )
        else:
            one, other = as_text(one), as_text(other)
    return left.column(one), right.column(other)


def _query(node: exp.Expression) -> exp.Expression:
    while isinstance(node, (exp.Subquery, exp.Paren)):
        node = node.this
    return node
