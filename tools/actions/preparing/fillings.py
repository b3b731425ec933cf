"""Fillings: what stands in for a null, by statistics, along an order, by one value or by rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.windowing.order import ORDERED, PLACE, Strategy, number_rows
from wideleaf.tools.conditions.literals import (
    Scalar,
    fit_literal,
    float_cell,
    read_date,
    text_column,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_functions import microseconds
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.preparing.impute import Impute

MAX_PAIRS = 100_000_000
"""So many pairs of a row with a null and any other are compared at most."""
Method = Literal[
    "mean", "median", "mode", "value", "previous", "next", "interpolate", "neighbours"
]  # fmt: skip
_BITS: Mapping[Any, int] = {nw.Int8: 7, nw.Int16: 15, nw.Int32: 31, nw.Int64: 63}
"""Of a whole number, beside its sign."""
Filling = tuple[nw.LazyFrame[Any], dict[str, nw.Expr]]
"""Rows with hidden columns, and what each column's cell becomes, by the column's name."""


class Imputation(NamedTuple):
    """A way to fill nulls.

    Attributes:
        fill: Fills those of a resolved action's columns.
        takes: The arguments that it takes beside the columns.
        needs: The one of them that it cannot do without.
        numeric: Whether it makes numbers, which need not be whole.
        side: Of an order, where the cell is that it fills with.
        spellings: Other words for it.
    """

    fill: Callable[[Table, Impute], Filling]
    takes: tuple[str, ...] = ()
    needs: str = ""
    numeric: bool = False
    side: str = ""
    spellings: tuple[str, ...] = ()


def known_cell(table: Table, column: str) -> nw.Expr:
    """A cell in its own type; a not-a-number is a null."""
    if table.kind(column) == "text":
        return text_column(table, column)
    cell = nw.col(column)
    return cell.fill_nan(None) if table.schema[column].is_float() else cell


def is_measured(table: Table, action: Impute) -> bool:
    """Whether an order tells how far apart rows are: one key that is a number or a time."""
    return len(action.order) == 1 and table.kind(action.order[0].column) in ORDERED


def _fill_with_statistics(table: Table, action: Impute) -> Filling:
    """The mean, median or smallest mode of the row's group, or of all rows if that has none."""
    names = iter(fresh_names("fill", 1 + 5 * len(action.columns), table))
    everything, by, mode = next(names), action.by or (), action.method == "mode"
    scopes = [keys for keys in (by, () if by and not action.fallback else (everything,)) if keys]
    hidden = [nw.lit(1).cast(nw.Int64).alias(everything)]
    stages: list[list[nw.Expr]] = [[], [], []]
    cells = {}
    for column in action.columns:
        own = next(names)
        hidden.append((known_cell if mode else float_cell)(table, column).alias(own))
        cell = nw.col(own)
        parts = [cell]
        for keys in scopes:
            fill, often = islice(names, 2)
            parts.append(nw.col(fill))
            if mode:
                times = nw.when(~cell.is_null()).then(nw.len().over(*keys, own))
                most = nw.when(nw.col(often) == nw.col(fill)).then(cell)
                stages[0].append(times.alias(often))
                stages[1].append(nw.col(often).max().over(*keys).alias(fill))
                stages[2].append(most.min().over(*keys).alias(fill))
            else:
                finite = nw.when(cell.is_finite()).then(cell)
                centre = finite.mean() if action.method == "mean" else finite.median()
                stages[0].append(centre.over(*keys).alias(fill))
        cells[column] = nw.coalesce(*parts)
    frame = table.frame.with_columns(*hidden)
    for stage in filter(None, stages):
        frame = frame.with_columns(*stage)
    return frame, cells


def _fill_along(table: Table, action: Impute) -> Filling:
    """The last known cell, or the next one."""
    rows = number_rows(table, None, False, action.by or (), action.order, 1)
    strategy: Strategy = "forward" if action.method == "previous" else "backward"
    names = iter(fresh_names("fill", 2 * len(action.columns), table))
    hidden, near, cells = [], {}, {}
    for column in action.columns:
        own, fill = islice(names, 2)
        hidden.append(known_cell(table, column).alias(own))
        near[fill] = own
        cells[column] = nw.coalesce(nw.col(own), nw.col(fill))
    rows = rows._replace(frame=rows.frame.with_columns(*hidden))
    return rows.nearest(near, strategy), cells


def _interpolate(table: Table, action: Impute) -> Filling:
    """Between known cells by the distance in the order, or by steps of rows where it has none."""
    rows = number_rows(table, None, False, action.by or (), action.order, 1)
    names = iter(fresh_names("fill", 1 + 6 * len(action.columns), table))
    at, where = next(names), nw.col(PLACE).cast(nw.Float64)
    if is_measured(table, action):
        name = action.order[0].column
        dated = table.kind(name) != "number"
        where = microseconds(nw.col(name).cast(nw.Datetime("us"))) if dated else float_cell(
            table, name)  # fmt: skip
        where = where.cast(nw.Float64)
    hidden, cells = [], {}
    back: dict[str, str] = {}
    ahead: dict[str, str] = {}
    for column in action.columns:
        own, stand, *ends = islice(names, 6)
        cell, (before, start, after, end) = float_cell(table, column), map(nw.col, ends)
        # A row whose own place is unknown is no end of a line.
        hidden.append(nw.when(~nw.col(at).is_null()).then(cell).alias(own))
        hidden.append(nw.when(~cell.is_null()).then(nw.col(at)).alias(stand))
        back |= dict(zip(ends[:2], (own, stand), strict=True))
        ahead |= dict(zip(ends[2:], (own, stand), strict=True))
        share = (nw.col(at) - start) / (end - start)
        line = nw.when(end != start).then(before + (after - before) * share).otherwise(before)
        there = ~(before.is_null() | after.is_null() | nw.col(at).is_null())
        cells[column] = nw.coalesce(cell, nw.when(there).then(line))
    frame = rows.frame.with_columns(where.alias(at)).with_columns(*hidden)
    rows = rows._replace(frame=frame)
    rows = rows._replace(frame=rows.nearest(back, "forward"))
    return rows.nearest(ahead, "backward"), cells


