"""Regressions and distributions, by statsmodels and SciPy: what a script takes along as it is."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import statsmodels.api as sm  # type: ignore[import-untyped]
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.actions.inference.fit_distributions import SHAPES
from wideleaf.tools.actions.inference.hypothesis_tests import finite

INTERCEPT = "intercept"
COLLINEAR = 1e-7
"""A column of which so small a part is not a combination of others before it says nothing new."""
ROUNDING = 1e-13
"""So small a part of a cell of size one is what it was rounded by."""
EXACT = 1e-20
"""So small a part of the squares is what cells were rounded by."""
MAX_STEPS = 100


class Terms(NamedTuple):
    """The columns that a regression is fitted to.

    Attributes:
        cells: Rows times terms.
        names: The intercept and the features; that of a level of a text is ``column = level``.
        sources: The feature behind each term; of the intercept none.
        bases: The level of each text that the others are compared with.
        constant: Features of one value.
        collinear: Features that are combinations of others.
    """

    cells: Any
    names: list[str]
    sources: list[str]
    bases: dict[str, str]
    constant: list[str]
    collinear: list[str]


class Description(NamedTuple):
    """A distribution fitted to values.

    Attributes:
        distribution: Its name.
        parameters: Its parameters, by name.
        log_likelihood: The logarithm of the values' likelihood.
        aic: Akaike's criterion, the lower the better.
        bic: The Bayesian one.
        ks: The largest distance of the distributions of Kolmogorov and Smirnov's test.
        ks_p: Its p-value.
    """

    distribution: str
    parameters: dict[str, float]
    log_likelihood: float
    aic: float
    bic: float
    ks: float | None
    ks_p: float | None


def make_terms(features: dict[str, Any], intercept: bool) -> Terms:
    """The terms that say something new; a text is an indicator of each level but the first."""
    bases: dict[str, str] = {}
    constant: list[str] = []
    parts: list[tuple[str, str, Any]] = []
    for name, column in features.items():
        marks = [(name, name, column)]
        if column.dtype == object:
            first, *levels = sorted(set(column)) or [""]
            bases[name] = first
            marks = [(name, f"{name} = {one}", column == one) for one in levels]
        terms = [one for one in marks if varies(one[2], intercept)]
        constant += [] if terms else [name]
        parts += terms
    new = independent([cells.astype(float) for *_, cells in parts], intercept)
    lost = dict.fromkeys(one[0] for one, is_new in zip(parts, new, strict=True) if not is_new)
    parts = [one for one, is_new in zip(parts, new, strict=True) if is_new]
    if intercept and parts:
        parts.insert(0, ("", INTERCEPT, np.ones(len(parts[0][2]))))
    cells = np.column_stack([cells for *_, cells in parts] or [[]]).astype(float)
    names, sources = [one[1] for one in parts], [one[0] for one in parts]
    return Terms(cells, names, sources, bases, constant, [*lost])


def varies(cells: Any, intercept: bool) -> bool:
    """Whether a column says anything: without an intercept one that is constant may be it."""
    return bool(len(cells) and (cells.min() < cells.max() or (not intercept and cells.any())))


def independent(columns: Sequence[Any], intercept: bool) -> list[bool]:
    """Which columns are no combination of those before them and the intercept."""
    rows = len(columns[0]) if columns else 0
    basis = np.empty((rows, len(columns)), order="F")
    new: list[bool] = []
    for column in columns:
        column = column / np.abs(column).max()
        column = column - column.mean() if intercept else column
        size, rank = np.sqrt(column @ column), sum(new)
        for _ in range(2):  # once more, for what the first time was rounded by
            column = column - basis[:, :rank] @ (basis[:, :rank].T @ column)
        rest = np.sqrt(column @ column)
        least = max(COLLINEAR * size, np.sqrt(rows) * ROUNDING)
        new.append(bool(rest > least) and rank < rows - intercept)
        if new[-1]:
            basis[:, rank] = column / rest
    return new


def fit_regression(model: str, target: Any, cells: Any, robust: bool) -> Any:
    """A regression by statsmodels: of least squares, logistic, or Poisson's of counts."""
    if model == "ols":
        return sm.OLS(target, cells).fit(**({"cov_type": "HC3", "use_t": True} if robust else {}))
    errors = {"cov_type": "HC0"} if robust else {}
    if model == "logistic":
        return sm.Logit(target, cells).fit(disp=0, maxiter=MAX_STEPS, **errors)
    return sm.GLM(target, cells, family=sm.families.Poisson()).fit(maxiter=MAX_STEPS, **errors)


