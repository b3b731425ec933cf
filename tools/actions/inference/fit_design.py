"""The design of a regression: complete rows as numbers, without columns that say nothing new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.fit import Fit

MOST_NUMBERS = 20_000_000
"""Fitting holds several copies of its numbers: rows times terms."""
MOST_LEVELS = 20
INTERCEPT = "intercept"
COLLINEAR = 1e-7
"""A column of which so small a part is not a combination of others before it says nothing new."""
LARGEST = 1e150
ROUNDING = 1e-13
"""So small a part of a cell of size one is what it was rounded by."""


class Design(NamedTuple):
    """What a regression is fitted to.

    Attributes:
        cells: Rows times terms.
        terms: The intercept and the features; that of a level of a text is ``column = level``.
        sources: The feature behind each term; of the intercept none.
        target: The numbers that are fitted.
        one: The level of a text that counts as 1; None where the target is a number.
        place: Where each row stands in the table.
        order: The places of the rows in the order that was asked for; None where none was.
        total: How many rows the table has.
        bases: The level of each text that the others are compared with.
        constant: Features of one value.
        collinear: Features that are combinations of others.
    """

    cells: np.ndarray[Any, Any]
    terms: tuple[str, ...]
    sources: tuple[str, ...]
    target: np.ndarray[Any, Any]
    one: str | None
    place: np.ndarray[Any, Any]
    order: np.ndarray[Any, Any] | None
    total: int
    bases: dict[str, str]
    constant: list[str]
    collinear: list[str]


def design(action: Fit, table: Table) -> Design:
    """Read the columns of a resolved regression and turn complete rows into numbers.

    Rows come in an order of their cells, for an engine promises none.

    Raises:
        ActionError: If there are too many cells or levels, the target is not of the model's kind
            or constant, no feature varies, or rows are too few for the terms.
    """
    import numpy as np
    import polars as pl

    features, total = action.features or (), table.count()
    if total * len(features) > MOST_NUMBERS:
        raise ActionError(
            f"Fit holds its features in memory; {total} rows x {len(features)} features are more "
            f"than {MOST_NUMBERS} numbers; name fewer features, Filter rows or Sample first",
            kind="too large",
        )
    used = [action.target, *features, *([action.order] if action.order else [])]
    # By place, for a header may be anything; the target is 0.
    read = [_read(table, name).alias(str(place)) for place, name in enumerate(used)]
    frame = _plain(Table(table.frame.select(*read)).collect(purpose="Fit")).with_row_index("place")
    frame = frame.sort([str(place) for place in range(len(used))], nulls_last=True)
    whole = frame.drop_nulls([str(place) for place in range(1 + len(features))])
    target, one = _target(action, whole["0"])
    parts, terms, sources = [], [], []
    bases, constant = {}, []
    for place, name in enumerate(features, start=1):
        column = whole[str(place)]
        marks = [(name, column.cast(pl.Float64))] if column.dtype != pl.String else []
        if column.dtype == pl.String:
            levels = _levels(name, column)
            bases[name] = levels[0] if levels else ""
            marks = [(f"{name} = {one}", (column == one).cast(pl.Float64)) for one in levels[1:]]
        numbers = [(term, cells.to_numpy()) for term, cells in marks]
        kept = [(term, cells) for term, cells in numbers if _varies(cells, action.intercept)]
        if not kept:
            constant.append(name)
        parts += [cells for _, cells in kept]
        terms += [term for term, _ in kept]
        sources += [name] * len(kept)
    cells = np.column_stack(parts) if parts else np.empty((len(whole), 0))
    _need_size([action.target, *sources], [target, *cells.T])
    new = _independent(cells, action.intercept)
    if not any(new):
        raise ActionError(
            f"no feature varies in the {len(whole)} rows that are whole; name others",
            kind="no feature",
        )
    lost = dict.fromkeys(sources[at] for at, is_new in enumerate(new) if not is_new)
    cells, terms = cells[:, new], [one for one, is_new in zip(terms, new, strict=True) if is_new]
    sources = [one for one, is_new in zip(sources, new, strict=True) if is_new]
    if action.intercept:
        cells = np.column_stack([np.ones(len(cells)), cells])
        terms, sources = [INTERCEPT, *terms], ["", *sources]
    if len(cells) <= len(terms):
        raise ActionError(
            f"{len(cells)} rows are whole and there are {len(terms)} terms to fit; name fewer "
            "features, or take Predict with the model 'ridge'",
            kind="too few rows",
        )
    order = _order(whole, str(1 + len(features))) if action.order else None
    return Design(
        cells, tuple(terms), tuple(sources), target, one, whole["place"].to_numpy(), order, total,
        bases, constant, [*lost],
    )  # fmt: skip


def _read(table: Table, name: str) -> nw.Expr:
    if table.kind(name) not in ("number", "boolean"):
        return nw.col(name)
    return number_column(table, name).cast(nw.Float64)


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Numbers without NaN and infinities, texts as texts."""
    import polars as pl
    from polars import selectors

    floats, texts = selectors.float(), selectors.by_dtype(pl.Categorical, pl.Enum)
    return frame.with_columns(pl.when(floats.is_finite()).then(floats), texts.cast(pl.String))


