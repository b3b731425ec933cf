"""How far a cell lies from the others of its column, by the ways of textbooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

Rule = Literal["z-score", "robust z-score", "iqr"]
MAD, MEAN_AD = 1.482602218505602, 1.2533141373155001
"""What the median and mean absolute deviation are multiplied by to estimate a normal deviation."""

HAIR = 1e-9
"""Of the range of a column: what distances are counted in where its quartiles are equal."""


def cell_of(name: str) -> pl.Expr:
    """The cell as a float; null where it is not finite."""
    import polars as pl

    cell = pl.col(name).cast(pl.Float64)
    return pl.when(cell.is_finite()).then(cell)


def _where_varied(cell: pl.Expr, distance: pl.Expr) -> pl.Expr:
    """No cell of a constant column is strange, however its mean was rounded."""
    import polars as pl

    return pl.when(cell.min() == cell.max()).then(cell - cell).otherwise(distance)


def _deviations(cell: pl.Expr, ddof: int = 1) -> pl.Expr:
    return _where_varied(cell, (cell - cell.mean()).abs() / cell.std(ddof))


def population_deviations(cell: pl.Expr) -> pl.Expr:
    """Standard deviations from the mean, of a population."""
    return _deviations(cell, ddof=0)


def _from_median(cell: pl.Expr) -> pl.Expr:
    return (cell - cell.median()).abs()


def _robust_deviations(cell: pl.Expr) -> pl.Expr:
    """By the median absolute deviation, or by the mean one where that is zero."""
    import polars as pl

    away = _from_median(cell)
    tight, wide = MAD * away.median(), MEAN_AD * away.mean()
    return _where_varied(cell, away / pl.when(tight > 0).then(tight).otherwise(wide))


def _width(cell: pl.Expr) -> pl.Expr:
    return cell.quantile(0.75, "linear") - cell.quantile(0.25, "linear")


def _ranges(cell: pl.Expr) -> pl.Expr:
    """How many interquartile ranges a cell is outside the quartiles.

    Where the quartiles are equal every other cell is beyond any fence, as the rule has it.
    """
    import polars as pl

    low, high, width = cell.quantile(0.25, "linear"), cell.quantile(0.75, "linear"), _width(cell)
    beyond = pl.when(cell < low).then(low - cell).when(cell > high).then(cell - high)
    width = pl.when(width > 0).then(width).otherwise((cell.max() - cell.min()) * HAIR)
    return _where_varied(cell, beyond.otherwise(cell - cell) / width)


DISTANCES: Mapping[Rule, Callable[[pl.Expr], pl.Expr]] = {
    "z-score": _deviations,
    "robust z-score": _robust_deviations,
    "iqr": _ranges,
}
WIDTHS: Mapping[Rule, Callable[[pl.Expr], pl.Expr]] = {
    "robust z-score": lambda cell: _from_median(cell).median(),
    "iqr": _width,
}


def strangest(
    frame: pl.DataFrame, names: Sequence[str], distance: Callable[[str], pl.Expr]
) -> tuple[pl.Series, pl.Series]:
    """The distance of each row's strangest cell, and its column.

    Args:
        frame: The rows.
        names: Columns that are looked at, one at a time, so that no more than one is held beside
            the table.
        distance: What a column's distances are.
    """
    import polars as pl

    best = pl.repeat(None, len(frame), dtype=pl.Float64, eager=True)
    column = pl.repeat(None, len(frame), dtype=pl.Int32, eager=True)
    for place, name in enumerate(names):
        pair = frame.select(distance(name).alias("distance")).with_columns(best=best, column=column)
        further = pl.col("distance") > pl.col("best").fill_null(-1.0)
        found = pair.select(
            pl.max_horizontal("distance", "best"),
            pl.when(further).then(pl.lit(place, pl.Int32)).otherwise("column").alias("column"),
        )
        best, column = found.to_series(0), found.to_series(1)
    return best, column
