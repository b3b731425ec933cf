"""Trend: how a number moves over time, what returns with each season, and how it grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.sequences.seasons import (
    Season,
    Spacing,
    describe_steps,
    find_grid,
    find_season,
    find_spacing,
)
from wideleaf.tools.actions.sequences.series import SeriesGroups, read_series
from wideleaf.tools.actions.sequences.trend_cells import (
    GROWTH,
    SEASONS,
    SUMMARY,
    cell_type,
    growth_cells,
    summary_cells,
)
from wideleaf.tools.actions.sequences.trend_facts import tell_trend
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

KINDS = ("number", "text", "boolean", "date", "datetime")


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
        by = None if self.by is None else resolve_columns(self.by, table)
        need_kind(table, by or (), *KINDS, purpose="Trend's by")
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
        make = {"summary": self._summary, "growth": self._growth, "seasonality": self._seasons}
        # What the notes tell of the series is little, and they need not be read again for it.
        return replace(make[self.result](groups), found=find_spacing(groups))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was found, how sure it is, and what was left out or averaged."""
        spacing = result.found
        if not isinstance(spacing, Spacing):
            groups = read_series(tables[0], self.time, self.column, self.by or ())
            spacing = find_spacing(groups)
        return tell_trend(self, tables[0], result, spacing)

    def names(self, *wanted: str) -> dict[str, str]:
        """What columns of the result are called, by what they are."""
        beside = (self.time, self.column) if self.result == "growth" else ()
        return avoid_clashes((*(self.by or ()), *beside), wanted)

    def _summary(self, groups: SeriesGroups) -> Table:
        cells = summary_cells(groups, self.time)
        return self._made(groups.keys, SUMMARY, cells, groups.points["time"].dtype)

    def _growth(self, groups: SeriesGroups) -> Table:
        cells = growth_cells(groups)
        points = groups.points
        keys = groups.keys[points["group"]] if self.by else groups.keys
        own = points.select("time", "value").rename({"time": self.time, "value": self.column})
        return self._made(keys, GROWTH, cells, beside=own)

    def _seasons(self, groups: SeriesGroups) -> Table:
        cells: dict[str, list[Any]] = {name: [] for name in SEASONS}
        places = []
        for place, season, names in self._found(groups):
            places += [place] * len(season.positions)
            cells["position"] += season.positions
            cells["name"] += names
            cells["effect"] += season.effects
            cells["rows"] += season.rows
            cells["strength"] += [season.strength] * len(season.positions)
        keys = groups.keys[places] if self.by else groups.keys
        return self._made(keys, SEASONS, cells)

    def _found(self, groups: SeriesGroups) -> list[tuple[int, Season, list[str | None]]]:
        """The groups of which a season can be told, with what its positions are called."""
        if not len(groups.points):
            return []
        grid = find_grid(groups)
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
        usual = period == grid.period
        first, start, found = 0 if usual else int(grid.places.min()), 0, []
        for place, (series, end) in enumerate(zip(groups.each(), groups.ends, strict=True)):
            season = find_season(grid.places[start:end], first, series, period)
            start = end
            if season:
                names = [grid.name(one) if usual else None for one in season.positions]
                found.append((place, season, names))
        if not found:
            raise ActionError(
                f"no season of {describe_steps(period, grid.unit)} can be told: that takes two "
                "whole seasons and a value at two thirds of the steps; give another period, or "
                "Resample to longer steps first",
                kind="too few rows",
            )
        return found

    def _made(
        self,
        keys: pl.DataFrame,
        names: Sequence[str],
        cells: dict[str, list[Any]],
        moment: Any = None,
        beside: pl.DataFrame | None = None,
    ) -> Table:
        """The groups' keys beside what was found, each column in its own type."""
        import polars as pl

        called = self.names(*names)
        made = [
            pl.Series(called[name], cells[name], dtype=cell_type(name, moment)) for name in names
        ]
        own = [] if beside is None else beside.get_columns()
        given = keys.get_columns() if self.by else []
        return Table(nw.from_native(pl.DataFrame([*given, *own, *made]).lazy()))
