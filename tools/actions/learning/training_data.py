"""The rows of a prediction as numbers: texts as indicators, classes and groups as places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import need_few_levels
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.learning.predict import Predict

Array = np.ndarray[Any, Any]
MAX_LEVELS = 20
MAX_CLASSES = 100
MIN_A_CLASS = 3
MIN_ROWS = 20
LARGEST = 1e30
"""Squares of larger numbers, and sums of these, may run over, as trees' own numbers do."""


class TrainingData(NamedTuple):
    """What is learnt from, in an order of the rows that depends on their cells alone.

    Attributes:
        cells: Rows times features; NaN for a null.
        names: The features; that of a level of a text is ``column = level``.
        owners: The column that each feature is of.
        target: The numbers, or the place of each row's class in `classes`; NaN for a null.
        classes: The levels of a category, in order; None for numbers.
        dtype: The type of the levels.
        whole: Rows without a null that is not to be filled.
        held: Rows that a column holds out of fitting; None without such a column.
        groups: The place of each row's group among the groups; None without any.
        moments: The same of its time.
        place: Where each row stands in the table.
        empty: Columns without a value.
        constant: Columns of one value.
        ids: Columns of whole numbers, each once, or of texts, each once.
        sparse: Columns with a null in more than half of the rows.
        filled: How many features have nulls.
    """

    cells: Array
    names: tuple[str, ...]
    owners: tuple[str, ...]
    target: Array
    classes: tuple[Any, ...] | None
    dtype: Any
    whole: Array
    held: Array | None
    groups: Array | None
    moments: Array | None
    place: Array
    empty: list[str]
    constant: list[str]
    ids: list[str]
    sparse: list[str]
    filled: int

    @property
    def known(self) -> Array:
        """Rows with a target."""
        return ~np.isnan(self.target)

    @property
    def usable(self) -> Array:
        """Rows that can be learnt from."""
        usable: Array = self.known & self.whole
        return usable


def gather(action: Predict, table: Table, target: str, *, listed: bool) -> TrainingData:
    """Read the columns and turn them into numbers.

    Args:
        action: The resolved action.
        table: The table, with the target in one column.
        target: That column.
        listed: Whether rows stay in the order in which the engine lists them.

    Raises:
        ActionError: If there are too many cells, classes or levels, or too little to learn from.
    """
    names = (target, *action.features, action.test, action.groups, action.time)
    headers = [name for name in dict.fromkeys(names) if name is not None]
    frame = _read(action, table, headers, listed)
    columns = {name: frame[str(place)] for place, name in enumerate(headers)}
    for name in (target, *action.features):
        _refuse_far(name, columns[name])
    has_target = columns[target].is_not_null()
    counts = {name: columns[name].filter(has_target).count() for name in action.features}
    nonempty = [name for name, count in counts.items() if count]
    whole = np.ones(len(frame), dtype=bool)
    for name in (*(nonempty if action.nulls == "drop" else ()), action.groups, action.time):
        if name is not None:
            whole &= columns[name].is_not_null().to_numpy()
    usable = has_target & pl.Series(whole)
    features = _encode_features(action, table, {name: columns[name] for name in nonempty}, usable)
    values, classes = _encode_target(columns[target], usable, action.is_category(table))
    mask = columns[action.test].fill_null(False).to_numpy().astype(bool) if action.test else None
    if mask is not None and not (usable.to_numpy() & mask).any():
        raise ActionError(
            f"no row that has a target is held out by {action.test!r}; leave test out to "
            "cross-validate",
            kind="argument test",
        )
    if not features["names"]:
        raise ActionError(
            f"all {len(action.features)} features are empty or constant; name others",
            kind="no feature",
        )
    return TrainingData(
        target=values,
        classes=classes,
        dtype=columns[target].dtype,
        whole=whole,
        held=mask,
        groups=_rank(columns[action.groups]) if action.groups else None,
        moments=_rank(columns[action.time]) if action.time else None,
        place=frame["place"].to_numpy(),
        empty=[name for name, count in counts.items() if not count],
        **features,
    )


