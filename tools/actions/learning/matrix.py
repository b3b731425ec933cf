"""The matrix of some columns: what is a number of each row, centred and scaled, by batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.batches import read_batches
from wideleaf.tools.tables.columns import need_kind
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Nulls = Literal["drop", "mean"]
NAMES_TOLD = 3
MOST_LEVELS = 20
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
        known: All features, in the order of the columns.
        varies: Which of them vary.
        means: The mean of each of them.
        features: Those.
        nulls: Whether a row with a null takes no part, or the null counts as the mean.
        centre: The mean of each feature.
        scale: What its deviations are divided by.
        variance: Of each feature, of a sample, nulls as they count.
        rows: How many take part.
        lost: How many do not.
        filled: How many nulls count as the mean.
        constant: Features of one value.
    """

    known: tuple[Feature, ...]
    varies: np.ndarray[Any, Any]
    means: np.ndarray[Any, Any]
    features: tuple[Feature, ...]
    nulls: Nulls
    centre: np.ndarray[Any, Any]
    scale: np.ndarray[Any, Any]
    variance: np.ndarray[Any, Any]
    rows: int
    lost: int
    filled: int
    constant: tuple[str, ...]

    def standardise(
        self, frame: pl.DataFrame, names: Sequence[str] = ()
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Which rows of a frame take part, and their cells, centred and scaled.

        Args:
            frame: The columns.
            names: What they are called; by default by their places.
        """
        import numpy as np

        cells = to_cells(frame, self.known, names)
        part = rows_of(cells, self.nulls)
        cells = (cells[part][:, self.varies] - self.centre) / self.scale
        cells[~np.isfinite(cells)] = 0.0  # a null is the mean, and the mean is zero
        return part, cells


def need_matrix(table: Table, columns: Sequence[str], purpose: str) -> None:
    """Check that columns can be made a matrix.

    Raises:
        ActionError: If one is a date, or what no number can be made of.
    """
    need_kind(table, columns, "number", "boolean", "text", purpose=purpose)


def find_features(table: Table, columns: Sequence[str], purpose: str) -> tuple[Feature, ...]:
    """The features of columns: a number is one, a text one a level.

    Raises:
        ActionError: If a text has more levels than a category has.
    """
    found: list[Feature] = []
    for place, name in enumerate(columns):
        if table.kind(name) != "text":
            found.append(Feature(place, name))
            continue
        text = table.frame.select(nw.col(name).cast(nw.String).alias("level")).drop_nulls()
        rows = text.unique().head(MOST_LEVELS + 1).collect().rows()
        levels = sorted(str(row[0]) for row in rows)
        if len(levels) > MOST_LEVELS:
            raise ActionError(
                f"{name!r} is text of more than {MOST_LEVELS} values, which {purpose} takes for no "
                "category; leave it out, or Derive a coarser one",
                kind="argument columns",
            )
        found += [Feature(place, f"{name} = {level}", level) for level in levels]
    return tuple(found)


def decide_nulls(table: Table, columns: Sequence[str]) -> Nulls:
    """Rows with a null take no part, unless that were more than half of them."""
    whole = nw.all_horizontal(*(~nw.col(name).is_null() for name in columns), ignore_nulls=True)
    counted = table.frame.select(whole=whole.cast(nw.Int64)).select(nw.col("whole").sum())
    there = int(counted.collect().item() or 0)
    return "drop" if 2 * there >= table.count() else "mean"


def tell_matrix(matrix: Matrix, columns: Sequence[str], lack: str) -> list[Fact]:
    """Facts about rows and columns that took no part, and cells that were filled.

    Args:
        matrix: What took part.
        columns: The columns that were named.
        lack: What rows that took no part have none of.
    """
    total, facts = matrix.rows + matrix.lost, []
    if matrix.lost:
        why = "a null in a column" if matrix.nulls == "drop" else "nulls in all columns"
        text = f"{matrix.lost} of {total} rows have no {lack}, for {why}"
        facts.append(Fact(text=text, caveat=True))
    if matrix.filled:
        text = f"{matrix.filled} nulls, of {total * len(columns)} cells, count as the mean"
        facts.append(Fact(text=f"{text} of their columns", caveat=True))
    if matrix.constant:
        text = f"{len(matrix.constant)} constant columns took no part"
        facts.append(Fact(text=text, caveat=True))
        shown = ", ".join(map(repr, matrix.constant[:NAMES_TOLD]))
        facts.append(Fact(text=f"Constant: {shown}", matter="statistics", caveat=True))
    return facts


def matrix_columns(table: Table, columns: Sequence[str]) -> list[nw.Expr]:
    """What is read of a table for a matrix; a header may be anything, so columns go by place."""
    made = []
    for place, name in enumerate(columns):
        text = table.kind(name) == "text"
        cell = nw.col(name).cast(nw.String) if text else number_column(table, name).cast(nw.Float64)
        made.append(cell.alias(str(place)))
    return made


def fit_matrix(
    table: Table, columns: Sequence[str], *, scale: bool, nulls: Nulls, purpose: str
) -> Matrix:
    """Read the columns once for how they lie; what is not finite counts as null.

    Args:
        table: The table.
        columns: Numbers, booleans and texts of few levels.
        scale: Whether deviations are divided by their standard deviation.
        nulls: What a null does.
        purpose: Who asks.

    Raises:
        ActionError: If a text has too many levels.
    """
    import numpy as np

    features = find_features(table, columns, purpose)
    moments = _Moments(len(features))
    for batch in read_batches(table, matrix_columns(table, columns), purpose):
        cells = to_cells(batch, features)
        part = rows_of(cells, nulls)
        moments.add(cells[part], len(cells))
    varies = moments.low < moments.high
    rows = max(moments.rows - 1, 1)
    variance = moments.squares[varies] / rows
    kept = tuple(one for one, does in zip(features, varies, strict=True) if does)
    gone = tuple(one.name for one, does in zip(features, varies, strict=True) if not does)
    wide = np.sqrt(variance) if scale else np.ones(len(kept))
    return Matrix(
        features, varies, moments.mean, kept, nulls, moments.mean[varies], wide, variance,
        moments.rows, moments.seen - moments.rows, moments.filled, gone,
    )  # fmt: skip


def standard_batches(
    table: Table, columns: Sequence[str], matrix: Matrix, purpose: str
) -> Iterator[np.ndarray[Any, Any]]:
    """The cells of the rows that take part, a batch after the other."""
    for batch in read_batches(table, matrix_columns(table, columns), purpose):
        yield matrix.standardise(batch)[1]


def sample_rows(
    table: Table, columns: Sequence[str], matrix: Matrix, most: int, seed: int, purpose: str
) -> np.ndarray[Any, Any]:
    """The standardised rows that take part, or of more than so many some, drawn evenly.

    Args:
        table: The table.
        columns: What the matrix is of.
        matrix: Fitted to them.
        most: How many are drawn at most.
        seed: Where the draw starts.
        purpose: Who asks.
    """
    import numpy as np

    chosen = np.ones(matrix.rows, dtype=bool)
    if matrix.rows > most:
        chosen[:] = False
        chosen[np.random.RandomState(seed).permutation(matrix.rows)[:most]] = True
    parts, first = [], 0
    for cells in standard_batches(table, columns, matrix, purpose):
        parts.append(cells[chosen[first : first + len(cells)]])
        first += len(cells)
    return np.concatenate(parts) if parts else np.zeros((0, len(matrix.features)))


def to_cells(
    frame: pl.DataFrame, features: Sequence[Feature], names: Sequence[str] = ()
) -> np.ndarray[Any, Any]:
    """Rows times features; NaN for a null, and for what is not finite.

    Args:
        frame: The columns.
        features: What of them.
        names: What the columns are called; by default by their places.
    """
    import numpy as np
    import polars as pl

    columns = [names[f.place] if names else str(f.place) for f in features]
    if all(feature.level is None for feature in features):
        cells = frame.select(pl.col(columns).cast(pl.Float64)).to_numpy(writable=True)
    else:
        cells = np.empty((frame.height, len(features)))
        for number, (feature, name) in enumerate(zip(features, columns, strict=True)):
            column = frame[name]
            if feature.level is not None:  # a null is of no level known
                column = column.cast(pl.String) == feature.level
            cells[:, number] = column.cast(pl.Float64).to_numpy()
    cells[~np.isfinite(cells)] = np.nan
    return cells


def rows_of(cells: np.ndarray[Any, Any], nulls: Nulls) -> np.ndarray[Any, Any]:
    """Which rows take part: the whole ones, or those that have any cell."""
    import numpy as np

    there = np.isfinite(cells)
    part: np.ndarray[Any, Any] = there.any(axis=1) if nulls == "mean" else there.all(axis=1)
    return part if cells.shape[1] else np.zeros(len(cells), dtype=bool)


class _Moments:
    """Means and sums of squared deviations, of batches one after the other (Chan et al. 1979)."""

    def __init__(self, width: int) -> None:
        import numpy as np

        self.counts, self.mean, self.squares = np.zeros(width), np.zeros(width), np.zeros(width)
        self.low, self.high = np.full(width, np.inf), np.full(width, -np.inf)
        self.rows = self.seen = self.filled = 0

    def add(self, cells: np.ndarray[Any, Any], seen: int) -> None:
        """Take in the rows of a batch that take part.

        Args:
            cells: Rows times features.
            seen: How many rows the batch has.
        """
        import numpy as np

        self.seen += seen
        self.rows += len(cells)
        if not len(cells):
            return
        there = np.isfinite(cells)
        self.filled += int((~there).sum())
        counts = there.sum(axis=0)
        mean = np.where(there, cells, 0.0).sum(axis=0) / np.maximum(counts, 1)
        away = np.where(there, cells - mean, 0.0)
        total = np.maximum(self.counts + counts, 1)
        step = np.where(counts > 0, mean - self.mean, 0.0)
        self.squares += (away**2).sum(axis=0) + step**2 * self.counts * counts / total
        self.mean += step * counts / total
        self.counts += counts
        self.low = np.minimum(self.low, np.where(there, cells, np.inf).min(axis=0))
        self.high = np.maximum(self.high, np.where(there, cells, -np.inf).max(axis=0))
