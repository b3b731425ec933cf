"""Resample: measures for each period of time, with the periods between if wished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.measuring.measure import AS_IN_GROUP, BOTH_ENDS, Trait, measure_needs
from wideleaf.tools.actions.measuring.measures import (
    COUNT,
    compute_measures,
    resolve_measures,
    tell_measures,
)
from wideleaf.tools.actions.windowing.intervals import Every, read_every, spread, with_start
from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.date_functions import microseconds
from wideleaf.tools.privacy import Fact, caveats
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table, aggregate_by, count_where

MAX_PERIODS = 10_000_000
_PERIOD, _START, _LAST = "__period", "__start", "__last"


class Resample(Action):
    """Measures for each period; time, under its name, is the period's start; weeks from Monday."""

    purpose = "group"
    period_column: ClassVar[str] = _PERIOD
    phrases = (
        "per month", "per quarter", "per year", "per week", "per day", "per hour", "by month",
        "by quarter", "by week", "by day of the date", "each month", "each quarter", "each week",
        "each day", "every month", "every week", "every day", "monthly", "quarterly", "weekly",
        "daily", "hourly", "yearly", "time series", "resample",
    )  # fmt: skip

    time: Column = Field(description="A date or datetime column.")
    every: str = Field(description="Such as day, 2 weeks, month, quarter, year, 6 hours.")
    by: Columns | None = None
    measures: Annotated[tuple[Trait, ...], BOTH_ENDS, AS_IN_GROUP] = Field(
        default=(COUNT,), min_length=1
    )
    fill: Literal["none", "null", "zero", "previous"] = Field(
        default="none", description="For periods without rows; none leaves them out."
    )

    @field_validator("every")
    @classmethod
    def _read(cls, every: str) -> str:
        return read_every(every).text

    def resolve(self, *tables: Table) -> Self:
        """Name the columns and measures.

        Raises:
            ActionError: If the column holds no time as fine as the periods, or they are too many.
        """
        table = tables[0]
        time = resolve_column(self.time, table)
        need_kind(table, [time], "date", "datetime", purpose="Resample")
        if table.kind(time) == "date" and self._every.cut in ("s", "m", "h"):
            raise ActionError(
                f"{time!r} is a date and knows no {self._every.unit}s; every may be a day or more",
                kind="argument every",
            )
        by = resolve_groups(self.by, table, "Resample's")
        if by and time in by:
            raise ActionError(f"by names {time!r}, which is the time already", kind="argument by")
        measures = resolve_measures(self.measures, table, taken=[*(by or ()), time])
        fields = {"time": time, "by": by, "measures": measures}
        resolved = self.model_copy(update=fields)
        if self.fill != "none":
            resolved._refuse_too_many(table)
        return resolved

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """Time and groups, and for each measure what it is of."""
        return [measure_needs(need, (*(self.by or ()), self.time), self.measures)]

    def run(self, *tables: Table) -> Table:
        """Group by period; a group's periods go from its own first to its own last."""
        table, by = tables[0], list(self.by or ())
        groups = compute_measures(self.with_periods(table), [*by, _PERIOD], self.measures, table)
        results = [nw.col(str(measure.name)) for measure in self.measures]
        keys = [*(nw.col(name) for name in by), nw.col(_PERIOD).alias(self.time)]
        periods = Table(groups.select(*keys, *results))
        if self.fill != "none":
            periods = self._filled(periods)
        return Table(periods.frame.sort(*by, self.time, nulls_last=True))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell of rows without a time and of periods that were put in."""
        table = tables[0]
        (count,) = count_where(table.frame, nw.col(self.time).is_null())
        facts = caveats((count, f"{count} rows with a null {self.time!r} are left out"))
        if self.fill != "none":
            bare = self.model_copy(update={"fill": "none"}).run(*tables)
            if added := result.count() - bare.count():
                text = f"{added} periods without rows were put in, filled with {self.fill}"
                facts.append(Fact(text=text, caveat=self.fill != "null"))
        if zone := getattr(table.schema[self.time], "time_zone", None):
            facts.append(Fact(text=f"Periods are those of the clock in {zone}"))
        facts += tell_measures(
            self.with_periods(table), [*(self.by or ()), _PERIOD], self.measures, table
        )
        return facts

    @property
    def _every(self) -> Every:
        return read_every(self.every)

    def with_periods(self, table: Table) -> nw.LazyFrame[Any]:
        """The rows that have a time, with their periods in `period_column`."""
        rows = table.frame.filter(~nw.col(self.time).is_null())
        return with_start(rows, self.time, table.schema[self.time], self._every, _PERIOD)

    def _filled(self, periods: Table) -> Table:
        """Repeat each row up to the next one's period; the repeats hold the filling."""
        by = self.by or ()
        back = f"-{self._every.steps}{self._every.cut}"
        start = nw.col(self.time)
        frame = periods.frame.with_columns(start.alias(_START), nw.lit(1).alias("__all"))
        after = nw.col(_START).shift(-1).over(*(by or ("__all",)), order_by=_START)
        frame = frame.with_columns(after.alias(_LAST))
        last = nw.coalesce(nw.col(_LAST).dt.offset_by(back), nw.col(_START))
        frame = frame.with_columns(last.cast(periods.schema[self.time]).alias(_LAST))
        frame = spread(frame, _START, _LAST, self._every, _PERIOD)
        frame = frame.with_columns(nw.col(_PERIOD).cast(periods.schema[self.time]))
        cells = [nw.col(_PERIOD).alias(self.time)]
        own = nw.col(_PERIOD) == nw.col(_START)
        for name, dtype in periods.schema.items():
            if name == self.time or name in by:
                continue
            if self.fill == "previous":
                cells.append(nw.col(name))
            elif self.fill == "zero" and dtype.is_numeric():
                zero = nw.lit(0).cast(dtype)
                cells.append(nw.when(own).then(nw.col(name)).otherwise(zero).alias(name))
            else:
                cells.append(nw.when(own).then(nw.col(name)).alias(name))
        return Table(frame.select(*(nw.col(name) for name in by), *cells))

    def _refuse_too_many(self, table: Table) -> None:
        moment = nw.col(self.time)
        if table.kind(self.time) == "date":
            moment = moment.cast(nw.Datetime("us"))
        rows = table.frame.filter(~nw.col(self.time).is_null())
        first, last = moment.min().alias(_START), moment.max().alias(_LAST)
        spans = aggregate_by(rows, self.by, first, last) if self.by else rows.select(first, last)
        length = microseconds(nw.col(_LAST)) - microseconds(nw.col(_START))
        total = spans.select((length // self._every.microseconds + 1).sum()).collect().item()
        if int(total or 0) > MAX_PERIODS:
            raise ActionError(
                f"filled, this would be more than {MAX_PERIODS} periods; take longer ones than "
                f"{self.every!r}, or fill none",
                kind="too large",
            )
