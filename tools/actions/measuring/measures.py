"""Measures over groups of rows: expressions that mean the same on every engine, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.measuring.measure import (
    COUNT,
    NUMERIC,
    PICKING,
    MeasureFunction,
    Trait,
    resolve_measures,
)
from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.extents import as_wide, describe_floats, is_whole
from wideleaf.tools.tables.table import Table, aggregate_by

__all__ = [
    "COUNT",
    "MeasureFunction",
    "MeasurePlan",
    "Trait",
    "compute_measures",
    "plan_measures",
    "resolve_measures",
    "tell_measures",
]


class MeasurePlan(NamedTuple):
    """Measures as expressions.

    Attributes:
        aggregates: What is computed for each group, under the measures' names.
        results: The measures, made of those.
        whole: Whether a result speaks of the whole table; else the aggregates are the results.
    """

    aggregates: list[nw.Expr]
    results: list[nw.Expr]
    whole: bool


def compute_measures(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> nw.LazyFrame[Any]:
    """Resolved measures for each combination of keys, in no order; one row where keys are none.

    Args:
        frame: The rows, with the keys and all columns of the measures.
        keys: Columns to group by; a null is a key like others.
        measures: As `resolve_measures` gave them.
        table: Tells the types of the measures' columns.
    """
    plan = plan_measures(measures, table)
    if any(measure.function in PICKING for measure in measures):
        frame = _picked(frame, keys, measures, table)
    found = aggregate_by(frame, keys, *plan.aggregates) if keys else frame.select(*plan.aggregates)
    return found.select(*keys, *plan.results) if plan.whole else found


def plan_measures(measures: Sequence[Trait], table: Table) -> MeasurePlan:
    """Resolved measures as expressions; those of `PICKING` are for `compute_measures` alone.

    Engines agree on elementary aggregates only: a sum over nothing is 0 on some and null on
    others, and a null may count as a distinct value.
    """
    picks = _picks(measures, table)
    plan = MeasurePlan([], [], any(measure.function == "share" for measure in measures))
    for measure in measures:
        name = str(measure.name)
        if measure.function in PICKING:
            mark = nw.col(picks[_pick(measure)])
            value: nw.Expr = nw.when(mark).then(_cell(table, str(measure.column))).min()
        else:
            value = _aggregate(measure, table)
        plan.aggregates.append(value.alias(name))
        result = nw.col(name)
        if measure.function == "share":
            total = result.sum()
            result = nw.when(total != 0).then(result / total).alias(name)
        plan.results.append(result)
    return plan


def tell_measures(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> list[Fact]:
    """Caveats of measures: several cells to choose from, numbers too long to be kept whole."""
    floats = (one for one in measures if one.wide == "float" and one.function != "share")
    return [
        *_tell_ties(frame, keys, measures, table),
        *(Fact(text=describe_floats(str(one.name)), caveat=True) for one in floats),
    ]


def _tell_ties(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> list[Fact]:
    """Caveats for measures that had several cells to choose from; runs one query if there are."""
    picking = [measure for measure in measures if measure.function in PICKING]
    if not picking:
        return []
    picks = _picks(measures, table)
    picked = _picked(frame, keys, picking, table)
    tied = []
    for place, measure in enumerate(picking):
        mark = nw.col(picks[_pick(measure)])
        cell = _cell(table, str(measure.column))
        there = nw.when(mark).then(cell)
        missing = (mark & cell.is_null()).cast(nw.Int64).max() > 0
        several = (there.min() != there.max()) | (missing & (there.count() > 0))
        tied.append(several.cast(nw.Int64).alias(f"__tied_{place}"))
    groups = aggregate_by(picked, keys, *tied) if keys else picked.select(*tied)
    row = groups.select(nw.col(f"__tied_{p}").sum() for p in range(len(picking))).collect().row(0)
    facts = []
    for measure, count in zip(picking, row, strict=True):
        if count:
            what = "most frequent values" if measure.function == "mode" else "rows of equal order"
            where = f"in {count} groups " if keys else ""
            text = f"{measure.name}: {where}several {what} differ; the smallest is given"
            facts.append(Fact(text=text, caveat=True))
    return facts


def _count_distinct(column: nw.Expr) -> nw.Expr:
    nulls = column.is_null().any().cast(nw.Int64).fill_null(0)
    # Over no rows it is null on DuckDB.
    return column.n_unique().cast(nw.Int64).fill_null(0) - nulls


_AGGREGATES: dict[MeasureFunction, Callable[[nw.Expr], nw.Expr]] = {
    "count": lambda column: column.count().cast(nw.Int64),
    "count distinct": _count_distinct,
    "mean": nw.Expr.mean,
    "median": nw.Expr.median,
    "min": nw.Expr.min,
    "max": nw.Expr.max,
    "range": lambda column: column.max() - column.min(),
    "std": nw.Expr.std,
    "variance": nw.Expr.var,
    "any": nw.Expr.max,
    "all": nw.Expr.min,
}


def _aggregate(measure: Trait, table: Table) -> nw.Expr:
    if measure.column is None:
        return nw.len().cast(nw.Int64)
    if measure.function in ("sum", "share"):
        return _total(measure, table)
    if measure.function == "weighted mean":
        return _weighted_mean(measure, table)
    numeric = measure.function in NUMERIC
    column = _number(measure, table) if numeric else nw.col(measure.column)
    if measure.q is not None:
        return column.quantile(measure.q, interpolation="linear")
    return _AGGREGATES[measure.function](column)


def _cell(table: Table, name: str) -> nw.Expr:
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def _total(measure: Trait, table: Table) -> nw.Expr:
    """A sum; some engines give one of integers another type, and all 0 over nothing."""
    column = _number(measure, table)
    total = column.sum()
    dtype = table.schema[str(measure.column)]
    if measure.wide:
        total = as_wide(total, measure.wide)
    elif is_whole(dtype):
        total = total.cast(nw.Int64)
    if measure.function == "share":
        total = total.cast(nw.Float64)
    return nw.when(column.count() > 0).then(total)


def _number(measure: Trait, table: Table) -> nw.Expr:
    """A measure's column in a type that holds what is made of it."""
    name = str(measure.column)
    return as_wide(nw.col(name), measure.wide) if measure.wide else number_column(table, name)