def list_coefficients(terms: Terms, results: Any) -> list[list[Any]]:
    """A row a term: its coefficient, how sure it is, and the bounds of 95 %."""
    figures = [
        results.params,
        results.bse,
        results.tvalues,
        results.pvalues,
        *results.conf_int(0.05).T,
    ]
    return [[name, *map(finite, row)] for name, *row in zip(terms.names, *figures, strict=True)]


def sum_up(terms: Terms, results: Any, order: Any = None) -> dict[str, float | None]:
    """What sums a regression up, by name.

    Args:
        terms: What it was fitted to.
        results: What statsmodels gave.
        order: The places of rows in an order, for Durbin and Watson's statistic.
    """
    if hasattr(results, "rsquared"):
        rows = sum_squares_up(terms, results, order)
    else:
        ratio = 2 * (results.llf - results.llnull)
        chance = stats.chi2.sf(ratio, results.df_model) if results.df_model else None
        rows = {"pseudo R2": 1 - results.llf / results.llnull, "likelihood ratio": ratio,
                "likelihood ratio p_value": chance}  # fmt: skip
    counts = hasattr(results, "pearson_chi2")
    if counts:
        dispersion = results.pearson_chi2 / results.df_resid
        rows |= {"deviance": results.deviance, "dispersion": dispersion}
    rows |= {
        "rows": len(terms.cells), "df_model": results.df_model, "df_residual": results.df_resid,
        "log-likelihood": results.llf, "AIC": results.aic,
        "BIC": results.bic_llf if counts else results.bic,
        # Of columns of one length: how near to a combination of others one is.
        "condition number": np.linalg.cond(terms.cells / np.sqrt((terms.cells**2).sum(axis=0))),
    }  # fmt: skip
    return {name: finite(value) for name, value in rows.items()}


def sum_squares_up(terms: Terms, results: Any, order: Any) -> dict[str, Any]:
    """What sums least squares up: how much they explain, and tests of what they leave."""
    spread, normal = None, None
    try:
        f, chance = results.fvalue, results.f_pvalue
    except ValueError:  # robust errors of few rows do not tell it
        f, chance = None, None
    if results.ssr > EXACT * results.uncentered_tss:  # else nothing is left but rounding
        normal = sm.stats.jarque_bera(results.resid)[1]
        if terms.names[0] == INTERCEPT and not terms.sources[0]:
            spread = sm.stats.het_breuschpagan(results.resid, terms.cells)[1]
    rows = {
        "R2": results.rsquared, "adjusted R2": results.rsquared_adj, "F": f, "F p_value": chance,
        "residual standard error": np.sqrt(results.mse_resid), "Breusch-Pagan p_value": spread,
        "Jarque-Bera p_value": normal,
    }  # fmt: skip
    if order is not None:
        rows["Durbin-Watson"] = sm.stats.durbin_watson(results.resid[order])
    return rows


def describe_values(values: Any, names: Sequence[str]) -> list[Description]:
    """Distributions fitted by their likelihood to values in order, the best by AIC first.

    Those that such values cannot come from, or whose fit comes to no end, are left out.
    """
    descriptions: list[Description] = []
    for name in dict.fromkeys(names):
        shape = SHAPES[name]
        kind = getattr(stats, shape.name)
        if not len(values) or not shape.fits(values):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                fitted = [values.mean()] if name == "poisson" else kind.fit(values, **shape.held)
            except (RuntimeError, ValueError, ArithmeticError):  # whatever its solvers raise
                continue
            parameters = [float(one) for one in fitted]
            chances = kind.logpmf if name == "poisson" else kind.logpdf
            likelihood = float(chances(values, *parameters).sum())
            ks = () if name == "poisson" else stats.kstest(values, kind.cdf, args=parameters)
        if not np.isfinite([likelihood, *parameters]).all():
            continue
        free = len(parameters) - len(shape.held)
        aic, bic = 2 * free - 2 * likelihood, free * math.log(len(values)) - 2 * likelihood
        distance, chance = map(float, ks) if ks else (None, None)
        descriptions.append(
            Description(name, shape.told(*parameters), likelihood, aic, bic, distance, chance)
        )
    return sorted(descriptions, key=lambda one: one.aic)