def _fill_with_value(table: Table, action: Impute) -> Filling:
    """One value, in each column's own type where that holds it."""
    assert action.value is not None
    cells = {}
    for column in action.columns:
        value, dtype = _read_value(table, column, action.value)
        cell = known_cell(table, column)
        cell = cell if table.schema[column] == dtype else cell.cast(dtype)
        cells[column] = nw.coalesce(cell, nw.lit(value).cast(dtype))
    return table.frame, cells


def _read_value(table: Table, column: str, value: Scalar) -> tuple[Any, nw.dtypes.DType]:
    """A value in a column's kind, and the type that holds it beside the column's cells.

    Raises:
        ActionError: If it is none of the column's kind.
    """
    kind, dtype = table.kind(column), table.schema[column]
    fitted: Any = fit_literal(table, column, "==", value)
    if kind == "text":
        return str(fitted), nw.String()
    if kind in ("date", "datetime"):
        moment = read_date(fitted)
        if moment is None:
            raise ActionError(
                f"{column!r} is a {kind} column and {value!r} is no single day; write '2024-05-31'",
                kind="wrong type",
            )
        if kind == "datetime" and not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)
        return moment, dtype
    if kind == "number" and not isinstance(dtype, nw.Float64):
        whole = not dtype.is_float() and float(fitted).is_integer()
        bits = _BITS.get(type(dtype))
        if whole and bits and -(2**bits) <= fitted < 2**bits:
            return fitted, dtype
        whole = whole and dtype.is_integer() and abs(fitted) < 2**63
        return fitted, nw.Int64() if whole else nw.Float64()
    return fitted, dtype


def _fill_by_neighbours(table: Table, action: Impute) -> Filling:
    """The mean of the nearest rows that have a cell there.

    Rows are near by all columns, each in units of its deviation, over those that both rows have.
    Rows are put in the order of their cells first, so that of several that are equally near the
    same are taken whatever order the engine lists them in.

    Raises:
        ActionError: If there are too many rows to compare.
    """
    import numpy as np
    import polars as pl
    from sklearn.impute import KNNImputer  # type: ignore[import-untyped]

    frame, columns = table.collect(purpose="Impute"), action.columns
    numbers = frame.select(pl.col(*columns, *(action.with_ or ())).cast(pl.Float64))
    cells = numbers.to_numpy()  # a null becomes NaN
    cells = np.where(np.isfinite(cells), cells, np.nan)
    gaps = int(np.isnan(cells[:, : len(columns)]).any(axis=1).sum())
    if gaps * len(frame) > MAX_PAIRS:
        raise ActionError(
            f"{gaps} rows with a null would be compared with {len(frame)} each, more than "
            f"{MAX_PAIRS} pairs; take 'median', or Sample first",
            kind="too large",
        )
    some = ~np.isnan(cells).all(axis=0)
    if some.any():  # a column without a cell stays empty
        order = np.lexsort(cells.T[::-1])
        matrix = cells[order][:, some]
        middle, spread = np.nanmean(matrix, axis=0), np.nanstd(matrix, axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        estimates = KNNImputer(n_neighbors=action.neighbours).fit_transform(
            (matrix - middle) / spread
        )
        cells[np.ix_(order, some)] = estimates * spread + middle
    filled = [
        pl.col(name).cast(pl.Float64).fill_nan(None)
        .fill_null(pl.Series(cells[:, place], nan_to_null=True))
        for place, name in enumerate(columns)
    ]  # fmt: skip
    return nw.from_native(frame.with_columns(filled).lazy()), {}


IMPUTATIONS: Mapping[Method, Imputation] = {
    "mean": Imputation(_fill_with_statistics, ("by",), numeric=True, spellings=("average",)),
    "median": Imputation(_fill_with_statistics, ("by",), numeric=True),
    "mode": Imputation(_fill_with_statistics, ("by",), spellings=("most frequent",)),
    "value": Imputation(_fill_with_value, ("value",), "value", spellings=("constant",)),
    "previous": Imputation(
        _fill_along, ("by", "order"), "order", side="before",
        spellings=("ffill", "forward fill", "forward", "last"),
    ),
    "next": Imputation(
        _fill_along, ("by", "order"), "order", side="behind",
        spellings=("bfill", "backfill", "backward fill", "backward"),
    ),
    "interpolate": Imputation(
        _interpolate, ("by", "order"), "order", True, "on one side of",
        ("linear", "interpolation", "linear interpolation"),
    ),
    "neighbours": Imputation(
        _fill_by_neighbours, ("with",), numeric=True,
        spellings=("knn", "neighbors", "nearest neighbours", "nearest neighbors"),
    ),
}  # fmt: skip
