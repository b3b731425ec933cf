"""Widening: arithmetic of whole numbers that may pass 64 bits is given a type that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

from wideleaf.tools.expressions.expression import (
    Across,
    Apply,
    Cases,
    Cast,
    Choose,
    Expression,
    Value,
    map_parts,
    parts_of,
    parts_within,
)
from wideleaf.tools.expressions.formulas import resolve_expression
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

ARITHMETIC = ("+", "-", "*", "abs")
_WITHIN = ("min", "max", "coalesce", "clip", "null if", "floor", "ceil")
"""Functions whose result, of whole numbers, lies within what their arguments are."""
_FLOATS = ("/", "//", "**", "round", "sqrt", "log", "log10", "exp")
_COUNTS = 2**40
"""More than any function of texts and dates counts."""


class Interval(NamedTuple):
    """Bounds of whole numbers."""

    low: int
    high: int


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
                arithmetic = expression.op in ARITHMETIC
                args = tuple(self.widened(a, exact=exact and arithmetic) for a in expression.args)
                made = expression.model_copy(update={"args": args})
                wide = self._wide(made) if arithmetic else None
                return made.model_copy(update={"wide": _settled(wide, exact)}) if wide else made
            case Across():
                wide = self._wide_across(expression)
                exact = exact and expression.row == "sum"
                return expression.model_copy(update={"wide": _settled(wide, exact)})
        return map_parts(expression, lambda part: self.widened(part, exact=False))

    def _wide(self, apply: Apply) -> Wide | None:
        found = self._interval(apply)
        if found is None:
            return None  # floats never wrap
        own = wide_for(found.low, found.high)
        return widest([own, apply.wide, *(self._held(arg) for arg in apply.args)])

    def _wide_across(self, across: Across) -> Wide | None:
        if across.row not in ("sum", "mean", "std") or any(
            not is_whole(self._table.schema[name]) for name in across.columns
        ):
            return across.wide
        low, high = self._total(across)
        types = [wide_of(self._table.schema[name]) for name in across.columns]
        return widest([wide_for(low, high), across.wide, *types])

    def _held(self, expression: Expression) -> Wide | None:
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
                return _hull(map(self._loose, columns))
            case Across(row="count", columns=columns):
                return Interval(0, len(columns))
            case Choose() | Cases():
                return _hull(map(self._loose, parts_of(expression)))
            case Cast(cast="number", of=inner):
                kind = resolve_expression(inner, self._table)[1]
                return None if kind == "text" else self._interval(inner)
        return None

    def _loose(self, expression: Expression) -> Interval | None:
        """Bounds of what is no operand: there a column of wide numbers is one of floats."""
        return None if self._is_wide(expression) else self._interval(expression)

    def _is_wide(self, expression: Expression) -> bool:
        return isinstance(expression, str) and self._held(expression) is not None

    def _of_function(self, apply: Apply) -> Interval | None:
        if apply.op in _FLOATS or apply.wide == "float":
            return None
        if apply.op not in (*ARITHMETIC, *_WITHIN, "%", "sign"):
            return Interval(-_COUNTS, _COUNTS)
        bounds = self._interval if apply.op in ARITHMETIC else self._loose
        found = [bounds(arg) for arg in apply.args]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        if apply.op in _WITHIN:
            return _hull(known)
        if apply.op in ("abs", "%"):
            size = max(map(abs, known[-1]))
            return Interval(0 if apply.op == "abs" else -size, size)
        if apply.op == "sign":
            return Interval(-1, 1)
        if apply.op == "-" and len(known) == 1:
            return Interval(-known[0].high, -known[0].low)
        return reduce(_STEPS[apply.op], known)


def _settled(wide: Wide | None, exact: bool) -> Wide | None:
    return wide if wide is None or exact else "float"


def _hull(parts: Iterable[Interval | None]) -> Interval | None:
    found = list(parts)
    known = [one for one in found if one is not None]
    if len(known) < len(found) or not known:
        return None
    return Interval(min(one.low for one in known), max(one.high for one in known))


def _product(one: Interval, other: Interval) -> Interval:
    ends = [a * b for a in one for b in other]
    return Interval(min(ends), max(ends))


_STEPS = {
    "+": lambda one, other: Interval(one.low + other.low, one.high + other.high),
    "-": lambda one, other: Interval(one.low - other.high, one.high - other.low),
    "*": _product,
}


def _operands(expression: Expression, inside: bool = False) -> Iterator[str]:
    """The columns that arithmetic is made of; of none, nothing need be looked at."""
    if isinstance(expression, str):
        if inside:
            yield expression
        return
    if isinstance(expression, Across):
        if inside or expression.row in ("sum", "mean", "std"):
            yield from expression.columns
        return
    inside = inside or (isinstance(expression, Apply) and expression.op in ARITHMETIC)
    for part in parts_of(expression):
        yield from _operands(part, inside)