def _levels(name: str, column: pl.Series) -> list[str]:
    levels = column.unique().sort().to_list()
    if len(levels) > MOST_LEVELS:
        raise ActionError(
            f"{name!r} is text of more than {MOST_LEVELS} values; leave it out of the features, or "
            "Derive a coarser one",
            kind="argument features",
        )
    return levels


def _target(action: Fit, column: pl.Series) -> tuple[np.ndarray[Any, Any], str | None]:
    """The target as numbers, of two classes as 0 and 1, and the text that is 1."""
    import numpy as np
    import polars as pl

    values = column.unique().sort().to_list()
    name, model = repr(action.target), action.model
    if len(values) < 2:
        what = "one value" if values else "no value"
        raise ActionError(
            f"{name} has {what} in the {len(column)} rows that are whole; take another target or "
            "other features",
            kind="one value",
        )
    if model == "logistic":
        if len(values) > 2:
            raise ActionError(
                f"{name} has more than two values and 'logistic' is of two; Derive a true/false "
                "column, or take Predict with the model 'logistic'",
                kind="argument target",
            )
        text = values[1] if column.dtype == pl.String else f"{values[1]:g}"
        return (column == values[1]).cast(pl.Float64).to_numpy(), text
    numbers = column.to_numpy()
    if model == "poisson" and ((numbers < 0).any() or (numbers != np.floor(numbers)).any()):
        raise ActionError(
            f"{name} holds numbers below zero or with a fraction and 'poisson' is of counts; take "
            "'ols'",
            kind="argument target",
        )
    return numbers, None


def _need_size(names: list[str], columns: list[np.ndarray[Any, Any]]) -> None:
    """Refuse numbers whose squares are no floats."""
    import numpy as np

    for name, column in zip(names, columns, strict=True):
        size = float(np.abs(column).max())
        if not 1 / LARGEST < size < LARGEST:
            raise ActionError(
                f"{name!r} is of numbers whose squares cannot be held, beyond {LARGEST:g} or all "
                f"below {1 / LARGEST:g}; Derive it in another unit",
                kind="too large",
            )


def _varies(cells: np.ndarray[Any, Any], intercept: bool) -> bool:
    """Whether a column says anything: without an intercept one that is constant may be it."""
    return bool(len(cells) and (cells.min() < cells.max() or (not intercept and cells.any())))


def _independent(cells: np.ndarray[Any, Any], intercept: bool) -> list[bool]:
    """Which columns are no combination of those before them and the intercept."""
    import numpy as np

    found = np.empty(cells.shape, order="F")
    new: list[bool] = []
    for column in cells.T:
        column = column / np.abs(column).max()
        column = column - column.mean() if intercept else column
        size, kept = np.sqrt(column @ column), sum(new)
        for _ in range(2):  # once more, for what the first time was rounded by
            column = column - found[:, :kept] @ (found[:, :kept].T @ column)
        rest = np.sqrt(column @ column)
        least = max(COLLINEAR * size, np.sqrt(len(column)) * ROUNDING)
        new.append(bool(rest > least) and kept < len(cells) - intercept)
        if new[-1]:
            found[:, kept] = column / rest
    return new


def _order(whole: pl.DataFrame, name: str) -> np.ndarray[Any, Any]:
    """The places of rows by a column; those equal in it keep the order of their cells."""
    known = whole.with_row_index("at").drop_nulls(name)
    return known.sort(name, maintain_order=True)["at"].to_numpy()
