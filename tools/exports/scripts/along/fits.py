"""Functions on regressions and distributions that a pandas script takes along."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm  # type: ignore[import-untyped]
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.exports.scripts.along.frames import _finite, _retyped


def _design(frame: Any, target: str, features: list[str], intercept: bool) -> Any:
    """The target and the terms of the rows that are whole; a text is an indicator of each level."""
    cells = {name: frame[name] if frame[name].dtype == "string" else
             _finite(frame[name]).astype("Float64") for name in [target, *features]}  # fmt: skip
    rows = pd.DataFrame(cells).dropna().sort_values([target, *features], kind="stable")
    y = rows[target]
    terms: dict[str, Any] = {}
    for name in features:
        if rows[name].dtype == "string":
            levels = sorted(rows[name].unique())[1:]
            terms |= {f"{name} = {one}": (rows[name] == one).astype("float64") for one in levels}
        else:
            terms[name] = rows[name].astype("float64")
    kept = _independent(terms, intercept)
    X = pd.DataFrame({name: terms[name] for name in kept}, rows.index)
    if intercept:
        X.insert(0, "intercept", 1.0)
    return y, X


def _independent(terms: dict[str, Any], intercept: bool) -> list[str]:
    """The terms that are no combination of those before them and the intercept."""
    found: dict[str, Any] = {}
    for name, cells in terms.items():
        column = cells.to_numpy()
        if not column.any() or (intercept and column.min() == column.max()):
            continue
        column = column / np.abs(column).max()
        column = column - column.mean() if intercept else column
        size = np.linalg.norm(column)
        for _ in range(2 if found else 0):
            basis = np.column_stack(list(found.values()))
            column = column - basis @ (basis.T @ column)
        rest = np.linalg.norm(column)
        if rest > max(1e-7 * size, 1e-13 * np.sqrt(len(column))):
            found[name] = column / rest
    return list(found)


def _regression(y: Any, X: Any, model: str, robust: bool) -> Any:
    """A regression by statsmodels; None of no rows."""
    if not len(X):
        return None
    if model == "logistic":
        target = (y == y.max()).astype("float64")
        return sm.Logit(target, X).fit(disp=0, maxiter=100, **({"cov_type": "HC0"} if robust else {}))  # noqa: E501  # fmt: skip
    target = y.astype("float64")
    if model == "poisson":
        made = sm.GLM(target, X, family=sm.families.Poisson())
        return made.fit(maxiter=100, **({"cov_type": "HC0"} if robust else {}))
    return sm.OLS(target, X).fit(**({"cov_type": "HC3", "use_t": True} if robust else {}))


def _coefficients(fit: Any) -> Any:
    """A row a term, with the bounds of 95 %."""
    names = ["coefficient", "std_error", "statistic", "p_value", "low", "high"]
    types = {"term": "string[python]"} | dict.fromkeys(names, "Float64")
    if fit is None:
        return _retyped(pd.DataFrame(columns=list(types), dtype=object), types)
    bounds = fit.conf_int(0.05)
    columns = [fit.params, fit.bse, fit.tvalues, fit.pvalues, bounds[0], bounds[1]]
    cells = {name: one.to_numpy() for name, one in zip(names, columns, strict=True)}
    return _retyped(pd.DataFrame({"term": list(fit.params.index), **cells}), types)


def _summary(fit: Any, X: Any, intercept: bool, order: Any = None) -> Any:
    """What sums a regression up."""
    types = {"metric": "string[python]", "value": "Float64"}
    if fit is None:
        return _retyped(pd.DataFrame(columns=list(types), dtype=object), types)
    least_squares = hasattr(fit, "rsquared")
    if least_squares:
        spread = sm.stats.het_breuschpagan(fit.resid, X)[1] if intercept else np.nan
        rows = {
            "R2": fit.rsquared, "adjusted R2": fit.rsquared_adj, "F": fit.fvalue,
            "F p_value": fit.f_pvalue, "residual standard error": np.sqrt(fit.mse_resid),
            "Breusch-Pagan p_value": spread,
            "Jarque-Bera p_value": sm.stats.jarque_bera(fit.resid)[1],
        }  # fmt: skip
        if order is not None:
            known = order.loc[X.index].dropna().sort_values(kind="stable").index
            rows["Durbin-Watson"] = sm.stats.durbin_watson(fit.resid.loc[known])
    else:
        ratio = 2 * (fit.llf - fit.llnull)
        chance = stats.chi2.sf(ratio, fit.df_model) if fit.df_model else np.nan
        rows = {"pseudo R2": 1 - fit.llf / fit.llnull, "likelihood ratio": ratio,
                "likelihood ratio p_value": chance}  # fmt: skip
        if hasattr(fit, "pearson_chi2"):
            dispersion = fit.pearson_chi2 / fit.df_resid
            rows |= {"deviance": fit.deviance, "dispersion": dispersion}
    rows |= {
        "rows": len(X), "df_model": fit.df_model, "df_residual": fit.df_resid,
        "log-likelihood": fit.llf, "AIC": fit.aic,
        "BIC": fit.bic_llf if hasattr(fit, "pearson_chi2") else fit.bic,
        "condition number": np.linalg.cond(X / np.sqrt((X**2).sum())),
    }  # fmt: skip
    cells = [float(one) if np.isfinite(one) else np.nan for one in rows.values()]
    return _retyped(pd.DataFrame({"metric": list(rows), "value": cells}), types)


def _with_residuals(frame: Any, fit: Any, names: list[str]) -> Any:
    """The frame with the fitted values and what they miss."""
    blank = pd.Series(np.nan, frame.index)
    fitted = blank if fit is None else fit.fittedvalues.reindex(frame.index)
    if hasattr(fit, "prsquared"):  # of a logistic regression those are log odds
        fitted = pd.Series(fit.predict(), fit.fittedvalues.index).reindex(frame.index)
    left = blank if fit is None else pd.Series(fit.model.endog, fit.fittedvalues.index) - fitted
    types = dict.fromkeys(names, "Float64")
    cells = [fitted, left.reindex(frame.index)]
    return _retyped(frame.assign(**dict(zip(names, cells, strict=True))), types)


def _distributions(cells: Any, names: list[str], parameters: bool) -> Any:
    """Distributions fitted by their likelihood, the best by AIC first."""
    known = np.sort(_finite(cells).dropna().to_numpy(dtype="float64"))
    rows: list[Any] = []
    for name, (kind, held, possible, told) in _shapes().items() if len(known) else ():
        if name not in names or not possible(known):
            continue
        shape = getattr(stats, kind)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = shape.fit(known, **held) if kind != "poisson" else (known.mean(),)
            except (RuntimeError, ValueError, ArithmeticError):
                continue
            chances = shape.logpmf if kind == "poisson" else shape.logpdf
            likelihood = chances(known, *found).sum()
            test = None if kind == "poisson" else stats.kstest(known, shape.cdf, args=found)
        free = len(found) - len(held)
        figures = [likelihood, 2 * free - 2 * likelihood, free * np.log(len(known)) - 2 * likelihood]  # noqa: E501  # fmt: skip
        figures += [pd.NA, pd.NA] if test is None else [test.statistic, test.pvalue]
        rows.append((name, figures, told(*found)))
    rows.sort(key=lambda row: row[1][1])
    columns = ["log_likelihood", "aic", "bic", "ks", "ks_p"]
    types = {"distribution": "string[python]"} | dict.fromkeys(columns, "Float64")
    made = [[name, *figures] for name, figures, _ in rows]
    if parameters:
        types = {"distribution": "string[python]", "parameter": "string[python]", "estimate": "Float64"}  # noqa: E501  # fmt: skip
        made = [[name, *one] for name, _, found in rows for one in found.items()]
    return _retyped(pd.DataFrame(made, columns=list(types), dtype=object), types)


def _shapes() -> dict[str, Any]:
    """Of each distribution SciPy's name, what is held, which values it is of, its parameters."""
    return {
        "normal": ("norm", {}, lambda x: True, lambda at, by: {"mean": at, "deviation": by}),
        "lognormal": ("lognorm", {"floc": 0}, lambda x: x[0] > 0,
                      lambda s, _, by: {"mean of log": np.log(by), "deviation of log": s}),
        "exponential": ("expon", {"floc": 0}, lambda x: x[0] >= 0, lambda _, by: {"mean": by}),
        "gamma": ("gamma", {"floc": 0}, lambda x: x[0] > 0,
                  lambda a, _, by: {"shape": a, "scale": by}),
        "weibull": ("weibull_min", {"floc": 0}, lambda x: x[0] > 0,
                    lambda c, _, by: {"shape": c, "scale": by}),
        "beta": ("beta", {"floc": 0, "fscale": 1}, lambda x: x[0] > 0 and x[-1] < 1,
                 lambda a, b, *_: {"alpha": a, "beta": b}),
        "uniform": ("uniform", {}, lambda x: True, lambda at, by: {"low": at, "high": at + by}),
        "logistic": ("logistic", {}, lambda x: True,
                     lambda at, by: {"location": at, "scale": by}),
        "student t": ("t", {}, lambda x: True,
                      lambda df, at, by: {"df": df, "location": at, "scale": by}),
        "poisson": ("poisson", {}, lambda x: x[0] >= 0 and (x == np.floor(x)).all(),
                    lambda mean: {"mean": mean}),
    }  # fmt: skip
