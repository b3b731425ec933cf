"""Fillings: what stands in for a null, by statistics, along an order or by one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.windowing.order import ORDERED, PLACE, RowPlaces, number_rows
from wideleaf.tools.conditions.literals import (
    Scalar,
    fit_literal,
    number_column,
    read_date,
    text_column,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.functions import microseconds
from wideleaf.tools.tables.sort_keys import SortKey
from wideleaf.tools.tables.table import Table

Method = Literal[
    "mean", "median", "mode", "value", "previous", "next", "interpolate", "neighbours"
]  # fmt: skip
SPELLINGS: Mapping[str, Method] = {
    "average": "mean",
    "most frequent": "mode",
    "constant": "value",
    "ffill": "previous",
    "forward fill": "previous",
    "forward": "previous",
    "last": "previous",
    "bfill": "next",
    "backfill": "next",
    "backward fill": "next",
    "backward": "next",
    "linear": "interpolate",
    "interpolation": "interpolate",
    "linear interpolation": "interpolate",
    "knn": "neighbours",
    "neighbors": "neighbours",
    "nearest neighbours": "neighbours",
    "nearest neighbors": "neighbours",
}
MEASURED: tuple[Method, ...] = ("mean", "median", "mode")
"""What fills with a statistic of the column, or of a group."""
ALONG: tuple[Method, ...] = ("previous", "next", "interpolate")
"""What fills from rows before or behind, and so needs an order."""
OF_NUMBERS: tuple[Method, ...] = ("mean", "median", "interpolate", "neighbours")
"""What makes numbers, which need not be whole."""
_LARGEST: Mapping[type[nw.dtypes.DType], int] = {
    nw.Int8: 2**7,
    nw.Int16: 2**15,
    nw.Int32: 2**31,
    nw.Int64: 2**63,
}


class Filling(NamedTuple):
    """Rows with hidden columns, and what each column's cell becomes.

    Attributes:
        frame: The query.
        cells: The cell with its filling, by the column's name.
    """

    frame: nw.LazyFrame[Any]
    cells: dict[str, nw.Expr]


def known_cell(table: Table, column: str) -> nw.Expr:
    """A cell in its own type; a not-a-number is a null."""
    if table.kind(column) == "text":
        return text_column(table, column)
    cell = nw.col(column)
    return cell.fill_nan(None) if table.schema[column].is_float() else cell


def number_cell(table: Table, column: str) -> nw.Expr:
    """A number as a float; a not-a-number is a null."""
    return number_column(table, column).cast(nw.Float64).fill_nan(None)


def fill_with_statistics(
    table: Table, columns: Sequence[str], method: Method, scopes: Sequence[Sequence[str]]
) -> Filling:
    """Fill with the mean, median or mode of the first scope that has one.

    Args:
        table: The table.
        columns: What to fill.
        method: One of `MEASURED`; of several most frequent cells the smallest is taken.
        scopes: Columns that group the rows, the narrowest first; none for all rows.
    """
    count = len(columns)
    everything, *names = fresh_names("fill", 1 + count * (1 + 2 * len(scopes)), table)
    own, names = names[:count], names[count:]
    stages: list[list[nw.Expr]] = [[], [], []]
    cells: dict[str, nw.Expr] = {}
    for place, column in enumerate(columns):
        cell = nw.col(own[place])
        parts = [cell]
        for depth, scope in enumerate(scopes):
            keys = [*scope] or [everything]
            made, often = names[2 * (place * len(scopes) + depth) :][:2]
            parts.append(nw.col(made))
            if method != "mode":
                finite = nw.when(cell.is_finite()).then(cell)
                found = finite.mean() if method == "mean" else finite.median()
                stages[0].append(found.over(*keys).alias(made))
                continue
            times = nw.when(~cell.is_null()).then(nw.len().over(*keys, own[place]))
            stages[0].append(times.alias(often))
            stages[1].append(nw.col(often).max().over(*keys).alias(made))
            most = nw.when(nw.col(often) == nw.col(made)).then(cell)
            stages[2].append(most.min().over(*keys).alias(made))
        cells[column] = nw.coalesce(*parts)
    read = known_cell if method == "mode" else number_cell
    hidden = [read(table, c).alias(new) for c, new in zip(columns, own, strict=True)]
    frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(everything), *hidden)
    for stage in stages:
        frame = frame.with_columns(*stage) if stage else frame
    return Filling(frame, cells)


def fill_along(
    table: Table,
    columns: Sequence[str],
    method: Method,
    by: Sequence[str],
    order: Sequence[SortKey],
) -> Filling:
    """Fill from the last known cell, the next one, or on the straight line between both.

    Args:
        table: The table.
        columns: What to fill.
        method: One of `ALONG`.
        by: What groups the rows.
        order: What orders them.
    """
    rows = number_rows(table, None, False, by, order, 1)
    if method == "interpolate":
        return _interpolated(table, columns, rows, order)
    strategy: Literal["forward", "backward"] = "forward" if method == "previous" else "backward"
    own = fresh_names("fill", 2 * len(columns), table)
    hidden, near, cells = [], {}, {}
    for column, cell, made in zip(columns, own[::2], own[1::2], strict=True):
        hidden.append(known_cell(table, column).alias(cell))
        near[made] = cell
        cells[column] = nw.coalesce(nw.col(cell), nw.col(made))
    frame = rows.frame.with_columns(*hidden)
    return Filling(rows._replace(frame=frame).nearest(near, strategy), cells)


def is_measured(table: Table, order: Sequence[SortKey]) -> bool:
    """Whether an order tells how far apart rows are: one key that is a number or a time."""
    return len(order) == 1 and table.kind(order[0].column) in ORDERED


def _interpolated(
    table: Table, columns: Sequence[str], rows: RowPlaces, order: Sequence[SortKey]
) -> Filling:
    """Between known cells by the distance in the order, or by steps of rows where it has none."""
    at, *own = fresh_names("fill", 1 + 6 * len(columns), table)
    where = nw.col(PLACE).cast(nw.Float64)
    if is_measured(table, order):
        name = order[0].column
        where = nw.col(name).cast(nw.Datetime("us"))
        where = microseconds(where) if table.kind(name) != "number" else number_cell(table, name)
        where = where.cast(nw.Float64)
    frame = rows.frame.with_columns(where.alias(at))
    hidden, cells = [], {}
    back: dict[str, str] = {}
    ahead: dict[str, str] = {}
    for place, column in enumerate(columns):
        cell, stand, *ends = own[6 * place : 6 * place + 6]
        # A row whose own place is unknown is no end of a line.
        known = nw.when(~nw.col(at).is_null()).then(number_cell(table, column))
        hidden += [known.alias(cell)]
        hidden += [nw.when(~number_cell(table, column).is_null()).then(nw.col(at)).alias(stand)]
        back |= {ends[0]: cell, ends[1]: stand}
        ahead |= {ends[2]: cell, ends[3]: stand}
        before, start, after, end = map(nw.col, ends)
        share = (nw.col(at) - start) / (end - start)
        line = nw.when(end != start).then(before + (after - before) * share).otherwise(before)
        there = ~(before.is_null() | after.is_null() | nw.col(at).is_null())
        between = nw.when(there).then(line)
        cells[column] = nw.coalesce(number_cell(table, column), between)
    rows = rows._replace(frame=frame.with_columns(*hidden))
    rows = rows._replace(frame=rows.nearest(back, "forward"))
    return Filling(rows.nearest(ahead, "backward"), cells)


def fill_with_value(table: Table, columns: Sequence[str], value: Scalar) -> Filling:
    """Fill with one value, in each column's own type where that holds it.

    Raises:
        ActionError: If the value is none of a column's kind.
    """
    return Filling(table.frame, {name: _or_value(table, name, value) for name in columns})


def read_value(table: Table, column: str, value: Scalar) -> tuple[Any, nw.dtypes.DType]:
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
    if kind == "number" and not _holds(dtype, fitted):
        whole = dtype.is_integer() and float(fitted).is_integer() and abs(fitted) < 2**63
        return fitted, nw.Int64() if whole else nw.Float64()
    return fitted, dtype


def _or_value(table: Table, column: str, value: Scalar) -> nw.Expr:
    fitted, dtype = read_value(table, column, value)
    cell = known_cell(table, column)
    cell = cell if table.schema[column] == dtype else cell.cast(dtype)
    return nw.coalesce(cell, nw.lit(fitted).cast(dtype))


def _holds(dtype: nw.dtypes.DType, number: float) -> bool:
    """Whether a type holds a number as it is."""
    if dtype.is_float():
        return isinstance(dtype, nw.Float64)
    size = _LARGEST.get(type(dtype), 0)
    return float(number).is_integer() and -size <= number < size
