"""Profiling on Polars: chunks are held in memory where they fit, and streamed where they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.tables.profiling.column_profile import (
    CELL_KEPT,
    FEW_AT_MOST,
    MAX_COUNTED,
    MAX_VALUES,
    Chunk,
    ColumnReading,
)
from wideleaf.tools.tables.table import Kind, Table

if TYPE_CHECKING:
    import polars as pl


def read(table: Table, chunk: Chunk) -> dict[str, ColumnReading]:
    """What the columns of a chunk hold."""
    kinds = chunk.columns
    query: pl.LazyFrame = nw.to_native(table.frame)
    query = query.select(_cells(table, name, kind) for name, kind in kinds.items())
    data = query.collect(engine="streaming") if chunk.held else query
    # A column of 0 and 1 is known by two sums; in memory, only the others are hashed then.
    aggregates = {
        name: _bounds(name, kind) | ({} if chunk.held else _distinct(name, kind, chunk.exact))
        for name, kind in kinds.items()
    }
    figures = _row(data, aggregates)
    readings = {name: _reading(kind, chunk.rows, figures[name]) for name, kind in kinds.items()}
    open_ = {name: kinds[name] for name in kinds if readings[name].distinct is None}
    if chunk.held:
        hashed = {name: _distinct(name, kind, chunk.exact) for name, kind in open_.items()}
        for name, more in _row(data, hashed).items():
            figures[name] |= more
    for name in open_:
        if "distinct" in figures[name]:
            null = figures[name]["nulls"] > 0
            readings[name] = readings[name]._replace(distinct=figures[name]["distinct"] - null)
    few = {
        name: kind
        for name, kind in open_.items()
        if (kind == "text" and (readings[name].distinct or 0) <= MAX_COUNTED)
        or (kind == "number" and (readings[name].distinct or 0) <= FEW_AT_MOST)
    }
    for name, counts in _counts(data, few):
        readings[name] = readings[name]._replace(counts=counts)
    return readings


def _cells(table: Table, name: str, kind: Kind) -> pl.Expr:
    import polars as pl

    column, dtype = pl.col(name), table.schema[name]
    if kind == "text":
        return column.cast(pl.String)
    if dtype.is_float():
        # What an engine opened has no NaN; a frame that was made by hand may have.
        return column.fill_nan(None)
    if getattr(dtype, "time_zone", None):
        return column.dt.convert_time_zone("UTC")
    return column


def _bounds(name: str, kind: Kind) -> dict[str, pl.Expr]:
    import polars as pl

    column = pl.col(name)
    expressions = {"nulls": column.null_count()}
    if kind == "boolean":
        expressions["ones"] = column.sum()
    elif kind == "number":
        expressions |= {"low": column.min(), "high": column.max()}
        expressions |= {"zeros": (column == 0).sum(), "ones": (column == 1).sum()}
    elif kind in ("date", "datetime"):  # as text: there may be years that Python does not know
        expressions |= {"low": column.min().cast(pl.String), "high": column.max().cast(pl.String)}
    return expressions


def _distinct(name: str, kind: Kind, exact: bool) -> dict[str, pl.Expr]:
    import polars as pl

    if kind in ("boolean", "other"):
        return {}
    column = pl.col(name)
    return {"distinct": column.n_unique() if exact else column.approx_n_unique()}


def _row(
    data: pl.DataFrame | pl.LazyFrame, aggregates: Mapping[str, Mapping[str, pl.Expr]]
) -> dict[str, dict[str, Any]]:
    """The aggregates of each column, in one query."""
    expressions = [
        expression.alias(f"{place} {what}")
        for place, one in enumerate(aggregates.values())
        for what, expression in one.items()
    ]
    if not expressions:
        return {name: {} for name in aggregates}
    row = _collect(data.select(expressions)).row(0, named=True)
    return {
        name: {what: row[f"{place} {what}"] for what in one}
        for place, (name, one) in enumerate(aggregates.items())
    }


def _collect(data: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame:
    # Of a frame in memory, Polars makes no plan to be optimised, which takes long for thousands.
    import polars as pl

    return data.collect(engine="streaming") if isinstance(data, pl.LazyFrame) else data


def _reading(kind: Kind, rows: int, figures: Mapping[str, Any]) -> ColumnReading:
    cells = rows - int(figures["nulls"])
    low, high = figures.get("low"), figures.get("high")
    pairs: list[tuple[Any, int]] = []
    if kind == "boolean":
        pairs = [(True, int(figures["ones"] or 0)), (False, cells - int(figures["ones"] or 0))]
    elif kind == "number" and cells and int(figures["zeros"]) + int(figures["ones"]) == cells:
        pairs = [(0, int(figures["zeros"])), (1, int(figures["ones"]))]
    elif cells or kind == "other":
        return ColumnReading(cells, None, low, high)
    counts = tuple((value, count) for value, count in pairs if count)
    return ColumnReading(cells, len(counts), low, high, counts)


def _counts(
    data: pl.DataFrame | pl.LazyFrame, few: Mapping[str, Kind]
) -> Iterable[tuple[str, tuple[tuple[Any, int], ...]]]:
    """The most frequent values of columns: in memory in one query, else one column at a time."""
    import polars as pl

    if few and isinstance(data, pl.DataFrame):
        expressions = []
        for name, kind in few.items():
            pairs = _kept(name, kind).drop_nulls().value_counts(name="count")
            fields = [pairs.struct.field("count"), pairs.struct.field(name)]
            expressions.append(
                pairs.sort_by(fields, descending=[True, False]).head(MAX_VALUES + 1).implode()
            )
        row = data.select(expressions).row(0, named=True)
        for name in few:
            yield name, tuple((pair[name], pair["count"]) for pair in row[name])
        return
    for name, kind in few.items():
        column = _kept(name, kind).drop_nulls().alias("value")
        groups = data.lazy().select(column).group_by("value").agg(pl.len().alias("count"))
        top = groups.sort("count", "value", descending=[True, False]).head(MAX_VALUES + 1)
        yield name, tuple(_collect(top).rows())


def _kept(name: str, kind: Kind) -> pl.Expr:
    import polars as pl

    column = pl.col(name)
    if kind != "text":
        return column
    long = column.str.len_chars() > CELL_KEPT
    return pl.when(long).then(column.str.head(CELL_KEPT - 1) + "…").otherwise(column).alias(name)
