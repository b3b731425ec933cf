"""Distinct values of columns, for whoever looks a word of a question up among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.profiling.sampled import is_here, is_projection, sample_rows
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

SECONDS = 5.0
"""A database is asked no longer for the values of a column."""


def distinct_values(table: Table, columns: Sequence[str], most: int) -> dict[str, list[Any]]:
    """The values of some columns, each once and in no order; nulls are none.

    On other engines than Polars, and over a network, a column of which a sample has too many
    values is not asked for, nor one of a database that takes long; of what is derived there the
    sample's values are given.

    Args:
        table: The table.
        columns: Which.
        most: A column with more values has one more than that, none of them telling.
    """
    if is_here(table):
        return _of_polars(table, columns, most)
    sample, rows = sample_rows(table, columns), table.count()
    results: dict[str, list[Any]] = {}
    for name in columns:
        cells = sample[name].drop_nulls()
        values = cells.unique().to_list()
        if len(sample) >= rows:
            results[name] = values
        elif len(values) > len(cells) / 2 and len(values) * rows > most * len(sample):
            results[name] = [None] * (most + 1)
        elif not table.frame.implementation.is_ibis():
            results[name] = _of_query(table, name, most)
        else:
            results[name] = _of_database(table, name, most) if is_projection(table) else values
    return results


def _of_polars(table: Table, columns: Sequence[str], most: int) -> dict[str, list[Any]]:
    import polars as pl

    query: pl.LazyFrame = nw.to_native(table.frame.select(*columns))
    few = [pl.col(c).drop_nulls().unique().head(most + 1).implode() for c in columns]
    row = query.select(few).collect()
    return {column: row[column][0].to_list() for column in columns}


def _of_query(table: Table, column: str, most: int) -> list[Any]:
    query = table.frame.select(column).group_by(column).agg().head(most + 1)
    cells: list[Any] = query.collect()[column].drop_nulls().to_list()
    return cells


def _of_database(table: Table, column: str, most: int) -> list[Any]:
    native: Any = nw.to_native(table.frame.select(column))
    try:
        cells: pl.DataFrame = native.distinct().limit(most + 1).to_polars(seconds=SECONDS)
    except ActionError:
        return [None] * (most + 1)
    return cells[column].drop_nulls().to_list()
