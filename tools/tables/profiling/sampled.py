"""Profiling of tables that stand in a database, by a sample of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import Table, is_polars

if TYPE_CHECKING:
    import polars as pl

ROWS_READ = 50_000
CELLS_READ = 4_000_000
FEWEST_READ = 2_000
"""Rows of however wide a table."""
SPARE = 1.2
"""Blocks hold more rows or fewer than on average."""


def sample_rows(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """Some rows of columns: all of a small table, else by blocks of a base table, else the first.

    Args:
        table: A query of another engine than Polars.
        columns: What is read.
    """
    most = max(FEWEST_READ, min(ROWS_READ, CELLS_READ // max(len(columns), 1)))
    if not table.frame.implementation.is_ibis():
        return cast(
            "pl.DataFrame", nw.to_native(table.frame.select(*columns).head(most).collect("polars"))
        )
    import ibis.expr.operations as ops

    native: Any = nw.to_native(table.frame.select(*columns))
    asked, rows = native.op(), table.count()
    if rows > most and is_projection(table):
        (leaf,) = asked.find(ops.DatabaseTable)
        some = ops.Sample(leaf, SPARE * most / rows, "block", None)
        try:
            return _read(asked.replace({leaf: some}).to_expr(), most)
        except ActionError:  # a view has no blocks
            pass
    return _read(native, most)


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


def _read(native: Any, most: int) -> pl.DataFrame:
    made: pl.DataFrame = native.limit(most).to_polars()
    return made
