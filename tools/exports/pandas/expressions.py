"""Expressions of derived columns as pandas code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wideleaf.tools.conditions.condition import Condition
from wideleaf.tools.exports.pandas.conditions import (
    CALENDAR_PARTS,
    condition_code,
    part_code,
)
from wideleaf.tools.exports.pandas.functions import as_text, number_code, text_code
from wideleaf.tools.exports.pandas.words import TEXT, NotInPandas, as_code, column, widen_number
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Truth,
    Value,
)
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.expressions.functions import FUNCTIONS, split_args
from wideleaf.tools.tables.table import Kind, Table

_CALLS = {
    "/": "_divide", "%": "_remainder", "**": "_power", "round": "_round", "lower": "_lower",
    "title": "_title", "split part": "_split_part", "date": "_date_of", "coalesce": "_coalesce",
    "truncate": "_truncate", "days between": "_days_between", "months between": "_months_between",
}  # fmt: skip
_NUMPY = {"floor": "np.floor", "ceil": "np.ceil", "exp": "np.exp"}
_TYPES = {"number": "Float64", "text": TEXT, "boolean": "boolean",
          "date": "datetime64[us]", "datetime": "datetime64[us]"}  # fmt: skip


class ExpressionWriter:
    """Writes resolved expressions over one frame as code.

    Args:
        table: The table.
        frame: The name of its frame in the script.
    """

    def __init__(self, table: Table, frame: str) -> None:
        self.table, self.frame = table, frame

    def write(self, expression: Expression) -> str:
        """An expression as code of a column.

        Raises:
            NotInPandas: If it has a part that pandas cannot say.
        """
        match expression:
            case str():
                return self._column(expression)
            case Value(value=value):
                return self._constant(value)
            case Apply():
                return self._apply(expression)
            case Choose(if_=condition, then=then, else_=otherwise):
                return self._cases([(condition, then)], otherwise, self._kind(expression))
            case Cases(cases=cases, else_=otherwise):
                pairs = [(case.if_, case.then) for case in cases]
                return self._cases(pairs, otherwise, self._kind(expression))
            case Truth(test=condition):
                return f"({condition_code(condition, self.table, self.frame)})"
            case Cast():
                return self._cast(expression)
            case Across():
                return self._across(expression)
            case _:
                return self._constant(expression)

    def _kind(self, expression: Expression) -> Kind:
        return resolve_expression(expression, self.table)[1]

    def _column(self, name: str) -> str:
        if self.table.kind(name) == "number":
            return widen_number(self.frame, name, self.table)
        return column(self.frame, name)

    def _constant(self, value: Any) -> str:
        kinds = {bool: "boolean", int: "Int64", float: "Float64", str: TEXT}
        return f"_constant({self.frame}, {as_code(value)}, {kinds[type(value)]!r})"

    def _operand(self, expression: Expression) -> str:
        """A number as it is beside a column."""
        plain = expression.value if isinstance(expression, Value) else expression
        if isinstance(plain, (int, float)) and not isinstance(plain, bool):
            return f"({plain!r})" if plain < 0 else repr(plain)
        return self.write(expression)

    def _apply(self, apply: Apply) -> str:
        op = apply.op
        args, plain = split_args(apply, FUNCTIONS[op])
        if op in ("+", "-", "*") and len(args) > 1:
            first, *rest = args
            return "(" + f" {op} ".join([self.write(first), *map(self._operand, rest)]) + ")"
        made = [self.write(arg) for arg in args]
        kinds = [self._kind(arg) for arg in args]
        one = made[0]
        if op in CALENDAR_PARTS:
            return part_code(one, op)
        if op == "truncate":
            if kinds[0] == "date" and plain[0] in ("hour", "minute"):
                return one
            return f"_truncate({one}, {plain[0]!r})"
        if op in _CALLS:
            return f"{_CALLS[op]}({', '.join([*made, *map(as_code, plain)])})"
        if op in _NUMPY:
            return f"_apply({one}, {_NUMPY[op]})"
        found = number_code(op, made, plain) or text_code(op, made, plain, kinds)
        if found is None:
            raise NotInPandas(op)
        return found

    def _cases(
        self, cases: Sequence[tuple[Condition, Expression]], other: Expression | None, kind: Kind
    ) -> str:
        pairs = [
            f"({condition_code(test, self.table, self.frame)}, {self.write(then)})"
            for test, then in cases
        ]
        otherwise = "None" if other is None else self.write(other)
        return f"_cases({self.frame}, [{', '.join(pairs)}], {otherwise}, {_TYPES[kind]!r})"

    def _cast(self, cast: Cast) -> str:
        inner, kind = self.write(cast.of), self._kind(cast.of)
        if cast.format is not None:
            raise NotInPandas(f"a cast with the format {cast.format!r}")
        match cast.cast, kind:
            case target, same if target == same:
                return inner
            case "text", _:
                return as_text(inner, kind)
            case "number", "boolean":
                return f"{inner}.astype('Int64')"
            case "number", _:
                return f"_number({inner})"
            case "date", "datetime":
                return f"{inner}.dt.normalize()"
            case "date", _:
                return f"_date({inner})"
            case "datetime", "date":
                return inner
            case "boolean", "number":
                return f"({inner} == 1).where(({inner} == 0) | ({inner} == 1))"
            case "boolean", _:
                return f"_boolean({inner})"
        raise NotInPandas(f"a cast of {kind} to {cast.cast}")

    def _across(self, across: Across) -> str:
        table, frame, names = self.table, self.frame, list(across.columns)
        if across.op is not None:
            tests = (condition_code(across.comparison(name), table, frame) for name in names)
            return (
                "("
                + " + ".join(f"({t}).fillna(False).astype(bool).astype('Int64')" for t in tests)
                + ")"
            )
        cells = f"{frame}[{as_code(names)}]"
        if across.row == "count":
            return f"{cells}.notna().sum(axis=1)"
        if across.row in ("first", "last"):
            order = names if across.row == "first" else names[::-1]
            return f"_coalesce({', '.join(column(frame, name) for name in order)})"
        if any(table.kind(name) in ("number", "boolean") for name in names):
            whole = all(
                table.kind(n) == "boolean" or table.schema[n].is_integer() for n in names
            )  # fmt: skip
            cells += f".astype({'Int64' if whole else 'Float64'!r})"
        match across.row:
            case "sum":
                return f"_row_sum({cells})"
            case "mean" | "std":
                return f"{cells}.{across.row}(axis=1)"
            case "min" | "max":
                return f"_row_extreme({cells}, {across.row == 'max'})"
            case _:
                return f"_row_which({cells}, {across.row == 'which max'})"
