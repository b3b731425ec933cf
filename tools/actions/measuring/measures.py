"""Measures over groups of rows: expressions that mean the same on every engine, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.measuring.listings import list_cells, put_beside
from wideleaf.tools.actions.measuring.measure import (
    COUNT,
    LISTING,
    NUMERIC,
    PICKING,
    MeasureFunction,
    Trait,
    resolve_measures,
)
from wideleaf.tools.actions.measuring.moments import Composed, compose, with_distances
from wideleaf.tools.actions.measuring.picks import picked_cells, tell_ties, with_picks
from wideleaf.tools.conditions.literals import fold_text, number_column, text_column
from wideleaf.tools.expressions.number_functions import finite
from wideleaf.tools.privacy import Fact, caveat, caveats
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
    "tell_variants",
]


class MeasurePlan(NamedTuple):
    """Measures as expressions.

    Attributes:
        aggregates: What is computed for each group, under the measures' names or hidden ones.
        results: The measures, made of those.
        staged: Whether a result is made of several of them; else the aggregates are the results.
        composed: Those of `COMPOSITIONS`, whose results are made by way of further columns.
    """

    aggregates: list[nw.Expr]
    results: list[nw.Expr]
    staged: bool
    composed: Composed


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
    lists = [measure for measure in measures if measure.function in LISTING]
    if lists:
        listings = list_cells(frame, keys, lists, table)
        others = [measure for measure in measures if measure.function not in LISTING]
        if not others:
            return listings
        result = compute_measures(frame, keys, others, table)
        return put_beside(result, listings, keys, [str(measure.name) for measure in measures])
    plan = plan_measures(measures, table)
    if any(measure.function in PICKING for measure in measures):
        frame = with_picks(frame, keys, measures, table)
    frame = with_distances(frame, keys, measures, table)
    groups = aggregate_by(frame, keys, *plan.aggregates) if keys else frame.select(*plan.aggregates)
    if not plan.staged:
        return groups
    if plan.composed.between:
        groups = groups.with_columns(*plan.composed.between)
    result = groups.select(*keys, *plan.results)
    numbers = [finite(nw.col(name)).alias(name) for name in plan.composed.results]
    return result.with_columns(*numbers) if numbers else result


def plan_measures(measures: Sequence[Trait], table: Table) -> MeasurePlan:
    """Resolved measures that are no lists as expressions.

    `compute_measures` alone has the columns of all of them.

    Engines agree on elementary aggregates only: a sum over nothing is 0 on some and null on
    others, and a null may count as a distinct value.
    """
    composed = compose(measures, table)
    picks = picked_cells(measures, table)
    shares = any(measure.function == "share" for measure in measures)
    staged = shares or bool(composed.results)
    plan = MeasurePlan([*composed.aggregates], [], staged, composed)
    for measure in measures:
        name = str(measure.name)
        if name in composed.results:
            plan.results.append(composed.results[name].alias(name))
            continue
        value = picks[name] if name in picks else _aggregate(measure, table)
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
    """Caveats of measures: several cells to choose from, and what is not kept whole or is null."""
    floats = (one for one in measures if one.wide == "float" and one.function != "share")
    counted = [str(one.column) for one in measures if one.function == "count distinct"]
    return [
        *tell_ties(frame, keys, measures, table),
        *(caveat(describe_floats(str(one.name))) for one in floats),
        *_tell_negatives(frame, keys, measures, table),
        *tell_variants(frame, counted, table),
    ]


def tell_variants(frame: nw.LazyFrame[Any], columns: Sequence[str], table: Table) -> list[Fact]:
    """Caveats for texts that letter case, or blanks around them, alone tell apart.

    Args:
        frame: The rows; one query is run over them if a column holds texts.
        columns: Those whose different values count.
        table: What the columns are.
    """
    names = [name for name in dict.fromkeys(columns) if table.kind(name) == "text"]
    if not names:
        return []
    texts = [text_column(table, name) for name in names]
    counts = [
        _count_distinct(text).alias(f"__{part}_{place}")
        for place, cell in enumerate(texts)
        for part, text in (("all", cell), ("like", fold_text(cell)))
    ]
    row = frame.select(*counts).collect().row(0)
    apart = [row[2 * place] - row[2 * place + 1] for place in range(len(names))]
    return caveats(
        *(
            (more, f"Values of {name} that only letter case or blanks around them tell from "
             f"another: {more}; each stands by itself")
            for name, more in zip(names, apart, strict=True)
        ),
        matter="statistics",
    )  # fmt: skip


def _tell_negatives(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> list[Fact]:
    """Caveats for geometric means of cells below zero; runs one query if there are such means."""
    means = [one for one in measures if one.function == "geometric mean"]
    if not means:
        return []
    below = [
        (number_column(table, str(one.column)).min() < 0).cast(nw.Int64).alias(f"__below_{place}")
        for place, one in enumerate(means)
    ]
    groups = aggregate_by(frame, keys, *below) if keys else frame.select(*below)
    row = groups.select(nw.col(f"__below_{p}").sum() for p in range(len(means))).collect().row(0)
    facts = []
    for measure, count in zip(means, row, strict=True):
        if count:
            where = f" in {count} groups" if keys else ""
            text = f"{measure.name} is null{where}: a cell is below zero"
            facts.append(caveat(text, "statistics"))
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
    "any": nw.Expr.max,
    "all": nw.Expr.min,
}


def _aggregate(measure: Trait, table: Table) -> nw.Expr:
    if measure.column is None:
        return nw.len().cast(nw.Int64)
    if measure.function in ("sum", "share"):
        return _total(measure, table)
    if measure.function == "weighted mean":
        return _weigh_mean(measure, table)
    numeric = measure.function in NUMERIC
    column = _number(measure, table) if numeric else nw.col(measure.column)
    if measure.function in ("std", "variance"):
        build = nw.Expr.std if measure.function == "std" else nw.Expr.var
        return build(column, ddof=0 if measure.population else 1)
    if measure.q is not None:
        return column.quantile(measure.q, interpolation="linear")
    return _AGGREGATES[measure.function](column)


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


def _weigh_mean(measure: Trait, table: Table) -> nw.Expr:
    """Over the rows that have both; null where the weights come to nothing."""
    value = number_column(table, str(measure.column)).cast(nw.Float64)
    weight = number_column(table, str(measure.weight)).cast(nw.Float64)
    total = nw.when(~value.is_null()).then(weight).sum()
    return nw.when(total != 0).then((value * weight).sum() / total)