def _weighted_mean(measure: Trait, table: Table) -> nw.Expr:
    """Over the rows that have both; null where the weights come to nothing."""
    value = number_column(table, str(measure.column)).cast(nw.Float64)
    weight = number_column(table, str(measure.weight)).cast(nw.Float64)
    total = nw.when(~value.is_null()).then(weight).sum()
    return nw.when(total != 0).then((value * weight).sum() / total)


def _pick(measure: Trait) -> tuple[Any, ...]:
    """What decides which rows a measure takes its cell from."""
    if measure.function == "mode":
        return (measure.function, measure.column)
    return (measure.function, measure.order)


def _picks(measures: Sequence[Trait], table: Table) -> dict[tuple[Any, ...], str]:
    """A hidden column for each way to pick rows, that says whether a row is picked."""
    ways = dict.fromkeys(_pick(one) for one in measures if one.function in PICKING)
    return dict(zip(ways, fresh_names("picked", len(ways), table), strict=True)) if ways else {}


def _picked(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> nw.LazyFrame[Any]:
    """The columns that keys and measures need, and beside them whether a row is picked."""
    needed = dict.fromkeys(keys)
    for measure in measures:
        beside = [key.column for key in measure.order]
        needed.update(dict.fromkeys(n for n in (measure.column, measure.weight, *beside) if n))
    frame = frame.select(*needed)
    ways = {_pick(measure): measure for measure in measures if measure.function in PICKING}
    picking = [
        _steps(ways[way], name, keys, table) for way, name in _picks(measures, table).items()
    ]
    # All first steps at once, then all second ones: a query of thousands of levels cannot be run.
    for steps in zip_longest(*picking):
        frame = frame.with_columns(*(step for step in steps if step is not None))
    return frame


def _steps(measure: Trait, name: str, keys: Sequence[str], table: Table) -> Iterator[nw.Expr]:
    """Columns to add one after the other, of which the last says whether a row is picked."""
    if measure.function == "mode":
        column = str(measure.column)
        there = ~nw.col(column).is_null()
        yield nw.when(there).then(nw.len().over(*keys, column)).alias(name)
        yield (there & _is_at(nw.col(name), keys, highest=True)).alias(name)
        return
    for place, key in enumerate(measure.order):
        cell = _cell(table, key.column)
        left = nw.when(nw.col(name)).then(cell) if place else cell
        at = _is_at(left, keys, highest=key.descending != (measure.function == "last"))
        yield (nw.col(name) & at if place else at).alias(name)


def _is_at(cell: nw.Expr, keys: Sequence[str], *, highest: bool) -> nw.Expr:
    """Whether a cell is the highest or lowest of its group; any cell is where all are null."""
    edge = cell.max() if highest else cell.min()
    edge = edge.over(*keys) if keys else edge
    return edge.is_null() | (cell == edge).fill_null(False)
