"""Widening: arithmetic of whole numbers that may pass 64 bits is given a type that holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from wideleaf.tools.conditions.nodes import map_parts, parts_within
from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Value,
)
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.expressions.number_functions import ROW_FUNCTIONS, Interval, hull
from wideleaf.tools.tables.extents import (
    Extent,
    Wide,
    find_extents,
    is_whole,
    wide_for,
    wide_of,
    widest,
)
from wideleaf.tools.tables.table import Table


def widen(expression: Expression, table: Table) -> Expression:
    """A resolved expression with what holds each sum, difference and product of whole numbers.

    A number that is such arithmetic alone stays whole to 38 digits. Whatever else is made of one
    too long for 64 bits is made of floats.

    Args:
        expression: As `resolve_expression` gave it.
        table: The table at hand; its cells bound the numbers, and are looked at only where
            arithmetic is.
    """
    names = [name for name in dict.fromkeys(_operands(expression)) if name in table.schema]
    if not names:
        return expression
    return _Widener(table, find_extents(table, names)).widened(expression, exact=True)


def wides_in(expression: Expression) -> Iterator[Wide]:
    """What holds the long numbers inside an expression."""
    for part in parts_within(expression):
        if isinstance(part, (Apply, Across)) and part.wide:
            yield part.wide


class _Widener:
    """Bounds expressions over one table and marks those that 64 bits do not hold."""

    def __init__(self, table: Table, extents: Mapping[str, Extent]) -> None:
        self._table, self._extents = table, extents

    def widened(self, expression: Expression, *, exact: bool) -> Expression:
        """The expression with its long parts marked, as whole numbers only where they may be."""
        match expression:
            case Apply():
                arithmetic = FUNCTIONS[expression.op].exact
                args = tuple(self.widened(a, exact=exact and arithmetic) for a in expression.args)
                node = expression.model_copy(update={"args": args})
                wide = self._wide(node) if arithmetic else None
                return (
                    node.model_copy(update={"wide": _choose_width(wide, exact)}) if wide else node
                )
            case Across():
                wide = self._wide_across(expression)
                exact = exact and expression.row == "sum"
                return expression.model_copy(update={"wide": _choose_width(wide, exact)})
        return map_parts(expression, lambda part: self.widened(part, exact=False))

    def _wide(self, apply: Apply) -> Wide | None:
        bounds = self._interval(apply)
        if bounds is None:
            return None  # floats never wrap
        own = wide_for(bounds.low, bounds.high)
        return widest([own, apply.wide, *(self._find_width(arg) for arg in apply.args)])

    def _wide_across(self, across: Across) -> Wide | None:
        if not ROW_FUNCTIONS[across.row].adds or any(
            not is_whole(self._table.schema[name]) for name in across.columns
        ):
            return across.wide
        total = self._total(across)
        types = [wide_of(self._table.schema[name]) for name in across.columns]
        return widest([wide_for(total.low, total.high), across.wide, *types])

    def _find_width(self, expression: Expression) -> Wide | None:
        """What an argument is held in already."""
        if isinstance(expression, str):
            dtype = self._table.schema.get(expression)
            return None if dtype is None else wide_of(dtype)
        return expression.wide if isinstance(expression, (Apply, Across)) else None

    def _total(self, across: Across) -> Interval:
        parts = [self._extents[name] for name in across.columns]
        return Interval(sum(min(p.low, 0) for p in parts), sum(max(p.high, 0) for p in parts))

    def _interval(self, expression: Expression) -> Interval | None:
        """Bounds of an expression's numbers; None where they are floats or no numbers."""
        match expression:
            case str():
                extent = self._extents.get(expression)
                return None if extent is None else Interval(extent.low, extent.high)
            case bool() | int():
                return Interval(int(expression), int(expression))
            case Value(value=value):
                return self._interval(value) if isinstance(value, int) else None
            case Apply():
                return self._of_function(expression)
            case Across(row="sum", columns=columns):
                whole = all(is_whole(self._table.schema[name]) for name in columns)
                return self._total(expression) if whole else None
            case Across(row="min" | "max" | "first" | "last", columns=columns):
                return _made(hull, map(self._loose, columns))
            case Across(row="count", columns=columns):
                return Interval(0, len(columns))
            case Choose() | Cases():
                others = () if expression.else_ is None else (expression.else_,)
                branches = (*(case.then for case in expression.cases), *others)
                return _made(hull, map(self._loose, branches))
            case Cast(cast="number", of=inner):
                kind = resolve_expression(inner, self._table)[1]
                return None if kind == "text" else self._interval(inner)
        return None

    def _loose(self, expression: Expression) -> Interval | None:
        """Bounds of what is no operand: there a column of wide numbers is one of floats."""
        wide = isinstance(expression, str) and self._find_width(expression) is not None
        return None if wide else self._interval(expression)

    def _of_function(self, apply: Apply) -> Interval | None:
        function = FUNCTIONS[apply.op]
        if apply.wide == "float":
            return None
        if function.exact:
            return _made(function.build, map(self._interval, apply.args))
        if callable(function.bounds):
            return _made(function.bounds, map(self._loose, apply.args))
        return function.bounds


def _choose_width(wide: Wide | None, exact: bool) -> Wide | None:
    return wide if wide is None or exact else "float"


def _made(bounds: Callable[..., Interval], parts: Iterable[Interval | None]) -> Interval | None:
    """Bounds of what is made of parts; None where one of them has none."""
    intervals = list(parts)
    return bounds(*intervals) if intervals and None not in intervals else None


def _operands(expression: Expression) -> Iterator[str]:
    """The columns that arithmetic is made of; of none, nothing need be looked at."""
    for part in parts_within(expression):
        if (isinstance(part, Apply) and FUNCTIONS[part.op].exact) or (
            isinstance(part, Across) and ROW_FUNCTIONS[part.row].adds
        ):
            yield from (name for name in parts_within(part) if isinstance(name, str))
