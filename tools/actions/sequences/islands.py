"""Islands: rows in order that belong together, numbered alike on every engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from wideleaf.tools.actions.windowing.order import PLACE, VALUE, RowPlaces, number_rows
from wideleaf.tools.conditions.condition import Condition
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.conditions.matching import condition_expr
from wideleaf.tools.expressions.functions import days_between
from wideleaf.tools.tables.sort_keys import SortKey
from wideleaf.tools.tables.table import Table

RUN, LENGTH, HOLDS = "__run", "__run_length", "__run_holds"
FIRST, LAST = "__run_first", "__run_last"
STEPS = 1.5
"""More than so many steps apart, rows are not consecutive: months are 28 to 31 days."""
_BEFORE, _EARLIER, _APART, _START = "__run_before", "__run_earlier", "__run_apart", "__run_start"

__all__ = [
    "FIRST",
    "LAST",
    "LENGTH",
    "RUN",
    "VALUE",
    "cell_at",
    "find_islands",
    "least_step",
    "place_rows",
]


def cell_at(end: str, place: int) -> str:
    """The hidden column with an order key's cell in the first or last row of each run.

    Args:
        end: `FIRST` or `LAST`.
        place: That of the key.
    """
    return f"{end}_{place}"


def place_rows(
    table: Table,
    order: Sequence[SortKey],
    by: Sequence[str],
    where: Condition | None,
    column: str | None,
) -> RowPlaces:
    """Number the rows that have a place in the order; what makes a run is their value.

    Args:
        table: The table.
        order: The keys; a row with a null in one has no place.
        by: What partitions the rows.
        where: What holds in a run, where there is no column.
        column: What is equal in a run.
    """
    lost = [nw.col(key.column).is_null() for key in order]
    if where is not None:
        value, name = condition_expr(where, table).fill_null(False).cast(nw.Int64), HOLDS
    else:
        name = str(column)
        value = text_column(table, name) if table.kind(name) == "text" else nw.col(name)
    marked = table.frame.with_columns(value.alias(name))
    known = Table(marked.filter(~nw.any_horizontal(*lost, ignore_nulls=True)))
    return number_rows(known, name, False, by, order, 1)


def least_step(rows: RowPlaces, table: Table, key: SortKey) -> float | None:
    """The least that two rows of a partition are apart in the order, but for those at one place."""
    frame = _with_distance(rows, table, key)
    found = frame.filter(nw.col(_APART) > 0).select(nw.col(_APART).min()).collect().item()
    return None if found is None else float(found)


def find_islands(
    rows: RowPlaces,
    table: Table,
    order: Sequence[SortKey],
    step: float | None,
    holds: bool,
) -> RowPlaces:
    """The rows that are in a run, each with the run's number and its ends in the order.

    Args:
        rows: As `place_rows` gives them.
        table: Tells the types.
        order: The keys.
        step: Rows more than `STEPS` of it apart are of two runs; None where any are neighbours.
        holds: Whether the value says that a condition holds.
    """
    before = rows.running(nw.col(VALUE).shift(1)).alias(_BEFORE)
    frame = _with_distance(rows, table, order[0]) if step else rows.frame
    start = (nw.col(VALUE) != nw.col(_BEFORE)).fill_null(True)
    if step:
        start = start | (nw.col(_APART) > STEPS * step).fill_null(True)
    frame = frame.with_columns(before).with_columns(start.cast(nw.Int64).alias(_START))
    number = nw.col(_START).cum_sum().over(*rows.by, order_by=PLACE).cast(nw.Int64)
    frame = frame.with_columns(number.alias(RUN))
    kept = nw.col(VALUE) == 1 if holds else ~nw.col(VALUE).is_null()
    place = nw.col(PLACE)
    frame = frame.filter(kept).with_columns(
        place.min().over(*rows.by, RUN).alias(FIRST), place.max().over(*rows.by, RUN).alias(LAST)
    )
    cells = [
        nw.when(place == nw.col(end)).then(_cell(table, key.column)).alias(cell_at(end, at))
        for at, key in enumerate(order)
        for end in (FIRST, LAST)
    ]
    return rows._replace(frame=frame.with_columns(*cells))


def _cell(table: Table, name: str) -> nw.Expr:
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def _with_distance(rows: RowPlaces, table: Table, key: SortKey) -> nw.LazyFrame[Any]:
    """How far each row is from the one before, in days or numbers."""
    frame = rows.frame.with_columns(rows.running(nw.col(key.column).shift(1)).alias(_EARLIER))
    ends = [nw.col(_EARLIER), nw.col(key.column)]
    if key.descending:
        ends.reverse()
    if table.kind(key.column) == "number":
        early, late = (one.cast(nw.Float64) for one in ends)
        return frame.with_columns((late - early).alias(_APART))
    return frame.with_columns(days_between(*ends).alias(_APART))
