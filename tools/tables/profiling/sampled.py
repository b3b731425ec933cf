"""Samples: some rows of tables that are large, or stand elsewhere, for whoever need not see all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import MAX_CELLS, Table, is_polars

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
    """Some rows of columns: all of a small table, else by blocks or by chance, else the first.

    Args:
        table: A query of another engine than Polars, or over a network.
        columns: What is read.
    """
    rows, most = table.count(), _most(columns)
    if rows > most:
        try:
            sample = _by_chance(table, columns, most / rows, most)
            if sample is not None and len(sample):
                return sample
        except ActionError:  # a view has no blocks
            pass
    return first_rows(table, columns)


def is_here(table: Table) -> bool:
    """Whether a table's cells are read by Polars on this machine, which takes no long time."""
    return is_polars(table.frame) and not table.remote


def _by_chance(
    table: Table, columns: Sequence[str], share: float, most: int
) -> pl.DataFrame | None:
    """A share of the rows; None where rows have no blocks, or all would come over a network."""
    engine = table.frame.implementation
    if engine.is_polars():
        return None
    native: Any = nw.to_native(table.frame.select(*columns))
    if engine.is_ibis():
        import ibis.expr.operations as ops

        if not is_projection(table):
            return None
        (leaf,) = native.op().find(ops.DatabaseTable)
        some = native.op().replace({leaf: ops.Sample(leaf, SPARE * share, "block", SEED)})
        return cast("pl.DataFrame", some.to_expr().limit(most).to_polars())
    if engine.is_duckdb():
        sample = f"TABLESAMPLE bernoulli({100 * share} PERCENT) REPEATABLE ({SEED})"
        native = native.query("sampled", f"SELECT * FROM sampled {sample}")
    else:
        native = native.sample(share, seed=SEED)
    return cast("pl.DataFrame", nw.to_native(nw.from_native(native).collect("polars")))


def first_rows(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """The first rows of columns, as many as of any sample."""
    return cast("pl.DataFrame", nw.to_native(first_of(table, columns).collect("polars")))


def first_of(table: Table, columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """A query over the first rows of columns."""
    return table.frame.select(*columns).head(_most(columns))


def is_large(table: Table) -> bool:
    """Whether a table has so many rows that plans are tried on a sample of them."""
    cells = MAX_CELLS if is_here(table) else LARGE
    rows, columns = table.count(), len(table.columns)
    return rows > _most(table.columns) and rows * columns > cells


def judge_by(table: Table, columns: Sequence[str]) -> nw.DataFrame[Any]:
    """Rows by which a guess is made: all, or on other engines than Polars some."""
    if not is_here(table):
        return nw.from_native(sample_rows(table, columns), eager_only=True)
    return table.frame.select(*columns).collect()


def scale_profile(profile: ColumnProfile, cells: pl.Series, rows: int) -> ColumnProfile:
    """What a sample tells of all rows.

    How many values there are is estimated by how many the sample has once and twice (Chao, 1984,
    with the correction for bias), and is no more than there are cells.

    Args:
        profile: Of the sample.
        cells: The sample's cells of the column.
        rows: How many rows there are.
    """
    count, distinct = len(cells), profile.distinct
    if count >= rows:
        return profile
    nulls = round(profile.nulls * rows / max(count, 1))
    if distinct is not None:
        times = cells.drop_nulls().value_counts()["count"]
        once, twice = int((times == 1).sum()), int((times == 2).sum())
        unseen = once * (once - 1) / (2 * (twice + 1))
        distinct = min(distinct + round(unseen), rows - nulls)
    return profile.model_copy(
        update={"rows": rows, "nulls": nulls, "distinct": distinct, "read": count}
    )


def is_projection(table: Table) -> bool:
    """Whether a query of a database only chooses and casts columns of one of its tables."""
    import ibis.expr.operations as ops

    native: Any = nw.to_native(table.frame)
    kinds = [type(one) for one in native.op().find(ops.Relation)]
    return kinds.count(ops.DatabaseTable) == 1 and {*kinds} <= {ops.Project, ops.DatabaseTable}


def _most(columns: Sequence[str]) -> int:
    return max(FEWEST_READ, min(ROWS_READ, CELLS_READ // max(len(columns), 1)))
