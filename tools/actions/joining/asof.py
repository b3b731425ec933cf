"""As-of joins: each left row with the right row whose key is nearest, alike on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import narwhals as nw

from wideleaf.tools.actions.joining.keys import JoinKey, add_keys, fresh_names, need_comparable
from wideleaf.tools.actions.windowing.intervals import read_every
from wideleaf.tools.actions.windowing.order import fill_nulls
from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_functions import microseconds
from wideleaf.tools.tables.columns import need_kind
from wideleaf.tools.tables.table import Table, is_polars

Direction = Literal["before", "after", "nearest"]
TIMES = ("date", "datetime")
_STRATEGIES: dict[Direction, Literal["backward", "forward", "nearest"]] = {
    "before": "backward",
    "after": "forward",
    "nearest": "nearest",
}


def read_tolerance(
    tolerance: float | str | None, nearest: JoinKey, left: Table, right: Table
) -> float | None:
    """The largest distance as a number: of time, in microseconds; None for any.

    Raises:
        ActionError: If the columns are no numbers or times, or the distance does not fit them.
    """
    need_kind(left, [nearest.left], "number", *TIMES, purpose="nearest")
    need_kind(right, [nearest.right], "number", *TIMES, purpose="nearest")
    kinds = {left.kind(nearest.left), right.kind(nearest.right)}
    if kinds != {*TIMES}:
        need_comparable(nearest, left, right)
    if tolerance is None:
        return None
    if kinds == {"number"}:
        if isinstance(tolerance, str) or tolerance < 0:
            raise ActionError(f"tolerance {tolerance!r} is no distance of numbers; write such as 5")
        return tolerance
    try:
        every = read_every(str(tolerance) if isinstance(tolerance, str) else "")
    except ValueError:
        every = None
    if every is None or every.cut not in ("s", "m", "h", "d"):
        raise ActionError(
            f"tolerance {tolerance!r} is no distance of times; write such as '3 days', '2 weeks' "
            "or '90 minutes'"
        )
    return every.microseconds


def join_nearest(
    on: Sequence[JoinKey],
    nearest: JoinKey,
    direction: Direction,
    tolerance: float | str | None,
    others: Mapping[str, str],
    left: Table,
    right: Table,
) -> nw.LazyFrame[Any]:
    """All left rows, each with the right row of equal keys whose nearest key is nearest.

    Of two right rows equally far the earlier is taken; of several with the same keys the first by
    the order of their cells, column by column, nulls first.

    Args:
        on: Keys that must be equal.
        nearest: The key that need not be.
        direction: Where the right cell may lie: at or before the left one, at or after, or both.
        tolerance: The largest distance.
        others: New names of the right columns that the result has.
        left: The left table.
        right: The right table.
    """
    names = fresh_names("key", len(on) + 2, left, right)
    *keys, _, there = names
    ours = _attach_keys(0, on, nearest, names[:-1], left, right)
    theirs = _attach_keys(1, on, nearest, names[:-1], left, right).drop_nulls(names[:-1])
    order = [name for name in right.columns if right.kind(name) != "other"]
    theirs = _one_for_each(theirs, names[:-1], order)
    selection = [nw.col(old).alias(new) for old, new in others.items()]
    copies = fresh_names("copy", len(on) + 1, left, right)
    theirs = theirs.select(
        *(nw.col(n).alias(c) for n, c in zip(names[:-1], copies, strict=True)), *selection
    )
    distance = read_tolerance(tolerance, nearest, left, right)
    if is_polars(ours):
        frame = _join_in_polars(ours, theirs, names[:-1], copies, direction, distance)
    else:
        ours = _with_match(ours, theirs, names, copies, direction, distance)
        frame = ours.join(theirs, left_on=[*keys, there], right_on=copies, how="left")
    return frame.select(*left.columns, *others.values())


def count_matches(
    on: Sequence[JoinKey],
    nearest: JoinKey,
    direction: Direction,
    tolerance: float | str | None,
    left: Table,
    right: Table,
) -> int:
    """How many left rows have a partner."""
    names = fresh_names("key", len(on) + 1, left, right)
    copies, (mark,) = (
        fresh_names("copy", len(on) + 1, left, right),
        fresh_names("mark", 1, left, right),
    )
    ours = _attach_keys(0, on, nearest, names, left, right).select(*names)
    theirs = _attach_keys(1, on, nearest, names, left, right).select(*names).drop_nulls().unique()
    distance = read_tolerance(tolerance, nearest, left, right)
    if is_polars(ours):
        theirs = theirs.select(
            *(nw.col(n).alias(c) for n, c in zip(names, copies, strict=True)), nw.lit(1).alias(mark)
        )
        frame = _join_in_polars(ours, theirs, names, copies, direction, distance)
    else:
        theirs = theirs.rename(dict(zip(names, copies, strict=True)))
        frame = _with_match(ours, theirs, [*names, mark], copies, direction, distance)
    return int(frame.select(nw.col(mark).count()).collect().item())


def count_duplicate_keys(on: Sequence[JoinKey], nearest: JoinKey, left: Table, right: Table) -> int:
    """How many right rows have keys that others have, too."""
    names = fresh_names("key", len(on) + 1, left, right)
    theirs = _attach_keys(1, on, nearest, names, left, right).select(*names).drop_nulls()
    rows = theirs.group_by(*names).agg(nw.len().cast(nw.Int64).alias("rows"))
    return int(rows.filter(nw.col("rows") > 1).select(nw.col("rows").sum()).collect().item() or 0)


def _attach_keys(
    side: int,
    on: Sequence[JoinKey],
    nearest: JoinKey,
    names: Sequence[str],
    left: Table,
    right: Table,
) -> nw.LazyFrame[Any]:
    """A table's frame with its keys beside it, of which the last is a number."""
    *keys, at = names
    frame = add_keys(side, on, keys, left, right)
    table, name = ((left, nearest.left), (right, nearest.right))[side]
    if table.kind(name) == "number":
        whole = all(
            one.schema[key].is_integer()
            for one, key in ((left, nearest.left), (right, nearest.right))
        )
        number = number_column(table, name)
        return frame.with_columns((number if whole else number.cast(nw.Float64)).alias(at))
    if is_polars(frame):
        return frame.with_columns(nw.col(name).dt.timestamp("us").alias(at))
    zone = getattr(table.schema[name], "time_zone", None)
    moment = nw.col(name) if zone else nw.col(name).cast(nw.Datetime("us"))
    return frame.with_columns(microseconds(moment).alias(at))


