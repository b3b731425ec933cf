"""Functions on numbers and aggregates along the row, alike on every engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.tables.table import Kind

Stage = Callable[[nw.Expr], nw.Expr]
"""Has an expression computed beforehand, so that many others may use it at no cost."""
AT_ONCE = 16
"""Cells added up at once; engines nest one sum in the other, and not without end."""


@dataclass(frozen=True)
class Interval:
    """Bounds of whole numbers; what makes a number of others makes its bounds of theirs."""

    low: int
    high: int

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def abs(self) -> Interval:
        """Bounds of the sizes."""
        return Interval(0, max(abs(self.low), abs(self.high)))


def hull(*parts: Interval) -> Interval:
    """Bounds of what is one of several."""
    return Interval(min(one.low for one in parts), max(one.high for one in parts))


def divide(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """True division; by zero it gives null."""
    return nw.when(right != 0).then(left / right)


def remainder(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """What is left of a division, with the divisor's sign; of a division by zero null."""
    # Engines differ in the sign, so it is mended whichever way they have it.
    divisor = nw.when(right != 0).then(right)
    rest = left % divisor
    return nw.when((rest != 0) & ((rest < 0) != (right < 0))).then(rest + right).otherwise(rest)


def round_half_up(value: nw.Expr, digits: int = 0) -> nw.Expr:
    """Round half away from zero, which engines' own rounding does not agree on."""
    # A negative number of digits divides by a whole number, since 10**-1 is no exact float.
    scaled = value * 10.0**digits if digits >= 0 else value / 10.0**-digits
    size = scaled.abs()
    whole = size.floor()
    rounded = nw.when(size - whole >= 0.5).then(whole + 1).otherwise(whole)
    signed = nw.when(scaled < 0).then(-rounded).otherwise(rounded)
    return signed / 10.0**digits if digits >= 0 else signed * 10.0**-digits


def finite(value: nw.Expr) -> nw.Expr:
    """Null where it is no finite number."""
    return nw.when(value.is_finite()).then(value)


def many(operator: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """An operator over any number of arguments."""
    return lambda *args: reduce(operator, args)


def log(value: nw.Expr, base: float | None = None) -> nw.Expr:
    """The natural logarithm, or that to a base; null of what is not positive."""
    natural = nw.when(value > 0).then(value).log()
    return natural if base is None else natural / math.log(base)


def sign(value: nw.Expr) -> nw.Expr:
    """1, 0 or -1."""
    return nw.when(value > 0).then(1).otherwise(nw.when(value < 0).then(-1).otherwise(value * 0))


def clip(value: nw.Expr, low: nw.Expr, high: nw.Expr) -> nw.Expr:
    """The value, or the bound that it passes; null where any of them is."""
    raised = nw.when(value < low).then(low).otherwise(value)
    bounded = nw.when(raised > high).then(high).otherwise(raised)
    return nw.when(~(value.is_null() | low.is_null() | high.is_null())).then(bounded)


def null_if(value: nw.Expr, missing: nw.Expr) -> nw.Expr:
    """Null where the value equals another."""
    return nw.when(~(value == missing).fill_null(False)).then(value)


def row_count(cells: Iterable[nw.Expr]) -> nw.Expr:
    """How many cells of a row are not null."""
    return row_hits([~cell.is_null() for cell in cells])


def row_hits(hits: Iterable[nw.Expr]) -> nw.Expr:
    """How many conditions are true."""
    return _total([hit.cast(nw.Int32) for hit in hits]).cast(nw.Int64)


def _total(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over cells, 0 if all are null."""
    while len(cells) > AT_ONCE:
        starts = range(0, len(cells), AT_ONCE)
        cells = [nw.sum_horizontal(*cells[start : start + AT_ONCE]) for start in starts]
    return nw.sum_horizontal(*cells)


def _row_sum(cells: Sequence[nw.Expr], *_: Any) -> nw.Expr:
    return nw.when(~nw.coalesce(*cells).is_null()).then(_total(cells))


def _row_mean(cells: Sequence[nw.Expr], *_: Any) -> nw.Expr:
    count = row_count(cells)
    return _total(cells) / nw.when(count > 0).then(count)


def _row_std(cells: Sequence[nw.Expr], names: Sequence[str], stage: Stage) -> nw.Expr:
    mean, count = stage(_row_mean(cells)), stage(row_count(cells))
    squares = _total([(cell - mean) * (cell - mean) for cell in cells])
    return (nw.when(count > 1).then(squares) / (count - 1)).sqrt()


def _which(best_of: Callable[..., nw.Expr]) -> Callable[..., nw.Expr]:
    """The name of the first column that holds the best cell."""

    def build(cells: Sequence[nw.Expr], names: Sequence[str], stage: Stage) -> nw.Expr:
        best = stage(best_of(*cells))
        pairs = zip(cells, names, strict=True)
        return nw.coalesce(*(nw.when(cell == best).then(nw.lit(name)) for cell, name in pairs))

    return build


class RowFunction(NamedTuple):
    """An aggregate along the row, which leaves nulls out and is null where all cells are.

    Attributes:
        build: Makes it of the cells, all of one kind, their columns' names and a stage.
        takes: Kinds the cells may have; none for any, of several kinds too.
        gives: Kind of the result; None for that of the cells.
        counts_truth: Whether true and false count as 1 and 0.
        adds: Whether cells are added up, so that whole numbers may pass 64 bits.
        partial: Whether it means something else where some of the cells are missing.
    """

    build: Callable[..., nw.Expr]
    takes: tuple[Kind, ...] = ("number", "boolean")
    gives: Kind | None = "number"
    counts_truth: bool = True
    adds: bool = False
    partial: bool = False


_ORDERED: tuple[Kind, ...] = ("number", "boolean", "date", "datetime")
_ANY: tuple[Kind, ...] = (*_ORDERED, "text")

ROW_FUNCTIONS: dict[str, RowFunction] = {
    "sum": RowFunction(_row_sum, adds=True, partial=True),
    "mean": RowFunction(_row_mean, adds=True, partial=True),
    "min": RowFunction(lambda cells, *_: nw.min_horizontal(*cells), _ORDERED, None),
    "max": RowFunction(lambda cells, *_: nw.max_horizontal(*cells), _ORDERED, None),
    "count": RowFunction(lambda cells, *_: row_count(cells), ()),
    "std": RowFunction(_row_std, adds=True),  # of a sample (n - 1)
    "which min": RowFunction(_which(nw.min_horizontal), _ORDERED, "text"),
    "which max": RowFunction(_which(nw.max_horizontal), _ORDERED, "text"),
    "first": RowFunction(lambda cells, *_: nw.coalesce(*cells), _ANY, None, counts_truth=False),
    "last": RowFunction(
        lambda cells, *_: nw.coalesce(*reversed(cells)), _ANY, None, counts_truth=False
    ),
}
