"""What a script of Test, Fit and Correlate needs beside their functions: samples of pandas frames.

It is copied by its source, as these are, so it knows pandas, numpy and them alone.
"""

from __future__ import annotations

from itertools import combinations
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
from wideleaf.tools.actions.inference.hypothesis_tests import correlate_pair, list_cells, run_test
from wideleaf.tools.exports.scripts.along.frames import (
    _each,
    _finite,
    _folded,
    _key,
    _label,
    _retyped,
    _sort,
)


def _tested(
    frame: Any, by: list[str], tests: list[Any], samples: Any, test: Any, least: int, alpha: float,
    types: dict[str, str], medians: bool = False,
) -> Any:  # fmt: skip
    """A row for each test in each group: what is tested, by what, its figures and its samples."""
    key = _key(frame, by)
    groups = _sort(frame.loc[~key.duplicated(), by].assign(**{"\0": key}), by, [False] * len(by))
    rows = []
    for cells in groups.itertuples(index=False) if by else [(0,)]:
        part = frame[key == cells[-1]] if by else frame
        for column, other, name in tests:
            arrays, labels, count = samples(part, column, other)
            figures = run_test(test, arrays, least)
            entries = list_cells(figures, arrays, labels, count, alpha, medians)
            rows.append([*cells[: len(by)], column, other, name, *entries])
    table = pd.DataFrame(rows, columns=list(types), dtype=object)
    table[table.isna()] = pd.NA
    return _retyped(table, {name: kind or "object" for name, kind in types.items()})


def _numbers(cells: Any) -> Any:
    """The finite numbers of a column, in order."""
    return np.sort(_finite(cells).dropna().to_numpy(dtype="float64"))


def _columns_apart(rows: Any, columns: list[str], labels: Any) -> Any:
    """Each column as a sample of its own."""
    arrays = [_numbers(rows[name]) for name in columns]
    return arrays, labels, sum(map(len, arrays))


def _pairs_of(rows: Any, columns: list[str]) -> Any:
    """Two columns over the rows that have both."""
    cells = pd.DataFrame({place: _finite(rows[name]) for place, name in enumerate(columns)})
    both = cells.dropna().astype("float64")
    return [both[0].to_numpy(), both[1].to_numpy()], columns, len(both)


def _groups_of(rows: Any, column: str, groups: Any, two: bool) -> Any:
    """A column's values in each group, as samples."""
    here = groups.loc[rows.index]
    arrays = [_numbers(rows[column][(here == name).to_numpy()]) for name in here.cat.categories]
    labels = [*here.cat.categories] if two and len(arrays) == 2 else (None, None)
    return arrays, labels, sum(map(len, arrays))


def _counts_of(rows: Any, column: str, groups: Any) -> Any:
    """How often two values come together."""
    here = groups.loc[rows.index][rows[column].notna()].cat.remove_unused_categories()
    codes, names = here.cat.codes, [*here.cat.categories]
    cells = rows[column].loc[here.index].to_numpy()
    counts = pd.crosstab(cells, codes.where(codes >= 0).to_numpy()).to_numpy()
    return [counts], names if len(names) == 2 else (None, None), int(counts.sum())


def _grouping(cells: Any, categories: Any, day: bool = False) -> Any:
    """The name of the group that each row is in, the groups in order."""
    if categories is None:
        codes, levels = pd.factorize(cells, sort=True)
        text = cells.dtype == "string"
        labels: Any = [value if text else _label(value, day) for value in levels]
        return pd.Series(pd.Categorical.from_codes(codes, labels), cells.index)
    if cells.dtype == "string":
        plain = _folded(cells)
        names = list(_folded(pd.Series(categories, dtype="string[python]")))
    else:
        plain = _each(cells, lambda one: _label(one, day), "string[python]")
        names = categories
    here = plain.map(dict(zip(names, categories, strict=True)))
    return pd.Series(pd.Categorical(here, categories=categories), cells.index)


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
    _, terms, regression = fitted
    rows = [] if regression is None else list_coefficients(terms, regression)
    return _retyped(pd.DataFrame(rows, columns=list(types), dtype=object), types)


def _summary(fitted: Any, types: dict[str, str], order: Any = None) -> Any:
    """What sums a regression up; with Durbin and Watson's statistic of an order."""
    rows, terms, regression = fitted
    places = None
    if order is not None:
        index = order.loc[rows.index].dropna().sort_values(kind="stable").index
        places = rows.index.get_indexer(index)
    figures = {} if regression is None else sum_up(terms, regression, places)
    return _retyped(pd.DataFrame(figures.items(), columns=list(types), dtype=object), types)


def _with_residuals(frame: Any, fitted: Any, names: list[str]) -> Any:
    """The frame with the fitted values and what they miss."""
    rows, _, regression = fitted
    values = pd.DataFrame(np.nan, frame.index, names)
    if regression is not None:
        predicted = regression.predict()
        values.loc[rows.index] = np.column_stack([predicted, regression.model.endog - predicted])
    return _retyped(pd.concat([frame, values], axis=1), dict.fromkeys(names, "Float64"))


def _distributions(cells: Any, names: list[str], parameters: bool, types: dict[str, str]) -> Any:
    """Distributions fitted by their likelihood, the best by AIC first."""
    fits = describe_values(np.sort(_finite(cells).dropna().to_numpy(dtype="float64")), names)
    rows: list[Any] = [(one[0], *one[2:]) for one in fits]
    if parameters:
        rows = [(one[0], *pair) for one in fits for pair in one.parameters.items()]
    return _retyped(pd.DataFrame(rows, columns=list(types), dtype=object), types)


def _correlated(
    frame: Any, column: str | None, others: list[str], method: str, by: list[str],
    limit: int | None, types: dict[str, str],
) -> Any:  # fmt: skip
    """Correlations of a column with others, or of all pairs, strongest first in each group."""
    frame = _sort(frame, by, [False] * len(by)) if by else frame
    parts = [part for _, part in frame.groupby(_key(frame, by))] if by else [frame]
    pairs = [(column, other) for other in others] if column else [*combinations(others, 2)]
    rows: list[Any] = []
    for part in parts:
        cells = {name: part[name].to_numpy(dtype=float, na_value=np.nan)
                 for name in dict.fromkeys([*others, *([column] if column else [])])}  # fmt: skip
        correlations = []
        for one, other in pairs:
            size, p_value, count = correlate_pair(cells[one], cells[other], method)
            names = [other] if column else [one, other]
            correlations.append([*(part[key].iloc[0] for key in by), *names, size, p_value, count])
        correlations.sort(key=lambda row: -1.0 if np.isnan(row[-3]) else abs(row[-3]), reverse=True)
        if limit:
            finite = [row for row in correlations if not np.isnan(row[-3])]
            least = abs(finite[:limit][-1][-3]) - 1e-12 if finite else 0
            correlations = [row for row in finite if abs(row[-3]) >= least]
        rows += correlations
    return _retyped(pd.DataFrame(rows, columns=list(types)), types)
