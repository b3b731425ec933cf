"""Runs: streaks of rows, in an order, for which a condition holds or that have one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

import narwhals as nw
from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.sequences.series import plain_cell
from wideleaf.tools.actions.windowing.order import (
    ANY,
    ORDERED,
    PLACE,
    VALUE,
    RowPlaces,
    number_rows,
    tell_ties,
)
from wideleaf.tools.conditions.condition import AS_IN_FILTER, Condition, columns_of
from wideleaf.tools.conditions.matching import Align, condition_expr, resolve_condition
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_functions import days_between
from wideleaf.tools.privacy import Fact, caveat, caveats
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Table, aggregate_by, count_where

STEPS = 1.5
"""More than so many steps apart, rows are not consecutive: months are 28 to 31 days."""
RUN, LENGTH, DAYS, HOLDS, RANK = (
    f"__run{of}" for of in ("", "_length", "_days", "_holds", "_rank")
)
FIRST, LAST, START = "__run_first", "__run_last", "__run_start"
BEFORE, EARLIER, APART = "__run_before", "__run_earlier", "__run_apart"


class Runs(Action):
    """Streaks: rows in a row for which where holds, or of one value of column; longest first."""

    purpose = "statistics"
    phrases = (
        "streak", "streaks", "in a row", "consecutive", "consecutively", "in succession",
        "successive", "uninterrupted", "back to back", "longest run", "runs of", "run of",
        "without a break", "without interruption", "winning run", "dry spell", "longest spell",
        "unbeaten",
    )  # fmt: skip

    order: SortKeys = Field(min_length=1)
    where: Annotated[Condition | None, AS_IN_FILTER] = None
    column: Column | None = Field(default=None, description="Instead of where.")
    by: Columns | None = None
    steps: Literal["rows", "consecutive"] = Field(
        default="rows", description="consecutive: a day or year that is missing ends a run."
    )
    limit: int | None = Field(
        default=None, ge=1, description="The longest so many of each group, ties kept."
    )
    # The least that two moments of a group are apart; filled in by resolve.
    step: SkipJsonSchema[float | None] = Field(default=None, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if (self.where is None) == (self.column is None):
            raise ValueError("give where, for which rows a run goes on, or column, not both")
        return self

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and fit the condition."""
        return self.resolve_with(None, *tables)

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Name the columns, fit the condition, and find how far a step of the order goes.

        Raises:
            ActionError: If a column is of a kind that cannot be, or the order has no steps.
        """
        table = tables[0]
        where = None if self.where is None else resolve_condition(self.where, table, align)
        column = None if self.column is None else resolve_column(self.column, table)
        need_kind(table, [column] if column else (), *ANY, purpose="Runs")
        by = resolve_groups(self.by, table, "Runs'")
        order = resolve_keys(self.order, table, "Runs' order")
        fields = {"where": where, "column": column, "by": by, "order": order}
        resolved = self.model_copy(update=fields)
        if self.steps == "rows" or self.step is not None:
            return resolved
        if len(order) > 1 or table.kind(order[0].column) not in ORDERED:
            raise ActionError(
                f"'consecutive' steps are of one order of numbers or dates, not of "
                f"{', '.join(repr(key.column) for key in order)}; take one such column or 'rows'",
                kind="argument steps",
            )
        frame = resolved._measure_distances(resolved._place(table), table)
        least = frame.filter(nw.col(APART) > 0).select(nw.col(APART).min()).collect().item()
        return resolved.model_copy(update={"step": None if least is None else float(least)})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The order, groups and value, as the condition and the order decide."""
        columns = frozenset((*(key.column for key in self.order), *(self.by or ())))
        columns |= frozenset({self.column} if self.column else ())
        if self.where is not None:
            columns |= columns_of(self.where)
        return [Need(columns, columns)]

    def run(self, *tables: Table) -> Table:
        """Number the runs and measure each."""
        table, by = tables[0], self.by or ()
        rows = self._find_runs(table)
        runs = aggregate_by(
            rows.frame,
            [*rows.by, RUN],
            nw.len().cast(nw.Int64).alias(LENGTH),
            nw.col(VALUE).min().alias(VALUE),
            *(nw.col(end).max().alias(end) for end in self._ends),
        )
        if self.limit is not None:
            rank = nw.col(LENGTH).rank("min", descending=True).over(*rows.by).cast(nw.Int64)
            runs = runs.with_columns(rank.alias(RANK)).filter(nw.col(RANK) <= self.limit)
        names = self.names(table)
        if DAYS in names:
            early, late = (nw.col(end) for end in self._ends[:2])
            apart = (late, early) if self.order[0].descending else (early, late)
            runs = runs.with_columns(days_between(*apart).alias(DAYS))
        frame = runs.select(*by, *(nw.col(cell).alias(name) for cell, name in names.items()))
        keys, falls = zip(*self.sort_keys(table), strict=True)
        return Table(frame.sort(*keys, descending=[*falls], nulls_last=True))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many runs there are, what ends them, of ties and of rows without a place."""
        table, facts = tables[0], []
        length = nw.col(self.names(table)[LENGTH])
        longest = result.frame.select(length.max()).collect().item()
        if longest is not None:
            scope = "" if self.limit is None else f" (the longest {self.limit} of each group)"
            text = f"{result.count()} runs{scope}; the longest has {longest} rows"
            facts.append(Fact(text=text))
        value, what = nw.col(str(self.column)), f"{self.column!r} is null"
        if self.where is not None:
            value, what = condition_expr(self.where, table), "the condition is unknown"
            facts += Filter(where=self.where).notes([table], Table(table.frame.filter(value)))
        keys = [key.column for key in self.order]
        lost = nw.any_horizontal(*(nw.col(name).is_null() for name in keys), ignore_nulls=True)
        unknown, nulls = count_where(table.frame, value.is_null(), lost)
        facts += caveats(
            (unknown, f"{unknown} rows, in which {what}, end a run"),
            (nulls, f"{nulls} rows with a null {', '.join(map(repr, keys))} have no place in the "
                   "order and are left out"),
        )  # fmt: skip
        facts += tell_ties(table.frame.filter(~lost), [*(self.by or ()), *keys])
        if self.step is not None:
            unit = "" if table.kind(keys[0]) == "number" else " days"
            text = f"A step of {keys[0]!r} is {self.step:g}{unit}, the least that two rows of a "
            text += "group are apart; more than one and a half ends a run"
            facts.append(caveat(text, "statistics"))
        return facts

    def names(self, table: Table) -> dict[str, str]:
        """What the columns beside the groups are called, in order, by their hidden names."""
        beside = ["", *(f"_{key.column}" for key in self.order[1:])]
        cells = [VALUE] * (self.column is not None) + [*self._ends, LENGTH]
        headers = ["value"] * (self.column is not None)
        headers += [f"{end}{more}" for more in beside for end in ("start", "end")] + ["length"]
        if table.kind(self.order[0].column) in ("date", "datetime"):
            cells, headers = [*cells, DAYS], [*headers, "days"]
        return dict(zip(cells, avoid_clashes(self.by or (), headers).values(), strict=True))

    def sort_keys(self, table: Table) -> list[tuple[str, bool]]:
        """The columns of a result by which its runs stand, and whether each descends."""
        names, falls = self.names(table), [key.descending for key in self.order for _ in range(2)]
        ends = zip((names[end] for end in self._ends), falls, strict=True)
        return [(names[LENGTH], True), *((name, False) for name in self.by or ()), *ends]

    def ends_in(self, result: Table) -> Sequence[str]:
        """The columns of a result that hold the ends of its runs."""
        start = len(self.by or ()) + (self.column is not None)
        return result.columns[start : start + 2 * len(self.order)]

    def rows_with_ends(self, table: Table) -> tuple[nw.LazyFrame[Any], list[str]]:
        """The rows that are in a run with the ends of it, and what the columns of these are."""
        rows = self._find_runs(table)
        names = {end: f"{end}_of_run" for end in self._ends}
        ends = [nw.col(e).max().over(*rows.by, RUN).alias(name) for e, name in names.items()]
        return rows.frame.with_columns(*ends), [*names.values()]

    @property
    def _ends(self) -> list[str]:
        """Hidden columns with each order key's cell in the first and the last row of a run."""
        return [f"{end}_{place}" for place in range(len(self.order)) for end in (FIRST, LAST)]

    def _place(self, table: Table) -> RowPlaces:
        """Number the rows that have a place in the order; what makes a run is their value."""
        lost = [nw.col(key.column).is_null() for key in self.order]
        if self.where is not None:
            name = HOLDS
            value = condition_expr(self.where, table).fill_null(False).cast(nw.Int64)
        else:
            name = str(self.column)
            value = plain_cell(table, name)
        frame = table.frame.with_columns(value.alias(name))
        rows = Table(frame.filter(~nw.any_horizontal(*lost, ignore_nulls=True)))
        return number_rows(rows, name, False, self.by or (), self.order, 1)

    def _find_runs(self, table: Table) -> RowPlaces:
        """The rows that are in a run, with the run's number and ends in hidden columns."""
        rows, place = self._place(table), nw.col(PLACE)
        before = rows.running(nw.col(VALUE).shift(1)).alias(BEFORE)
        frame = self._measure_distances(rows, table) if self.step else rows.frame
        start = (nw.col(VALUE) != nw.col(BEFORE)).fill_null(True)
        if self.step:
            start = start | (nw.col(APART) > STEPS * self.step).fill_null(True)
        frame = frame.with_columns(before).with_columns(start.cast(nw.Int64).alias(START))
        number = nw.col(START).cum_sum().over(*rows.by, order_by=PLACE).cast(nw.Int64)
        frame = frame.with_columns(number.alias(RUN))
        inside = nw.col(VALUE) == 1 if self.where is not None else ~nw.col(VALUE).is_null()
        first, last = place.min().over(*rows.by, RUN), place.max().over(*rows.by, RUN)
        frame = frame.filter(inside).with_columns(first.alias(FIRST), last.alias(LAST))
        cells = [
            nw.when(place == nw.col(end)).then(plain_cell(table, key.column)).alias(f"{end}_{at}")
            for at, key in enumerate(self.order)
            for end in (FIRST, LAST)
        ]
        return rows._replace(frame=frame.with_columns(*cells))

    def _measure_distances(self, rows: RowPlaces, table: Table) -> nw.LazyFrame[Any]:
        """How far each row is from the one before, in days or numbers."""
        key = self.order[0]
        frame = rows.frame.with_columns(rows.running(nw.col(key.column).shift(1)).alias(EARLIER))
        ends = [nw.col(EARLIER), nw.col(key.column)]
        early, late = reversed(ends) if key.descending else ends
        if table.kind(key.column) == "number":
            apart = late.cast(nw.Float64) - early.cast(nw.Float64)
        else:
            apart = days_between(early, late)
        return frame.with_columns(apart.alias(APART))
