"""Predict: a column learnt from others, how well that goes, and what it hangs on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Self

import narwhals as nw
from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.checks import check_judging, choose_learner
from wideleaf.tools.actions.learning.course import Course, course_of, unordered
from wideleaf.tools.actions.learning.facts import facts_of
from wideleaf.tools.actions.learning.learners import (
    NEIGHBOURS,
    TREES,
    Learner,
    Settings,
    spell_learner,
)
from wideleaf.tools.actions.learning.models import learn, relearn
from wideleaf.tools.actions.learning.outcomes import (
    PREDICTED,
    PROBABILITY,
    cells_of,
    frame_of,
    new_names,
    predict_nothing,
    schema_of,
)
from wideleaf.tools.actions.learning.scores import Score, scores
from wideleaf.tools.actions.learning.threads import one_thread
from wideleaf.tools.actions.learning.weights import coefficients, importances
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

SCORES_READ = 20


class Predict(Action):
    """Learn a column from others by machine learning; scores are of rows the model never saw."""

    purpose = "learning"
    lazy = False
    phrases = (
        "predict", "predicts", "predicted", "predicting", "prediction", "predictions",
        "predictive", "predictor", "predictors", "regression", "regress", "classify",
        "classifies", "classification", "classifier", "machine learning", "R squared",
        "least squares", "accuracy", "forecast", "random forest", "decision tree",
        "gradient boosting", "nearest neighbours", "nearest neighbors", "naive bayes", "lasso",
        "ridge", "auc", "train a model", "train the model", "train and test", "trained",
        "training", "testing set", "test set", "train_test_split", "cross validation",
        "cross validated", "feature importance", "squared error", "absolute error", "f1 score",
    )  # fmt: skip

    places = frozenset(("target", "features", "test", "groups", "time"))

    target: Columns = Field(description="A column, or the indicators (1/0) of one category.")
    features: Columns
    result: Literal["scores", "predictions", "importances", "coefficients"] = Field(
        default="scores", description="scores: metric, value, low, high; a row for each metric."
    )
    model: Learner | None = Field(
        default=None, description="Default: ridge for numbers, logistic for categories."
    )
    penalty: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Alpha of ridge, lasso (default: cross-validated); 1/C of logistic.",
    )
    neighbours: int | None = Field(default=None, ge=1, le=1_000, description="Default 5.")
    trees: int | None = Field(
        default=None, ge=1, le=1_000, description="Of forest, boosting; default 100."
    )
    depth: int | None = Field(default=None, ge=1, le=100, description="Of trees.")
    evaluate: Literal["cross-validation", "in sample"] = "cross-validation"
    test: Column | None = Field(
        default=None, description="True/false column: fit where false, score where true."
    )
    share: float | None = Field(
        default=None, gt=0, lt=1, description="Held out, as train_test_split's test_size."
    )
    stratify: bool = False
    groups: Column | None = Field(default=None, description="Keeps rows of a group on one side.")
    time: Column | None = Field(default=None, description="Learn from the past alone.")
    folds: int = Field(default=5, ge=2, le=20)
    nulls: Literal["median", "drop"] = Field(
        default="median", description="Null features: filled, or their rows left out."
    )
    scale: bool = Field(default=True, description="Standardise features.")
    seed: int = Field(default=0, ge=0, le=2**32 - 1)
    # The level each indicator of the target stands for; filled in by resolve.
    levels: SkipJsonSchema[tuple[str, ...]] = ()
    # Columns named as features that are the target or say which rows are judged.
    aside: SkipJsonSchema[tuple[str, ...]] = ()

    @field_validator("model", mode="before")
    @classmethod
    def _spelled(cls, model: object) -> object:
        return spell_learner(model)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and choose the model.

        Raises:
            ActionError: If the target or a feature is of a kind that cannot be learnt or learnt
                from, no feature is left beside the target, or arguments do not go together.
        """
        table = tables[0]
        target = resolve_columns(self.target, table)
        levels: tuple[str, ...] = ()
        if len(target) > 1:
            name = fresh_names("target", 1, table)[0]
            indicators = FromOneHot(columns=target, name=name, levels=self.levels).resolve(table)
            target, levels = indicators.columns, indicators.levels
        need_kind(table, target, "number", "text", "boolean", purpose="Predict's target")
        roles = self._roles(table)
        wished = self.model_copy(update=roles)
        check_judging(wished)
        # A number that tells the time may be a trend to learn from.
        trend = roles["time"] if roles["time"] and table.kind(roles["time"]) == "number" else None
        gone = {*target, *roles.values()} - {trend}
        if taken := next((name for name in roles.values() if name in target), None):
            raise ActionError(
                f"{taken!r} is the target, and cannot say which rows are judged",
                kind="argument target",
            )
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
        made = {
            **roles,
            "target": target,
            "features": features,
            "aside": aside,
            "model": choose_learner(wished, category),
            "levels": levels,
        }
        return self.model_copy(update=made)

    def _roles(self, table: Table) -> dict[str, str | None]:
        """The columns that say which rows are judged."""
        kinds = {
            "test": ("boolean",),
            "groups": ("text", "number", "boolean", "date", "datetime"),
            "time": ("date", "datetime", "number"),
        }
        found: dict[str, str | None] = {}
        for role, allowed in kinds.items():
            given: str | None = getattr(self, role)
            found[role] = None if given is None else resolve_column(given, table)
            if (name := found[role]) is not None:
                need_kind(table, [name], *allowed, purpose=f"Predict's {role}")
        return found

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that are learnt and learnt from."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Learn and judge; but for a share, the order of rows depends on their cells alone.

        Raises:
            ActionError: If the table is too large, too few rows have a target, it has one value or
                too many, or a text feature has too many.
        """
        with one_thread():
            return self._run(tables[0])

    def _run(self, table: Table) -> Table:
        if not table.count():
            if self.result == "predictions":
                return predict_nothing(self, table)
            return frame_of([], schema_of(self))
        if self.result != "predictions":
            course = course_of(self, table)
            rows = self._rows(course)
            rated = [row for row in rows if isinstance(row, Score)]
            made = frame_of(rows, schema_of(self))
            return replace(made, found=facts_of(self, course, rated))
        whole = table.collect(purpose="Predict")  # once, for the places of its rows
        course = course_of(self, Table(nw.from_native(whole.lazy())), apart=True)
        course = course._replace(unordered=unordered(self, table))
        learnt = learn(course.material, self.settings, course.splits, unknown=True)
        cells = cells_of(self, table, course.material, learnt)
        made = Table(nw.from_native(whole.with_columns(cells).lazy()))
        return replace(made, found=facts_of(self, course, scores(course.material, learnt)))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how it was judged, and of rows and columns that took no part."""
        table = tables[0]
        if not table.count():
            return [Fact(text="There is no row to learn from", caveat=True)]
        found: list[Fact] | None = result.found
        if found is not None:
            return found
        if self.result != "predictions":
            rows = result.rows(SCORES_READ) if self.result == "scores" else []
            return facts_of(self, course_of(self, table), [Score(*row.values()) for row in rows])
        frame = result.collect(purpose="Predict")  # once, for the places of its rows
        course = course_of(self, Table(nw.from_native(frame.lazy())), apart=self.time is not None)
        course = course._replace(unordered=unordered(self, table))
        names = new_names(self, table)
        probable = frame[names[PROBABILITY]] if PROBABILITY in names else None
        learnt = relearn(course.material, course.splits, frame[names[PREDICTED]], probable)
        return facts_of(self, course, scores(course.material, learnt))

    def _rows(self, course: Course) -> Sequence[tuple[object, ...]]:
        """The rows of any result but predictions."""
        material, settings, splits = course.material, self.settings, course.splits
        if self.result == "scores":
            return scores(material, learn(material, settings, splits), self.seed)
        if self.result == "importances":
            return importances(material, settings, splits)
        terms = coefficients(material, settings, splits)
        return terms if self.model == "logistic" else [(term, value) for term, _, value in terms]

    @property
    def settings(self) -> Settings:
        """What models are made by."""
        return Settings(
            learner=self.model or "ridge",
            penalty=self.penalty,
            neighbours=self.neighbours or NEIGHBOURS,
            trees=self.trees or TREES,
            depth=self.depth,
            scale=self.scale,
            seed=self.seed,
        )
