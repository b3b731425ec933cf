"""What tells strange rows: rules of textbooks, the forms of texts, and models of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from wideleaf.tools.actions.learning.matrix import Matrix, fit_matrix
from wideleaf.tools.conditions.literals import NUMBER, finite_cell
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.detecting.anomaly import Anomaly

Array = np.ndarray[Any, Any]
Aggregate = Callable[[Any], Any]
"""From an expression of Polars, or of the engine, to its one value."""
MAD, MEAN_AD = 1.482602218505602, 1.2533141373155001
"""What the median and mean absolute deviation are multiplied by to estimate a normal deviation."""
HAIR = 1e-9
"""Of the range of a column: what distances are counted in where its quartiles are equal."""
COLUMNS_AT_ONCE = 500
FORMS: Mapping[str, str] = {
    "number": NUMBER.removesuffix("$") + "%?$",
    "date": r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?$",
    "time": r"^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$",
    "words": r"^[^0-9]*\p{L}[^0-9]*$",
    "code": r"^.*\d.*$",
}
"""A cell is of the first form that fits it; of none of them it is signs."""
SIGNS = "signs"
FITTED = {"isolation forest": 100_000, "local outlier factor": 20_000}
"""Of more rows so many are fitted, and the others scored by what that told."""
ALONE = {"isolation forest": 0.5, "local outlier factor": 1.0}
"""The score of a row among equal ones."""


class Rule(NamedTuple):
    """How far a cell lies from the others of its column: outside of what, counted in what.

    Attributes:
        low: Below it is outside.
        high: Above it is outside.
        width: What the distance is counted in.
        other: What it is counted in where that is zero.
        from_low: Whether these two are of the distances from `low`, or of the cells.
    """

    low: Aggregate
    high: Aggregate
    width: Aggregate
    other: Aggregate
    from_low: bool = False


def _quantile(share: float) -> Aggregate:
    return lambda cell: cell.quantile(share, interpolation="linear")


def _deviation(ddof: int) -> Rule:
    def width(cell: Any) -> Any:
        return cell.std(ddof=ddof)

    return Rule(lambda cell: cell.mean(), lambda cell: cell.mean(), width, width)


POPULATION = "population"
RULES: Mapping[str, Rule] = {
    "z-score": _deviation(1),
    POPULATION: _deviation(0),
    "robust z-score": Rule(
        low=lambda cell: cell.median(),
        high=lambda cell: cell.median(),
        width=lambda away: away.median() * MAD,
        other=lambda away: away.mean() * MEAN_AD,
        from_low=True,
    ),
    # Where the quartiles are equal every other cell is beyond any fence, as the rule has it.
    "iqr": Rule(
        low=_quantile(0.25),
        high=_quantile(0.75),
        width=lambda cell: _quantile(0.75)(cell) - _quantile(0.25)(cell),
        other=lambda cell: (cell.max() - cell.min()) * HAIR,
    ),
}


def distance_within(name: str, rule: Rule) -> pl.Expr:
    """How far each cell of a column of a frame lies from the others.

    Args:
        name: The column.
        rule: What far is.
    """
    cell = cell_of(name)
    low, width = rule.low(cell), _width(cell, rule)
    other = rule.other((cell - low).abs() if rule.from_low else cell)
    width = pl.when(width > 0).then(width).otherwise(other)
    return _outside(cell, low, rule.high(cell), width, cell.min() == cell.max())


def half_equal(name: str, rule: Rule) -> pl.Expr:
    """Whether a column varies, but with no width, for half or more of its cells are equal."""
    cell = cell_of(name)
    tight: pl.Expr = _width(cell, rule) == 0
    return tight & (cell.min() != cell.max()) & cell.is_not_null()


def find_distances(table: Table, names: Sequence[str], rule: Rule) -> dict[str, pl.Expr]:
    """How far cells lie from the others, which the engine looks at, so that no column is held.

    Args:
        table: The table.
        names: Columns of numbers and booleans.
        rule: What far is.
    """
    ends = {
        "low": rule.low, "high": rule.high,
        "min": lambda cell: cell.min(), "max": lambda cell: cell.max(),
    }  # fmt: skip
    widths = {"width": rule.width, "other": rule.other}
    distances: dict[str, pl.Expr] = {}
    for first in range(0, len(names), COLUMNS_AT_ONCE):
        chunk = names[first : first + COLUMNS_AT_ONCE]
        places = [str(place) for place in range(len(chunk))]
        cells = table.frame.select(
            finite_cell(table, name).alias(place) for name, place in zip(chunk, places, strict=True)
        )
        row = _ask(cells, places, ends if rule.from_low else {**ends, **widths})
        if rule.from_low:
            away = ((nw.col(one) - (row[one, "low"] or 0.0)).abs() for one in places)
            row |= _ask(cells.with_columns(*away), places, widths)
        for name, one in zip(chunk, places, strict=True):
            low, high, least, most, width, other = (row[one, what] for what in (*ends, *widths))
            distances[name] = _outside(
                cell_of(name), low, high, pl.lit(width or other or None), pl.lit(least == most)
            )
    return distances


def cell_of(name: str) -> pl.Expr:
    """The cell as a float; null where it is not finite."""
    cell = pl.col(name).cast(pl.Float64)
    return pl.when(cell.is_finite()).then(cell)


def _width(cell: pl.Expr, rule: Rule) -> Any:
    return rule.width((cell - rule.low(cell)).abs() if rule.from_low else cell)


def _outside(cell: pl.Expr, low: Any, high: Any, width: pl.Expr, constant: pl.Expr) -> pl.Expr:
    """No cell of a constant column is strange, however its mean was rounded."""
    beyond = pl.max_horizontal(low - cell, cell - high, 0.0)
    there = pl.when(cell.is_not_null())
    return there.then(pl.when(constant).then(0.0).otherwise(beyond / width))


def _ask(
    frame: nw.LazyFrame[Any], places: Sequence[str], aggregates: Mapping[str, Aggregate]
) -> dict[tuple[str, str], float | None]:
    keys = [(place, what) for place in places for what in aggregates]
    selection = (aggregates[what](nw.col(place)).alias(f"{place} {what}") for place, what in keys)
    return dict(zip(keys, frame.select(*selection).collect().row(0), strict=True))


def strangest(frame: pl.DataFrame, distances: Mapping[str, pl.Expr]) -> tuple[pl.Series, pl.Series]:
    """The distance of each row's strangest cell, and the place of its column.

    Args:
        frame: The rows.
        distances: Those of each column that is looked at, one at a time, so that no more than one
            is held beside the table.
    """
    best = pl.repeat(None, len(frame), dtype=pl.Float64, eager=True)
    column = pl.repeat(None, len(frame), dtype=pl.Int32, eager=True)
    for place, distance in enumerate(distances.values()):
        pair = frame.select(distance.alias("distance")).with_columns(best=best, column=column)
        further = pl.col("distance") > pl.col("best").fill_null(-1.0)
        winners = pair.select(
            pl.max_horizontal("distance", "best"),
            pl.when(further).then(pl.lit(place, pl.Int32)).otherwise("column").alias("column"),
        )
        best, column = winners.to_series(0), winners.to_series(1)
    return best, column


def find_form_distances(table: Table, names: Sequence[str]) -> dict[str, pl.Expr]:
    """How common the form is that a cell has not; 0 of a cell of the commonest form.

    Args:
        table: The table.
        names: Columns of text; forms are counted over their different values.
    """
    distances: dict[str, pl.Expr] = {}
    for name in names:
        values = table.frame.select(nw.col(name).cast(nw.String).alias("value")).drop_nulls()
        counts = values.group_by("value").agg(nw.len().alias("count")).collect("polars")
        cells: pl.DataFrame = nw.to_native(counts)
        formed = cells.select(_form_of("value").alias("form"), "count").drop_nulls()
        sums = formed.group_by("form").agg(pl.col("count").sum()).sort("count", "form").rows()
        common, count = sums[-1] if sums else ("", 0)
        form, share = _form_of(name), count / max(formed["count"].sum(), 1)
        distances[name] = pl.when(form == common).then(0.0).when(form.is_not_null()).then(share)
    return distances


def _form_of(name: str) -> pl.Expr:
    """The form of a text; null of an empty one."""
    text = pl.col(name).cast(pl.String).str.strip_chars()
    branches: Any = pl.when(text.str.len_bytes() == 0).then(None)
    for form, pattern in FORMS.items():
        branches = branches.when(text.str.contains(pattern)).then(pl.lit(form))
    return pl.when(text.is_not_null()).then(branches.otherwise(pl.lit(SIGNS)))


class Model(NamedTuple):
    """A model of rows among others.

    Attributes:
        matrix: How rows become numbers.
        score: How strange each row of standardised cells is.
        fitted: How many rows were fitted.
    """

    matrix: Matrix
    score: Callable[[Array], Array]
    fitted: int


def fit_model(action: Anomaly, table: Table) -> Model:
    """Fit a model to the whole rows, or to a sample drawn evenly from a fixed seed.

    Args:
        action: The resolved action.
        table: The table.
    """
    forest = action.method == "isolation forest"
    matrix = fit_matrix(table, action.columns, scale=not forest, nulls="drop", purpose="Anomaly")
    if forest:  # it cuts between values as they are
        matrix = matrix._replace(centre=matrix.centre * 0, scale=matrix.scale * 0 + 1)
    cells = matrix.sample(table, FITTED[action.method], 0)
    if len(cells) < 2 or not cells.shape[1]:
        return Model(matrix, lambda rows: np.full(len(rows), ALONE[action.method]), len(cells))
    if forest:
        return Model(matrix, _forest(cells), len(cells))
    return Model(matrix, _neighbourhood(cells, action.neighbours), len(cells))


def _forest(cells: Array) -> Callable[[Array], Array]:
    """How easily random cuts part a row from the others, from 0 to 1 (Liu, Ting, Zhou 2008)."""
    from sklearn.ensemble import IsolationForest  # type: ignore[import-untyped]

    forest = IsolationForest(random_state=0).fit(cells)
    # Rounded, since equal rows score a half but for the last digits.
    return lambda rows: np.round(-forest.score_samples(rows), 12)


def _neighbourhood(cells: Array, neighbours: int) -> Callable[[Array], Array]:
    """How much thinner it is around a row than around its neighbours (Breunig et al. 2000)."""
    from sklearn.neighbors import LocalOutlierFactor  # type: ignore[import-untyped]

    model = LocalOutlierFactor(n_neighbors=min(neighbours, len(cells) - 1), novelty=True).fit(cells)

    def score(rows: Array) -> Array:
        place = model.kneighbors(rows, 1, return_distance=False)[:, 0]
        scores: Array = -model.negative_outlier_factor_[place]
        new = (rows != cells[place]).any(axis=1)  # a row that was fitted is nearest to itself
        if new.any():
            scores[new] = -model.score_samples(rows[new])
        return scores

    return score
