"""Trend: how a number moves over time, what returns with each season, and how it grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.sequences.seasons import (
    SEASONS,
    Spacing,
    describe_steps,
    find_grid,
    find_season,
    find_spacing,
)
from wideleaf.tools.actions.sequences.series import SeriesGroups, read_series
from wideleaf.tools.actions.sequences.slopes import SUMMARY, describe_series, find_unit
from wideleaf.tools.actions.sequences.trend_facts import tell_trend
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

GROWTH = ("rows", "change", "growth", "cumulative_growth")


class Trend(Action):
    """How a number moves over time: slope and growth with their p-values, season, or each step."""

    purpose = "statistics"
    lazy = False
    phrases = (
        "trend", "trends", "trending", "over time", "over the years", "rising over", "falling over",
        "is rising", "are rising", "is falling", "are falling", "rising or falling", "growth",
        "grow per year", "grown since", "grew since", "cagr", "increased since", "decreased since",
        "rise per year", "decline over", "increase over", "year on year", "year over year",
        "month on month", "month over month", "seasonal", "seasonality", "mann kendall",
        "slope over",
    )  # fmt: skip

    time: Column = Field(description="A date, a time, or a number such as a year.")
    column: Column
    by: Columns | None = None
    result: Literal["summary", "seasonality", "growth"] = "summary"
    period: int | None = Field(
        default=None, ge=2, le=10_000, description="Steps of a season; default 12 of months etc."
    )

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that cannot be, or by names the time or the column.
        """
        table = tables[0]
        time, column = resolve_column(self.time, table), resolve_column(self.column, table)
        need_kind(table, [time], "number", "date", "datetime", purpose="Trend's time")
        need_kind(table, [column], "number", "boolean", purpose="Trend")
        if time == column:
            raise ActionError(
                f"time and column are both {time!r}; column is the number that moves over time",
                kind="argument column",
            )
        by = resolve_groups(self.by, table, "Trend's")
        if twice := {time, column} & {*(by or ())}:
            raise ActionError(
                f"by names {min(twice)!r}, which is the time or the column already; "
                "by names what makes several series",
                kind="argument by",
            )
        if self.period and self.result != "seasonality":
            raise ActionError(
                f"period is of the result 'seasonality'; {self.result!r} has none",
                kind="argument period",
            )
        return self.model_copy(update={"time": time, "column": column, "by": by})

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The number, at the moments and in the groups that decide."""
        decide = (self.time, *(self.by or ()))
        return [Need(frozenset({self.column, *decide}), frozenset(decide))]

    def run(self, *tables: Table) -> Table:
        """Read the series and describe each.

        Raises:
            ActionError: If there is too much to hold in memory, or no season can be told.
        """
        groups = read_series(tables[0], self.time, self.column, self.by or ())
        make = {"summary": self._summarise, "growth": self._grow, "seasonality": self._find_seasons}
        # What the notes tell of the series is little, and they need not be read again for it.
        return replace(make[self.result](groups), found=find_spacing(groups))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was found, how sure it is, and what was left out or averaged."""
        spacing = result.found
        if not isinstance(spacing, Spacing):
            spacing = find_spacing(read_series(tables[0], self.time, self.column, self.by or ()))
        return tell_trend(self, tables[0], result, spacing)

    @property
    def names(self) -> dict[str, str]:
        """What the columns of the result are called, by what they are."""
        if self.result == "growth":
            return avoid_clashes((*(self.by or ()), self.time, self.column), GROWTH)
        headers = SUMMARY if self.result == "summary" else SEASONS
        return avoid_clashes(self.by or (), [*headers])

    def _summarise(self, groups: SeriesGroups) -> Table:
        unit = find_unit(groups.points, self.time)
        rows = [describe_series(points, unit) for points in groups.each()]
        types = {name: kind or groups.points["time"].dtype for name, kind in SUMMARY.items()}
        return self._put_beside(groups.keys, self._as_frame(rows, types))

    def _grow(self, groups: SeriesGroups) -> Table:
        import polars as pl

        def known(number: pl.Expr) -> pl.Expr:
            return pl.when(number.is_finite()).then(number)

        def growth(since: pl.Expr) -> pl.Expr:
            return known(pl.when(since > 0).then(value / since - 1))

        value, names = pl.col("value"), self.names
        before = value.shift(1).over("group")
        cells = groups.points.select(
            pl.col("time").alias(self.time),
            value.alias(self.column),
            pl.col("rows").alias(names["rows"]),
            known(value - before).alias(names["change"]),
            growth(before).alias(names["growth"]),
            growth(value.first().over("group")).alias(names["cumulative_growth"]),
        )
        keys = groups.keys[groups.points["group"]] if self.by else groups.keys
        return self._put_beside(keys, cells)

    def _find_seasons(self, groups: SeriesGroups) -> Table:
        seasons = self._decompose(groups) if len(groups.points) else []
        places = [place for place, season in enumerate(seasons) for _ in season]
        keys = groups.keys[places] if self.by else groups.keys
        return self._put_beside(keys, self._as_frame([*chain.from_iterable(seasons)], SEASONS))

    def _decompose(self, groups: SeriesGroups) -> list[list[dict[str, Any]]]:
        """The season of each group; of some nothing, where it cannot be told.

        Raises:
            ActionError: If that of no group can be told.
        """
        grid = find_grid(groups.points)
        if grid is None:
            raise ActionError(
                f"{self.time!r} stands on no regular steps, so it has no season; Resample or round "
                "it first",
                kind="argument time",
            )
        period = self.period or grid.period
        if period is None:
            raise ActionError(
                f"the moments of {self.time!r} (a {grid.unit} apart) have no usual season; give "
                "period, its length in steps",
                kind="argument period",
            )
        placed = groups._replace(points=groups.points.with_columns(grid.places))
        seasons = [find_season(grid, points, period) for points in placed.each()]
        if not any(seasons):
            raise ActionError(
                f"no season of {describe_steps(period, grid.unit)} can be told: that takes two "
                "whole seasons and a value at two thirds of the steps; give another period, or "
                "Resample to longer steps first",
                kind="too few rows",
            )
        return seasons

    def _as_frame(
        self, rows: Sequence[Mapping[str, Any]], types: Mapping[str, Any]
    ) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(
            [pl.Series(self.names[name], [row.get(name) for row in rows], dtype=kind)
             for name, kind in types.items()]
        )  # fmt: skip

    def _put_beside(self, keys: pl.DataFrame, cells: pl.DataFrame) -> Table:
        """The groups' keys beside what was found of each."""
        frame = keys.hstack(cells) if self.by else cells
        return Table(nw.from_native(frame.lazy()))