def _one_for_each(
    frame: nw.LazyFrame[Any], keys: Sequence[str], order: Sequence[str]
) -> nw.LazyFrame[Any]:
    """The first row of each combination of keys by an order."""
    if not is_polars(frame):
        return frame.unique(list(keys), keep="first", order_by=list(order))
    # To sort all rows would cost more than the join, and few share their keys.
    several = nw.len().over(*keys) > 1
    shared = frame.filter(several).unique(list(keys), keep="first", order_by=list(order))
    return nw.concat([frame.filter(~several), shared])


def _join_in_polars(
    ours: nw.LazyFrame[Any],
    theirs: nw.LazyFrame[Any],
    names: Sequence[str],
    copies: Sequence[str],
    direction: Direction,
    distance: float | None,
) -> nw.LazyFrame[Any]:
    """Polars' own as-of join, several times as fast as a window."""
    import polars as pl

    *keys, at = names
    *others, there = copies
    left, right = nw.to_native(ours), nw.to_native(theirs)
    if direction == "nearest":
        # Of two equally far it takes the greater, and here the earlier is wanted.
        left, right = left.with_columns(-pl.col(at)), right.with_columns(-pl.col(there))
    frame = left.sort(at, nulls_last=True).join_asof(
        right.sort(there),
        left_on=at,
        right_on=there,
        by_left=keys or None,
        by_right=others or None,
        strategy=_STRATEGIES[direction],
        tolerance=distance,
        coalesce=False,
        check_sortedness=False,  # it was sorted just now, and with equal keys it cannot check
    )
    result: nw.LazyFrame[Any] = nw.from_native(frame)
    return result


def _with_match(
    ours: nw.LazyFrame[Any],
    theirs: nw.LazyFrame[Any],
    names: Sequence[str],
    copies: Sequence[str],
    direction: Direction,
    distance: float | None,
) -> nw.LazyFrame[Any]:
    """The left frame with the nearest key that the right one has, under the last name.

    Both are put in one order; the last key of the right that came by is the nearest before.
    """
    *keys, at, there = names
    side, before, after = (f"{there}_{name}" for name in ("side", "before", "after"))
    # Of equal cells the right one comes first where one looks back, last where one looks ahead.
    rights = theirs.select(
        *(nw.col(c).alias(n) for c, n in zip(copies, names[:-1], strict=True)),
        nw.col(copies[-1]).alias(there),
        nw.lit(2 if direction == "after" else 0).alias(side),
    )
    both = nw.concat([ours.with_columns(nw.lit(1).alias(side)), rights], how="diagonal")
    if direction != "after":
        both = fill_nulls(both, {before: there}, "forward", keys, (at, side))
    if direction != "before":
        both = fill_nulls(both, {after: there}, "backward", keys, (at, side))
    match = nw.col(before if direction == "before" else after)
    if direction == "nearest":
        low, high = nw.col(before), nw.col(after)
        nearer = low.is_null() | ((high - nw.col(at)) < (nw.col(at) - low)).fill_null(False)
        match = nw.when(nearer).then(high).otherwise(low)
    fits = ~nw.col(at).is_null()
    if distance is not None:
        fits = fits & ((match - nw.col(at)).abs() <= distance)
    matches = both.filter(nw.col(side) == 1).with_columns(nw.when(fits).then(match).alias(there))
    return matches.drop(side, before, after, strict=False)
