"""Functions on numbers and aggregates along the row, alike on every engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import narwhals as nw

Stage = Callable[[nw.Expr], nw.Expr]
"""Has an expression computed beforehand, so that many others may use it at no cost."""
AT_ONCE = 16
"""Cells added up at once; engines nest one sum in the other, and not without end."""


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


def many(operator: Callable[[Any, Any], Any]) -> Callable[..., nw.Expr]:
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


def row_sum(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over the cells of a row, nulls left out; null if all are."""
    return nw.when(~nw.coalesce(*cells).is_null()).then(_total(cells))


def row_mean(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Mean over the cells of a row, nulls left out; null if all are."""
    count = row_count(cells)
    return _total(cells) / nw.when(count > 0).then(count)


def row_count(cells: Sequence[nw.Expr]) -> nw.Expr:
    """How many cells of a row are not null."""
    return row_hits([~cell.is_null() for cell in cells])


def row_hits(hits: Sequence[nw.Expr]) -> nw.Expr:
    """How many conditions are true."""
    return _total([hit.cast(nw.Int32) for hit in hits]).cast(nw.Int64)


def _total(cells: Sequence[nw.Expr]) -> nw.Expr:
    """Sum over cells, 0 if all are null."""
    while len(cells) > AT_ONCE:
        starts = range(0, len(cells), AT_ONCE)
        cells = [nw.sum_horizontal(*cells[start : start + AT_ONCE]) for start in starts]
    return nw.sum_horizontal(*cells)


def row_std(cells: Sequence[nw.Expr], stage: Stage) -> nw.Expr:
    """Standard deviation of a sample (n - 1); null under two cells."""
    mean, count = stage(row_mean(cells)), stage(row_count(cells))
    squares = _total([(cell - mean) * (cell - mean) for cell in cells])
    return (nw.when(count > 1).then(squares) / (count - 1)).sqrt()


def row_aggregate(
    row: str, cells: Sequence[nw.Expr], names: Sequence[str], stage: Stage
) -> nw.Expr:
    """An aggregate along the row.

    Args:
        row: Its name.
        cells: Columns of one kind.
        names: Their names.
        stage: Computes something beforehand.
    """
    if row == "std":
        return row_std(cells, stage)
    if row.startswith("which "):  # the first column that holds the best cell
        best = stage(_ALONG[row.removeprefix("which ")](cells))
        pairs = zip(cells, names, strict=True)
        return nw.coalesce(*(nw.when(cell == best).then(nw.lit(name)) for cell, name in pairs))
    return _ALONG[row](cells)


_ALONG: dict[str, Callable[[Sequence[nw.Expr]], nw.Expr]] = {
    "sum": row_sum,
    "mean": row_mean,
    "count": row_count,
    "min": lambda cells: nw.min_horizontal(*cells),
    "max": lambda cells: nw.max_horizontal(*cells),
    "first": lambda cells: nw.coalesce(*cells),
    "last": lambda cells: nw.coalesce(*reversed(cells)),
}
