"""The wider type: what holds the cells of several columns of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

DIGITS_OF_INTEGERS = 19
MOST_DIGITS = 38


def wider_type(dtypes: Sequence[Any]) -> Any:
    """The narrowest type that holds all cells: of numbers the wider, of dates and times a datetime.

    Args:
        dtypes: Types of one kind, or dates and datetimes; all with a time zone or none.
    """
    first = dtypes[0]
    if isinstance(first, (nw.String, nw.Categorical, nw.Enum)):
        return nw.String()
    if all(dtype == first for dtype in dtypes):
        return first
    if first.is_numeric():
        return _number(dtypes)
    units = [dtype.time_unit for dtype in dtypes if isinstance(dtype, nw.Datetime)]
    zone = next((dtype.time_zone for dtype in dtypes if isinstance(dtype, nw.Datetime)), None)
    finest = next((unit for unit in ("ns", "us", "ms", "s") if unit in units), "us")
    return nw.Datetime(finest, zone)  # type: ignore[arg-type]  # one of those four


def _number(dtypes: Sequence[Any]) -> Any:
    if all(dtype.is_integer() for dtype in dtypes):
        return nw.Int64()
    if not all(dtype.is_integer() or isinstance(dtype, nw.Decimal) for dtype in dtypes):
        return nw.Float64()
    decimals = [dtype for dtype in dtypes if isinstance(dtype, nw.Decimal)]
    scale = max(dtype.scale for dtype in decimals)
    before = max(dtype.precision - dtype.scale for dtype in decimals)
    if len(decimals) < len(dtypes):
        before = max(before, DIGITS_OF_INTEGERS)
    fits = before + scale <= MOST_DIGITS
    return nw.Decimal(before + scale, scale) if fits else nw.Float64()
