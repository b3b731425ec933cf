"""Samples: some rows of tables that are large, or stand elsewhere, for whoever need not see all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import MOST_CELLS, Table, is_polars

if TYPE_CHECKING:
    import polars as pl

ROWS_READ = 50_000
CELLS_READ = 4_000_000
FEWEST_READ = 2_000
"""Rows of however wide a table."""
LARGE = 2_000_000
"""Cells of a table of another engine than Polars, beyond which plans are tried on a sample."""
SEED = 1
"""Of the same state a database gives the same sample, so that a question has one plan."""
SPARE = 1.2
"""Blocks hold more rows or fewer than on average."""


def sample_rows(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """Some rows of columns: all of a small table, else by blocks of a base table, else the first.

    Args:
        table: A query of another engine than Polars.
        columns: What is read.
    """
    if not table.frame.implementation.is_ibis():
        return first_rows(table, columns)
    import ibis.expr.operations as ops

    native: Any = nw.to_native(table.frame.select(*columns))
    asked, rows, most = native.op(), table.count(), _most(columns)
    if rows > most and is_projection(table):
        (leaf,) = asked.find(ops.DatabaseTable)
        some = ops.Sample(leaf, SPARE * most / rows, "block", SEED)
        try:
            made: pl.DataFrame = asked.replace({leaf: some}).to_expr().limit(most).to_polars()
            if len(made):
                return made
        except ActionError:  # a view has no blocks
            pass
    return first_rows(table, columns)


def first_rows(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """The first rows of columns, as many as of any sample."""
    rows = table.frame.select(*columns).head(_most(columns)).collect("polars")
    return cast("pl.DataFrame", nw.to_native(rows))


def is_large(table: Table) -> bool:
    """Whether a table has so many rows that plans are tried on a sample of them."""
    cells = MOST_CELLS if is_polars(table.frame) else LARGE
    rows, columns = table.count(), len(table.columns)
    return rows > _most(table.columns) and rows * columns > cells


def judge_by(table: Table, columns: Sequence[str]) -> nw.DataFrame[Any]:
    """Rows by which a guess is made: all, or on other engines than Polars some."""
    if not is_polars(table.frame):
        return nw.from_native(sample_rows(table, columns), eager_only=True)
    return table.frame.select(*columns).collect()


def scale_profile(profile: ColumnProfile, read: int, rows: int) -> ColumnProfile:
    """What a sample tells of all rows.

    Args:
        profile: Of the rows that were read.
        read: How many.
        rows: How many there are.
    """
    if read >= rows:
        return profile
    cells = read - profile.nulls
    distinct = profile.distinct
    if distinct is not None and cells and distinct > cells / 2:  # most values stand in it once
        distinct = round(distinct * rows / read)
    nulls = round(profile.nulls * rows / max(read, 1))
    return profile.model_copy(
        update={"rows": rows, "nulls": nulls, "distinct": distinct, "read": read}
    )


def is_projection(table: Table) -> bool:
    """Whether a query of a database only chooses and casts columns of one of its tables."""
    import ibis.expr.operations as ops

    native: Any = nw.to_native(table.frame)
    kinds = [type(one) for one in native.op().find(ops.Relation)]
    return kinds.count(ops.DatabaseTable) == 1 and {*kinds} <= {ops.Project, ops.DatabaseTable}


def _most(columns: Sequence[str]) -> int:
    return max(FEWEST_READ, min(ROWS_READ, CELLS_READ // max(len(columns), 1)))
