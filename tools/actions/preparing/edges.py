"""Edges: where a column of numbers is cut, and what the intervals between are called."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

import narwhals as nw
from pydantic import BeforeValidator, Field
from pydantic.json_schema import WithJsonSchema

from wideleaf.tools.conditions.literals import finite_cell
from wideleaf.tools.tables.table import Table

Edge = float | None
"""Where an interval ends; None where it goes on without end."""
Closed = Literal["left", "right"]
MAX_DECIMALS = 12
LARGEST_PLAIN = 1e15
_NEAR = 0.01
"""A text tells an edge this near, as a share of the narrowest interval."""
_CELL, _ONE, _PLACE = "__cell", "__one", "__place"


def _open_ends(value: object) -> object:
    """Numbers, and None for what is infinite: JSON has no word for that."""
    if not isinstance(value, (list, tuple)):
        return value
    endless = ("inf", "infinity")
    return tuple(
        None if str(edge).strip().lower().removeprefix("+").removeprefix("-") in endless else edge
        for edge in value
    )


Edges = Annotated[
    tuple[Annotated[float, Field(allow_inf_nan=False)] | None, ...],
    BeforeValidator(_open_ends),
    WithJsonSchema({"type": "array", "items": {"type": ["number", "null"]}}),
]
"""Where a column is cut; None, first or last, where it is open."""


def equal_widths(table: Table, column: str, count: int) -> tuple[float, ...]:
    """Edges of intervals of equal width from the smallest cell to the largest.

    Args:
        table: The table.
        column: A column of numbers.
        count: How many intervals.

    Returns:
        The edges, each once; of one value that twice, of no cell none.
    """
    import numpy as np

    cells = table.frame.select(finite_cell(table, column).alias(_CELL))
    ends = (nw.col(_CELL).min().alias("low"), nw.col(_CELL).max().alias("high"))
    low, high = cells.select(*ends).collect().row(0)
    if low is None:
        return ()
    # Those whose distance no number holds are cut as halves.
    size = 2 if high - low == math.inf else 1
    return _each_once(size * np.linspace(low / size, high / size, count + 1))


def equal_counts(table: Table, column: str, parts: int) -> tuple[float, ...]:
    """Edges at the quantiles, linear between the two cells around each.

    The cells are found by their places, which are whole numbers, so that every engine gives the
    very same edges: a cell that is one stays on its side of it.

    Args:
        table: The table.
        column: A column of numbers.
        parts: How many parts of the cells.

    Returns:
        The edges, each once; of one value that twice, of no cell none.
    """
    import numpy as np

    one = nw.lit(1).cast(nw.Int64).alias(_ONE)
    cells = table.frame.select(finite_cell(table, column).alias(_CELL), one)
    cells = cells.filter(~nw.col(_CELL).is_null())
    last = int(cells.select(nw.len()).collect().item()) - 1
    if last < 0:
        return ()
    ranks = [divmod(part * last, parts) for part in range(parts + 1)]
    places = sorted({min(at + more, last) for at, _ in ranks for more in (0, 1)})
    place = nw.col(_ONE).cum_sum().over(_ONE, order_by=_CELL).cast(nw.Int64) - 1
    placed = cells.with_columns(place.alias(_PLACE)).filter(nw.col(_PLACE).is_in(places))
    cell_at = dict(placed.select(_PLACE, _CELL).collect().rows())
    with np.errstate(over="ignore", invalid="ignore"):
        return _each_once(
            np.quantile((cell_at[at], cell_at[min(at + 1, last)]), rest / parts)
            for at, rest in ranks
        )


def interval_texts(edges: Sequence[Edge], closed: Closed, *, exact: bool) -> tuple[str, ...]:
    """What each interval is called, such as ``(0, 10]``; the outer edges are inside.

    Args:
        edges: In order; None at an end that is open.
        closed: The side of an interval whose edge is inside.
        exact: Whether the edges are told as they are, not rounded to what tells them apart.
    """
    texts = iter(_texts([edge for edge in edges if edge is not None], exact=exact))
    labels = [None if edge is None else next(texts) for edge in edges]
    intervals = []
    for place, (low, high) in enumerate(pairwise(labels)):
        from_low = closed == "left" or place == 0
        to_high = closed == "right" or place == len(edges) - 2
        if low is None and high is None:
            intervals.append("all")
        elif low is None:
            intervals.append(f"{'<=' if to_high else '<'} {high}")
        elif high is None:
            intervals.append(f"{'>=' if from_low else '>'} {low}")
        else:
            intervals.append(f"{'[' if from_low else '('}{low}, {high}{']' if to_high else ')'}")
    return tuple(intervals)


def _texts(edges: Sequence[float], *, exact: bool) -> list[str]:
    """Numbers as text, with as many decimals as tell where an interval of theirs ends."""
    widths = [high - low for low, high in pairwise(edges) if high > low]
    if not exact and widths and max(map(abs, edges)) < LARGEST_PLAIN:
        for decimals in range(MAX_DECIMALS + 1):
            if all(abs(round(e, decimals) - e) <= _NEAR * min(widths) for e in edges):
                return [_plain(round(edge, decimals)) for edge in edges]
    return [*map(_plain, edges)]


def _plain(number: float) -> str:
    if number.is_integer() and abs(number) < LARGEST_PLAIN:
        return str(int(number))
    return repr(number)


def _each_once(edges: Any) -> tuple[float, ...]:
    """Edges without those that are equal to the one before; a single one twice."""
    cuts = tuple(dict.fromkeys(float(edge) + 0.0 for edge in edges))
    return cuts * 2 if len(cuts) == 1 else cuts
