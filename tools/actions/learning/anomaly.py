"""Anomaly: how strange each row is among the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

Method = Literal["isolation forest", "z-score", "robust z-score", "iqr"]
_THRESHOLDS: dict[Method, float] = {
    "isolation forest": 0.5,
    "z-score": 3.0,
    "robust z-score": 3.5,
    "iqr": 1.5,
}
_SPELLINGS = {
    "zscore": "z-score",
    "z score": "z-score",
    "standard score": "z-score",
    "robust zscore": "robust z-score",
    "robust z score": "robust z-score",
    "mad": "robust z-score",
    "tukey": "iqr",
    "interquartile range": "iqr",
    "isolationforest": "isolation forest",
}
NAMES = ("anomaly_score", "is_anomaly")
_MAD, _MEAN_AD = 1.482602218505602, 1.2533141373155001
"""What the median and mean absolute deviation are multiplied by to estimate a normal deviation."""


class Anomaly(Action):
    """Add anomaly_score, of a row's strangest cell, and is_anomaly: score above threshold."""

    purpose = "learning"
    lazy = False
    cues = ("anomalies", "outlier", "outliers", "unusual", "strange")

    columns: Columns
    method: Method = "robust z-score"
    threshold: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Default: 0.5 of forest's 1, 3, 3.5, 1.5 ranges.",
    )
    by: Columns | None = Field(default=None, description="Compare within these groups.")

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return _SPELLINGS.get(text, text)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is no number, or a forest is to be grown by groups.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        need_kind(table, columns, "number", "boolean", purpose="Anomaly")
        by = None if self.by is None else resolve_columns(self.by, table)
        kinds = ("number", "text", "boolean", "date", "datetime")
        need_kind(table, by or (), *kinds, purpose="Anomaly's by")
        if by and self.method == "isolation forest":
            raise ActionError(
                "'isolation forest' compares all rows; leave by out, or take 'robust z-score'",
                kind="argument by",
            )
        threshold = _THRESHOLDS[self.method] if self.threshold is None else self.threshold
        made = {"columns": columns, "by": by, "threshold": threshold}
        return self.model_copy(update=made)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the scores are of."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Score every row.

        Raises:
            ActionError: If the table is too large to hold in memory.
        """
        import polars as pl

        frame = tables[0].collect(purpose="Anomaly")
        score, flag = self._names(tables[0])
        scored = frame.with_columns(self._score(frame).alias(score))
        flagged = (pl.col(score) > self.threshold).alias(flag)
        return Table(nw.from_native(scored.with_columns(flagged).lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows are flagged, and what could not be judged."""
        score, flag = self._names(tables[0])
        rows = result.count()
        flagged = nw.col(flag).fill_null(False).cast(nw.Int64).sum()
        unknown = nw.col(score).is_null().cast(nw.Int64).sum()
        counts = result.frame.select(flagged.alias("flagged"), unknown.alias("unknown"))
        marked, lost = (int(count or 0) for count in counts.collect().row(0))
        text = f"{marked} of {rows} rows are flagged as unusual: {score} above {self.threshold:g}"
        facts = [Fact(text=text, caveat=True)]
        if lost:
            why = (
                "for a null in a column"
                if self.method == "isolation forest"
                else "nothing to judge"
            )
            facts.append(Fact(text=f"{lost} rows have no score: {why}", caveat=True))
        if (score, flag) != NAMES:
            facts.append(Fact(text=f"The new columns are {score!r} and {flag!r}"))
        if tight := self._half_equal(result):
            where = " in some group" if self.by else ""
            text = f"{len(tight)} columns that hold one value in half or more of their rows{where}"
            facts.append(Fact(text=f"{text} {_HALF_EQUAL[self.method]}", caveat=True))
            shown = ", ".join(map(repr, tight[:3]))
            text = f"One value in half or more of the rows: {shown}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
        return facts

    def _names(self, table: Table) -> tuple[str, str]:
        made = avoid_clashes(table.columns, NAMES)
        return made[NAMES[0]], made[NAMES[1]]

    def _score(self, frame: pl.DataFrame) -> pl.Series:
        import polars as pl

        if self.method == "isolation forest":
            return _forest_scores(frame.select(pl.col(self.columns).cast(pl.Float64)))
        best = pl.repeat(None, len(frame), dtype=pl.Float64, eager=True)
        # One column at a time, so that no more than one is held beside the table.
        for name in self.columns:
            distance = self._within(_DISTANCES[self.method](_cell(name)))
            pair = frame.select(distance.alias("distance")).with_columns(best=best)
            best = pair.select(pl.max_horizontal("distance", "best")).to_series()
        return best

    def _within(self, distance: pl.Expr) -> pl.Expr:
        return distance.over(self.by) if self.by else distance

    def _half_equal(self, result: Table) -> list[str]:
        """Columns that vary but with half or more of their cells equal, here or in a group."""
        found = []
        for name in self.columns if self.method in _WIDTHS else ():
            frame = result.collect(*dict.fromkeys([*(self.by or ()), name]), purpose="Anomaly")
            cell = _cell(name)
            tight = (cell.min() != cell.max()) & (_WIDTHS[self.method](cell) == 0)
            if frame.select(self._within(tight & cell.is_not_null()).any()).item():
                found.append(name)
        return found


