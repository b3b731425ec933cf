"""Anomaly: how strange each row is among the others, and for which of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator, model_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.detecting.crowds import NEIGHBOURS, Crowd, Model, fit_crowd
from wideleaf.tools.actions.detecting.distances import (
    DISTANCES,
    WIDTHS,
    Rule,
    cell_of,
    population_deviations,
    strangest,
)
from wideleaf.tools.actions.detecting.forms import find_forms, form_distance
from wideleaf.tools.actions.detecting.spreads import find_spreads
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.learning.matrix import fit_matrix
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.batches import add_by_batch, is_large
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


Method = Literal[
    "robust z-score", "z-score", "iqr", "isolation forest", "local outlier factor", "form"
]
_THRESHOLDS: dict[Method, float] = {
    "isolation forest": 0.5,
    "z-score": 3.0,
    "robust z-score": 3.5,
    "iqr": 1.5,
    "local outlier factor": 1.5,
    "form": 0.9,
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
    "lof": "local outlier factor",
    "format": "form",
}
MODELS: Mapping[Method, Model] = {
    "isolation forest": "isolation forest",
    "local outlier factor": "local outlier factor",
}
RULES: Mapping[Method, Rule] = {
    "z-score": "z-score", "robust z-score": "robust z-score", "iqr": "iqr"
}  # fmt: skip
NAMES = ("anomaly_score", "is_anomaly", "anomaly_reason")
FORMS_TOLD = 3


class Anomaly(Action):
    """Add anomaly_score, is_anomaly (score above threshold) and anomaly_reason, its column."""

    purpose = "learning"
    lazy = False
    phrases = (
        "anomaly", "anomalies", "anomalous", "outlier", "outliers", "outlying", "unusual",
        "unusually", "strange", "strangest", "odd ones", "isolation forest", "local outlier factor",
        "does not fit", "do not fit",
    )  # fmt: skip

    columns: Columns
    method: Method = Field(
        default="robust z-score", description="A row's strangest cell counts; form: of texts."
    )
    threshold: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Default: 0.5 of forest's 1, 3, 3.5, 1.5 ranges.",
    )
    share: float | None = Field(
        default=None, gt=0, lt=1, description="Flag this share of the rows instead."
    )
    by: Columns | None = Field(default=None, description="Compare within these groups.")
    neighbours: int = Field(default=NEIGHBOURS, ge=1, le=1_000, description="Of outlier factor.")
    population: bool = Field(default=False, description="z-score: by n, as scipy.")

    @field_validator("method", mode="before")
    @classmethod
    def _spelled(cls, method: object) -> object:
        text = " ".join(str(method).lower().replace("_", " ").split())
        return _SPELLINGS.get(text, text)

    @model_validator(mode="after")
    def _of_a_z_score(self) -> Self:
        if self.population and self.method != "z-score":
            raise ValueError(f"{self.method!r} takes no population; 'z-score' does")
        return self

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that the method does not judge, a method that compares
                all rows is to go by groups, or threshold and share are both given.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        if self.method == "form":
            need_kind(table, columns, "text", purpose="Anomaly's method 'form'")
        else:
            need_kind(table, columns, "number", "boolean", purpose="Anomaly")
        by = None if self.by is None else resolve_columns(self.by, table)
        kinds = ("number", "text", "boolean", "date", "datetime")
        need_kind(table, by or (), *kinds, purpose="Anomaly's by")
        if by and self.method not in RULES:
            raise ActionError(
                f"{self.method!r} compares all rows; leave by out, or take 'robust z-score'",
                kind="argument by",
            )
        if self.share is not None and self.threshold is not None:
            raise ActionError(
                f"a share of {self.share:g} and a threshold of {self.threshold:g} are two ways to "
                "flag rows; give one",
                kind="argument share",
            )
        threshold = self.threshold
        if threshold is None and self.share is None:
            threshold = _THRESHOLDS[self.method]
        made = {"columns": columns, "by": by, "threshold": threshold}
        return self.model_copy(update=made)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the scores are of."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Score every row; of a table that is too large to hold, a batch of rows at a time.

        Raises:
            ActionError: If it is too large and is to be judged by groups.
        """
        import polars as pl

        table, made = tables[0], self._names(tables[0])
        score, flag, reason = made
        crowd = self._crowd(table) if self.method in MODELS else None
        judge = self._judge(table, crowd)
        threshold = self.threshold
        if threshold is None:
            threshold = self._threshold(table, judge)

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            best, place = judge(frame)
            odd = best > threshold
            named = pl.Series(reason, [*self.columns], dtype=pl.String)
            told = named.gather(place.set(~odd.fill_null(False), None))
            return pl.DataFrame([best.alias(score), odd.alias(flag), told.alias(reason)])

        types = {score: pl.Float64(), flag: pl.Boolean(), reason: pl.String()}
        read = [*dict.fromkeys([*self.columns, *(self.by or ())])]
        result = add_by_batch(table, read, types, fill, "Anomaly")
        return Table(result.frame, found=(threshold, crowd))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows are flagged, and what could not be judged."""
        found = result.found or self.run(*tables).found
        threshold, crowd = found
        score, flag, reason = self._names(tables[0])
        rows = result.count()
        flagged = nw.col(flag).fill_null(False).cast(nw.Int64).sum()
        unknown = nw.col(score).is_null().cast(nw.Int64).sum()
        counts = result.frame.select(flagged.alias("flagged"), unknown.alias("unknown"))
        marked, lost = (int(count or 0) for count in counts.collect().row(0))
        text = f"{marked} of {rows} rows are flagged as unusual: {score} above {threshold:g}"
        facts = [Fact(text=text, caveat=True)]
        if self.threshold is None:
            text = f"The threshold is that of the {100 * (self.share or 0):g} % most unusual rows"
            facts = [Fact(text=f"{marked} of {rows} rows are flagged as unusual", caveat=True)]
            facts.append(Fact(text=text, caveat=True))
        if lost:
            why = "for a null in a column" if self.method in MODELS else "nothing to judge"
            facts.append(Fact(text=f"{lost} rows have no score: {why}", caveat=True))
        if (score, flag, reason) != NAMES:
            facts.append(Fact(text=f"The new columns are {score!r}, {flag!r} and {reason!r}"))
        if crowd is not None and crowd.fitted < crowd.matrix.rows:
            text = f"A sample of {crowd.fitted} of {crowd.matrix.rows} rows was fitted, all scored"
            facts.append(Fact(text=text, caveat=True))
        if self.method == "form" and marked:
            facts.append(_odd_cells(result, self.columns, flag, reason))
        if tight := self._half_equal(result):
            where = " in some group" if self.by else ""
            text = f"{len(tight)} columns that hold one value in half or more of their rows{where}"
            facts.append(Fact(text=f"{text} {_HALF_EQUAL[self.method]}", caveat=True))
            shown = ", ".join(map(repr, tight[:3]))
            text = f"One value in half or more of the rows: {shown}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
        return facts

    def _names(self, table: Table) -> tuple[str, str, str]:
        made = avoid_clashes(table.columns, NAMES)
        return made[NAMES[0]], made[NAMES[1]], made[NAMES[2]]

    def _crowd(self, table: Table) -> Crowd:
        forest = self.method == "isolation forest"
        columns = tuple(self.columns)
        matrix = fit_matrix(table, columns, scale=not forest, nulls="drop", purpose="Anomaly")
        if forest:  # it cuts between values as they are
            matrix = matrix._replace(centre=matrix.centre * 0, scale=matrix.scale * 0 + 1)
        return fit_crowd(table, columns, matrix, MODELS[self.method], self.neighbours, 0)

    def _judge(self, table: Table, crowd: Crowd | None) -> Any:
        """A function from rows to their scores and the places of their strangest columns."""
        import polars as pl

        names = list(self.columns)
        if self.method == "form":
            forms = find_forms(table, names)
            return lambda frame: strangest(frame, names, lambda n: form_distance(n, forms[n]))
        if crowd is not None:
            spreads = find_spreads(table, names, "robust z-score")

            def judge(frame: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
                import numpy as np

                part, cells = crowd.matrix.standardise(frame, names)
                scores = np.full(frame.height, np.nan)
                scores[part] = crowd.score(cells)
                _, place = strangest(frame, names, lambda name: spreads[name].distance(name))
                return pl.Series(scores, nan_to_null=True), place

            return judge
        rule = RULES[self.method]
        if self.by or not is_large(table):
            far = population_deviations if self.population else DISTANCES[rule]
            return lambda frame: strangest(frame, names, lambda n: self._within(far(cell_of(n))))
        found = find_spreads(table, names, rule, population=self.population)
        return lambda frame: strangest(frame, names, lambda name: found[name].distance(name))

    def _threshold(self, table: Table, judge: Any) -> float:
        """Above it is the share of rows that is to be flagged."""
        import polars as pl

        score = NAMES[0]

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            return pl.DataFrame([judge(frame)[0].alias(score)])

        only = Table(table.frame.select(*dict.fromkeys([*self.columns, *(self.by or ())])))
        scored = add_by_batch(only, only.columns, {score: pl.Float64()}, fill, "Anomaly")
        scores = nw.to_native(scored.frame.select(score).collect("polars"))[score].drop_nulls()
        return float(scores.quantile(1 - (self.share or 0), "lower") or 0)

    def _within(self, distance: pl.Expr) -> pl.Expr:
        return distance.over(self.by) if self.by else distance

    def _half_equal(self, result: Table) -> list[str]:
        """Columns that vary but with half or more of their cells equal, here or in a group."""
        found = []
        for name in self.columns if self.method in WIDTHS and not is_large(result) else ():
            frame = result.collect(*dict.fromkeys([*(self.by or ()), name]), purpose="Anomaly")
            cell = cell_of(name)
            tight = (cell.min() != cell.max()) & (WIDTHS[RULES[self.method]](cell) == 0)
            if frame.select(self._within(tight & cell.is_not_null()).any()).item():
                found.append(name)
        return found


_HALF_EQUAL: dict[Method, str] = {
    "robust z-score": "were judged by their mean absolute deviation",
    "iqr": "have equal quartiles, so that every other value is outside",
}


def _odd_cells(result: Table, columns: Sequence[str], flag: str, reason: str) -> Fact:
    """Some of the cells whose form is not that of their column."""
    odd = result.frame.filter(nw.col(flag)).select(*columns, reason).head(FORMS_TOLD)
    rows = odd.collect().rows(named=True)
    shown = ", ".join(f"{row[row[reason]]!r} in {row[reason]!r}" for row in rows)
    return Fact(text=f"Cells of another form, such as {shown}", matter="values", caveat=True)
