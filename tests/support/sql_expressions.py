"""SQL expressions as expressions of Derive, with SQLite's types and affinities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sql_functions import text_part
from sql_relations import Relation, UnexpressibleError, Value
from sql_values import affinity_of, apply, as_text, literal, one_kind
from sqlglot import exp

FUNCTIONS: dict[type[exp.Expression], str] = {
    exp.Lower: "lower",
    exp.Upper: "upper",
    exp.Trim: "trim",
    exp.Length: "length",
}
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
LOGIC = (
    *COMPARISONS, exp.And, exp.Or, exp.Not, exp.Is, exp.In, exp.Between, exp.Like, exp.Exists,
    exp.Glob, exp.Escape,
)  # fmt: skip
ONE, ZERO = Value(1, "number", whole=True, nullable=False), Value(0, "number", whole=True)


class Expressions:
    """Reads expressions over one relation, which gains hidden columns on the way.

    Args:
        relation: Whose names the expressions use.
        condition: Reads a condition.
        scalar: Reads what rows around it make of a value: a sub-query or a window function.
    """

    def __init__(
        self,
        relation: Relation,
        condition: Callable[[exp.Expression], Any],
        scalar: Callable[[exp.Expression], Value],
    ) -> None:
        self.relation = relation
        self.condition = condition
        self.scalar = scalar

    def value(self, node: exp.Expression) -> Value:
        """The value of an expression.

        Raises:
            UnexpressibleError: If no action can compute it.
        """
        match node:
            case exp.Column():
                return self.named(node)
            case exp.Paren():
                return self.value(node.this)
            case exp.Literal():
                return literal(node)
            case exp.Boolean():
                return ONE if node.this else ZERO
            case exp.Null():
                return Value(None, "null")
            case exp.Neg():
                return self._negative(node)
            case exp.Add() | exp.Sub() | exp.Mul():
                return self._arithmetic(node)
            case exp.Div():
                return self._quotient(node)
            case exp.Mod():
                return self._remainder(node)
            case exp.DPipe():
                return apply("concat", [self.text(part) for part in (node.this, node.expression)])
            case exp.Case() | exp.If() | exp.Nullif():
                return self._choice(node)
            case exp.Coalesce():
                return self._coalesce(node)
            case exp.Cast():
                return self._cast(node)
            case exp.Round():
                digits = [self.value(node.args["decimals"])] if node.args.get("decimals") else []
                if any(not isinstance(digit.constant, int) for digit in digits):
                    raise UnexpressibleError("round to computed digits")
                return replace(apply("round", [self.number(node.this), *digits]), whole=False)
            case exp.Abs():
                return apply("abs", [self.number(node.this)])
            case exp.Min() | exp.Max() if node.expressions:
                parts = [self.number(part) for part in (node.this, *node.expressions)]
                return apply("min" if isinstance(node, exp.Min) else "max", parts)
            case exp.Substring() | exp.Replace() | exp.StrPosition() | exp.TimeToStr():
                return text_part(node, self)
            case exp.Lower() | exp.Upper() | exp.Trim() | exp.Length():
                if node.args.get("expression"):
                    raise UnexpressibleError("function", "trim of other marks")
                return apply(FUNCTIONS[type(node)], [self.text(node.this)])
            case exp.Subquery() | exp.Select() | exp.Window():
                return self.scalar(node)
        if isinstance(node, LOGIC):
            return self._truth(node)
        raise UnexpressibleError("function", node.sql("sqlite").split("(")[0].lower())

    def named(self, node: exp.Column) -> Value:
        """A column; a name in double quotes that no column has is a text to SQLite."""
        found = self.relation.find(node.name, node.table)
        if found is not None:
            return found
        if node.this.args.get("quoted") and not node.table:
            return Value({"value": node.name}, "text", nullable=False)
        raise UnexpressibleError("unknown column", node.sql("sqlite"))

    def number(self, node: exp.Expression) -> Value:
        """The value as SQLite computes with it: text that is no number is 0."""
        return self.as_number(self.value(node))

    def as_number(self, value: Value) -> Value:
        """A value as a number."""
        if value.kind in ("number", "null"):
            return value
        if value.kind == "boolean":
            return replace(value, tree={"cast": "number", "of": value.tree}, kind="number")
        if value.kind != "text":
            raise UnexpressibleError("arithmetic on dates")
        column = self.relation.column(value)
        read = {"op": "coalesce", "args": [{"cast": "number", "of": column}, 0]}
        tree = {"if": {"column": column, "op": "is not null"}, "then": read}
        return Value(tree, "number", whole=False)

    def text(self, node: exp.Expression) -> Value:
        """The value as text."""
        return as_text(self.value(node))

    def _negative(self, node: exp.Neg) -> Value:
        value = self.number(node.this)
        if isinstance(value.constant, (int, float)):
            return replace(value, tree=-value.constant)
        return apply("-", [value])

    def _arithmetic(self, node: exp.Binary) -> Value:
        sign = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}[type(node)]
        return apply(sign, [self.number(node.this), self.number(node.expression)])

    def _quotient(self, node: exp.Div) -> Value:
        parts = [self.number(node.this), self.number(node.expression)]
        made = apply("/", parts)
        return self.cut(made) if made.whole else made

    def _remainder(self, node: exp.Mod) -> Value:
        """SQLite cuts both sides to integers and gives the sign of the dividend."""
        left, right = (self.cut(self.number(part)) for part in (node.this, node.expression))
        times = self.cut(apply("/", [left, right]))
        return apply("-", [left, apply("*", [right, times])])

    def cut(self, value: Value) -> Value:
        """A number without its decimals, as an integer."""
        if value.whole and value.tree is not None and not isinstance(value.tree, dict):
            return value
        column = self.relation.column(value)
        up, down = ({"op": name, "args": [column]} for name in ("ceil", "floor"))
        tree = {"if": {"column": column, "op": "<", "value": 0}, "then": up, "else": down}
        return Value(tree, "number", whole=True)

    def _choice(self, node: exp.Expression) -> Value:
        if isinstance(node, exp.Nullif):
            never = exp.EQ(this=node.this.copy(), expression=node.expression.copy())
            branches = [(exp.Not(this=exp.Paren(this=never)), node.this)]
            # Where the comparison is unknown, the first value stands.
            unknown = exp.Is(this=node.expression.copy(), expression=exp.Null())
            branches.append((unknown, node.this))
            default = None
        elif isinstance(node, exp.If):
            branches, default = [(node.this, node.args["true"])], node.args.get("false")
        else:
            branches = [(self._when(node, part), part.args["true"]) for part in node.args["ifs"]]
            default = node.args.get("default")
        otherwise = None if default is None else self.value(default)
        values = [self.value(then) for _, then in branches]
        *values, last = one_kind([*values, otherwise or Value(None, "null")])
        tree = None if last.kind == "null" else last.tree
        for (condition, _), value in zip(reversed(branches), reversed(values), strict=True):
            if value.kind == "null":
                raise UnexpressibleError("null constant")
            chosen = {"if": self.condition(condition), "then": value.tree}
            tree = chosen if tree is None else chosen | {"else": tree}
        parts = [*values, *([last] if last.kind != "null" else [])]
        return Value(tree, parts[0].kind, whole=all(part.whole for part in parts))

    def _when(self, node: exp.Case, part: exp.If) -> exp.Expression:
        if node.this is None:
            return part.this
        return exp.EQ(this=node.this.copy(), expression=part.this.copy())

    def _coalesce(self, node: exp.Coalesce) -> Value:
        values = [self.value(part) for part in (node.this, *node.expressions)]
        values = one_kind([value for value in values if value.kind != "null"])
        return apply("coalesce", values) if len(values) > 1 else values[0]

    def _cast(self, node: exp.Cast) -> Value:
        value, target = self.value(node.this), affinity_of(node.args["to"].sql("sqlite"))
        if target == "text":
            return replace(as_text(value), affinity="text")
        if target != "number":
            raise UnexpressibleError("cast", node.args["to"].sql("sqlite"))
        number = replace(self.as_number(value), affinity="number")
        if "INT" not in node.args["to"].sql("sqlite").upper():
            return replace(number, whole=False)
        return replace(self.cut(number), affinity="number")

    def _truth(self, node: exp.Expression) -> Value:
        """A condition as 1, 0 or null."""
        true = {"if": self.condition(node), "then": 1}
        false = {"if": self.condition(exp.Not(this=exp.Paren(this=node.copy()))), "then": 0}
        return Value(true | {"else": false}, "number", whole=True)
