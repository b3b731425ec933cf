"""The choice of a form by a frame's shape: what its keys and numbers are, and how many."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wideleaf.tools.charts.columns import Column
from wideleaf.tools.charts.forms import MOST_SERIES, Form
from wideleaf.tools.charts.shapes import Shape

ROWS_OF_A_HISTOGRAM = 10
KEYS_BESIDE = 30
"""More keys than that with two numbers are points rather than pairs of bars."""
BARS = 60
PANELS = 6
ALIKE = 12
"""Numbers of which the largest of one is at most so many times that of another share an axis."""
IN_A_BOX = 5
BOXES = 30
ROUNDED = 1.02
"""Rounded parts may come to so much of the whole."""
_SHARE = re.compile(r"(?:share|percent|proportion)", re.I)
_UNIT = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")
_ADDS_UP = re.compile(r"(?:count|number|sum|total|share|percent|frequency|rows)\b|n$", re.I)


def suggest_form(shape: Shape) -> Form:
    """The form that suits a shape.

    Args:
        shape: Of a frame.
    """
    keys, numbers = shape.keys, shape.numbers
    if not shape.unique:
        return _of_repeats(shape)
    if not keys:
        return "bar"
    if keys[0].runs:
        return _along(keys, numbers)
    if len(keys) == 1:
        return _by_key(keys[0], numbers, shape.rows)
    if len(keys) == 2 and len(numbers) == 1:
        return _by_two_keys(*keys, numbers[0])
    return "small multiples"


def _of_repeats(shape: Shape) -> Form:
    keys, numbers = shape.keys, shape.numbers
    if not keys and len(numbers) == 1:
        return "histogram" if shape.rows >= ROWS_OF_A_HISTOGRAM else "bar"
    if len(numbers) > 1 or keys[0].runs:
        return "scatter"
    groups = next((key.distinct for key in keys if 1 < key.distinct <= BOXES), 0)
    return "box" if groups and shape.rows >= IN_A_BOX * groups else "histogram"


def _along(keys: Sequence[Column], numbers: Sequence[Column]) -> Form:
    if len(keys) == 1:
        shared = len(numbers) <= PANELS and are_alike(numbers)
        return "line" if shared else "small multiples"
    if len(keys) > 2 or len(numbers) > 1:
        return "small multiples"
    return "line" if keys[1].distinct <= MOST_SERIES else "heat map"


def _by_key(key: Column, numbers: Sequence[Column], rows: int) -> Form:
    names = {number.name for number in numbers}
    if len(numbers) == 1:
        return "bar"
    if len(names) > 2 and names <= {*key.cells}:  # correlations, distances: the keys again
        return "heat map"
    if len(numbers) == 2 and rows > KEYS_BESIDE:
        return "scatter"
    if not are_alike(numbers):
        return "small multiples"
    few = len(numbers) <= PANELS and rows * len(numbers) <= BARS
    return "grouped bar" if few or len(numbers) < 4 else "heat map"


def _by_two_keys(first: Column, second: Column, number: Column) -> Form:
    few, bars = min(first.distinct, second.distinct), first.distinct * second.distinct
    same = first.distinct == second.distinct and {*first.cells} == {*second.cells}
    if same or few > MOST_SERIES:
        return "heat map"
    if _adds_up(number) and not _exceeds_whole(first, number):
        return "stacked bar"
    return "grouped bar" if bars <= BARS else "heat map"


def _adds_up(number: Column) -> bool:
    """Whether a sum of its cells means something: counts and sums, none below zero."""
    low = number.cells.drop_nulls().min()
    told = _ADDS_UP.match(number.name.strip())
    return bool(told) and not (isinstance(low, (int, float)) and low < 0)


def _exceeds_whole(key: Column, number: Column) -> bool:
    """Whether the parts of a key are shares of several wholes: they come to more than one."""
    import polars as pl

    if not _SHARE.match(number.name.strip()):
        return False
    parts = pl.DataFrame({"key": key.cells, "part": number.cells.cast(pl.Float64)})
    sums = parts.group_by("key").agg(pl.col("part").sum())["part"]
    whole = 1.0 if _size(number) <= 1 else 100.0
    return bool((sums > whole * ROUNDED).any())


def are_alike(numbers: Sequence[Column]) -> bool:
    """Whether numbers can share an axis: of one size, and of one unit where headers tell it."""
    units = {found[1] for number in numbers if (found := _UNIT.search(number.name))}
    sizes = [size for number in numbers if (size := _size(number))]
    return len(units) <= 1 and (not sizes or max(sizes) <= ALIKE * min(sizes))


def _size(number: Column) -> float:
    known = number.cells.drop_nulls().abs()
    finite = known.filter(known.is_finite()) if known.dtype.is_float() else known
    return float(finite.max() or 0.0)  # type: ignore[arg-type]  # of numbers it is one
