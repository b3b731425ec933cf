"""The rows that a regression is fitted to, out of pandas frames, and its frame, for a script."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.actions.inference.fit_models import (
    describe_values,
    fit_regression,
    list_coefficients,
    make_terms,
    sum_up,
)
from wideleaf.tools.exports.scripts.along.frames import _finite, _retyped


def _fitted(
    frame: Any, target: str, features: list[str], model: str, intercept: bool, robust: bool
) -> Any:
    """The rows that are whole, their terms and the regression; none of no rows."""
    cells = {name: frame[name] if frame[name].dtype == "string" else
             _finite(frame[name]).astype("Float64") for name in [target, *features]}  # fmt: skip
    rows = pd.DataFrame(cells).dropna().sort_values([target, *features], kind="stable")
    if not len(rows):
        return rows, None, None
    columns = {name: rows[name].to_numpy(dtype=object if rows[name].dtype == "string" else float)
               for name in features}  # fmt: skip
    terms = make_terms(columns, intercept)
    y = rows[target] == rows[target].max() if model == "logistic" else rows[target]
    return rows, terms, fit_regression(model, y.to_numpy(dtype=float), terms.cells, robust)


def _coefficients(fitted: Any, types: dict[str, str]) -> Any:
    """A row a term, with the bounds of 95 %."""
    _, terms, found = fitted
    rows = [] if found is None else list_coefficients(terms, found)
    return _retyped(pd.DataFrame(rows, columns=list(types), dtype=object), types)


def _summary(fitted: Any, types: dict[str, str], order: Any = None) -> Any:
    """What sums a regression up; with Durbin and Watson's statistic of an order."""
    rows, terms, found = fitted
    places = None
    if order is not None:
        known = order.loc[rows.index].dropna().sort_values(kind="stable").index
        places = rows.index.get_indexer(known)
    figures = {} if found is None else sum_up(terms, found, places)
    return _retyped(pd.DataFrame(figures.items(), columns=list(types), dtype=object), types)


def _with_residuals(frame: Any, fitted: Any, names: list[str]) -> Any:
    """The frame with the fitted values and what they miss."""
    rows, _, found = fitted
    values = pd.DataFrame(np.nan, frame.index, names)
    if found is not None:
        predicted = found.predict()
        values.loc[rows.index] = np.column_stack([predicted, found.model.endog - predicted])
    return _retyped(pd.concat([frame, values], axis=1), dict.fromkeys(names, "Float64"))


def _distributions(cells: Any, names: list[str], parameters: bool, types: dict[str, str]) -> Any:
    """Distributions fitted by their likelihood, the best by AIC first."""
    made = describe_values(np.sort(_finite(cells).dropna().to_numpy(dtype="float64")), names)
    rows: list[Any] = [(one[0], *one[2:]) for one in made]
    if parameters:
        rows = [(one[0], *pair) for one in made for pair in one.parameters.items()]
    return _retyped(pd.DataFrame(rows, columns=list(types), dtype=object), types)
