"""The matrix of some columns: what is a number of each row, centred and scaled, by batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, caveats_of_columns
from wideleaf.tools.tables.batches import read_batches
from wideleaf.tools.tables.table import Table, count_where

Array = np.ndarray[Any, Any]
MAX_LEVELS = 20
"""A text of more values is no category."""


class Feature(NamedTuple):
    """A column of numbers, or a level of a column of text, which is 1 or 0.

    Attributes:
        place: Which of the columns it is of.
        name: Its own, or ``column = level``.
        level: The level; None of a number.
    """

    place: int
    name: str
    level: str | None = None


class Matrix(NamedTuple):
    """How rows become numbers; of the rows that take part.

    Attributes:
        purpose: Who asks.
        columns: The columns it is of: numbers, booleans and texts of few levels.
        known: All features, in the order of the columns.
        means: The mean of each of them.
        varies: Which of them vary.
        centre: The mean of each that varies.
        scale: What its deviations are divided by.
        variance: That of a sample, nulls as they count.
        mean_for_null: Whether a null counts as the mean, or its row takes no part.
        rows: How many take part.
        lost: How many do not.
        filled: How many nulls count as the mean.
    """

    purpose: str
    columns: tuple[str, ...]
    known: tuple[Feature, ...]
    means: Array
    varies: Array
    centre: Array
    scale: Array
    variance: Array
    mean_for_null: bool
    rows: int
    lost: int
    filled: int

    @property
    def features(self) -> list[str]:
        """The names of those that vary."""
        return [one.name for one, varies in zip(self.known, self.varies, strict=True) if varies]

    def standardise(self, frame: pl.DataFrame) -> tuple[Array, Array]:
        """Which rows of a frame of the columns take part, and their cells, centred and scaled."""
        cells = _cells(frame, self.known)
        part = _take_part(cells, self.mean_for_null)
        cells = (cells[part][:, self.varies] - self.centre) / self.scale
        cells[~np.isfinite(cells)] = 0.0  # a null is the mean, and the mean is zero
        return part, cells

    def batches(self, table: Table) -> Iterator[Array]:
        """The standardised cells of the rows that take part, a batch after the other."""
        for frame in _read(table, self.columns, self.purpose):
            yield self.standardise(frame)[1]

    def sample(self, table: Table, most: int, seed: int) -> Array:
        """The standardised rows that take part, or of more than so many some, drawn evenly.

        Args:
            table: The table.
            most: How many are drawn at most.
            seed: Where the draw starts.
        """
        mask = np.ones(self.rows, dtype=bool)
        if self.rows > most:
            mask[np.random.RandomState(seed).permutation(self.rows)[most:]] = False
        parts, first = [np.zeros((0, len(self.centre)))], 0
        for cells in self.batches(table):
            parts.append(cells[mask[first : first + len(cells)]])
            first += len(cells)
        return np.concatenate(parts)

    def facts(self, lack: str) -> list[Fact]:
        """Facts about rows and columns that took no part, and cells that were filled.

        Args:
            lack: What rows that took no part have none of.
        """
        total, facts = self.rows + self.lost, []
        if self.lost:
            why = "nulls in all columns" if self.mean_for_null else "a null in a column"
            text = f"{self.lost} of {total} rows have no {lack}, for {why}"
            facts.append(caveat(text))
        if self.filled:
            text = f"{self.filled} nulls, of {total * len(self.columns)} cells, count as the mean"
            facts.append(caveat(f"{text} of their columns"))
        constant = [
            one.name for one, varies in zip(self.known, self.varies, strict=True) if not varies
        ]
        return facts + caveats_of_columns(constant, "constant columns took no part", "Constant")


def fit_matrix(
    table: Table, columns: Sequence[str], *, scale: bool, nulls: str, purpose: str
) -> Matrix:
    """Read the columns once for how they lie; what is not finite counts as null.

    Args:
        table: The table.
        columns: Numbers, booleans and texts of few levels.
        scale: Whether deviations are divided by their standard deviation.
        nulls: ``mean`` where a null counts as the mean, else its row takes no part.
        purpose: Who asks.

    Raises:
        ActionError: If a text has too many levels.
    """
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]

    features = _find_features(table, columns, purpose)
    low, high = np.full((2, len(features)), np.nan)
    scaler, rows, total, filled = StandardScaler(), 0, 0, 0
    for frame in _read(table, columns, purpose):
        cells = _cells(frame, features)
        cells = cells[_take_part(cells, nulls == "mean")]
        total += len(frame)
        rows += len(cells)
        filled += int(np.isnan(cells).sum())
        if len(cells):  # moments are added up, batch by batch (Chan et al. 1979)
            scaler.partial_fit(cells)
            low, high = np.fmin(low, np.fmin.reduce(cells)), np.fmax(high, np.fmax.reduce(cells))
    means, squares = np.zeros((2, len(features)))
    if rows:
        means, squares = np.nan_to_num(scaler.mean_), scaler.var_ * scaler.n_samples_seen_
    varies: Array = (low < high) & (squares > 0)  # squares of the smallest numbers are zero
    variance = squares[varies] / max(rows - 1, 1)
    wide = np.sqrt(variance) if scale else np.ones(len(variance))
    return Matrix(
        purpose, tuple(columns), features, means, varies, means[varies], wide, variance,
        nulls == "mean", rows, total - rows, filled,
    )  # fmt: skip


def decide_nulls(table: Table, columns: Sequence[str]) -> Literal["drop", "mean"]:
    """Rows with a null take no part, unless that were more than half of them."""
    whole = nw.all_horizontal(*(~nw.col(name).is_null() for name in columns), ignore_nulls=True)
    (there,) = count_where(table.frame, whole)
    return "drop" if 2 * there >= table.count() else "mean"


def _find_features(table: Table, columns: Sequence[str], purpose: str) -> tuple[Feature, ...]:
    """A column of numbers is one feature, of a text each level is one."""
    features: list[Feature] = []
    for place, name in enumerate(columns):
        if table.kind(name) != "text":
            features.append(Feature(place, name))
            continue
        text = table.frame.select(nw.col(name).cast(nw.String).alias("level")).drop_nulls()
        rows = text.unique().head(MAX_LEVELS + 1).collect().rows()
        levels = sorted(str(row[0]) for row in rows)
        if len(levels) > MAX_LEVELS:
            raise ActionError(
                f"{name!r} is text of more than {MAX_LEVELS} values, which {purpose} takes for no "
                "category; leave it out, or Derive a coarser one",
                kind="argument columns",
            )
        features += [Feature(place, f"{name} = {level}", level) for level in levels]
    return tuple(features)


def _read(table: Table, columns: Sequence[str], purpose: str) -> Iterator[pl.DataFrame]:
    """The columns by batches; a header may be anything, so they go by place."""
    selection = []
    for place, name in enumerate(columns):
        text = table.kind(name) == "text"
        cell = nw.col(name).cast(nw.String) if text else number_column(table, name).cast(nw.Float64)
        selection.append(cell.alias(str(place)))
    return read_batches(table, selection, purpose)


def _cells(frame: pl.DataFrame, features: Sequence[Feature]) -> Array:
    """Rows times features; NaN for a null, and for what is not finite."""
    if all(feature.level is None for feature in features):
        cells = frame.select(pl.nth(range(len(features))).cast(pl.Float64)).to_numpy(writable=True)
    else:
        cells = np.empty((frame.height, len(features)))
        for number, feature in enumerate(features):
            column = frame.to_series(feature.place)
            if feature.level is not None:  # a null is of no level known
                column = column.cast(pl.String) == feature.level
            cells[:, number] = column.cast(pl.Float64).to_numpy()
    cells[~np.isfinite(cells)] = np.nan
    return cells


def _take_part(cells: Array, mean_for_null: bool) -> Array:
    """The whole rows, or those that have any cell."""
    there = np.isfinite(cells)
    needed = 1 if mean_for_null else max(cells.shape[1], 1)
    part: Array = there.sum(axis=1) >= needed
    return part
