"""The order of rows within partitions, as numbered places that are alike on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.conditions.literals import number_column, text_column
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.extents import Wide, as_wide, is_whole, wide_of
from wideleaf.tools.tables.sort_keys import SortKey
from wideleaf.tools.tables.table import Kind, Table, aggregate_by

ALL, VALUE, PLACE = "__window_all", "__window_value", "__window_place"
TIE_BREAKERS = 8
"""So many other columns, besides the value, order rows that are equal in the order's keys."""

Frame = nw.LazyFrame[Any]
Strategy = Literal["forward", "backward"]
NUMBERS: tuple[Kind, ...] = ("number", "boolean")
ORDERED: tuple[Kind, ...] = ("number", "date", "datetime")
ANY: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")


class RowPlaces(NamedTuple):
    """Rows with their hidden columns: the value, the keys of the order, the place.

    Attributes:
        frame: The query.
        by: What partitions it; a constant column where nothing does.
        keys: Pairs of hidden columns, one an order key: whether it is null, and its size.
        kind: The value's kind; None without a value.
        n: Of how many rows the function speaks.
        single: Whether the order is one key of numbers, which an engine ranks faster itself.
    """

    frame: Frame
    by: tuple[str, ...]
    keys: tuple[str, ...]
    kind: Kind | None
    n: int
    single: bool = False

    def running(self, expression: nw.Expr) -> nw.Expr:
        """The expression along the rows of each partition, in order."""
        return expression.over(*self.by, order_by=PLACE)

    def nearest(self, cells: Mapping[str, str], strategy: Strategy) -> Frame:
        """The frame with the last known cell of columns, or the next, under new names.

        Args:
            cells: By new name: the column.
            strategy: ``forward`` for the last known, ``backward`` for the next.
        """
        return fill_nulls(self.frame, cells, strategy, self.by, (PLACE,))


def number_rows(
    table: Table,
    column: str | None,
    wide: bool | Wide,
    by: Sequence[str],
    order: Sequence[SortKey],
    n: int,
) -> RowPlaces:
    """Number the rows of each partition in order, nulls last.

    Rows that are equal in the order are placed by the value, then by the first other columns, so
    that every engine and every run gives them the same places as far as that is cheap.

    Args:
        table: The table.
        column: The value's column.
        wide: Whether the value is to be in its widest type, or in which beyond 64 bits.
        by: What partitions the rows.
        order: The keys, of which there may be none.
        n: Of how many rows the function speaks.
    """
    kind = None if column is None else table.kind(column)
    # As it is where it only moves, in its widest type where something is made of it; without a
    # column there are rows to count.
    value = nw.lit(1) if column is None else nw.col(column)
    if column is not None and wide and kind in NUMBERS:
        value = number_column(table, column) if wide is True else as_wide(nw.col(column), wide)
    hidden = [value.alias(VALUE)]
    keys: list[str] = []
    for number, key in enumerate(order):
        flag, size = f"__window_null_{number}", f"__window_key_{number}"
        keys += [flag, size]
        cell = nw.col(key.column)
        hidden += [cell.is_null().cast(nw.Int64).alias(flag), _size(table, key, by).alias(size)]
    frame = table.frame.with_columns(nw.lit(1).cast(nw.Int64).alias(ALL)).with_columns(*hidden)
    parts = tuple(by) or (ALL,)
    if order:
        ordered = {*by, *(key.column for key in order)}
        others = [
            name for name in table.columns if name not in ordered and orders_alike(table, name)
        ]
        if column in others:
            others.remove(column)
            others.insert(0, column)
        ranks = [*keys, *others[: TIE_BREAKERS + 1]]
        place = nw.col(ALL).cum_sum().over(*parts, order_by=ranks).cast(nw.Int64)
        frame = frame.with_columns(place.alias(PLACE))
    single = len(order) == 1 and table.kind(order[0].column) in NUMBERS
    return RowPlaces(frame, parts, tuple(keys), kind, n, single)


def tell_ties(
    frame: Frame, keys: Sequence[str], then: str = "other columns decide their order"
) -> list[Fact]:
    """How many rows are equal to another in all keys, and what comes of it."""
    keys = list(dict.fromkeys(keys))
    sizes = aggregate_by(frame, keys, nw.len().cast(nw.Int64).alias(PLACE))
    tied = sizes.filter(nw.col(PLACE) > 1).select(nw.col(PLACE).sum())
    if not (count := int(tied.collect().item() or 0)):
        return []
    return [
        caveat(f"{count} rows have the same {', '.join(map(repr, keys))} as another row: {then}")
    ]


def orders_alike(table: Table, name: str) -> bool:
    """Whether all engines order its cells alike."""
    kind = table.kind(name)
    return kind in ANY and (kind != "text" or isinstance(table.schema[name], nw.String))


def _size(table: Table, key: SortKey, by: Sequence[str]) -> nw.Expr:
    """The key so that it ascends, since a window's order cannot descend."""
    kind = table.kind(key.column)
    if kind in NUMBERS:
        dtype = table.schema[key.column]
        cell = nw.col(key.column) if wide_of(dtype) else number_column(table, key.column)
        if not key.descending:
            return cell
        whole = is_whole(dtype)
        # The least whole number has no opposite; 0.0 - x makes no negative zero.
        return -1 - cell if whole else 0.0 - cell
    cell = text_column(table, key.column) if kind == "text" else nw.col(key.column)
    if not key.descending:
        return cell
    return cell.rank("dense", descending=True).over(*(by or (ALL,))).cast(nw.Int64)


def fill_nulls(
    frame: Frame,
    cells: Mapping[str, str],
    strategy: Strategy,
    by: Sequence[str],
    order: Sequence[str],
) -> Frame:
    """A frame with the last known cell of columns, or the next, beside them.

    Args:
        frame: The rows.
        cells: By new name, which no column has: the column.
        strategy: ``forward`` for the last known cell, ``backward`` for the next.
        by: What partitions the rows.
        order: Columns that order them; of rows equal in these at most one has a known cell.
    """
    if not frame.implementation.is_ibis():
        filled = {name: nw.col(cell).fill_null(strategy=strategy) for name, cell in cells.items()}
        return frame.with_columns(
            *(one.over(*by, order_by=order).alias(name) for name, one in filled.items())
        )
    # ibis fills along no order: rows from one known cell to the next are a block of their own,
    # counted by the known cells so far, which has one known cell.
    blocks = {name: f"{name}_block" for name in cells}
    counts = [
        (~nw.col(cell).is_null()).cast(nw.Int64).cum_sum(reverse=strategy == "backward")
        for cell in cells.values()
    ]
    rows = frame.with_columns(
        *(one.over(*by, order_by=order).alias(block)
          for block, one in zip(blocks.values(), counts, strict=True))
    )  # fmt: skip
    fills = [nw.col(cell).max().over(*by, blocks[name]).alias(name) for name, cell in cells.items()]
    return rows.with_columns(*fills).drop(*blocks.values())
