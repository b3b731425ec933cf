"""Fit: a regression or a distribution fitted to columns, with what is sure of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.fit_design import fit, read_values
from wideleaf.tools.actions.inference.fit_distributions import SHAPES
from wideleaf.tools.actions.inference.fit_facts import NOTHING, facts_of, facts_of_distributions
from wideleaf.tools.actions.joining.keys import avoid_clashes
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

if TYPE_CHECKING:
    Distribution = str  # checkers read no names out of a table
else:
    Distribution = Literal[tuple(SHAPES)]
Model = Literal["ols", "logistic", "poisson", "distribution"]
_SPELLINGS: dict[str, Model] = {
    "linear": "ols", "linear regression": "ols", "least squares": "ols", "regression": "ols",
    "ordinary least squares": "ols", "multiple regression": "ols", "lm": "ols",
    "logit": "logistic", "logistic regression": "logistic", "binomial": "logistic",
    "poisson regression": "poisson", "count": "poisson", "count regression": "poisson",
    "distributions": "distribution",
}  # fmt: skip
_NAMES = {text: name for name, shape in SHAPES.items() for text in shape.spellings}
USUAL = tuple(name for name, shape in SHAPES.items() if shape.usual)
_REGRESSION = {
    "coefficients": ("term", "coefficient", "std_error", "statistic", "p_value", "low", "high"),
    "summary": ("metric", "value"),
}
_DISTRIBUTION = {
    "coefficients": ("distribution", "parameter", "estimate"),
    "summary": ("distribution", "log_likelihood", "aic", "bic", "ks", "ks_p"),
}
_TEXTS = ("term", "metric", "distribution", "parameter")
ADDED = ("fitted", "residual")


class Fit(Action):
    """Fit a regression, or distributions to a column: coefficients with p-values, R2, AIC."""

    purpose = "statistics"
    lazy = False
    phrases = (
        "ols", "least squares", "multiple linear regression", "coefficients",
        "linear regression", "multiple regression", "logistic regression",
        "poisson regression", "regression coefficient", "regression coefficients", "regress",
        "regression of", "regression line", "adjusted R squared", "standard error", "odds ratio",
        "residuals", "slope and intercept", "holding constant", "controlling for",
        "adjusting for", "fit a distribution", "which distribution", "best fitting distribution",
        "distribution fits", "distribution best", "aic", "heteroscedasticity", "log odds",
    )  # fmt: skip
    places = frozenset(("target", "features", "order"))

    target: Column
    features: Columns | None = Field(
        default=None, description="Of a regression; text counts by its values."
    )
    model: Model = "ols"
    result: Literal["coefficients", "summary", "residuals"] = Field(
        default="coefficients",
        description="summary: R2, F, AIC; residuals: each row, with fitted and residual.",
    )
    distributions: tuple[Distribution, ...] | None = Field(
        default=None, min_length=1, description="Default: the usual."
    )
    intercept: bool = True
    robust: bool = Field(default=False, description="HC3 standard errors.")
    order: Column | None = Field(default=None, description="Of rows, for Durbin-Watson.")

    @field_validator("model", mode="before")
    @classmethod
    def _spelled(cls, model: object) -> object:
        text = " ".join(str(model).lower().replace("_", " ").replace("-", " ").split())
        return _SPELLINGS.get(text, text)

    @field_validator("distributions", mode="before")
    @classmethod
    def _listed(cls, names: object) -> object:
        entries = [names] if isinstance(names, str) else names
        if not isinstance(entries, (list, tuple)):
            return entries
        return tuple(_NAMES.get(text := str(name).strip().lower(), text) for name in entries)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that cannot be fitted, or is missing or too many for
                the model.
        """
        table = tables[0]
        target = resolve_column(self.target, table)
        if self.model == "distribution":
            self._need_distribution()
            need_kind(table, [target], "number", purpose="Fit's distribution")
            return self.model_copy(update={"target": target})
        if self.distributions is not None:
            raise ActionError(
                f"distributions are of the model 'distribution', not of {self.model!r}; leave them "
                "out, or take that model",
                kind="argument distributions",
            )
        columns = resolve_columns(self.features or (), table)
        features = tuple(name for name in columns if name != target)
        if not features:
            raise ActionError(
                f"{self.model!r} needs features beside the target {target!r}; name columns",
                kind="argument features",
            )
        kinds = ("number", "boolean", *(["text"] if self.model == "logistic" else []))
        need_kind(table, [target], *kinds, purpose="Fit's target")
        need_kind(table, features, "number", "boolean", "text", purpose="Fit's features")
        texts = [name for name in features if table.kind(name) == "text"]
        if texts and not self.intercept:
            raise ActionError(
                f"{texts[0]!r} is text, whose first value the intercept stands for; leave "
                "intercept true, or the column out",
                kind="argument intercept",
            )
        order = self._resolve_order(table)
        return self.model_copy(update={"target": target, "features": features, "order": order})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that are fitted, and of residuals those beside them."""
        beside = need.past(headers[0]) if self.result == "residuals" else Need()
        return [beside.plus(self.column_references(*headers)[0])]

    def run(self, *tables: Table) -> Table:
        """Fit, to rows in an order that depends on their cells alone.

        Raises:
            ActionError: If the table is too large, or what rows there are do not settle the
                coefficients.
        """
        import statsmodels.api  # type: ignore[import-untyped]  # noqa: F401 - it shows its own again

        with warnings.catch_warnings(), one_thread():
            warnings.simplefilter("ignore")  # of coefficients that run away, which errors tell
            if self.result == "residuals":
                return self._add_residuals(tables[0])
            if not tables[0].count():
                return self._make_table([], NOTHING)
            described = self.model == "distribution"
            return self._describe(tables[0]) if described else self._sum_up(tables[0])

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how good the fit is, what is significant, and what to take care of."""
        facts: list[Fact] = self.recall(tables, result)
        return facts

    def _sum_up(self, table: Table) -> Table:
        """A row a term, or a row a figure that sums the regression up."""
        from wideleaf.tools.actions.inference.fit_models import list_coefficients

        fitted = fit(self, table)
        facts = facts_of(self, fitted)
        if self.result == "coefficients":
            return self._make_table(list_coefficients(fitted.design.terms, fitted.found), facts)
        # Words of ours, by which a row is picked.
        metrics = Fact(text=f"Metrics: {', '.join(fitted.figures)}")
        return self._make_table([*fitted.figures.items()], [*facts, metrics])

    def _add_residuals(self, table: Table) -> Table:
        """Each row with its fitted value and what that misses."""
        import polars as pl

        whole = table.collect(purpose="Fit")  # once, for the places of its rows
        names = avoid_clashes(table.columns, ADDED)
        blank, facts = pl.Series([None] * len(whole), dtype=pl.Float64), NOTHING
        columns = {names[name]: blank for name in ADDED}
        if len(whole):
            fitted = fit(self, Table(nw.from_native(whole.lazy())))
            facts, values = facts_of(self, fitted), fitted.found.predict()
            missed = fitted.design.target - values
            for name, cells in zip(columns, (values, missed), strict=True):
                there = pl.Series(cells, nan_to_null=True)
                columns[name] = blank.clone().scatter(fitted.design.place, there)
        return Table(nw.from_native(whole.with_columns(**columns).lazy()), found=facts)

    def _describe(self, table: Table) -> Table:
        """A row a distribution, or a row a parameter."""
        from wideleaf.tools.actions.inference.fit_models import describe_values

        values, lost = read_values(self, table)
        distributions = self.distributions or USUAL
        descriptions = describe_values(values, distributions)
        if not descriptions:
            possible = [name for name in distributions if SHAPES[name].fits(values)]
            raise ActionError(
                f"{possible[0]!r} has no best parameters for {self.target!r}; take 'normal'"
                if possible else
                f"{distributions[0]!r} is of {SHAPES[distributions[0]].takes}, and {self.target!r} "
                "has others; take 'normal', or Filter rows",
                kind="no convergence" if possible else "argument distributions",
            )  # fmt: skip
        facts = facts_of_distributions(self, descriptions, len(values), lost)
        if self.result == "summary":
            return self._make_table([(one[0], *one[2:]) for one in descriptions], facts)
        rows = [(one[0], *pair) for one in descriptions for pair in one.parameters.items()]
        return self._make_table(rows, facts)

    def _make_table(self, rows: Sequence[Sequence[Any]], facts: list[Fact]) -> Table:
        """A table of a result that is no rows of the input."""
        names = (_DISTRIBUTION if self.model == "distribution" else _REGRESSION)[self.result]
        schema: Any = {name: nw.String if name in _TEXTS else nw.Float64 for name in names}
        cells = [dict(zip(names, row, strict=True)) for row in rows]
        return Table(nw.from_dicts(cells, schema, backend="polars").lazy("polars"), found=facts)

    def _resolve_order(self, table: Table) -> str | None:
        if self.order is None:
            return None
        order = resolve_column(self.order, table)
        kinds = ("number", "date", "datetime", "text")
        need_kind(table, [order], *kinds, purpose="Fit's order")
        if self.model != "ols":
            raise ActionError(
                f"order is for Durbin and Watson's statistic of 'ols'; leave {order!r} out",
                kind="argument order",
            )
        return order

    def _need_distribution(self) -> None:
        """Refuse what is of regressions alone."""
        arguments = {
            "features": self.features is not None,
            "order": self.order is not None,
            "robust": self.robust,
            "result": self.result == "residuals",
        }
        for name in (name for name, there in arguments.items() if there):
            raise ActionError(
                f"the model 'distribution' is of one column and has no {name} "
                f"{getattr(self, name)!r}; leave that out, or take 'ols'",
                kind=f"argument {name}",
            )
