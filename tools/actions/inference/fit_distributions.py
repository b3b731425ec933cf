"""The distributions that are fitted to a column, a row each: a new one is a new row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Shape(NamedTuple):
    """A distribution.

    Attributes:
        name: What SciPy calls it.
        told: Its parameters, by name, out of those of SciPy.
        held: What is held while it is fitted.
        takes: Which values it describes, in words; empty where it describes all.
        fits: Whether it describes values, which are in order.
        spellings: Other names of it.
        usual: Whether it is tried where none is named, as far as it describes such values.
    """

    name: str
    told: Callable[..., dict[str, float]]
    held: Mapping[str, float] = {}
    takes: str = ""
    fits: Callable[[Any], bool] = lambda values: True
    spellings: tuple[str, ...] = ()
    usual: bool = False


SHAPES: dict[str, Shape] = {
    "normal": Shape(
        "norm", lambda loc, scale: {"mean": loc, "deviation": scale},
        spellings=("gaussian", "norm"), usual=True,
    ),
    "lognormal": Shape(
        "lognorm", lambda s, _, scale: {"mean of log": math.log(scale), "deviation of log": s},
        {"floc": 0}, "values above zero", lambda values: values[0] > 0,
        spellings=("log-normal", "log normal", "lognorm"), usual=True,
    ),
    "exponential": Shape(
        "expon", lambda _, scale: {"mean": scale},
        {"floc": 0}, "values of zero or more", lambda values: values[0] >= 0,
        spellings=("expon",), usual=True,
    ),
    "gamma": Shape(
        "gamma", lambda a, _, scale: {"shape": a, "scale": scale},
        {"floc": 0}, "values above zero", lambda values: values[0] > 0, usual=True,
    ),
    "weibull": Shape(
        "weibull_min", lambda c, _, scale: {"shape": c, "scale": scale},
        {"floc": 0}, "values above zero", lambda values: values[0] > 0,
        spellings=("weibull_min",), usual=True,
    ),
    "beta": Shape(
        "beta", lambda a, b, *_: {"alpha": a, "beta": b},
        {"floc": 0, "fscale": 1}, "values between zero and one",
        lambda values: values[0] > 0 and values[-1] < 1,
    ),
    "uniform": Shape("uniform", lambda loc, scale: {"low": loc, "high": loc + scale}, usual=True),
    "logistic": Shape(
        "logistic", lambda loc, scale: {"location": loc, "scale": scale}, usual=True
    ),
    "student t": Shape(
        "t", lambda df, loc, scale: {"df": df, "location": loc, "scale": scale},
        spellings=("t", "student"),
    ),
    "poisson": Shape(
        "poisson", lambda mean: {"mean": mean},
        takes="counts", fits=lambda values: values[0] >= 0 and not (values % 1).any(),
    ),
}  # fmt: skip
"""By the name that a caller gives, in the order in which a model reads them."""
