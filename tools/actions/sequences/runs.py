"""Runs: streaks of rows, in an order, for which a condition holds or that have one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.sequences.islands import (
    FIRST,
    LAST,
    LENGTH,
    RUN,
    VALUE,
    cell_at,
    find_islands,
    least_step,
    place_rows,
)
from wideleaf.tools.actions.windowing.order import ANY, RowPlaces
from wideleaf.tools.conditions.condition import AS_IN_FILTER, Condition, columns_of
from wideleaf.tools.conditions.matching import Align, condition_expr, resolve_condition
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.functions import days_between
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Kind, Table, aggregate_by

STEPPED: tuple[Kind, ...] = ("number", "date", "datetime")
DATED: tuple[Kind, ...] = ("date", "datetime")
RANK = "__run_rank"


class RunNames(NamedTuple):
    """What columns of runs are called.

    Attributes:
        value: The value of a column; empty where a condition holds.
        ends: Start and end, by each key of the order.
        length: Rows.
        days: From start to end; empty where the order is no date.
    """

    value: str
    ends: tuple[str, ...]
    length: str
    days: str


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
        by = None if self.by is None else resolve_columns(self.by, table)
        need_kind(table, by or (), *ANY, purpose="Runs' by")
        order = resolve_keys(self.order, table, "Runs' order")
        made = {"where": where, "column": column, "by": by, "order": order}
        resolved = self.model_copy(update=made)
        if self.steps == "rows" or self.step is not None:
            return resolved
        if len(order) > 1 or table.kind(order[0].column) not in STEPPED:
            raise ActionError(
                f"'consecutive' steps are of one order of numbers or dates, not of "
                f"{', '.join(repr(key.column) for key in order)}; take one such column or 'rows'",
                kind="argument steps",
            )
        return resolved.model_copy(
            update={"step": least_step(resolved._placed(table), table, order[0])}
        )

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The order, groups and value, as the condition and the order decide."""
        keys = frozenset((*(key.column for key in self.order), *(self.by or ())))
        value = frozenset({self.column} if self.column else ())
        if self.where is not None:
            value |= columns_of(self.where)
        return [Need(keys | value, keys | value)]

    def run(self, *tables: Table) -> Table:
        """Number the runs and measure each."""
        table, names = tables[0], self.names(tables[0])
        rows = self.with_runs(table)
        ends = [cell_at(end, place) for place in range(len(self.order)) for end in (FIRST, LAST)]
        found = aggregate_by(
            rows.frame,
            [*rows.by, RUN],
            nw.len().cast(nw.Int64).alias(LENGTH),
            nw.col(VALUE).min().alias(VALUE),
            *(nw.col(end).max().alias(end) for end in ends),
        )
        if self.limit is not None:
            rank = nw.col(LENGTH).rank("min", descending=True).over(*rows.by).cast(nw.Int64)
            found = found.with_columns(rank.alias(RANK)).filter(nw.col(RANK) <= self.limit)
        made = [nw.col(name) for name in self.by or ()]
        if names.value:
            made.append(nw.col(VALUE).alias(names.value))
        made += [nw.col(end).alias(name) for end, name in zip(ends, names.ends, strict=True)]
        made.append(nw.col(LENGTH).alias(names.length))
        frame = found.select(*made)
        if names.days:
            start, end = (nw.col(name) for name in names.ends[:2])
            apart = (end, start) if self.order[0].descending else (start, end)
            frame = frame.with_columns(days_between(*apart).alias(names.days))
        down = [key.descending for key in self.order for _ in (FIRST, LAST)]
        sorting = [names.length, *(self.by or ()), *names.ends]
        falls = [True, *(False for _ in self.by or ()), *down]
        return Table(frame.sort(*sorting, descending=falls, nulls_last=True))

    def with_runs(self, table: Table) -> RowPlaces:
        """The rows that are in a run, with the run's number and ends in hidden columns."""
        holds = self.where is not None
        return find_islands(self._placed(table), table, self.order, self.step, holds)

    def rows_with_ends(self, table: Table) -> tuple[nw.LazyFrame[Any], list[str]]:
        """The rows that are in a run with the ends of it, and what the columns of these are."""
        rows = self.with_runs(table)
        ends = [cell_at(end, place) for place in range(len(self.order)) for end in (FIRST, LAST)]
        known = [nw.col(end).max().over(*rows.by, RUN).alias(f"{end}_of_run") for end in ends]
        return rows.frame.with_columns(*known), [f"{end}_of_run" for end in ends]

    def ends_in(self, result: Table) -> Sequence[str]:
        """The columns of a result that hold the ends of its runs."""
        start = len(self.by or ()) + (self.column is not None)
        return result.columns[start : start + 2 * len(self.order)]

    def _placed(self, table: Table) -> RowPlaces:
        return place_rows(table, self.order, self.by or (), self.where, self.column)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many runs there are, what ends them, of ties and of rows without a place."""
        table, facts = tables[0], []
        length = nw.col(self.names(table).length)
        longest = result.frame.select(length.max()).collect().item()
        if longest is not None:
            kept = "" if self.limit is None else f" (the longest {self.limit} of each group)"
            text = f"{result.count()} runs{kept}; the longest has {longest} rows"
            facts.append(Fact(text=text))
        if self.where is not None:
            held = condition_expr(self.where, table)
            whole = Table(table.frame.filter(held))
            facts += Filter(where=self.where).notes([table], whole)
            unknown = table.frame.select(held.is_null().cast(nw.Int64).sum()).collect().item()
        else:
            cell = nw.col(str(self.column)).is_null().cast(nw.Int64).sum()
            unknown = table.frame.select(cell).collect().item()
        if unknown:
            what = "the condition is unknown" if self.where is not None else f"{self.column!r} is"
            text = f"{unknown} rows, in which {what}{' null' * (self.where is None)}, end a run"
            facts.append(Fact(text=text, caveat=True))
        return facts + self._order_told(table)

    def _order_told(self, table: Table) -> list[Fact]:
        """Rows that no order places, those it places alike, and how long a step is."""
        keys = [key.column for key in self.order]
        names, facts = ", ".join(map(repr, keys)), []
        lost = nw.any_horizontal(*(nw.col(name).is_null() for name in keys), ignore_nulls=True)
        count = table.frame.select(lost=lost.cast(nw.Int64)).select(nw.col("lost").sum())
        if left := int(count.collect().item() or 0):
            text = f"{left} rows with a null {names} have no place in the order and are left out"
            facts.append(Fact(text=text, caveat=True))
        known = table.frame.filter(~lost)
        together = [*dict.fromkeys([*(self.by or ()), *keys])]
        sizes = aggregate_by(known, together, nw.len().cast(nw.Int64).alias(LENGTH))
        tied = sizes.filter(nw.col(LENGTH) > 1).select(nw.col(LENGTH).sum())
        if alike := int(tied.collect().item() or 0):
            text = f"{alike} rows have the same {', '.join(map(repr, together))} as another row: "
            facts.append(Fact(text=f"{text}other columns decide their order", caveat=True))
        if self.step is not None:
            unit = " days" if table.kind(keys[0]) in DATED else ""
            text = f"A step of {keys[0]!r} is {self.step:g}{unit}, the least that two rows of a "
            text += "group are apart; more than one and a half ends a run"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
        return facts

    def names(self, table: Table) -> RunNames:
        """What the columns beside the groups are called."""
        beside = [f"_{key.column}" for key in self.order[1:]]
        ends = [f"{end}{more}" for more in ["", *beside] for end in ("start", "end")]
        dated = table.kind(self.order[0].column) in DATED
        wanted = ["value"] * (self.column is not None) + [*ends, "length"] + ["days"] * dated
        made = avoid_clashes(self.by or (), wanted)
        called = tuple(made[end] for end in ends)
        return RunNames(made.get("value", ""), called, made["length"], made.get("days", ""))
