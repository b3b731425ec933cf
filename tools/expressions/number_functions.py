"""Functions on numbers, alike on every engine: no infinities, no engine's own rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import narwhals as nw


def divide(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """True division; by zero it gives null."""
    return nw.when(right != 0).then(left / right)


def remainder(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """What is left of a division, with the divisor's sign; of a division by zero null."""
    # Engines differ in the sign, so it is mended whichever way they have it.
    divisor = nw.when(right != 0).then(right)
    rest = left % divisor
    return nw.when((rest != 0) & ((rest < 0) != (right < 0))).then(rest + right).otherwise(rest)


def power(left: nw.Expr, right: nw.Expr) -> nw.Expr:
    """A power; null where it is no finite number."""
    return finite(left.cast(nw.Float64) ** right)


def round_half_up(value: nw.Expr, digits: int = 0) -> nw.Expr:
    """Round half away from zero, which engines' own rounding does not agree on."""
    # A negative number of digits divides by a whole number, since 10**-1 is no exact float.
    scaled = value * 10.0**digits if digits >= 0 else value / 10.0**-digits
    size = scaled.abs()
    whole = size.floor()
    rounded = nw.when(size - whole >= 0.5).then(whole + 1).otherwise(whole)
    signed = nw.when(scaled < 0).then(-rounded).otherwise(rounded)
    return signed / 10.0**digits if digits >= 0 else signed * 10.0**-digits


def minus(left: nw.Expr, right: nw.Expr | None = None) -> nw.Expr:
    """A difference, or of one number its negative."""
    return -left if right is None else left - right


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
