"""Distributions fitted to a column by their likelihood, and how well each describes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np

Distribution = Literal[
    "normal", "lognormal", "exponential", "gamma", "weibull", "beta", "uniform", "logistic",
    "student t", "poisson",
]  # fmt: skip
MOST_VALUES, LEAST_VALUES = 2_000_000, 5


class Shape(NamedTuple):
    """A distribution.

    Attributes:
        name: What SciPy calls it.
        held: What is held while it is fitted.
        told: Its parameters, by name, out of those of SciPy.
        takes: Which values it describes, in words; empty where it describes all.
    """

    name: str
    held: dict[str, float]
    told: Callable[..., dict[str, float]]
    takes: str = ""


class Description(NamedTuple):
    """A distribution fitted to a column.

    Attributes:
        distribution: Its name.
        parameters: Its parameters, by name.
        log_likelihood: The logarithm of the values' likelihood.
        aic: Akaike's criterion, the lower the better.
        bic: The Bayesian one.
        ks: The largest distance of the distributions of Kolmogorov and Smirnov's test.
        ks_p: Its p-value.
    """

    distribution: Distribution
    parameters: dict[str, float]
    log_likelihood: float
    aic: float
    bic: float
    ks: float | None
    ks_p: float | None


_POSITIVE, _NOT_NEGATIVE = "values above zero", "values of zero or more"
SHAPES: dict[Distribution, Shape] = {
    "normal": Shape("norm", {}, lambda loc, scale: {"mean": loc, "deviation": scale}),
    "lognormal": Shape(
        "lognorm", {"floc": 0},
        lambda s, _, scale: {"mean of log": math.log(scale), "deviation of log": s}, _POSITIVE,
    ),
    "exponential": Shape("expon", {"floc": 0}, lambda _, scale: {"mean": scale}, _NOT_NEGATIVE),
    "gamma": Shape(
        "gamma", {"floc": 0}, lambda a, _, scale: {"shape": a, "scale": scale}, _POSITIVE
    ),
    "weibull": Shape(
        "weibull_min", {"floc": 0}, lambda c, _, scale: {"shape": c, "scale": scale}, _POSITIVE
    ),
    "beta": Shape(
        "beta", {"floc": 0, "fscale": 1}, lambda a, b, *_: {"alpha": a, "beta": b},
        "values between zero and one",
    ),
    "uniform": Shape("uniform", {}, lambda loc, scale: {"low": loc, "high": loc + scale}),
    "logistic": Shape("logistic", {}, lambda loc, scale: {"location": loc, "scale": scale}),
    "student t": Shape(
        "t", {}, lambda df, loc, scale: {"df": df, "location": loc, "scale": scale}
    ),
    "poisson": Shape("poisson", {}, lambda mean: {"mean": mean}, "counts"),
}  # fmt: skip
USUAL: tuple[Distribution, ...] = (
    "normal", "lognormal", "exponential", "gamma", "weibull", "uniform", "logistic",
)  # fmt: skip
"""What is tried where none is named, as far as it describes such values."""


def describe(
    target: str, values: np.ndarray[Any, Any], wanted: Sequence[Distribution]
) -> list[Description]:
    """Fit distributions, the best by AIC first.

    Those that such values cannot come from, or whose fit comes to no end, are left out.

    Args:
        target: What the values are called.
        values: Finite numbers, in order.
        wanted: Which to fit.

    Raises:
        ActionError: If the values are too many, too few or all alike, or nothing is left to fit.
    """
    _need_values(target, values)
    possible = [name for name in dict.fromkeys(wanted) if _can_be(name, values)]
    if not possible:
        raise ActionError(
            f"{wanted[0]!r} is of {SHAPES[wanted[0]].takes}, and {target!r} has others; take "
            "'normal', or Filter rows",
            kind="argument distributions",
        )
    made = [_fitted(name, values) for name in possible]
    there = sorted((one for one in made if one is not None), key=lambda one: one.aic)
    if not there:
        raise ActionError(
            f"{possible[0]!r} has no best parameters for {target!r}; take 'normal'",
            kind="no convergence",
        )
    return there


def _can_be(distribution: Distribution, values: np.ndarray[Any, Any]) -> bool:
    """Whether such values can come from a distribution."""
    import numpy as np

    takes, low, high = SHAPES[distribution].takes, values.min(), values.max()
    if takes == _POSITIVE:
        return bool(low > 0)
    if takes == _NOT_NEGATIVE:
        return bool(low >= 0)
    if takes == "counts":
        return bool(low >= 0 and (values == np.floor(values)).all())
    return bool(low > 0 and high < 1) if takes else True


def _fitted(name: Distribution, values: np.ndarray[Any, Any]) -> Description | None:
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]

    shape, count = SHAPES[name], len(values)
    kind = getattr(stats, shape.name)
    if name == "poisson":
        found: tuple[float, ...] = (float(values.mean()),)
        likelihood = float(kind.logpmf(values, *found).sum())
        distance = chance = None
    else:
        try:
            found = tuple(map(float, kind.fit(values, **shape.held)))
        except (RuntimeError, ValueError, ArithmeticError):  # whatever its solvers raise
            return None
        likelihood = float(kind.logpdf(values, *found).sum())
        test = stats.kstest(values, kind.cdf, args=found)
        distance, chance = float(test.statistic), float(test.pvalue)
    if not np.isfinite([likelihood, *found]).all():
        return None
    free = len(found) - len(shape.held)
    aic, bic = 2 * free - 2 * likelihood, free * math.log(count) - 2 * likelihood
    return Description(name, shape.told(*found), likelihood, aic, bic, distance, chance)


def _need_values(target: str, values: np.ndarray[Any, Any]) -> None:
    if len(values) > MOST_VALUES:
        raise ActionError(
            f"{len(values)} values are more than {MOST_VALUES}, which distributions are fitted to; "
            "Sample first",
            kind="too large",
        )
    if len(values) < LEAST_VALUES:
        raise ActionError(
            f"{target!r} has {len(values)} values, and {LEAST_VALUES} are the least that a "
            "distribution is fitted to",
            kind="too few rows",
        )
    if values.min() == values.max():
        raise ActionError(
            f"{target!r} has one value in all rows; take another column or other rows",
            kind="one value",
        )
