"""Measures that are a cell picked out of a group: the most frequent, the first, the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.measuring.measure import PICKING, Trait
from wideleaf.tools.conditions.literals import text_column
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.table import Table, aggregate_by


def picked_cells(measures: Sequence[Trait], table: Table) -> dict[str, nw.Expr]:
    """The measures that are a cell, by name, as aggregates of a frame that `with_picks` made.

    Args:
        measures: Resolved measures; others than those of `PICKING` are left out.
        table: Tells the types of their columns.
    """
    picks = _picks(measures, table)
    cells: dict[str, nw.Expr] = {}
    for measure in measures:
        if measure.function in PICKING:
            there = nw.when(nw.col(picks[_pick(measure)])).then(_cell(table, str(measure.column)))
            cells[str(measure.name)] = there.min()
    return cells


def tell_ties(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> list[Fact]:
    """Caveats for measures that had several cells to choose from; runs one query if there are."""
    picking = [measure for measure in measures if measure.function in PICKING]
    if not picking:
        return []
    picks = _picks(measures, table)
    rows = with_picks(frame, keys, picking, table)
    tied = []
    for place, measure in enumerate(picking):
        mark = nw.col(picks[_pick(measure)])
        cell = _cell(table, str(measure.column))
        there = nw.when(mark).then(cell)
        missing = (mark & cell.is_null()).cast(nw.Int64).max() > 0
        several = (there.min() != there.max()) | (missing & (there.count() > 0))
        tied.append(several.cast(nw.Int64).alias(f"__tied_{place}"))
    groups = aggregate_by(rows, keys, *tied) if keys else rows.select(*tied)
    row = groups.select(nw.col(f"__tied_{p}").sum() for p in range(len(picking))).collect().row(0)
    facts = []
    for measure, count in zip(picking, row, strict=True):
        if count:
            what = "most frequent values" if measure.function == "mode" else "rows of equal order"
            where = f"in {count} groups " if keys else ""
            text = f"{measure.name}: {where}several {what} differ; the smallest is given"
            facts.append(caveat(text))
    return facts


def _cell(table: Table, name: str) -> nw.Expr:
    return text_column(table, name) if table.kind(name) == "text" else nw.col(name)


def _pick(measure: Trait) -> tuple[Any, ...]:
    """What decides which rows a measure takes its cell from."""
    if measure.function == "mode":
        return (measure.function, measure.column)
    return (measure.function, measure.order)


def _picks(measures: Sequence[Trait], table: Table) -> dict[tuple[Any, ...], str]:
    """A hidden column for each way to pick rows, that says whether a row is picked."""
    ways = dict.fromkeys(_pick(one) for one in measures if one.function in PICKING)
    return dict(zip(ways, fresh_names("picked", len(ways), table), strict=True)) if ways else {}


def with_picks(
    frame: nw.LazyFrame[Any], keys: Sequence[str], measures: Sequence[Trait], table: Table
) -> nw.LazyFrame[Any]:
    """The columns that keys and measures need, and beside them whether a row is picked."""
    needed = dict.fromkeys(keys)
    for measure in measures:
        beside = [key.column for key in measure.order]
        needed.update(dict.fromkeys(n for n in (measure.column, measure.weight, *beside) if n))
    frame = frame.select(*needed)
    ways = {_pick(measure): measure for measure in measures if measure.function in PICKING}
    picking = [
        _steps(ways[way], name, keys, table) for way, name in _picks(measures, table).items()
    ]
    # All first steps at once, then all second ones: a query of thousands of levels cannot be run.
    for steps in zip_longest(*picking):
        frame = frame.with_columns(*(step for step in steps if step is not None))
    return frame


def _steps(measure: Trait, name: str, keys: Sequence[str], table: Table) -> Iterator[nw.Expr]:
    """Columns to add one after the other, of which the last says whether a row is picked."""
    if measure.function == "mode":
        column = str(measure.column)
        there = ~nw.col(column).is_null()
        yield nw.when(there).then(nw.len().over(*keys, column)).alias(name)
        yield (there & _is_at(nw.col(name), keys, highest=True)).alias(name)
        return
    for place, key in enumerate(measure.order):
        cell = _cell(table, key.column)
        candidate = nw.when(nw.col(name)).then(cell) if place else cell
        at = _is_at(candidate, keys, highest=key.descending != (measure.function == "last"))
        yield (nw.col(name) & at if place else at).alias(name)


def _is_at(cell: nw.Expr, keys: Sequence[str], *, highest: bool) -> nw.Expr:
    """Whether a cell is the highest or lowest of its group; any cell is where all are null."""
    edge = cell.max() if highest else cell.min()
    edge = edge.over(*keys) if keys else edge
    return edge.is_null() | (cell == edge).fill_null(False)