def _cell(name: str) -> pl.Expr:
    import polars as pl

    cell = pl.col(name).cast(pl.Float64)
    return pl.when(cell.is_finite()).then(cell)


def _where_varied(cell: pl.Expr, distance: pl.Expr) -> pl.Expr:
    """No cell of a constant column is strange, however its mean was rounded."""
    import polars as pl

    return pl.when(cell.min() == cell.max()).then(cell - cell).otherwise(distance)


def _deviations(cell: pl.Expr) -> pl.Expr:
    return _where_varied(cell, (cell - cell.mean()).abs() / cell.std())


def _from_median(cell: pl.Expr) -> pl.Expr:
    return (cell - cell.median()).abs()


def _robust_deviations(cell: pl.Expr) -> pl.Expr:
    """By the median absolute deviation, or by the mean one where that is zero."""
    import polars as pl

    away = _from_median(cell)
    tight, wide = _MAD * away.median(), _MEAN_AD * away.mean()
    return _where_varied(cell, away / pl.when(tight > 0).then(tight).otherwise(wide))


def _width(cell: pl.Expr) -> pl.Expr:
    return cell.quantile(0.75, "linear") - cell.quantile(0.25, "linear")


def _ranges(cell: pl.Expr) -> pl.Expr:
    """How many interquartile ranges a cell is outside the quartiles; null where that is zero."""
    import polars as pl

    low, high, width = cell.quantile(0.25, "linear"), cell.quantile(0.75, "linear"), _width(cell)
    beyond = pl.when(cell < low).then(low - cell).when(cell > high).then(cell - high)
    return _where_varied(cell, pl.when(width > 0).then(beyond.otherwise(cell - cell) / width))


_DISTANCES: dict[Method, Callable[[pl.Expr], pl.Expr]] = {
    "z-score": _deviations,
    "robust z-score": _robust_deviations,
    "iqr": _ranges,
}
_WIDTHS: dict[Method, Callable[[pl.Expr], pl.Expr]] = {
    "robust z-score": lambda cell: _from_median(cell).median(),
    "iqr": _width,
}
_HALF_EQUAL: dict[Method, str] = {
    "robust z-score": "were judged by their mean absolute deviation",
    "iqr": "took no part",
}


def _forest_scores(frame: pl.DataFrame) -> pl.Series:
    """How easily a forest of random cuts parts a row from the others, from 0 to 1."""
    import numpy as np
    import polars as pl
    from sklearn.ensemble import IsolationForest  # type: ignore[import-untyped]

    cells = frame.to_numpy()
    complete = np.isfinite(cells).all(axis=1)
    scores = np.full(len(frame), np.nan)
    if complete.sum() > 1:
        forest = IsolationForest(random_state=0).fit(cells[complete])
        # Rounded, since equal rows score a half but for the last digits.
        scores[complete] = np.round(-forest.score_samples(cells[complete]), 12)
    return pl.Series(scores, nan_to_null=True)