def _read(action: Predict, table: Table, headers: list[str], listed: bool) -> pl.DataFrame:
    """The columns by their places, for a header may be anything, with each row's own place.

    An engine promises no order, so cells make one. Where each row is predicted, rows alike in
    these columns are told apart by the others.
    """
    apart = action.result == "predictions"
    others = [n for n in table.columns if n not in set(headers) and table.kind(n) != "other"]
    raw_frame = table.collect(*headers, *(others if apart else ()), purpose="Predict")
    columns = [_plain(column).alias(str(n)) for n, column in enumerate(raw_frame.get_columns())]
    frame = pl.DataFrame(columns).with_row_index("place")
    return frame if listed else frame.sort(frame.columns[1:], nulls_last=True)


def _plain(column: pl.Series) -> pl.Series:
    """Numbers as floats without NaN, texts as texts."""
    if column.dtype.is_numeric():
        numbers = column.cast(pl.Float64)
        return numbers.set(~numbers.is_finite().fill_null(True), None)
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def _refuse_far(name: str, column: pl.Series) -> None:
    if column.dtype.is_numeric() and (column.abs() > LARGEST).any():
        raise ActionError(
            f"{name!r} has numbers beyond {LARGEST:g}, which models cannot calculate with; leave "
            "it out, Filter such rows, or Derive it in a larger unit",
            kind="too large",
        )


def _rank(column: pl.Series) -> Array:
    """The place of each cell among the values, from 0; NaN for a null."""
    return (column.rank("dense").cast(pl.Float64) - 1).to_numpy()


def _encode_features(
    action: Predict, table: Table, columns: dict[str, pl.Series], usable: pl.Series
) -> dict[str, Any]:
    """What training data has of its features: a text is an indicator of each of its levels."""
    parts: list[pl.Series] = []
    owners: list[str] = []
    constant, ids, sparse, filled = [], [], [], 0
    for name, column in columns.items():
        sample, text = column.filter(usable), column.dtype == pl.String
        count, missing = sample.drop_nulls().n_unique(), sample.null_count()
        # A null of a text is a level of its own, one of a number will be the other value.
        if count + bool(missing and text) < 2:
            constant.append(name)
            continue
        filled += bool(missing)
        sparse += [name] * (2 * missing > len(sample))
        could_number = text or table.schema[name].is_integer()
        ids += [name] * (count == len(sample) and could_number and name != action.time)
        encoding = _indicate(name, column, sample) if text else [column.alias(name)]
        parts += encoding
        owners += [name] * len(encoding)
    cells = [part.cast(pl.Float64).to_numpy() for part in parts]
    return {
        "cells": np.column_stack(cells) if cells else np.empty((0, 0)),
        "names": tuple(part.name for part in parts),
        "owners": tuple(owners),
        "constant": constant,
        "ids": ids,
        "sparse": sparse,
        "filled": filled,
    }


def _indicate(name: str, column: pl.Series, sample: pl.Series) -> list[pl.Series]:
    """Whether a text is each of the levels in the rows that are learnt from."""
    levels = sample.drop_nulls().unique().sort().to_list()
    need_few_levels(name, len(levels), MAX_LEVELS)
    return [(column == level).fill_null(False).alias(f"{name} = {level}") for level in levels]


def _encode_target(
    column: pl.Series, usable: pl.Series, category: bool
) -> tuple[Array, tuple[Any, ...] | None]:
    """The target as numbers, or as places among its classes; and these."""
    sample = column.filter(usable)
    values = sample.unique().sort().to_list()
    if len(sample) < MIN_ROWS:
        raise ActionError(
            f"only {len(sample)} rows can be learnt from, and {MIN_ROWS} are the least",
            kind="too few rows",
        )
    if len(values) < 2:
        raise ActionError(
            "the target has one value in all rows that can be learnt from; take another target or "
            "other rows",
            kind="one value",
        )
    if not category:
        return column.cast(pl.Float64).to_numpy(), None
    if len(values) > MAX_CLASSES:
        raise ActionError(
            f"the target has more than {MAX_CLASSES} values; Derive coarser classes, or predict a "
            "number",
            kind="argument target",
        )
    if len(values) * MIN_A_CLASS > len(sample):
        raise ActionError(
            f"the target has fewer than {MIN_A_CLASS} rows a class in the mean; Derive coarser "
            "classes, or predict a number",
            kind="argument target",
        )
    codes = column.replace_strict(values, list(range(len(values))), default=None)
    return codes.cast(pl.Float64).to_numpy(), tuple(values)
