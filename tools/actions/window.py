"""Window: a column made along or across the rows of each group, which all stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import narwhals as nw
from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.join import avoid_clashes
from wideleaf.tools.actions.windowing.functions import RESULT, WINDOWS, WindowFunction
from wideleaf.tools.actions.windowing.order import ANY, number_rows, tell_ties
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_free,
    need_kind,
    resolve_column,
    resolve_groups,
)
from wideleaf.tools.tables.extents import (
    Wide,
    as_wide,
    describe_floats,
    find_extents,
    is_whole,
    wide_for,
    wide_of,
    widest,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.sort_keys import SortKeys, resolve_keys
from wideleaf.tools.tables.table import Table, count_where

_SPELLINGS = {
    "rownumber": "row number",
    "row num": "row number",
    "rownum": "row number",
    "number": "row number",
    "min rank": "rank",
    "denserank": "dense rank",
    "percentrank": "percent rank",
    "pct rank": "percent rank",
    "percentile rank": "percent rank",
    "shift": "lag",
    "previous": "lag",
    "next": "lead",
    "diff": "difference",
    "delta": "difference",
    "change": "difference",
    "pct change": "percent change",
    "percentage change": "percent change",
    "growth": "percent change",
    "growth rate": "percent change",
    "running total": "cumulative sum",
    "moving average": "rolling mean",
    "rolling average": "rolling mean",
    "share of total": "share",
    "proportion": "share",
    "fraction": "share",
}
_FAMILIES = {
    "cumulative": "cumulative",
    "cum": "cumulative",
    "running": "cumulative",
    "rolling": "rolling",
    "moving": "rolling",
    "group": "group",
    "partition": "group",
}
_SIZES = ("cumulative sum", "rolling sum", "group sum", "difference")
"""Functions that make larger whole numbers of whole numbers."""
_FRACTIONS = ("cumulative mean", "share")
_AGGREGATES = {"avg": "mean", "average": "mean", "total": "sum", "stddev": "std"}


class Window(Action):
    """Add a column made over rows, which all stay: rank, lag, cumulative, rolling, group total.

    Nulls are left out: a null in the order's first column has no rank, a cumulative value passes
    a null by unchanged, and a rolling one needs n cells that are not null. Equal rows share the
    lowest rank, as in SQL; a change or share is a fraction; a difference of dates counts days.
    """

    purpose = "window"
    keeps = frozenset(("order", "columns"))
    phrases = (
        "running total", "running sum", "running count", "running mean", "running average",
        "cumulative", "cumulatively", "moving average", "moving mean", "moving median",
        "moving sum", "rolling", "previous", "preceding", "next row", "lag", "rank the",
        "rank each", "ranked", "ranking of", "dense rank", "percentile rank", "row number",
        "consecutive", "streak", "in a row", "within each", "of each the top", "percent change",
        "percentage change", "change from", "change over", "month over month",
        "year over year",
    )  # fmt: skip

    function: WindowFunction
    column: Column | None = None
    by: Columns | None = Field(default=None, description="Partition.")
    order: SortKeys = Field(default=(), description="-name descends.")
    n: int = Field(default=1, ge=1, le=1_000_000, description="Rows: of a lag, lead or rolling.")
    name: str | None = Field(default=None, min_length=1)
    wide: SkipJsonSchema[Wide | None] = None

    @field_validator("function", mode="before")
    @classmethod
    def _spelled(cls, function: object) -> object:
        return _read_function(str(function))

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and the result.

        Raises:
            ActionError: If the function lacks a column, order or n, or has one it does not take.
        """
        table, window = tables[0], WINDOWS[self.function]
        by = resolve_groups(self.by, table, "Window's")
        order = resolve_keys(self.order, table, "Window's order")
        column = None if self.column is None else resolve_column(self.column, table)
        if not window.takes and column in {key.column for key in order}:
            column = None  # it ranks by its order, and says so twice
        resolved = self.model_copy(update={"by": by, "order": order, "column": column})
        resolved._need_parts()
        if column is not None:
            need_kind(table, [column], *window.takes, purpose=repr(self.function))
            resolved = resolved.model_copy(update={"wide": resolved._wide(table, column)})
        need_free(self.name, table.columns, "result")
        if self.name is not None:
            return resolved
        return resolved.model_copy(update={"name": _fresh(resolved._stem(), table)})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for the new one its own, partition and order."""
        beside = (*(self.by or ()), *(key.column for key in self.order))
        source = Need(frozenset({self.column} if self.column else ()), frozenset(beside))
        return [need.past(headers[0], {str(self.name): source})]

    def run(self, *tables: Table) -> Table:
        """Add the column."""
        table = tables[0]
        window = WINDOWS[self.function]
        wide = window.takes is not ANY
        kind = self.wide or wide
        rows = number_rows(table, self.column, kind, self.by or (), self.order, self.n)
        frame = window.build(rows)
        result = _cast_result(frame, self.function, self.wide).alias(str(self.name))
        return Table(frame.select(*table.columns, result))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of ties, of rows without a rank and of what the numbers mean."""
        table, window = tables[0], WINDOWS[self.function]
        facts = []
        if self.name != self._stem() and self._stem() in table.columns:
            facts.append(Fact(text=f"The new column is {self.name!r}; {self._stem()!r} was taken"))
        if self.function in ("percent change", "percent rank", "share"):
            text = f"{self.name} is a fraction: 0.5 is 50 %"
            facts.append(Fact(text=text, caveat=self.function == "percent change"))
        if self.wide == "float" and self.function in _SIZES:
            facts.append(caveat(describe_floats(str(self.name))))
        if self.function.startswith("rolling"):
            facts.append(Fact(text=f"null where the last {self.n} rows are not all there"))
        if not self.order:
            return facts
        if window.ties or "rank" in self.function:
            ranked, then = table.frame, "other columns decide their order"
            if not window.ties:  # a null has no rank to share
                ranked = ranked.filter(~nw.col(self.order[0].column).is_null())
                then = "they share ranks"
            keys = [*(self.by or ()), *(key.column for key in self.order)]
            facts += tell_ties(ranked, keys, then)
        first = self.order[0].column
        [count] = count_where(table.frame, nw.col(first).is_null())
        if count:
            what = "come last" if window.ties else "have no rank"
            facts.append(caveat(f"{count} rows with a null {first!r} {what}"))
        return facts

    def _wide(self, table: Table, column: str) -> Wide | None:
        """What holds its numbers, where 64 bits do not; of means and shares, which are no whole."""
        dtype = table.schema[column]
        if self.function not in (*_SIZES, *_FRACTIONS) or not is_whole(dtype):
            return self.wide
        extent = find_extents(table, [column])[column]
        size = extent.high - extent.low if self.function == "difference" else extent.total
        wide = widest((self.wide, wide_of(dtype), wide_for(0, size)))
        return "float" if wide and self.function in _FRACTIONS else wide

    def _stem(self) -> str:
        words = self.function.replace(" ", "_")
        return words if self.column is None else f"{words}_{self.column}"

    def _need_parts(self) -> None:
        window, what = WINDOWS[self.function], repr(self.function)
        if self.column is None and window.takes and not window.optional:
            raise ActionError(f"{what} needs a column", kind="argument column")
        if self.column is not None and not window.takes:
            raise ActionError(
                f"{what} takes no column; it follows order, such as '-{self.column}' for the "
                f"largest first",
                kind="argument column",
            )
        if window.ordered and not self.order:
            raise ActionError(
                f"{what} needs an order, such as a date, or '-name' for the largest first; "
                "Position adds the order as listed",
                kind="argument order",
            )
        if self.order and not window.ordered:
            other = self.function.replace("group", "cumulative")
            hint = f"; {other!r} has one" if other in WINDOWS and other != self.function else ""
            raise ActionError(f"{what} takes no order{hint}", kind="argument order")
        rolling = self.function.startswith("rolling")
        if rolling and self.n < 2:
            raise ActionError(f"{what} needs n, its number of rows, 2 or more", kind="argument n")
        if self.n != 1 and not window.counted:
            hint = "; Filter the result for the first of them" if window.ordered else ""
            raise ActionError(f"{what} takes no n{hint}", kind="argument n")


def _fresh(stem: str, table: Table) -> str:
    return avoid_clashes(table.columns, [stem])[stem]


def _cast_result(
    frame: nw.LazyFrame[Any], function: WindowFunction, wide: Wide | None = None
) -> nw.Expr:
    """The result in one type on every engine: no NaN, and no wider type than Int64 for a sum."""
    dtype, result = frame.collect_schema()[RESULT], nw.col(RESULT)
    if wide == "whole":
        return as_wide(result, wide)
    if dtype.is_float():
        return result.fill_nan(None)
    whole = function.endswith(("sum", "count")) and dtype.is_numeric()
    return result.cast(nw.Int64) if whole else result


def _read_function(text: str) -> str:
    """A function's name from its spelling: ``cumsum``, ``running_total``, ``moving average``."""
    words = " ".join(text.replace("_", " ").replace("-", " ").lower().split())
    if words in _SPELLINGS:
        return _SPELLINGS[words]
    for start, family in _FAMILIES.items():
        if words.startswith(start):
            rest = words.removeprefix(start).strip()
            return f"{family} {_AGGREGATES.get(rest, rest)}"
    return words
