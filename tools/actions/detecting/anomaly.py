"""Anomaly: how strange each row is among the others, and for which of its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field, field_validator, model_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, caveats_of_columns
from wideleaf.tools.tables.batches import add_by_batch, is_large
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns, resolve_groups
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, count_where

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.detecting.methods import Model

    Judge = Callable[[pl.DataFrame], tuple[pl.Series, pl.Series]]

Method = Literal[
    "robust z-score", "z-score", "iqr", "isolation forest", "local outlier factor", "form"
]


class Detector(NamedTuple):
    """A way to tell strange rows.

    Attributes:
        judges: What it looks at: a cell and the others of its column, whole rows, or forms of text.
        threshold: Above it a row is flagged.
        spellings: What else people call it.
        half_equal: What became of columns that hold one value in half of their rows.
    """

    judges: Literal["cells", "rows", "forms"]
    threshold: float
    spellings: tuple[str, ...] = ()
    half_equal: str = ""


METHODS: dict[Method, Detector] = {
    "robust z-score": Detector(
        "cells", 3.5, ("robust zscore", "robust z score", "mad"),
        "were judged by their mean absolute deviation",
    ),
    "z-score": Detector("cells", 3.0, ("zscore", "z score", "standard score")),
    "iqr": Detector(
        "cells", 1.5, ("tukey", "interquartile range"),
        "have equal quartiles, so that every other value is outside",
    ),
    "isolation forest": Detector("rows", 0.5, ("isolationforest",)),
    "local outlier factor": Detector("rows", 1.5, ("lof",)),
    "form": Detector("forms", 0.9, ("format",)),
}  # fmt: skip
NAMES = ("anomaly_score", "is_anomaly", "anomaly_reason")
NEIGHBOURS = 20
FORMS_TOLD = 3


class Anomaly(Action):
    """Add anomaly_score, is_anomaly (score above threshold) and anomaly_reason, its column."""

    purpose = "anomaly"
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
        spelled = (name for name, one in METHODS.items() if text in one.spellings)
        return next(spelled, text)

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
        table, judges = tables[0], METHODS[self.method].judges
        columns = resolve_columns(self.columns, table)
        if judges == "forms":
            need_kind(table, columns, "text", purpose="Anomaly's method 'form'")
        else:
            need_kind(table, columns, "number", "boolean", purpose="Anomaly")
        by = resolve_groups(self.by, table, "Anomaly's")
        if by and judges != "cells":
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
            threshold = METHODS[self.method].threshold
        fields = {"columns": columns, "by": by, "threshold": threshold}
        return self.model_copy(update=fields)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that the scores are of."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Score every row; of a table that is too large to hold, a batch of rows at a time.

        Raises:
            ActionError: If it is too large and is to be judged by groups.
        """
        import polars as pl

        from wideleaf.tools.actions.detecting.methods import fit_model

        table = tables[0]
        if self.by and is_large(table):
            raise ActionError(
                f"Anomaly compares rows within groups in memory, and {table.count()} rows x "
                f"{len(table.columns)} columns are too many; Select columns, Filter rows or "
                "Sample first, or leave by out",
                kind="too large",
            )
        score, flag, reason = self._names(table)
        model = fit_model(self, table) if METHODS[self.method].judges == "rows" else None
        judge = self._judge(table, model)
        threshold = self.threshold
        if threshold is None:
            threshold = self._threshold(table, judge)

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            best, place = judge(frame)
            odd = best > threshold
            names = pl.Series(reason, [*self.columns], dtype=pl.String)
            reasons = names.gather(place.set(~odd.fill_null(False), None))
            return pl.DataFrame([best.alias(score), odd.alias(flag), reasons.alias(reason)])

        types = {score: pl.Float64(), flag: pl.Boolean(), reason: pl.String()}
        result = add_by_batch(table, self._read, types, fill, "Anomaly")
        return Table(result.frame, found=(threshold, model))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many rows are flagged, and what could not be judged."""
        threshold, model = self.recall(tables, result)
        score, flag, reason = self._names(tables[0])
        rows = result.count()
        outliers, lost = count_where(result.frame, nw.col(flag), nw.col(score).is_null())
        text = f"{outliers} of {rows} rows are flagged as unusual"
        if self.threshold is None:
            facts = [caveat(text)]
            text = f"The threshold is that of the {100 * (self.share or 0):g} % most unusual rows"
            facts.append(caveat(text))
        else:
            facts = [caveat(f"{text}: {score} above {threshold:g}")]
        if lost:
            why = "nothing to judge" if model is None else "for a null in a column"
            facts.append(caveat(f"{lost} rows have no score: {why}"))
        if (score, flag, reason) != NAMES:
            facts.append(Fact(text=f"The new columns are {score!r}, {flag!r} and {reason!r}"))
        if model is not None and model.fitted < model.matrix.rows:
            text = f"A sample of {model.fitted} of {model.matrix.rows} rows was fitted, all scored"
            facts.append(caveat(text))
        if self.method == "form" and outliers:
            facts.append(_odd_cells(result, self.columns, flag, reason))
        return facts + self._half_equal(result)

    @property
    def _read(self) -> list[str]:
        """What is read of each row."""
        return [*dict.fromkeys([*self.columns, *(self.by or ())])]

    def _names(self, table: Table) -> tuple[str, str, str]:
        score, flag, reason = avoid_clashes(table.columns, NAMES).values()
        return score, flag, reason

    def _judge(self, table: Table, model: Model | None) -> Judge:
        """From rows to their scores and the places of their strangest columns."""
        import numpy as np
        import polars as pl

        from wideleaf.tools.actions.detecting import methods

        judges = METHODS[self.method].judges
        name = methods.POPULATION if self.population else self.method
        rule = methods.RULES[name if judges == "cells" else "robust z-score"]
        if judges == "forms":
            distances = methods.find_form_distances(table, self.columns)
        elif judges == "rows" or is_large(table):
            distances = methods.find_distances(table, self.columns, rule)
        else:
            far = {name: methods.distance_within(name, rule) for name in self.columns}
            distances = {name: self._within(distance) for name, distance in far.items()}

        def judge(frame: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
            best, place = methods.strangest(frame, distances)
            if model is not None:
                part, cells = model.matrix.standardise(frame)
                scores = np.full(frame.height, np.nan)
                if len(cells):
                    scores[part] = model.score(cells)
                best = pl.Series(scores, nan_to_null=True)
            return best, place

        return judge

    def _threshold(self, table: Table, judge: Judge) -> float:
        """Above it is the share of rows that is to be flagged."""
        import polars as pl

        score = NAMES[0]

        def fill(frame: pl.DataFrame) -> pl.DataFrame:
            return pl.DataFrame([judge(frame)[0].alias(score)])

        only = Table(table.frame.select(*self._read))
        scored = add_by_batch(only, only.columns, {score: pl.Float64()}, fill, "Anomaly")
        scores = nw.to_native(scored.frame.select(score).collect("polars"))[score].drop_nulls()
        return float(scores.quantile(1 - (self.share or 0), "lower") or 0)

    def _within(self, expression: pl.Expr) -> pl.Expr:
        return expression.over(self.by) if self.by else expression

    def _half_equal(self, result: Table) -> list[Fact]:
        """Columns that vary but with half or more of their cells equal, here or in a group."""
        from wideleaf.tools.actions.detecting.methods import RULES, half_equal

        became, columns = METHODS[self.method].half_equal, []
        for name in self.columns if became and not is_large(result) else ():
            frame = result.collect(*dict.fromkeys([*(self.by or ()), name]), purpose="Anomaly")
            if frame.select(self._within(half_equal(name, RULES[self.method])).any()).item():
                columns.append(name)
        where = " in some group" if self.by else ""
        text = f"columns that hold one value in half or more of their rows{where} {became}"
        return caveats_of_columns(columns, text, "One value in half or more of the rows")


def _odd_cells(result: Table, columns: Sequence[str], flag: str, reason: str) -> Fact:
    """Some of the cells whose form is not that of their column."""
    odd = result.frame.filter(nw.col(flag)).select(*columns, reason).head(FORMS_TOLD)
    rows = odd.collect().rows(named=True)
    examples = ", ".join(f"{row[row[reason]]!r} in {row[reason]!r}" for row in rows)
    return caveat(f"Cells of another form, such as {examples}", "values")
