"""Window functions: what each needs, and the narwhals steps that make it alike on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.windowing.order import (
    ANY,
    NUMBERS,
    ORDERED,
    PLACE,
    VALUE,
    Frame,
    RowPlaces,
)
from wideleaf.tools.expressions.date_functions import days_between
from wideleaf.tools.expressions.number_functions import divide
from wideleaf.tools.tables.table import Kind

WindowFunction = Literal[
    "row number",
    "rank",
    "dense rank",
    "percent rank",
    "lag",
    "lead",
    "difference",
    "percent change",
    "cumulative sum",
    "cumulative mean",
    "cumulative min",
    "cumulative max",
    "cumulative count",
    "rolling sum",
    "rolling mean",
    "rolling min",
    "rolling max",
    "rolling std",
    "share",
    "group sum",
    "group mean",
    "group min",
    "group max",
    "group count",
]
RESULT = "__window_result"
_RANK, _BEFORE, _COUNT = "__window_rank", "__window_before", "__window_count"


class WindowRecipe(NamedTuple):
    """What a window function needs and how it is made.

    Attributes:
        takes: Kinds its column may have; none if it has no column.
        ordered: Whether it needs an order; it has none otherwise.
        build: Adds the result to the placed rows.
        optional: Whether it does without its column.
        counted: Whether it takes ``n``.
        ties: Whether rows that are equal in the order get unequal results.
    """

    takes: tuple[Kind, ...]
    ordered: bool
    build: Callable[[RowPlaces], Frame]
    optional: bool = False
    counted: bool = False
    ties: bool = True


def _row_number(rows: RowPlaces) -> Frame:
    return rows.frame.with_columns(nw.col(PLACE).alias(RESULT))


def _rank_rows(rows: RowPlaces) -> Frame:
    rank = nw.col(PLACE).min().over(*rows.by, *rows.keys)
    if rows.single:  # nulls apart, since engines rank them differently
        flag, size = rows.keys
        rank = nw.col(size).rank("min").over(*rows.by, flag)
    return rows.frame.with_columns(rank.cast(nw.Int64).alias(_RANK))


def _where_known(rows: RowPlaces, rank: nw.Expr) -> nw.Expr:
    return nw.when(nw.col(rows.keys[0]) == 0).then(rank).alias(RESULT)


def _rank(rows: RowPlaces) -> Frame:
    return _rank_rows(rows).with_columns(_where_known(rows, nw.col(_RANK)))


def _dense_rank(rows: RowPlaces) -> Frame:
    if rows.single:
        flag, size = rows.keys
        rank = nw.col(size).rank("dense").over(*rows.by, flag).cast(nw.Int64)
        return rows.frame.with_columns(_where_known(rows, rank))
    first = (nw.col(PLACE) == nw.col(_RANK)).cast(nw.Int64).alias(_COUNT)
    frame = _rank_rows(rows).with_columns(first)
    dense = rows.running(nw.col(_COUNT).cum_sum()).cast(nw.Int64)
    return frame.with_columns(_where_known(rows, dense))


def _percent_rank(rows: RowPlaces) -> Frame:
    count = (1 - nw.col(rows.keys[0])).sum().over(*rows.by)
    frame = _rank_rows(rows).with_columns(count.cast(nw.Float64).alias(_COUNT))
    others = nw.col(_COUNT) - 1
    share = nw.when(others > 0).then((nw.col(_RANK) - 1) / others).otherwise(nw.lit(0.0))
    return frame.with_columns(_where_known(rows, share))


def _shift_rows(rows: RowPlaces, n: int) -> nw.Expr:
    return rows.running(nw.col(VALUE).shift(n))


def _lag(rows: RowPlaces) -> Frame:
    return rows.frame.with_columns(_shift_rows(rows, rows.n).alias(RESULT))


def _lead(rows: RowPlaces) -> Frame:
    return rows.frame.with_columns(_shift_rows(rows, -rows.n).alias(RESULT))


def _difference(rows: RowPlaces) -> Frame:
    frame = rows.frame.with_columns(_shift_rows(rows, rows.n).alias(_BEFORE))
    now, before = nw.col(VALUE), nw.col(_BEFORE)
    between = now - before if rows.kind == "number" else days_between(before, now)
    return frame.with_columns(between.alias(RESULT))


def _percent_change(rows: RowPlaces) -> Frame:
    frame = rows.frame.with_columns(_shift_rows(rows, rows.n).alias(_BEFORE))
    now, before = nw.col(VALUE).cast(nw.Float64), nw.col(_BEFORE).cast(nw.Float64)
    return frame.with_columns(divide(now - before, before).alias(RESULT))


def _cumulative(what: str) -> Callable[[RowPlaces], Frame]:
    """Sum, mean or count of the cells so far; a null cell keeps the value of the row before."""

    def build(rows: RowPlaces) -> Frame:
        count = rows.running((~nw.col(VALUE).is_null()).cast(nw.Int64).cum_sum())
        if what == "count":
            return rows.frame.with_columns(count.cast(nw.Int64).alias(RESULT))
        total = rows.running(nw.col(VALUE).fill_null(0).cum_sum())
        frame = rows.frame.with_columns(total.alias(_BEFORE), count.cast(nw.Int64).alias(_COUNT))
        value = nw.col(_BEFORE) / nw.col(_COUNT) if what == "mean" else nw.col(_BEFORE)
        return frame.with_columns(nw.when(nw.col(_COUNT) > 0).then(value).alias(RESULT))

    return build


def _extreme_so_far(build: Callable[[nw.Expr], nw.Expr]) -> Callable[[RowPlaces], Frame]:
    def so_far(rows: RowPlaces) -> Frame:
        frame = rows.frame.with_columns(rows.running(build(nw.col(VALUE))).alias(_BEFORE))
        return rows._replace(frame=frame).nearest({RESULT: _BEFORE}, "forward")

    return so_far


def _rolling(build: Callable[[nw.Expr, int], nw.Expr]) -> Callable[[RowPlaces], Frame]:
    def roll_rows(rows: RowPlaces) -> Frame:
        return rows.frame.with_columns(rows.running(build(nw.col(VALUE), rows.n)).alias(RESULT))

    return roll_rows


def _rolling_sum(rows: RowPlaces) -> Frame:
    if not isinstance(rows.frame.collect_schema()[VALUE], nw.Decimal):
        return _rolling(lambda v, n: v.rolling_sum(n, min_samples=n))(rows)
    # Polars rolls no decimals; sums so far, which are exact, differ by the same.
    presence = (~nw.col(VALUE).is_null()).cast(nw.Int64)
    frame = rows.frame.with_columns(
        rows.running(nw.col(VALUE).fill_null(0).cum_sum()).alias(_RANK),
        rows.running(presence.rolling_sum(rows.n, min_samples=rows.n)).alias(_COUNT),
    )
    before = rows.running(nw.col(_RANK).shift(rows.n).fill_null(0))
    frame = frame.with_columns(before.alias(_BEFORE))
    total = nw.col(_RANK) - nw.col(_BEFORE)
    return frame.with_columns(nw.when(nw.col(_COUNT) == rows.n).then(total).alias(RESULT))


def _rolling_extreme(build: Callable[..., nw.Expr]) -> Callable[[RowPlaces], Frame]:
    """The extreme of n rows from those of 2, 4, 8 ... rows, since engines roll none."""

    def roll_rows(rows: RowPlaces) -> Frame:
        presence = (~nw.col(VALUE).is_null()).cast(nw.Int64).alias(_COUNT)
        frame = rows.frame.with_columns(presence, nw.col(VALUE).alias(RESULT))
        span = 1
        while span < rows.n:
            step = min(span, rows.n - span)
            frame = frame.with_columns(rows.running(nw.col(RESULT).shift(step)).alias(_BEFORE))
            frame = frame.with_columns(build(nw.col(RESULT), nw.col(_BEFORE)).alias(RESULT))
            span += step
        cells = rows.running(nw.col(_COUNT).rolling_sum(rows.n, min_samples=rows.n))
        frame = frame.with_columns(cells.alias(_COUNT))
        return frame.with_columns(
            nw.when(nw.col(_COUNT) == rows.n).then(nw.col(RESULT)).alias(RESULT)
        )

    return roll_rows


def _total(rows: RowPlaces) -> Frame:
    value = nw.col(VALUE)
    return rows.frame.with_columns(
        value.sum().over(*rows.by).alias(_BEFORE),
        value.count().over(*rows.by).cast(nw.Int64).alias(_COUNT),
    )


def _group_sum(rows: RowPlaces) -> Frame:
    total = nw.when(nw.col(_COUNT) > 0).then(nw.col(_BEFORE))
    return _total(rows).with_columns(total.alias(RESULT))


def _share(rows: RowPlaces) -> Frame:
    value, total = nw.col(VALUE).cast(nw.Float64), nw.col(_BEFORE).cast(nw.Float64)
    return _total(rows).with_columns(divide(value, total).alias(RESULT))


def _group(build: Callable[[nw.Expr], nw.Expr]) -> Callable[[RowPlaces], Frame]:
    def grouped(rows: RowPlaces) -> Frame:
        return rows.frame.with_columns(build(nw.col(VALUE)).over(*rows.by).alias(RESULT))

    return grouped


WINDOWS: dict[WindowFunction, WindowRecipe] = {
    "row number": WindowRecipe((), True, _row_number),
    "rank": WindowRecipe((), True, _rank, ties=False),
    "dense rank": WindowRecipe((), True, _dense_rank, ties=False),
    "percent rank": WindowRecipe((), True, _percent_rank, ties=False),
    "lag": WindowRecipe(ANY, True, _lag, counted=True),
    "lead": WindowRecipe(ANY, True, _lead, counted=True),
    "difference": WindowRecipe(ORDERED, True, _difference, counted=True),
    "percent change": WindowRecipe(("number",), True, _percent_change, counted=True),
    "cumulative sum": WindowRecipe(NUMBERS, True, _cumulative("sum")),
    "cumulative mean": WindowRecipe(NUMBERS, True, _cumulative("mean")),
    "cumulative min": WindowRecipe(ORDERED, True, _extreme_so_far(lambda value: value.cum_min())),
    "cumulative max": WindowRecipe(ORDERED, True, _extreme_so_far(lambda value: value.cum_max())),
    "cumulative count": WindowRecipe(ANY, True, _cumulative("count"), optional=True),
    "rolling sum": WindowRecipe(NUMBERS, True, _rolling_sum, counted=True),
    "rolling mean": WindowRecipe(
        NUMBERS, True, _rolling(lambda v, n: v.rolling_mean(n, min_samples=n)), counted=True
    ),
    "rolling min": WindowRecipe(ORDERED, True, _rolling_extreme(nw.min_horizontal), counted=True),
    "rolling max": WindowRecipe(ORDERED, True, _rolling_extreme(nw.max_horizontal), counted=True),
    "rolling std": WindowRecipe(
        NUMBERS, True, _rolling(lambda v, n: v.rolling_std(n, min_samples=n)), counted=True
    ),
    "share": WindowRecipe(("number",), False, _share),
    "group sum": WindowRecipe(NUMBERS, False, _group_sum),
    "group mean": WindowRecipe(NUMBERS, False, _group(lambda value: value.mean())),
    "group min": WindowRecipe(ANY, False, _group(lambda value: value.min())),
    "group max": WindowRecipe(ANY, False, _group(lambda value: value.max())),
    "group count": WindowRecipe(ANY, False, _group(lambda value: value.count()), optional=True),
}
