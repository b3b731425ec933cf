"""Scales: ways to put numbers on one scale, as expressions over a column's cells and statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import narwhals as nw

Method = Literal["z-score", "min-max", "robust", "max-abs", "log", "log1p", "log10", "rank"]
SPELLINGS: Mapping[str, Method] = {
    "zscore": "z-score",
    "z score": "z-score",
    "z": "z-score",
    "standard": "z-score",
    "standardise": "z-score",
    "standardize": "z-score",
    "standard score": "z-score",
    "minmax": "min-max",
    "min max": "min-max",
    "iqr": "robust",
    "maxabs": "max-abs",
    "max abs": "max-abs",
    "ln": "log",
    "natural log": "log",
    "log 1p": "log1p",
    "log 10": "log10",
    "percentile": "rank",
    "percent rank": "rank",
    "quantile": "rank",
}
Statistic = Literal[
    "mean", "sample deviation", "deviation", "low", "high", "median", "lower quartile",
    "upper quartile", "rank", "count",
]  # fmt: skip
STATISTICS: Mapping[Statistic, Callable[[nw.Expr], nw.Expr]] = {
    "mean": nw.Expr.mean,
    "sample deviation": lambda cell: cell.std(ddof=1),
    "deviation": lambda cell: cell.std(ddof=0),
    "low": nw.Expr.min,
    "high": nw.Expr.max,
    "median": nw.Expr.median,
    "lower quartile": lambda cell: cell.quantile(0.25, interpolation="linear"),
    "upper quartile": lambda cell: cell.quantile(0.75, interpolation="linear"),
    "rank": lambda cell: cell.rank("average"),
    "count": lambda cell: cell.count().cast(nw.Int64),
}
"""Of the cells of a column, or of those of a group."""


class ScaleColumn(NamedTuple):
    """A column to be put on a scale.

    Attributes:
        cell: Its cell; null where it is no finite number.
        of: The statistics that the scale asks for, beside each cell.
        low: Where the scale begins, if it has ends.
        high: Where it ends.
    """

    cell: nw.Expr
    of: Mapping[Statistic, nw.Expr]
    low: float = 0.0
    high: float = 1.0


class Scale(NamedTuple):
    """A way to put numbers on a scale.

    Attributes:
        stem: What a new column's name begins with.
        asks: The statistics that it needs; none if each cell is scaled by itself.
        build: Makes the scaled cell.
        still: Whether the cells differ too little to be scaled.
        then: What becomes of them then, in words.
    """

    stem: str
    asks: tuple[Statistic, ...]
    build: Callable[[ScaleColumn], nw.Expr]
    still: Callable[[ScaleColumn], nw.Expr] | None = None
    then: str = ""


def _constant(one: ScaleColumn) -> nw.Expr:
    """Whether all cells are equal, however their mean was rounded."""
    return one.of["low"] == one.of["high"]


def _narrow(one: ScaleColumn) -> nw.Expr:
    return one.of["lower quartile"] == one.of["upper quartile"]


def _z_score(one: ScaleColumn) -> nw.Expr:
    spread = next(one.of[name] for name in ("sample deviation", "deviation") if name in one.of)
    away = (one.cell - one.of["mean"]) / spread
    return nw.when(_constant(one)).then(one.cell * 0.0).otherwise(away)


def _min_max(one: ScaleColumn) -> nw.Expr:
    share = (one.cell - one.of["low"]) / (one.of["high"] - one.of["low"])
    scaled = one.low + share * (one.high - one.low)
    return nw.when(_constant(one)).then(one.cell * 0.0 + one.low).otherwise(scaled)


def _robust(one: ScaleColumn) -> nw.Expr:
    away = one.cell - one.of["median"]
    width = one.of["upper quartile"] - one.of["lower quartile"]
    return nw.when(_narrow(one)).then(away).otherwise(away / width)


def _max_abs(one: ScaleColumn) -> nw.Expr:
    largest = nw.max_horizontal(one.of["high"], 0.0 - one.of["low"])
    return nw.when(largest > 0).then(one.cell / largest).otherwise(one.cell)


def _log(one: ScaleColumn) -> nw.Expr:
    return nw.when(one.cell > 0).then(one.cell).log()


def _log10(one: ScaleColumn) -> nw.Expr:
    return _log(one) / math.log(10)


def _log1p(one: ScaleColumn) -> nw.Expr:
    """The logarithm of 1 + x; of a small x the rounding of the sum is taken out again."""
    cell = nw.when(one.cell > -1).then(one.cell)
    more = 1.0 + cell
    return nw.when(more == 1.0).then(cell).otherwise(more.log() * (cell / (more - 1.0)))


def _rank(one: ScaleColumn) -> nw.Expr:
    others = one.of["count"] - 1
    share = (one.of["rank"] - 1.0) / others
    return nw.when(others > 0).then(share).otherwise(one.cell * 0.0 + 0.5)


SCALES: Mapping[Method, Scale] = {
    "z-score": Scale(
        "z", ("mean", "sample deviation", "low", "high"), _z_score, _constant, "are 0"
    ),
    "min-max": Scale("scaled", ("low", "high"), _min_max, _constant, "are {low:g}"),
    "robust": Scale(
        "robust", ("median", "lower quartile", "upper quartile"), _robust, _narrow,
        "are only centred, for their quartiles are equal",
    ),
    "max-abs": Scale("scaled", ("low", "high"), _max_abs),
    "log": Scale("log", (), _log),
    "log1p": Scale("log1p", (), _log1p),
    "log10": Scale("log10", (), _log10),
    "rank": Scale("rank", ("rank", "count"), _rank),
}  # fmt: skip
