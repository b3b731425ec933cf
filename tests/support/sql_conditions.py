"""SQL conditions as Filter's condition trees, with SQLite's rules for comparing across types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sql_expressions import COMPARISONS, Expressions
from sql_relations import Relation, UnexpressibleError, Value
from sql_values import DAY, applied, as_text, is_read, iso_moment
from sqlglot import exp

OPS: dict[type[exp.Expression], str] = {
    exp.EQ: "==",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def conjuncts(node: exp.Expression | None) -> list[exp.Expression]:
    """The parts of a condition that must all hold."""
    match node:
        case None:
            return []
        case exp.And():
            return [*conjuncts(node.this), *conjuncts(node.expression)]
        case exp.Paren() if isinstance(node.this, (exp.And, exp.Paren)):
            return conjuncts(node.this)
    return [node]


class Conditions:
    """Reads conditions over one relation, which gains hidden columns on the way.

    Args:
        relation: Whose names the conditions use.
        scalar: Reads a sub-query that stands for a value.
        member: Reads a sub-query that a row may be in, as a condition.
    """

    def __init__(
        self,
        relation: Relation,
        scalar: Callable[[exp.Expression], Value],
        member: Callable[[exp.Expression], Any],
    ) -> None:
        self.relation = relation
        self.member = member
        self.expressions = Expressions(relation, self.condition, scalar)

    def condition(self, node: exp.Expression) -> Any:
        """The condition tree of a SQL condition.

        Raises:
            UnexpressibleError: If no condition can mean it.
        """
        value = self.expressions.value
        match node:
            case exp.Paren():
                return self.condition(node.this)
            case exp.And():
                return {"all": [self.condition(part) for part in conjuncts(node)]}
            case exp.Or():
                return {"any": [self.condition(part) for part in node.flatten()]}
            case exp.Not():
                return self._not(node)
            case exp.Is():
                return self._is(node)
            case exp.In() if node.args.get("query") is not None:
                return self.member(node)
            case exp.Exists():
                return self.member(node)
            case exp.In():
                left = value(node.this)
                return self._any(left, [value(part) for part in node.expressions])
            case exp.Between():
                left, low, high = (value(node.args[part]) for part in ("this", "low", "high"))
                above = self.compare(">=", left, low)
                return {"all": [above, self.compare("<=", left, high)]}
            case exp.Like():
                return self._like(node)
            case exp.Boolean():
                return self.fixed(bool(node.this))
        if isinstance(node, COMPARISONS):
            return self.compare(OPS[type(node)], value(node.this), value(node.expression))
        if isinstance(node, (exp.Glob, exp.Escape)):
            raise UnexpressibleError("glob" if isinstance(node, exp.Glob) else "like with escape")
        return self.compare("!=", self.expressions.number(node), Value(0, "number", whole=True))

    def compare(self, op: str, left: Value, right: Value) -> Any:
        """Two values compared as SQLite does, whatever their types."""
        if "null" in (left.kind, right.kind):
            raise UnexpressibleError("comparison with null")
        if left.constant is not None and right.constant is None:
            left, right, op = right, left, FLIPPED.get(op, op)
        for one, other, its_op in ((left, right, op), (right, left, FLIPPED.get(op, op))):
            if is_read(one, other):
                return self._read(its_op, one, other)
        left, right = applied(left, right), applied(right, left)
        if left.kind in ("date", "datetime") and (moment := iso_moment(right.constant)):
            return self._dated(op, left, moment)
        left, right = self._plain(left, right), self._plain(right, left)
        column = self.relation.column(left)
        if left.kind != right.kind:
            return self._across(op, column, left.kind, right.kind, right)
        if right.constant is not None:
            return {"column": column, "op": op, "value": right.constant}
        return {"column": column, "op": op, "other": self.relation.column(right)}

    def _plain(self, value: Value, beside: Value) -> Value:
        """A date as the text it is to SQLite, unless it meets one of its own kind."""
        if value.kind in ("date", "datetime") and value.kind != beside.kind:
            return as_text(value)
        if value.kind == "boolean" and value.kind != beside.kind:
            return self.expressions.as_number(value)
        return value

    def _read(self, op: str, text: Value, number: Value) -> Any:
        """Text beside a number: what reads as a number is one, the rest comes after them all."""
        left = self.relation.held(text)
        read = self.relation.held(Value({"cast": "number", "of": left.tree}, "number"))
        nothing, something = (
            {"column": read.tree, "op": op_} for op_ in ("is null", "is not null")
        )
        texts = [nothing, {"column": left.tree, "op": "is not null"}]
        after = self.compare(op, replace(left, affinity=""), replace(number, affinity=""))
        numbers = {"any": [something, {"column": left.tree, "op": "is null"}]}
        as_number = self.compare(op, read, replace(number, affinity=""))
        return {"any": [{"all": [*texts, after]}, {"all": [numbers, as_number]}]}

    def _dated(self, op: str, left: Value, moment: str) -> Any:
        """A date or moment beside a text that reads as one, which to SQLite are two texts.

        A day alone is a shorter text than any moment of it, and so comes before them all.
        """
        column = self.relation.column(left)
        if left.kind == "date" and len(moment) > DAY:
            op, moment = {"<": "<=", ">=": ">"}.get(op, op), moment[:DAY]
        elif left.kind == "datetime" and len(moment) == DAY:
            op = {">": ">=", "<=": "<"}.get(op, op)
            moment += "T00:00:00"
        else:
            return {"column": column, "op": op, "value": moment}
        if op in ("==", "!="):  # never equal
            return {"column": column, "op": "!=" if op == "==" else "==", "other": column}
        return {"column": column, "op": op, "value": moment}

    def _across(self, op: str, column: str, mine: str, theirs: str, right: Value) -> Any:
        """A number beside a text: every number comes before every text."""
        if {mine, theirs} != {"number", "text"}:
            raise UnexpressibleError("comparison across kinds", f"{mine} and {theirs}")
        holds = op == "!=" or ((op in ("<", "<=")) == (mine == "number") and op != "==")
        sides = [{"column": column, "op": "==" if holds else "!=", "other": column}]
        if right.constant is None:  # which may be null, and then nothing is known
            other = self.relation.column(right)
            sides.append(sides[0] | {"column": other, "other": other})
        return sides[0] if len(sides) == 1 else {"all" if holds else "any": sides}

    def _any(self, left: Value, values: Sequence[Value]) -> Any:
        """Equal to one of several; as one comparison where all are constants of its kind."""
        if any(value.kind == "null" for value in values):
            raise UnexpressibleError("comparison with null")
        # In a list, only the left side's affinity counts.
        values = [applied(replace(value, affinity=""), left) for value in values]
        if all(value.constant is not None and value.kind == left.kind for value in values):
            listed = [value.constant for value in values]
            return {"column": self.relation.column(left), "op": "in", "value": listed}
        return {"any": [self.compare("==", left, value) for value in values]}

    def _not(self, node: exp.Not) -> Any:
        inner = node.this.unnest()
        if isinstance(inner, exp.Exists) or (isinstance(inner, exp.In) and inner.args.get("query")):
            return self.member(exp.Not(this=inner.copy()))
        return {"not": self.condition(node.this)}

    def _is(self, node: exp.Is) -> Any:
        left = self.expressions.value(node.this)
        if isinstance(node.expression, exp.Null):
            if left.kind == "null":
                return self.fixed(True)
            if left.constant is not None:
                return self.fixed(False)
            return {"column": self.relation.column(left), "op": "is null"}
        right = self.expressions.value(node.expression)
        if left.nullable and right.nullable:
            raise UnexpressibleError("is between two columns")
        test = self.compare("==", left, right)
        nulls = [self.relation.column(side) for side in (left, right) if side.nullable]
        return {"all": [*({"column": n, "op": "is not null"} for n in nulls), test]}

    def _like(self, node: exp.Like) -> Any:
        left = as_text(self.expressions.value(node.this))
        pattern = self.expressions.value(node.expression)
        if not isinstance(pattern.constant, (str, int, float)):
            raise UnexpressibleError("like with a computed pattern")
        column = self.relation.column(left)
        test = {"column": column, "op": "like", "value": str(pattern.constant)}
        return {"not": test} if node.args.get("negate") else test

    def fixed(self, holds: bool) -> Any:
        """A condition that holds for every row, or for none."""
        column = self.relation.columns[0]
        parts = [{"column": column, "op": op} for op in ("is null", "is not null")]
        return {"any" if holds else "all": parts}
