"""Formulas: an expression is fitted to a table once, and is a lazy one from then on."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from wideleaf.tools.conditions.condition import CONDITIONS, Compare
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.conditions.matching import resolve_condition
from wideleaf.tools.conditions.nodes import map_parts
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.casting import find_way
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Case,
    Cases,
    Cast,
    Expression,
    Truth,
    Value,
)
from wideleaf.tools.expressions.functions import FUNCTIONS, PlainArgument
from wideleaf.tools.expressions.number_functions import ROW_FUNCTIONS
from wideleaf.tools.tables.columns import need_kind, resolve_column, resolve_columns
from wideleaf.tools.tables.table import Kind, Table


def resolve_expression(expression: Expression, table: Table) -> tuple[Expression, Kind]:
    """Fit an expression to a table.

    Returns:
        The expression with names for families and fitted conditions, and its kind.

    Raises:
        ActionError: If a column is unknown or a function cannot take what it is given.
    """
    match expression:
        case str():
            column = _resolve_name(expression, table)
            return column, table.kind(column)
        case Value(value=value):
            return expression, _kind_of_value(value)
        case Apply():
            return _resolve_apply(expression, table)
        case Case() | Cases():
            kinds: list[Kind] = []

            def resolve(part: Any) -> Any:
                if isinstance(part, CONDITIONS):
                    return resolve_condition(part, table)
                node, kind = resolve_expression(part, table)
                kinds.append(kind)
                return node

            choice = map_parts(expression, resolve)
            _need_one_kind("then and else", tuple(kinds))
            return choice, kinds[0]
        case Truth(test=condition):
            return Truth(test=resolve_condition(condition, table)), "boolean"
        case Cast(cast=target, of=inner, format=form):
            inner, kind = resolve_expression(inner, table)
            find_way(target, kind, form)
            return expression.model_copy(update={"of": inner}), target
        case Across():
            return _resolve_across(expression, table)
        case _:
            return expression, _kind_of_value(expression)


def _resolve_name(reference: str, table: Table) -> str:
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
    args, plain = split_args(apply)
    resolved = [resolve_expression(arg, table) for arg in args]
    kinds = tuple(kind for _, kind in resolved)
    for place, kind in enumerate(kinds):
        takes = function.takes if place == 0 or function.then is None else function.then
        if kind not in takes:
            operand = apply.args[place]
            raise ActionError(
                f"{apply.op!r} takes {' or '.join(takes)}, but "
                f"{operand if isinstance(operand, str) else f'argument {place + 1}'!r} is {kind}",
                kind="wrong type",
            )
    if function.then is None:
        _need_one_kind(repr(apply.op), kinds)
    if "engine" in function.needs:  # a pattern that cannot be is told now, not when it runs
        function.build(nw.col(""), *plain, engine=table.frame.implementation)
    operands = (*(arg for arg, _ in resolved), *apply.args[len(args) :])
    return apply.model_copy(update={"args": operands}), function.gives or kinds[0]


def _need_one_kind(what: str, kinds: tuple[Kind, ...]) -> None:
    if len(set(kinds)) > 1:
        raise ActionError(
            f"{what} must be of one kind, not {' and '.join(sorted(set(kinds)))}; use cast",
            kind="wrong type",
        )


def _resolve_across(across: Across, table: Table) -> tuple[Across, Kind]:
    columns, row = resolve_columns(across.columns, table), ROW_FUNCTIONS[across.row]
    update: dict[str, Any] = {"columns": columns}
    if across.op is not None:
        fitted = [resolve_condition(across.comparison(column), table) for column in columns]
        compared = [c for c in fitted if isinstance(c, Compare)]
        update["value"] = compared[0].value
        matches = {c.match for c in compared} - {None}
        if matches:
            update["match"] = "exact" if "exact" in matches else "folded"
    elif row.takes:
        need_kind(table, columns, *row.takes, purpose=f"{across.row} along the row")
        kinds: list[Kind] = [table.kind(column) for column in columns]
        if row.counts_truth:
            kinds = ["number" if kind == "boolean" else kind for kind in kinds]
        _need_one_kind(f"columns of {across.row} along the row", tuple(kinds))
        return across.model_copy(update=update), row.gives or kinds[0]
    return across.model_copy(update=update), "number"


def split_args(apply: Apply) -> tuple[tuple[Expression, ...], list[Any]]:
    """The arguments that are expressions, and the constants that follow them.

    Raises:
        ActionError: If there are too many or too few, or a constant is not what it must be.
    """
    function = FUNCTIONS[apply.op]
    count, plain = len(apply.args), function.plain
    least = function.least + sum(one.needed for one in plain)
    most = None if function.most is None else function.most + len(plain)
    if count < least or count > (most or count):
        most_said = "or more" if most is None else f"to {most}"
        hint = f": a column, then {', '.join(one.what for one in plain)}" if plain else ""
        raise ActionError(f"{apply.op!r} takes {least} {most_said} arguments, not {count}{hint}")
    if not plain:
        return apply.args, []
    args, constants = apply.args[: function.least], apply.args[function.least :]
    return args, [_constant(apply.op, one, arg) for one, arg in zip(plain, constants, strict=False)]


def _constant(op: str, plain: PlainArgument, arg: Expression) -> Any:
    value = arg.value if isinstance(arg, Value) else arg
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not plain.fits(value):
        raise ActionError(f"{op!r} takes {plain.what}, not {value!r}")
    try:
        return plain.read(value)
    except ValueError as error:
        raise ActionError(f"{op!r} of {value!r}: there is {error}") from None
