"""Formulas: an expression is fitted to a table once, and is a lazy one from then on."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from wideleaf.tools.columns import need_kind, resolve_column, resolve_columns
from wideleaf.tools.conditions import Compare
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions import Across, Apply, Cast, Choose, Expression, Value
from wideleaf.tools.functions import FUNCTIONS, ROW_AGGREGATES
from wideleaf.tools.literals import NUMBER, Scalar, number_column, text_column
from wideleaf.tools.matching import condition_expr, resolve_condition
from wideleaf.tools.table import Kind, Table

# Only real dates reach the engine, since some of them stop at the 31st of April.
ISO_DATE = (
    r"^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]))$"
    r"|^(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29$"
)
_CASTS: dict[str, tuple[Kind, ...]] = {
    "number": ("text", "number", "boolean"),
    "text": ("text", "number", "boolean", "date", "datetime"),
    "date": ("text", "date", "datetime"),
}


def resolve_expression(expression: Expression, table: Table) -> tuple[Expression, Kind]:
    """Fit an expression to a table.

    Returns:
        The expression with names for families and fitted conditions, and its kind.

    Raises:
        ActionError: If a column is unknown or a function cannot take what it is given.
    """
    match expression:
        case str():
            column = _named(expression, table)
            return column, table.kind(column)
        case Value(value=value):
            return expression, _kind_of_value(value)
        case Apply():
            return _resolve_apply(expression, table)
        case Choose(if_=condition, then=then, else_=otherwise):
            kept, kind = resolve_expression(then, table)
            update: dict[str, Any] = {"if_": resolve_condition(condition, table), "then": kept}
            if otherwise is not None:
                update["else_"], other = resolve_expression(otherwise, table)
                _need_one_kind("then and else", (kind, other))
            return expression.model_copy(update=update), kind
        case Cast(cast=target, of=inner):
            inner, kind = resolve_expression(inner, table)
            if kind not in _CASTS[target]:
                raise ActionError(f"cannot make a {target} of a {kind}", kind="wrong type")
            return Cast(cast=target, of=inner), target
        case Across():
            return _resolve_across(expression, table), "number"
        case _:
            return expression, _kind_of_value(expression)


def expression_expr(expression: Expression, table: Table) -> nw.Expr:
    """Write a resolved expression as a lazy one."""
    match expression:
        case str():
            return _column_expr(expression, table)
        case Value(value=value):
            return nw.lit(value)
        case Apply(op="round", args=(inner, digits)):
            assert isinstance(digits, int)
            return FUNCTIONS["round"].build(expression_expr(inner, table), digits)
        case Apply(op=op, args=args):
            return FUNCTIONS[op].build(*(expression_expr(arg, table) for arg in args))
        case Choose(if_=condition, then=then, else_=otherwise):
            chosen = nw.when(condition_expr(condition, table)).then(expression_expr(then, table))
            if otherwise is None:
                return chosen
            return chosen.otherwise(expression_expr(otherwise, table))
        case Cast():
            return _cast_expr(expression, table)
        case Across():
            return _across_expr(expression, table)
        case _:
            return nw.lit(expression)


def _named(reference: str, table: Table) -> str:
    try:
        return resolve_column(reference, table)
    except ActionError as error:
        remedy = (
            f'over all of them write {{"row": "sum", "columns": ["{reference}"]}}'
            if error.kind == "several columns"
            else 'a text constant is written {"value": ...}'
        )
        raise ActionError(f"{error.text}; {remedy}", kind=error.kind) from None


def _kind_of_value(value: Scalar) -> Kind:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def _resolve_apply(apply: Apply, table: Table) -> tuple[Apply, Kind]:
    function = FUNCTIONS[apply.op]
    if len(apply.args) < function.least or len(apply.args) > (function.most or len(apply.args)):
        most = "or more" if function.most is None else f"to {function.most}"
        raise ActionError(
            f"{apply.op!r} takes {function.least} {most} arguments, not {len(apply.args)}"
        )
    if apply.op == "round" and (len(apply.args) == 2 and type(apply.args[1]) is not int):
        raise ActionError(f"'round' takes a whole number of digits, not {apply.args[1]!r}")
    resolved = [resolve_expression(arg, table) for arg in apply.args]
    kinds = tuple(kind for _, kind in resolved)
    for place, kind in enumerate(kinds):
        if kind not in function.takes:
            shown = apply.args[place]
            raise ActionError(
                f"{apply.op!r} takes {' or '.join(function.takes)}, but "
                f"{shown if isinstance(shown, str) else f'argument {place + 1}'!r} is {kind}",
                kind="wrong type",
            )
    if apply.op not in ("concat", "days between"):
        _need_one_kind(repr(apply.op), kinds)
    args = tuple(arg for arg, _ in resolved)
    return apply.model_copy(update={"args": args}), function.gives or kinds[0]


def _need_one_kind(what: str, kinds: tuple[Kind, ...]) -> None:
    if len(set(kinds)) > 1:
        raise ActionError(
            f"{what} must be of one kind, not {' and '.join(sorted(set(kinds)))}; use cast",
            kind="wrong type",
        )


def _resolve_across(across: Across, table: Table) -> Across:
    columns = resolve_columns(across.columns, table)
    update: dict[str, Any] = {"columns": columns}
    if across.op is not None:
        fitted = [
            resolve_condition(across.comparison(column), table)
            for column in columns
        ]  # fmt: skip
        compared = [c for c in fitted if isinstance(c, Compare)]
        update["value"] = compared[0].value
        matches = {c.match for c in compared} - {None}
        if matches:
            update["match"] = "exact" if "exact" in matches else "folded"
    elif across.row != "count":
        need_kind(table, columns, "number", "boolean", purpose=f"{across.row} along the row")
    return across.model_copy(update=update)


def _column_expr(name: str, table: Table) -> nw.Expr:
    if table.kind(name) == "number":
        return number_column(table, name)
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def _across_expr(across: Across, table: Table) -> nw.Expr:
    if across.op is not None:
        hits = [condition_expr(across.comparison(name), table) for name in across.columns]
        return nw.sum_horizontal(*(hit.cast(nw.Int32) for hit in hits)).cast(nw.Int64)
    if across.row == "count":
        return ROW_AGGREGATES["count"]([nw.col(name) for name in across.columns])
    return ROW_AGGREGATES[across.row]([number_column(table, name) for name in across.columns])


def _cast_expr(cast: Cast, table: Table) -> nw.Expr:
    inner = expression_expr(cast.of, table)
    kind = resolve_expression(cast.of, table)[1]
    if kind == cast.cast:
        return inner
    if cast.cast == "text":
        if kind == "date":
            return inner.dt.to_string("%Y-%m-%d")
        return inner.cast(nw.String)
    if kind == "boolean":
        return inner.cast(nw.Int64)
    if kind == "datetime":
        return inner.dt.date()
    stripped = inner.str.strip_chars()
    if cast.cast == "date":
        return nw.when(stripped.str.contains(ISO_DATE)).then(stripped).str.to_date("%Y-%m-%d")
    reads = stripped.str.contains(NUMBER) & stripped.str.contains(r"\d")
    plain = nw.when(reads).then(stripped)
    return plain.str.replace_all(",", "", literal=True).cast(nw.Float64)
