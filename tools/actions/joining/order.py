"""Order: a join keeps the order of its sides, the first before the second, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import narwhals as nw

from wideleaf.tools.actions.position import keeps_order, number_places

Frame = nw.LazyFrame[Any]
Sides = Literal["inner", "left", "full", "semi", "anti"]


def join_in_order(
    first: Frame,
    second: Frame,
    keys: tuple[Sequence[str], Sequence[str]],
    how: Sides,
    places: tuple[str, str],
) -> Frame:
    """Join two frames; where their rows stand in no order, as on Spark, the result's stand in none.

    Args:
        first: The rows whose order comes first.
        second: The others; those without a partner come last.
        keys: The columns of each that are to be equal.
        how: Which rows stay.
        places: Names that no column has.
    """
    if first.implementation.is_polars():
        return _in_polars(first, second, keys, how)
    if not keeps_order(first):
        return join_in_none(first, second, keys, how)
    one, other = map(number_places, (first, second), places)
    frame = one.join(other, left_on=[*keys[0]], right_on=[*keys[1]], how=how)
    return put_back(frame, *(places if how not in ("semi", "anti") else places[:1]))


def join_in_none(
    first: Frame, second: Frame, keys: tuple[Sequence[str], Sequence[str]], how: Sides
) -> Frame:
    """Join two frames, in no order."""
    return first.join(second, left_on=[*keys[0]], right_on=[*keys[1]], how=how)


def cross_in_order(first: Frame, second: Frame, places: tuple[str, str]) -> Frame:
    """Each row of one frame with each of the other, in order as by `join_in_order`."""
    if first.implementation.is_polars() or not keeps_order(first):
        return first.join(second, how="cross")
    one, other = map(number_places, (first, second), places)
    return put_back(one.join(other, how="cross"), *places)


def put_back(frame: Frame, *places: str) -> Frame:
    """Rows by the places they were numbered with, which go; those without one come last."""
    return frame.sort(*places, nulls_last=True).drop(*places)


def _in_polars(
    first: Frame, second: Frame, keys: tuple[Sequence[str], Sequence[str]], how: Sides
) -> Frame:
    """Narwhals hands no order on to Polars."""
    frame: Frame = nw.from_native(
        nw.to_native(first).join(
            nw.to_native(second),
            left_on=[*keys[0]],
            right_on=[*keys[1]],
            how=how,
            coalesce=None if how in ("semi", "anti") else False,
            maintain_order="left" if how in ("semi", "anti") else "left_right",
        )
    )
    return frame
