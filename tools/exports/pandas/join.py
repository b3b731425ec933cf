"""Joins as pandas code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.actions.join import Join
from wideleaf.tools.actions.joining.asof import read_tolerance
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import as_code, column, types_of, widen_number

if TYPE_CHECKING:
    from wideleaf.tools.exports.pandas.words import StepPlace


@write_pandas.register(Join)
def join_code(action: Join, at: StepPlace) -> list[str]:
    """The lines of a join."""
    (one, other), (left, right) = at.frames, at.tables
    keys = {key.right: key.left for key in action.on}
    names = as_code(avoid_clashes(left.columns, [c for c in right.columns if c not in keys]))
    if action.how == "cross":
        return [f"_cross({one}, {other}, {names})"]
    if action.how == "asof":
        assert action.nearest is not None
        near = action.nearest
        far = read_tolerance(action.tolerance, near, left, right)
        on = ", ".join(f"({column(one, k.left)}, {column(other, k.right)})" for k in action.on)
        at_ = [
            widen_number(f, n, t)
            for f, n, t in ((one, near.left, left), (other, near.right, right))
        ]
        if left.kind(near.left) == "number" and not (
            left.schema[near.left].is_integer() and right.schema[near.right].is_integer()
        ):
            at_ = [f"{code}.astype('Float64')" for code in at_]
        return [
            f"_nearest({one}, {other}, [{on}], ({', '.join(at_)}), {action.direction!r}, "
            f"{far!r}, {names})"
        ]
    pairs = ", ".join(f"({key.left!r}, {key.right!r})" for key in action.on)
    made = f"_join({one}, {other}, [{pairs}], {action.how!r}, {names})"
    if action.how in ("right", "full"):
        return [f"_retyped({made}, {as_code(types_of(at.made))})"]
    return [made]
