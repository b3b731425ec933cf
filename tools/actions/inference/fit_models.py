"""Regressions by statsmodels, their coefficients, and what sums them up."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.inference.fit_design import Design
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np

    from wideleaf.tools.actions.inference.fit import Fit

MOST_STEPS = 100
MOST_SEPARATED = 200_000
"""Of so many rows it is settled whether features part the classes."""
SURE = 15.0
"""Log odds as large as that may be on their way to infinity."""
NAMES_TOLD = 3
EXACT = 1e-20
"""So small a part of the squares is what cells were rounded by."""
Pairs = list[tuple[str, float | None]]


@contextmanager
def calm() -> Iterator[None]:
    """No warnings of coefficients that run away, which errors tell; one thread.

    Several threads add numbers up in another order.
    """
    import statsmodels.api  # type: ignore[import-untyped]  # noqa: F401 - it shows its own again
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        yield


def fit(action: Fit, made: Design) -> Any:
    """Fit a regression; what statsmodels gives.

    Raises:
        ActionError: If the classes are parted without error, or no best coefficients are found.
    """
    try:
        found, settled = _METHODS[action.model](made, action.robust)
        settled = settled and all(map(math.isfinite, found.bse))
    except (ValueError, ArithmeticError):  # of cells that overflow on the way
        settled = False
    if settled:
        return found
    remedy = "bring the features to a like scale, or leave some out"
    if action.robust:
        remedy = "leave robust out, which a row that alone settles a coefficient does not allow"
    raise ActionError(
        f"no best coefficients of {action.model!r} with their errors were found; {remedy}",
        kind="no convergence",
    )


def _least_squares(made: Design, robust: bool) -> tuple[Any, bool]:
    import statsmodels.api as sm

    kind = {"cov_type": "HC3", "use_t": True} if robust else {}
    return sm.OLS(made.target, made.cells).fit(**kind), True


def _poisson(made: Design, robust: bool) -> tuple[Any, bool]:
    import statsmodels.api as sm

    kind = {"cov_type": "HC0"} if robust else {}
    model = sm.GLM(made.target, made.cells, family=sm.families.Poisson())
    found = model.fit(maxiter=MOST_STEPS, **kind)
    return found, bool(found.converged)


def _logistic(made: Design, robust: bool) -> tuple[Any, bool]:
    """A logistic regression, and whether it came to an end."""
    import numpy as np
    import statsmodels.api as sm

    kind = {"cov_type": "HC0"} if robust else {}
    found, settled, largest = None, False, math.inf
    with suppress(np.linalg.LinAlgError, sm.tools.sm_exceptions.PerfectSeparationError):
        found = sm.Logit(made.target, made.cells).fit(disp=0, maxiter=MOST_STEPS, **kind)
        settled = bool(found.mle_retvals["converged"])
        largest = float(np.abs(made.cells @ found.params).max())
    if (not settled or not largest <= SURE) and (parting := _parting(made)):
        shown = ", ".join(map(repr, parting[:NAMES_TOLD]))
        raise ActionError(
            f"the two values of the target are parted without error by {shown}, at least for some "
            "rows, so that coefficients are infinite; leave that out, or take Predict with the "
            "model 'logistic', which bounds them",
            kind="separation",
        )
    return found, settled


_METHODS = {"ols": _least_squares, "poisson": _poisson, "logistic": _logistic}


def _parting(made: Design) -> list[str]:
    """Features of a plane that has no row of either class on its wrong side; empty if none is."""
    import numpy as np
    from scipy.optimize import linprog  # type: ignore[import-untyped]

    if len(made.cells) > MOST_SEPARATED:
        return []
    sides = np.where(made.target > 0, 1.0, -1.0)[:, None]
    scaled = sides * made.cells / np.abs(made.cells).max(axis=0)
    total = scaled.sum(axis=0)
    found = linprog(-total, A_ub=-scaled, b_ub=np.zeros(len(scaled)), bounds=(-1, 1))
    if found.x is None or total @ found.x < 1e-6:
        return []
    order = np.argsort(-np.abs(found.x), kind="stable")
    named = (made.sources[at] for at in order if abs(found.x[at]) > 1e-6)
    return [name for name in dict.fromkeys(named) if name] or ["the features"]


def coefficients(made: Design, found: Any) -> dict[str, list[Any]]:
    """A row a term: its coefficient, how sure it is, and the bounds of 95 %."""
    bounds = found.conf_int(0.05)
    columns = [found.params, found.bse, found.tvalues, found.pvalues, bounds[:, 0], bounds[:, 1]]
    names = ("coefficient", "std_error", "statistic", "p_value", "low", "high")
    cells = {
        name: [_finite(one) for one in column] for name, column in zip(names, columns, strict=True)
    }
    return {"term": [*made.terms], **cells}


def residuals(made: Design, found: Any) -> list[np.ndarray[Any, Any]]:
    """The fitted values and what they miss, in the order of the table; NaN where a cell is null."""
    import numpy as np

    fitted = np.asarray(found.predict())
    columns = np.full((2, made.total), np.nan)
    columns[:, made.place] = fitted, made.target - fitted
    return list(columns)


def summary(action: Fit, made: Design, found: Any) -> Pairs:
    """What sums a regression up, a pair of name and value each."""
    rows = [
        ("rows", float(len(made.cells))),
        ("df_model", float(found.df_model)),
        ("df_residual", float(found.df_resid)),
        ("log-likelihood", float(found.llf)),
        ("AIC", float(found.aic)),
        ("BIC", float(found.bic if action.model != "poisson" else found.bic_llf)),
        ("condition number", condition(made.cells)),
    ]
    first = _of_squares(made, found) if action.model == "ols" else _of_likelihood(action, found)
    return [(name, _finite(value)) for name, value in [*first, *rows]]


def _of_squares(made: Design, found: Any) -> Pairs:
    import numpy as np
    from statsmodels.stats import stattools  # type: ignore[import-untyped]

    pairs: Pairs = [
        ("R2", found.rsquared),
        ("adjusted R2", found.rsquared_adj),
        *zip(("F", "F p_value"), f_test(found), strict=True),
        ("residual standard error", float(np.sqrt(found.mse_resid))),
        ("Breusch-Pagan p_value", spread_changes(made, found)),
        ("Jarque-Bera p_value", residuals_normal(found)),
    ]
    if made.order is not None:
        pairs.append(("Durbin-Watson", float(stattools.durbin_watson(found.resid[made.order]))))
    return pairs


def _of_likelihood(action: Fit, found: Any) -> Pairs:
    from scipy import stats  # type: ignore[import-untyped]

    ratio = 2 * (found.llf - found.llnull)
    chance = float(stats.chi2.sf(ratio, found.df_model)) if found.df_model else None
    pairs: Pairs = [
        ("pseudo R2", 1 - found.llf / found.llnull),
        ("likelihood ratio", ratio),
        ("likelihood ratio p_value", chance),
    ]
    if action.model == "poisson":
        dispersion = found.pearson_chi2 / found.df_resid
        pairs += [("deviance", found.deviance), ("dispersion", dispersion)]
    return pairs


def f_test(found: Any) -> tuple[float | None, float | None]:
    """The F of all terms and its p-value; None where robust errors of few rows do not tell it."""
    try:
        return _finite(found.fvalue), _finite(found.f_pvalue)
    except ValueError:
        return None, None


def spread_changes(made: Design, found: Any) -> float | None:
    """The p-value of Breusch and Pagan's test, in Koenker's form; None without an intercept."""
    from statsmodels.stats.diagnostic import het_breuschpagan  # type: ignore[import-untyped]

    if made.sources[0] or exact(found):
        return None
    return _finite(het_breuschpagan(found.resid, made.cells)[1])


def residuals_normal(found: Any) -> float | None:
    """The p-value of Jarque and Bera's test."""
    from statsmodels.stats.stattools import jarque_bera  # type: ignore[import-untyped]

    return None if exact(found) else _finite(jarque_bera(found.resid)[1])


def exact(found: Any) -> bool:
    """Whether least squares leave nothing but rounding."""
    return bool(found.ssr <= EXACT * found.uncentered_tss)


def condition(cells: np.ndarray[Any, Any]) -> float:
    """The condition number of columns of one length: how near to a combination of others one is."""
    import numpy as np

    return float(np.linalg.cond(cells / np.sqrt((cells**2).sum(axis=0))))


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
