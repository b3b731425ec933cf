"""Calls of functions: which arguments are expressions and which are constants."""

from __future__ import annotations

from typing import Any

from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions import Apply, Expression, Value
from wideleaf.tools.functions import Function, Plain


def split_args(apply: Apply, function: Function) -> tuple[tuple[Expression, ...], list[Any]]:
    """The arguments that are expressions, and the constants that follow them.

    Raises:
        ActionError: If there are too many or too few, or a constant is not what it must be.
    """
    given, plain = len(apply.args), function.plain
    least = function.least + sum(one.needed for one in plain)
    most = None if function.most is None else function.most + len(plain)
    if given < least or given > (most or given):
        most_said = "or more" if most is None else f"to {most}"
        raise ActionError(
            f"{apply.op!r} takes {least} {most_said} arguments, not {given}{_wanted(function)}"
        )
    if not plain:
        return apply.args, []
    args, constants = apply.args[: function.least], apply.args[function.least :]
    return args, [_constant(apply.op, one, arg) for one, arg in zip(plain, constants, strict=False)]


def _constant(op: str, plain: Plain, arg: Expression) -> Any:
    value = arg.value if isinstance(arg, Value) else arg
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not plain.fits(value):
        raise ActionError(f"{op!r} takes {plain.what}, not {value!r}")
    try:
        return plain.read(value)
    except ValueError as error:
        raise ActionError(f"{op!r} of {value!r}: there is {error}") from None


def _wanted(function: Function) -> str:
    if not function.plain:
        return ""
    return f": a column, then {', '.join(one.what for one in function.plain)}"
