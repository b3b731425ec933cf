"""Columns of a prediction as numbers: texts as indicators, classes and groups as places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MOST_LEVELS = 20
MOST_CLASSES = 100
LEAST_A_CLASS = 3
LEAST_ROWS = 20
LARGEST = 1e30
"""Squares of larger numbers, and sums of these, may run over, as trees' own numbers do."""


def plain(column: pl.Series) -> pl.Series:
    """Numbers as floats without NaN, texts as texts."""
    import polars as pl

    if column.dtype.is_numeric():
        numbers = column.cast(pl.Float64)
        return numbers.set(~numbers.is_finite().fill_null(True), None)
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def refuse_far(name: str, column: pl.Series) -> None:
    """Refuse numbers that no model can calculate with.

    Args:
        name: Of the column.
        column: Its cells.

    Raises:
        ActionError: If it has such.
    """
    if column.dtype.is_numeric() and (column.abs() > LARGEST).any():
        raise ActionError(
            f"{name!r} has numbers beyond {LARGEST:g}, which models cannot calculate with; leave "
            "it out, Filter such rows, or Derive it in a larger unit",
            kind="too large",
        )


def ranks(column: pl.Series) -> np.ndarray[Any, Any]:
    """The place of each cell among the values, from 0; NaN for a null."""
    import polars as pl

    return (column.rank("dense").cast(pl.Float64) - 1).to_numpy()


def numbers_of(
    name: str, column: pl.Series, seen: pl.Series
) -> tuple[list[np.ndarray[Any, Any]], list[str]]:
    """A feature as numbers: a text as an indicator of each level.

    Args:
        name: Of the feature.
        column: Its cells.
        seen: Those in rows that are learnt from.

    Raises:
        ActionError: If it is text of too many levels.
    """
    import polars as pl

    if column.dtype != pl.String:
        return [column.cast(pl.Float64).to_numpy()], [name]
    levels = seen.drop_nulls().unique().sort().to_list()
    if len(levels) > MOST_LEVELS:
        raise ActionError(
            f"{name!r} is text of more than {MOST_LEVELS} values; leave it out of the features, or "
            "Derive a coarser one",
            kind="argument features",
        )
    marks = [(column == level).fill_null(False).cast(pl.Float64).to_numpy() for level in levels]
    return marks, [f"{name} = {level}" for level in levels]


def target_of(
    column: pl.Series, usable: np.ndarray[Any, Any], category: bool
) -> tuple[np.ndarray[Any, Any], tuple[Any, ...] | None, Any]:
    """The target as numbers or as places among its classes; these; and their type.

    Args:
        column: Its cells.
        usable: Which rows are learnt from.
        category: Whether it is one.

    Raises:
        ActionError: If it has too few rows, one value, or too many classes.
    """
    import polars as pl

    seen = column.filter(usable)
    values = seen.unique().sort().to_list()
    if len(seen) < LEAST_ROWS:
        raise ActionError(
            f"only {len(seen)} rows can be learnt from, and {LEAST_ROWS} are the least",
            kind="too few rows",
        )
    if len(values) < 2:
        raise ActionError(
            "the target has one value in all rows that can be learnt from; take another target or "
            "other rows",
            kind="one value",
        )
    if not category:
        return column.cast(pl.Float64).to_numpy(), None, pl.Float64
    if len(values) > MOST_CLASSES:
        raise ActionError(
            f"the target has more than {MOST_CLASSES} values; Derive coarser classes, or predict a "
            "number",
            kind="argument target",
        )
    if len(values) * LEAST_A_CLASS > len(seen):
        raise ActionError(
            f"the target has fewer than {LEAST_A_CLASS} rows a class in the mean; Derive coarser "
            "classes, or predict a number",
            kind="argument target",
        )
    codes = column.replace_strict(values, list(range(len(values))), default=None)
    return codes.cast(pl.Float64).to_numpy(), tuple(values), column.dtype
