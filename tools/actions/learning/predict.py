"""Predict: a column learnt from others, how well that goes, and what it hangs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.joining.keys import avoid_clashes, fresh_names
from wideleaf.tools.actions.learning.facts import facts_of
from wideleaf.tools.actions.learning.models import (
    LEARNERS,
    Learner,
    Learnt,
    importances,
    learn,
    one_thread,
    relearn,
    scores,
)
from wideleaf.tools.actions.learning.rows import Material, gather
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

OBSERVED, PREDICTED = "observed", "predicted"
SCORES_READ = 20
_SCORES = {"metric": nw.String, "value": nw.Float64}
_IMPORTANCES = {"feature": nw.String, "importance": nw.Float64}


class Predict(Action):
    """Learn a column from others by machine learning; scores are of rows the model never saw."""

    purpose = "learning"
    lazy = False
    cues = (
        "prediction", "predicted", "predictive", "regression", "regress", "classify",
        "classification", "classifier", "machine learning", "R squared", "least squares",
        "accuracy", "forecast", "random forest",
    )  # fmt: skip

    places = frozenset(("target", "features", "test"))

    target: Columns = Field(description="A column, or the indicators (1/0) of one category.")
    features: Columns
    result: Literal["scores", "predictions", "importances"] = "scores"
    model: Learner | None = Field(
        default=None, description="Default: ridge for numbers, logistic for categories."
    )
    evaluate: Literal["cross-validation", "in sample"] = "cross-validation"
    test: Column | None = Field(
        default=None, description="True/false column: fit where false, score where true."
    )
    folds: int = Field(default=5, ge=2, le=20)
    nulls: Literal["median", "drop"] = Field(
        default="median", description="Null features: filled, or their rows left out."
    )
    seed: SkipJsonSchema[int] = Field(default=0, ge=0, lt=2**32)
    # The level each indicator of the target stands for; filled in by resolve.
    levels: SkipJsonSchema[tuple[str, ...]] = ()
    # Columns named as features that are the target or say what is held out.
    aside: SkipJsonSchema[tuple[str, ...]] = ()

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and choose the model.

        Raises:
            ActionError: If the target or a feature is of a kind that cannot be learnt or learnt
                from, no feature is left beside the target, or the model is of the other kind.
        """
        table = tables[0]
        target = resolve_columns(self.target, table)
        levels: tuple[str, ...] = ()
        if len(target) > 1:
            name = fresh_names("target", 1, table)[0]
            indicators = FromOneHot(columns=target, name=name, levels=self.levels).resolve(table)
            target, levels = indicators.columns, indicators.levels
        need_kind(table, target, "number", "text", "boolean", purpose="Predict's target")
        test = None if self.test is None else resolve_column(self.test, table)
        if test is not None:
            need_kind(table, [test], "boolean", purpose="Predict's test")
            if self.evaluate == "in sample":
                raise ActionError(
                    f"rows where {test!r} is true are held out of fitting, so none is scored "
                    "'in sample'; leave test or evaluate out",
                    kind="argument test",
                )
        gone = {*target, test}
        named = resolve_columns(self.features, table)
        features = tuple(name for name in named if name not in gone)
        aside = self.aside or tuple(name for name in named if name in gone)
        if not features:
            raise ActionError(
                f"no feature is left beside the target {target[0]!r}; name other columns",
                kind="argument features",
            )
        need_kind(table, features, "number", "boolean", "text", purpose="Predict's features")
        category = bool(levels) or table.kind(target[0]) != "number"
        model: Learner = self.model or ("logistic" if category else "ridge")
        if category and model not in LEARNERS["category"]:
            raise ActionError(
                f"{model!r} predicts numbers and the target is a category; take one of "
                f"{', '.join(LEARNERS['category'])}",
                kind="argument model",
            )
        made = {
            "target": target,
            "features": features,
            "aside": aside,
            "test": test,
            "model": model,
            "levels": levels,
        }
        return self.model_copy(update=made)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that are learnt and learnt from."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Learn and judge, in an order of the rows that depends on their cells alone.

        Raises:
            ActionError: If the table is too large, too few rows have a target, it has one value or
                too many, or a text feature has too many.
        """
        with one_thread():
            return self._run(tables[0])

    def _run(self, table: Table) -> Table:
        if not table.count():
            return self._of_nothing(table)
        if self.result != "predictions":
            material = self._gathered(table)
            learnt = self._learnt(material)
            pairs: Sequence[tuple[str, float | None]] = (
                scores(material, learnt)
                if self.result == "scores"
                else importances(material, learnt, self.model or "ridge", self.seed)
            )
            return _pairs(pairs, _SCORES if self.result == "scores" else _IMPORTANCES)
        whole = table.collect(purpose="Predict")  # once, for the places of its rows
        material = self._gathered(Table(nw.from_native(whole.lazy())), apart=True)
        learnt = self._learnt(material)
        cells = self._cells(table, material, learnt)
        return Table(nw.from_native(whole.with_columns(cells).lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how it was judged, and of rows and columns that took no part."""
        if not tables[0].count():
            return [Fact(text="There is no row to learn from", caveat=True)]
        if self.result != "predictions":
            rows = result.rows(SCORES_READ) if self.result == "scores" else []
            found = {row["metric"]: row["value"] for row in rows}
            return facts_of(self, self._gathered(tables[0]), found)
        frame = result.collect(purpose="Predict")  # once, for the places of its rows
        material = self._gathered(Table(nw.from_native(frame.lazy())))
        learnt = relearn(material, frame[self._made(tables[0])[-1]])
        return facts_of(self, material, dict(scores(material, learnt)))

    def _category(self, table: Table) -> bool:
        kind = table.kind(self.target[0])
        return bool(self.levels) or kind != "number" or self.model == "logistic"

    def _gathered(self, table: Table, *, apart: bool = False) -> Material:
        named, target = table, self.target[0]
        if self.levels:
            target = fresh_names("target", 1, table)[0]
            chosen = dict.fromkeys(
                [*self.target, *self.features, *([self.test] if self.test else [])]
            )
            part = table if apart else Table(table.frame.select(*chosen))
            action = FromOneHot(columns=self.target, name=target, levels=self.levels)
            named = action.run(part)
        category = self._category(table)
        return gather(named, target, self.features, self.test, self.nulls, category, apart=apart)

    def _learnt(self, material: Material) -> Learnt:
        folds = None if self.test or self.evaluate == "in sample" else self.folds
        if self.result == "importances":  # of one model of all rows
            folds = None
        unknown = self.result == "predictions"
        return learn(material, self.model or "ridge", folds, self.seed, unknown=unknown)

    def _cells(self, table: Table, material: Material, learnt: Learnt) -> list[pl.Series]:
        """The predictions in the order of the table; beside them what the indicators said."""
        import polars as pl

        back = material.place.argsort()
        values = learnt.predicted[back]
        names = self._made(table)
        if material.classes is None:
            return [pl.Series(names[-1], values, dtype=pl.Float64, nan_to_null=True)]
        levels = material.classes
        told = [None if code != code else levels[int(code)] for code in values]
        made = [pl.Series(names[-1], told, dtype=material.dtype)]
        if self.levels:
            known = [levels[int(code)] if code == code else None for code in material.target[back]]
            made.insert(0, pl.Series(names[0], known, dtype=pl.String))
        return made

    def _made(self, table: Table) -> list[str]:
        """The names of the new columns."""
        wanted = [OBSERVED, PREDICTED] if self.levels else [PREDICTED]
        return list(avoid_clashes(table.columns, wanted).values())

    def _of_nothing(self, table: Table) -> Table:
        """The same columns without a row."""
        if self.result != "predictions":
            return _pairs([], _SCORES if self.result == "scores" else _IMPORTANCES)
        import polars as pl

        kind = "text" if self.levels else table.kind(self.target[0])
        kinds: dict[str, Any] = {"text": pl.String, "boolean": pl.Boolean}
        cells = [
            pl.Series(name, [], dtype=kinds.get(kind, pl.Float64)) for name in self._made(table)
        ]
        frame = table.collect(purpose="Predict").with_columns(cells)
        return Table(nw.from_native(frame.lazy()))


def _pairs(pairs: Sequence[tuple[str, float | None]], schema: dict[str, Any]) -> Table:
    cells = dict(zip(schema, ([pair[side] for pair in pairs] for side in (0, 1)), strict=True))
    return Table(nw.from_dict(cells, schema=schema, backend="polars").lazy("polars"))
