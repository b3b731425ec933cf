"""Predict: a column learnt from others, how well that goes, and what it hangs on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, Self

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.from_one_hot import FromOneHot
from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.learners import LEARNERS, Kind, Learner, spell_learner
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
from wideleaf.tools.work import one_thread


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
        wished._check_judging()
        # A number that tells the time may be a trend to learn from.
        trend = roles["time"] if roles["time"] and table.kind(roles["time"]) == "number" else None
        others = {*target, *roles.values()} - {trend}
        if clash := next((name for name in roles.values() if name in target), None):
            raise ActionError(
                f"{clash!r} is the target, and cannot say which rows are judged",
                kind="argument target",
            )
        columns = resolve_columns(self.features, table)
        features = tuple(name for name in columns if name not in others)
        aside = self.aside or tuple(name for name in columns if name in others)
        if not features:
            raise ActionError(
                f"no feature is left beside the target {target[0]!r}; name other columns",
                kind="argument features",
            )
        need_kind(table, features, "number", "boolean", "text", purpose="Predict's features")
        category = bool(levels) or table.kind(target[0]) != "number"
        fields = {
            **roles,
            "target": target,
            "features": features,
            "aside": aside,
            "model": wished._choose_model(category),
            "levels": levels,
        }
        return self.model_copy(update=fields)

    def _roles(self, table: Table) -> dict[str, str | None]:
        """The columns that say which rows are judged."""
        kinds = {
            "test": ("boolean",),
            "groups": ("text", "number", "boolean", "date", "datetime"),
            "time": ("date", "datetime", "number"),
        }
        roles: dict[str, str | None] = {}
        for role, allowed in kinds.items():
            header: str | None = getattr(self, role)
            roles[role] = None if header is None else resolve_column(header, table)
            if (name := roles[role]) is not None:
                need_kind(table, [name], *allowed, purpose=f"Predict's {role}")
        return roles

    def _check_judging(self) -> None:
        """Refuse ways of judging that exclude each other; say which one to leave out."""
        inside = self.evaluate == "in sample"
        if self.test and inside:
            raise ActionError(
                f"rows where {self.test!r} is true are held out of fitting, so none is scored "
                "'in sample'; leave test or evaluate out",
                kind="argument test",
            )
        ways = {
            "share": self.share,
            "groups": self.groups,
            "time": self.time,
            "evaluate 'in sample'": inside or None,
            "test": self.test,
        }
        choices = [way for way, value in ways.items() if value is not None]
        for name, other in combinations(choices, 2):
            if name != "share" or other not in ("groups", "time"):
                raise ActionError(
                    f"{name} and {other} both say which rows are judged; leave one out",
                    kind=f"argument {name}",
                )
        if self.stratify and (self.test or self.groups or self.time or inside):
            raise ActionError(
                "stratify draws a share, or folds, by class; leave it out beside test, groups, "
                "time and 'in sample'",
                kind="argument stratify",
            )

    def _choose_model(self, category: bool) -> Learner:
        """The model, by default ridge for numbers and logistic for categories."""
        model: Learner = self.model or ("logistic" if category else "ridge")
        kind = LEARNERS[model]
        if category and kind.category is None:
            models = ", ".join(name for name, one in LEARNERS.items() if one.category)
            raise ActionError(
                f"{model!r} predicts numbers and the target is a category; take one of {models}",
                kind="argument model",
            )
        for name in ("penalty", "neighbours", "trees", "depth"):
            if getattr(self, name) is not None and name not in kind.takes:
                others = " or ".join(repr(m) for m, one in LEARNERS.items() if name in one.takes)
                raise ActionError(
                    f"{model!r} has no {name}; leave it out, or take the model {others}",
                    kind=f"argument {name}",
                )
        if self.result == "coefficients" and not kind.linear:
            others = " or ".join(repr(m) for m, one in LEARNERS.items() if one.linear)
            raise ActionError(
                f"{model!r} has no coefficients; take the result 'importances', or the model "
                f"{others}",
                kind="argument result",
            )
        if self.stratify and not category and kind.number is not None:
            raise ActionError(
                "stratify keeps the share of every class, and the target is a number; leave it out",
                kind="argument stratify",
            )
        return model

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and those that are learnt and learnt from."""
        return [need.past(headers[0]).plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Learn and judge; but for a share, the order of rows depends on their cells alone.

        Raises:
            ActionError: If the table is too large, too few rows have a target, it has one value or
                too many, or a text feature has too many.
        """
        from wideleaf.tools.actions.learning.outcomes import predict

        with one_thread():
            return predict(self, tables[0])

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how it was judged, and of rows and columns that took no part."""
        facts: list[Fact] = self.recall(tables, result)
        return facts

    @property
    def kind(self) -> Kind:
        """The kind of model of a resolved action."""
        return LEARNERS[self.model or "ridge"]

    @property
    def judges(self) -> bool:
        """Whether rows are predicted that the model has not seen, and it is told how well."""
        return self.result in ("scores", "predictions")

    @property
    def listed(self) -> bool:
        """Whether a share is drawn as scikit-learn does, of rows in the order they are listed in.

        Time makes an order of its own.
        """
        return self.share is not None and self.time is None

    def is_category(self, table: Table) -> bool:
        """Whether a resolved action predicts classes; some models know nothing else.

        Args:
            table: What it learns from.
        """
        categorical = bool(self.levels) or self.kind.number is None
        return categorical or table.kind(self.target[0]) != "number"
