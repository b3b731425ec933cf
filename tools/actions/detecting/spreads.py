"""Where most cells of a column lie, found by the engine, so that no column is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.detecting.distances import HAIR, MAD, MEAN_AD, Rule, cell_of
from wideleaf.tools.conditions.literals import finite_cell
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

COLUMNS_AT_ONCE = 500
Row = Mapping[str, float | None]
_EDGES: Mapping[str, Callable[[nw.Expr], nw.Expr]] = {"min": nw.Expr.min, "max": nw.Expr.max}
_ASKED: Mapping[Rule, Mapping[str, Callable[[nw.Expr], nw.Expr]]] = {
    "z-score": {**_EDGES, "mean": nw.Expr.mean, "std": nw.Expr.std},
    "robust z-score": {**_EDGES, "median": nw.Expr.median},
    "iqr": {
        **_EDGES,
        "low": lambda cell: cell.quantile(0.25, interpolation="linear"),
        "high": lambda cell: cell.quantile(0.75, interpolation="linear"),
    },
}
_AWAY = {"median": nw.Expr.median, "mean": nw.Expr.mean}


class Spread(NamedTuple):
    """Where most cells lie: a cell is as far as it is outside, in widths.

    Attributes:
        low: Below it is outside.
        high: Above it is outside.
        width: What the distance is counted in; None where there is no telling.
        constant: Whether all cells are equal.
    """

    low: float
    high: float
    width: float | None
    constant: bool

    def distance(self, name: str) -> pl.Expr:
        """How far a column's cells lie outside."""
        import polars as pl

        cell = cell_of(name)
        if self.constant:
            return cell - cell
        if self.width is None:
            return pl.lit(None, dtype=pl.Float64)
        beyond = pl.max_horizontal(self.low - cell, cell - self.high, pl.lit(0.0))
        return pl.when(cell.is_not_null()).then(beyond / self.width)


def find_spreads(
    table: Table, names: Sequence[str], rule: Rule, *, population: bool = False
) -> dict[str, Spread]:
    """The spread of each column, by its finite cells.

    Args:
        table: The table.
        names: Columns of numbers and booleans.
        rule: How distances are counted.
        population: Whether a standard deviation is that of a population.
    """
    asked = {**_ASKED[rule]}
    if population:
        asked["std"] = lambda cell: cell.std(ddof=0)
    found: dict[str, Spread] = {}
    for first in range(0, len(names), COLUMNS_AT_ONCE):
        chunk = names[first : first + COLUMNS_AT_ONCE]
        cells = table.frame.select(
            *(finite_cell(table, name).alias(str(place)) for place, name in enumerate(chunk))
        )
        row = _ask(cells, len(chunk), asked)
        away: Row = {}
        if rule == "robust z-score":
            middles = (row[f"{place} median"] or 0.0 for place in range(len(chunk)))
            far = [
                (nw.col(str(p)) - middle).abs().alias(str(p)) for p, middle in enumerate(middles)
            ]
            away = _ask(cells.select(*far), len(chunk), _AWAY)
        for place, name in enumerate(chunk):
            low, high, width = _MADE[rule](row, away, f"{place} ")
            constant = row[f"{place} min"] == row[f"{place} max"]
            found[name] = Spread(low or 0.0, high or 0.0, width or None, constant)
    return found


def _by_deviation(row: Row, away: Row, key: str) -> tuple[float | None, float | None, float | None]:
    return row[key + "mean"], row[key + "mean"], row[key + "std"]


def _by_median(row: Row, away: Row, key: str) -> tuple[float | None, float | None, float | None]:
    middle, tight, wide = row[key + "median"], away[key + "median"], away[key + "mean"]
    return middle, middle, MAD * tight if tight else MEAN_AD * (wide or 0.0)


def _by_quartiles(row: Row, away: Row, key: str) -> tuple[float | None, float | None, float | None]:
    low, high = row[key + "low"], row[key + "high"]
    if low is None or high is None:
        return low, high, None
    whole = (row[key + "max"] or 0.0) - (row[key + "min"] or 0.0)
    return low, high, high - low or whole * HAIR


_MADE = {"z-score": _by_deviation, "robust z-score": _by_median, "iqr": _by_quartiles}


def _ask(
    frame: nw.LazyFrame[Any], columns: int, asked: Mapping[str, Callable[[nw.Expr], nw.Expr]]
) -> Row:
    wanted = [
        aggregate(nw.col(str(place))).alias(f"{place} {what}")
        for place in range(columns)
        for what, aggregate in asked.items()
    ]
    row: Row = frame.select(*wanted).collect().rows(named=True)[0]
    return row
