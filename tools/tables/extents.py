"""Extents: how large whole numbers are, so that what is made of them never leaves their type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.tables.table import MAX_DIGITS, Table

Wide = Literal["whole", "float"]
"""What holds numbers beyond 64 bits: whole numbers of 38 digits, or floats for what has more."""
LARGEST = 2**63 - 1
MAX_WIDE = 10**MAX_DIGITS - 1
WIDE_TYPE = nw.Decimal(MAX_DIGITS, 0)
FLOAT_DIGITS = 15
"""So many digits of a whole number a float keeps for certain."""
_ERROR = 1e-9
"""Of a sum of floats, which bounds one of whole numbers."""
_MAX_ROWS = 2**31


class Extent(NamedTuple):
    """Bounds of the whole numbers of a column.

    Attributes:
        low: The least of them, or less.
        high: The largest, or more.
        total: The sum of their sizes, which no sum of some of them exceeds.
    """

    low: int
    high: int
    total: float


def is_whole(dtype: nw.dtypes.DType) -> bool:
    """Whether a type holds whole numbers, or true and false that count as 1 and 0."""
    return dtype.is_integer() or isinstance(dtype, nw.Boolean) or wide_of(dtype) is not None


def find_extents(table: Table, names: Iterable[str]) -> dict[str, Extent]:
    """The extents of those of the columns that are whole; one query where types do not tell."""
    whole = [name for name in dict.fromkeys(names) if is_whole(table.schema[name])]
    bounds = {name: _BOUNDS.get(type(table.schema[name])) for name in whole}
    rest = [name for name, bound in bounds.items() if bound is None]
    extents = {name: Extent(-b, b, b * _MAX_ROWS) for name, b in bounds.items() if b is not None}
    if not rest:
        return extents
    facts = []
    for place, name in enumerate(rest):
        column = nw.col(name)
        facts += [
            column.min().alias(f"low_{place}"),
            column.max().alias(f"high_{place}"),
            column.cast(nw.Float64()).abs().sum().alias(f"total_{place}"),
        ]
    row = iter(table.frame.select(*facts).collect().row(0))
    for name in rest:
        low, high, total = next(row), next(row), next(row)
        extents[name] = Extent(int(low or 0), int(high or 0), float(total or 0) * (1 + _ERROR))
    return extents


def wide_for(low: float, high: float) -> Wide | None:
    """What must hold numbers between these; None where 64 bits do."""
    size = max(abs(low), abs(high))
    if size <= LARGEST:
        return None
    return "whole" if size <= MAX_WIDE else "float"


def wide_of(dtype: nw.dtypes.DType) -> Wide | None:
    """What holds whole numbers of a type; what is wide stays so, however small its numbers."""
    return "whole" if isinstance(dtype, nw.Decimal) and dtype.scale == 0 else None


def widest(wides: Iterable[Wide | None]) -> Wide | None:
    """What holds all that these hold."""
    kinds = {*wides}
    return "float" if "float" in kinds else "whole" if "whole" in kinds else None


def as_wide(value: nw.Expr, wide: Wide) -> nw.Expr:
    """A number in the type that its results need."""
    return value.cast(WIDE_TYPE if wide == "whole" else nw.Float64())


def describe_floats(name: str) -> str:
    """What is to be said of whole numbers that had to become floats."""
    return (
        f"{name} would be whole numbers too long to hold, so its numbers are exact to about "
        f"{FLOAT_DIGITS} digits only"
    )


_BOUNDS: dict[type[nw.dtypes.DType], int] = {
    nw.Boolean: 1,
    nw.Int8: 2**7,
    nw.UInt8: 2**8,
    nw.Int16: 2**15,
    nw.UInt16: 2**16,
    nw.Int32: 2**31,
    nw.UInt32: 2**32 - 1,
}
"""Of the types whose sums over any table and whose products of two fit into 64 bits."""
