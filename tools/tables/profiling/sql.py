"""Profiling of more than memory holds on DuckDB and Spark, by the engines' own aggregates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import narwhals as nw

from wideleaf.tools.tables.profiling.column_profile import (
    CELL_KEPT,
    FEW_AT_MOST,
    MOST_COUNTED,
    MOST_VALUES,
    Chunk,
    ColumnReading,
)
from wideleaf.tools.tables.table import Kind, Table

SLACK = 1.3
"""How far these engines' estimates may be off."""
Aggregates = dict[str, Any]


def read(table: Table, chunk: Chunk) -> dict[str, ColumnReading]:
    """What the columns of a chunk hold."""
    aggregate = _duckdb if table.frame.implementation is nw.Implementation.DUCKDB else _spark
    told = aggregate(table, chunk)
    found = {}
    for place, (name, kind) in enumerate(chunk.columns.items()):
        cells, distinct = told[f"{place} cells"], told.get(f"{place} distinct")
        known = None if kind == "other" else int(distinct or 0)
        found[name] = ColumnReading(
            int(cells or 0), known, told.get(f"{place} low"), told.get(f"{place} high")
        )
    few = {
        name: kind
        for name, kind in chunk.columns.items()
        if kind == "boolean"
        or (kind == "number" and (found[name].distinct or 0) <= FEW_AT_MOST * SLACK)
        or (kind == "text" and (found[name].distinct or 0) <= MOST_COUNTED)
    }
    for numbers in (True, False):  # whole numbers as text, digit by digit
        broken = {n for n, k in few.items() if k == "number" and not table.schema[n].is_integer()}
        some = {name: kind for name, kind in few.items() if (name in broken) == numbers}
        for name, counts in _counts(table, some, numbers).items():
            found[name] = found[name]._replace(counts=counts)
    return found


def _wanted(
    name: str, kind: Kind, place: int, made: Mapping[str, Callable[[str], Any]]
) -> Aggregates:
    what = ["cells"]
    if kind != "other":
        what.append("distinct")
    if kind in ("number", "date", "datetime"):
        what += ["low", "high"] if kind == "number" else ["low as text", "high as text"]
    return {f"{place} {one.removesuffix(' as text')}": made[one](name) for one in what}


def _duckdb(table: Table, chunk: Chunk) -> dict[str, Any]:
    from duckdb import ColumnExpression, Expression, FunctionExpression

    def distinct(name: str) -> Expression:
        if not chunk.exact:
            return FunctionExpression("approx_count_distinct", ColumnExpression(name))
        return FunctionExpression("list_unique", of("list", name))

    def of(function: str, name: str) -> Expression:
        return FunctionExpression(function, ColumnExpression(name))

    made: dict[str, Callable[[str], Any]] = {
        "cells": lambda name: of("count", name),
        "distinct": distinct,
        "low": lambda name: of("min", name),
        "high": lambda name: of("max", name),
        "low as text": lambda name: of("min", name).cast("VARCHAR"),
        "high as text": lambda name: of("max", name).cast("VARCHAR"),
    }
    wanted = _all_wanted(chunk, made)
    relation: Any = nw.to_native(table.frame)
    row = relation.aggregate([made.alias(alias) for alias, made in wanted.items()]).fetchall()[0]
    return dict(zip(wanted, row, strict=True))


def _spark(table: Table, chunk: Chunk) -> dict[str, Any]:
    from pyspark.sql import functions as f

    def column(name: str) -> Any:
        return f.col("`" + name.replace("`", "``") + "`")

    made: dict[str, Callable[[str], Any]] = {
        "cells": lambda name: f.count(column(name)),
        "distinct": lambda name: (
            f.count_distinct(column(name)) if chunk.exact else f.approx_count_distinct(column(name))
        ),
        "low": lambda name: f.min(column(name)),
        "high": lambda name: f.max(column(name)),
        "low as text": lambda name: f.min(column(name)).cast("string"),
        "high as text": lambda name: f.max(column(name)).cast("string"),
    }
    wanted = _all_wanted(chunk, made)
    frame: Any = nw.to_native(table.frame)
    row = frame.agg(*(made.alias(alias) for alias, made in wanted.items())).collect()[0]
    return dict(zip(wanted, row, strict=True))


def _all_wanted(chunk: Chunk, made: Mapping[str, Callable[[str], Any]]) -> Aggregates:
    wanted: Aggregates = {}
    for place, (name, kind) in enumerate(chunk.columns.items()):
        wanted |= _wanted(name, kind, place, made)
    return wanted


def _counts(
    table: Table, few: Mapping[str, Kind], numbers: bool
) -> dict[str, tuple[tuple[Any, int], ...]]:
    """The most frequent values of columns, in one query: one under another, counted, ranked."""
    if not few:
        return {}
    cell, value = _number if numbers else _text, nw.col("value")
    places = [str(place) for place in range(len(few))]
    wide = table.frame.select(
        *(cell(name).alias(place) for name, place in zip(few, places, strict=True))
    )
    groups = _long(wide, places).filter(~value.is_null()).group_by("place", "value")
    counted = groups.agg(nw.len().cast(nw.Int64).alias("count")).with_columns(
        (-nw.col("count")).alias("order"), nw.lit(1).alias("one")
    )
    rank = nw.col("one").cum_sum().over("place", order_by=["order", "value"])
    top = counted.with_columns(rank.alias("rank")).filter(nw.col("rank") <= MOST_VALUES + 1)
    found: defaultdict[str, list[tuple[Any, int]]] = defaultdict(list)
    rows = top.select("place", "value", "count", "rank").collect().rows()
    for place, one, count, _ in sorted(rows, key=lambda row: row[3]):
        found[str(place)].append((one, count))
    return {name: tuple(found[place]) for name, place in zip(few, places, strict=True)}


def _long(wide: nw.LazyFrame[Any], places: list[str]) -> nw.LazyFrame[Any]:
    """Columns one under another, by their places."""
    if wide.implementation is not nw.Implementation.DUCKDB:
        return wide.unpivot(on=places, variable_name="place", value_name="value")
    # Narwhals' own way reads relations of DuckDB's default connection alone.
    from duckdb import ColumnExpression, ConstantExpression, FunctionExpression

    lists = {
        "place": [ConstantExpression(place) for place in places],
        "value": [ColumnExpression(place) for place in places],
    }
    columns = [
        FunctionExpression("unnest", FunctionExpression("list_value", *items)).alias(name)
        for name, items in lists.items()
    ]
    relation: Any = nw.to_native(wide)
    made: nw.LazyFrame[Any] = nw.from_native(relation.select(*columns))
    return made


def _number(name: str) -> nw.Expr:
    return nw.col(name).cast(nw.Float64)


def _text(name: str) -> nw.Expr:
    text = nw.col(name).cast(nw.String)
    cut = nw.concat_str(text.str.head(CELL_KEPT - 1), nw.lit("…"))
    return nw.when(text.str.len_chars() > CELL_KEPT).then(cut).otherwise(text)
