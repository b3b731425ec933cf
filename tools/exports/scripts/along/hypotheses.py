"""The samples of hypothesis tests out of pandas frames, and a row a test, for a pandas script."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from wideleaf.tools.actions.inference.hypothesis_tests import list_cells, run_test
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
            given, labels, count = samples(part, column, other)
            found = run_test(test, given, least)
            shown = list_cells(found, given, labels, count, alpha, medians)
            rows.append([*cells[: len(by)], column, other, name, *shown])
    made = pd.DataFrame(rows, columns=list(types), dtype=object)
    made[made.isna()] = pd.NA
    return _retyped(made, {name: kind or "object" for name, kind in types.items()})


def _numbers(cells: Any) -> Any:
    """The finite numbers of a column, in order."""
    return np.sort(_finite(cells).dropna().to_numpy(dtype="float64"))


def _columns_apart(rows: Any, columns: list[str], labels: Any) -> Any:
    """Each column as a sample of its own."""
    found = [_numbers(rows[name]) for name in columns]
    return found, labels, sum(map(len, found))


def _pairs_of(rows: Any, columns: list[str]) -> Any:
    """Two columns over the rows that have both."""
    cells = pd.DataFrame({place: _finite(rows[name]) for place, name in enumerate(columns)})
    both = cells.dropna().astype("float64")
    return [both[0].to_numpy(), both[1].to_numpy()], columns, len(both)


def _groups_of(rows: Any, column: str, groups: Any, two: bool) -> Any:
    """A column's values in each group, as samples."""
    here = groups.loc[rows.index]
    found = [_numbers(rows[column][(here == name).to_numpy()]) for name in here.cat.categories]
    labels = [*here.cat.categories] if two and len(found) == 2 else (None, None)
    return found, labels, sum(map(len, found))


def _counts_of(rows: Any, column: str, groups: Any) -> Any:
    """How often two values come together."""
    here = groups.loc[rows.index][rows[column].notna()].cat.remove_unused_categories()
    codes, names = here.cat.codes, [*here.cat.categories]
    cells = rows[column].loc[here.index].to_numpy()
    counts = pd.crosstab(cells, codes.where(codes >= 0).to_numpy()).to_numpy()
    return [counts], names if len(names) == 2 else (None, None), int(counts.sum())


def _grouping(cells: Any, wanted: Any, day: bool = False) -> Any:
    """The name of the group that each row is in, the groups in order."""
    if wanted is None:
        codes, found = pd.factorize(cells, sort=True)
        text = cells.dtype == "string"
        labels: Any = [value if text else _label(value, day) for value in found]
        return pd.Series(pd.Categorical.from_codes(codes, labels), cells.index)
    if cells.dtype == "string":
        plain = _folded(cells)
        names = list(_folded(pd.Series(wanted, dtype="string[python]")))
    else:
        plain = _each(cells, lambda one: _label(one, day), "string[python]")
        names = wanted
    here = plain.map(dict(zip(names, wanted, strict=True)))
    return pd.Series(pd.Categorical(here, categories=wanted), cells.index)
