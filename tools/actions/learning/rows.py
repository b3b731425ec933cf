"""The rows of a prediction as numbers, in an order that depends on their cells alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MOST_NUMBERS = 20_000_000
"""Fitting holds several copies of its numbers: rows times features."""
MOST_LEVELS = 20
MOST_CLASSES = 100
LEAST_A_CLASS = 3
LEAST_ROWS = 20


class Material(NamedTuple):
    """What is learnt from.

    Attributes:
        cells: Rows times features; NaN for a null.
        names: The features; that of a level of a text is ``column = level``.
        target: The numbers, or the place of each row's class in `classes`; NaN for a null.
        classes: The levels of a category, in order; None for numbers.
        dtype: The type of the levels.
        held: Rows held out of fitting.
        usable: Rows with a target, and no null that is not to be filled.
        known: Rows with a target.
        whole: Rows without a null that is not to be filled.
        place: Where each row stands in the table.
        empty: Columns without a value.
        constant: Columns of one value.
        filled: How many features have nulls.
    """

    cells: np.ndarray[Any, Any]
    names: tuple[str, ...]
    target: np.ndarray[Any, Any]
    classes: tuple[Any, ...] | None
    dtype: Any
    held: np.ndarray[Any, Any]
    usable: np.ndarray[Any, Any]
    known: np.ndarray[Any, Any]
    whole: np.ndarray[Any, Any]
    place: np.ndarray[Any, Any]
    empty: list[str]
    constant: list[str]
    filled: int


def gather(
    table: Table,
    target: str,
    features: Sequence[str],
    test: str | None,
    nulls: str,
    category: bool,
    *,
    apart: bool = False,
) -> Material:
    """Read the columns and turn them into numbers.

    Args:
        table: The table, with the target in one column.
        target: What is to be predicted.
        features: What from.
        test: A column that is true in rows held out.
        nulls: ``median`` where nulls of features are filled later, ``drop`` where their rows go.
        category: Whether the target is a category.
        apart: Whether rows alike in these columns must be told apart, by the others.

    Raises:
        ActionError: If there are too many cells, classes or levels, or too little to learn from.
    """
    import numpy as np
    import polars as pl

    rows = table.count()
    if rows * len(features) > MOST_NUMBERS:
        raise ActionError(
            f"Predict fits its features in memory; {rows} rows x {len(features)} features are more "
            f"than {MOST_NUMBERS} numbers; name fewer features, Filter rows or Sample first",
            kind="too large",
        )
    used = [target, *features, *([test] if test else [])]
    others = [n for n in table.columns if n not in set(used) and table.kind(n) != "other"]
    read = table.collect(*used, *(others if apart else ()), purpose="Predict")
    # By place, for a header may be anything; an engine promises no order, so cells make one.
    columns = [_plain(column).alias(str(n)) for n, column in enumerate(read.get_columns())]
    frame = pl.DataFrame(columns).with_row_index("place")
    frame = frame.sort([str(n) for n in range(len(columns))], nulls_last=True)
    known = frame["0"].is_not_null().to_numpy()
    held = frame[str(len(features) + 1)].fill_null(False).to_numpy() if test else ~known & known
    held = held.astype(bool)
    whole = np.ones(len(frame), dtype=bool)
    empty, constant, filled = [], [], 0
    parts: list[np.ndarray[Any, Any]] = []
    names: list[str] = []
    kept: list[tuple[str, pl.Series]] = []
    for number, name in enumerate(features, start=1):
        column = frame[str(number)]
        if column.filter(known).null_count() == int(known.sum()):
            empty.append(name)
            continue
        kept.append((name, column))
        if nulls == "drop":
            whole &= column.is_not_null().to_numpy()
    usable = known & whole
    for name, column in kept:
        seen = column.filter(usable)
        # A null of a text is a level of its own, one of a number will be the other value.
        if (seen if seen.dtype == pl.String else seen.drop_nulls()).n_unique() < 2:
            constant.append(name)
            continue
        filled += bool(seen.null_count())
        made, told = _numbers(name, column, seen)
        parts += made
        names += told
    wanted, classes, dtype = _target(target, frame["0"], usable, category)
    if test and not (usable & held).any():
        raise ActionError(
            f"no row that has a target is held out by {test!r}; leave test out to cross-validate",
            kind="argument test",
        )
    if not names:
        raise ActionError(
            f"all {len(features)} features are empty or constant; name others", kind="no feature"
        )
    cells = np.column_stack(parts)
    place = frame["place"].to_numpy()
    return Material(
        cells, tuple(names), wanted, classes, dtype, held, usable, known, whole, place,
        empty, constant, filled,
    )  # fmt: skip


def _plain(column: pl.Series) -> pl.Series:
    """Numbers as floats without NaN, texts as texts."""
    import polars as pl

    if column.dtype.is_numeric():
        numbers = column.cast(pl.Float64)
        return numbers.set(~numbers.is_finite().fill_null(True), None)
    return column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column


def _numbers(
    name: str, column: pl.Series, seen: pl.Series
) -> tuple[list[np.ndarray[Any, Any]], list[str]]:
    """A feature as numbers: a text as an indicator of each level."""
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


def _target(
    name: str, column: pl.Series, usable: np.ndarray[Any, Any], category: bool
) -> tuple[np.ndarray[Any, Any], tuple[Any, ...] | None, Any]:
    """The target as numbers or as places among its classes."""
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
