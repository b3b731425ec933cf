"""Intervals of time: read from words, and the one a moment falls into, alike on every engine."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.expressions.date_functions import microseconds

Unit = Literal["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
_WORDS: dict[Unit, str] = {
    "second": "s sec second secondly",
    "minute": "min t minute minutely",
    "hour": "h hr hour hourly",
    "day": "d day daily",
    "week": "w week weekly",
    "month": "mo mon month monthly ms me",
    "quarter": "q quarter quarterly qs qe",
    "year": "y yr a year yearly annual annually annum ys ye",
}
_UNITS = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_EVERY = re.compile(r"(?:every |per |a |an |each )?(\d{1,4})? ?([a-z]+)")
MOST = 5_000

# Of each unit: what it is cut to, how many of those it is, and microseconds, rather too few.
_DAY = 86_400_000_000
_CUTS: dict[Unit, tuple[str, int, int]] = {
    "second": ("s", 1, 1_000_000),
    "minute": ("m", 1, 60_000_000),
    "hour": ("h", 1, 3_600_000_000),
    "day": ("d", 1, _DAY),
    "week": ("d", 7, 7 * _DAY),
    "month": ("mo", 1, 28 * _DAY),
    "quarter": ("mo", 3, 90 * _DAY),
    "year": ("y", 1, 365 * _DAY),
}
_WORD_OF = {"s": "second", "m": "minute", "h": "hour", "d": "day", "mo": "month", "y": "year"}
_EPOCH_DAY, _FIRST_MONDAY = 719_163, 719_167
"""1 and 5 January 1970, as days since the year 0."""


class Every(NamedTuple):
    """A length of intervals: months, quarters and years of the calendar, weeks from Monday.

    Several days or weeks are counted from the first day, or Monday, of 1970; several hours,
    minutes and seconds from midnight there; several months and years from the year 0.
    """

    number: int
    unit: Unit

    @property
    def text(self) -> str:
        """The length in words."""
        return self.unit if self.number == 1 else f"{self.number} {self.unit}s"

    @property
    def cut(self) -> str:
        """The sort of step that its intervals are made of: ``mo`` for a quarter."""
        return _CUTS[self.unit][0]

    @property
    def steps(self) -> int:
        """How many of those steps make one interval."""
        return self.number * _CUTS[self.unit][1]

    @property
    def microseconds(self) -> int:
        """About how long an interval is, rather too short."""
        return self.number * _CUTS[self.unit][2]


def read_every(text: str) -> Every:
    """A length of intervals from words: ``6 hours``, ``month``, ``weekly``, ``1d``.

    Raises:
        ValueError: If it cannot be read; says how to write it.
    """
    words = " ".join(text.lower().replace("_", " ").split())
    match = _EVERY.fullmatch(words)
    name = match[2] if match else ""
    unit = _UNITS.get(name) or _UNITS.get(name.removesuffix("s"))
    if match is None or unit is None or not 1 <= int(match[1] or 1) <= MOST:
        raise ValueError(
            f"{text!r} is no length of time; write such as 'day', '2 weeks', 'month', 'quarter', "
            f"'year' or '6 hours', at most {MOST} of them"
        )
    return Every(int(match[1] or 1), unit)


def with_start(
    frame: nw.LazyFrame[Any], column: str, dtype: nw.dtypes.DType, every: Every, name: str
) -> nw.LazyFrame[Any]:
    """Add the start of the interval that a moment falls into, in the column's own type."""
    wide = nw.Datetime("us") if isinstance(dtype, nw.Date) else dtype
    moment = nw.col(column).cast(wide) if isinstance(dtype, nw.Date) else nw.col(column)
    start = moment.dt.truncate(f"1{every.cut}").cast(wide)
    frame = frame.with_columns(start.alias(name))
    if every.steps > 1:
        # Engines cut to one step only; the steps back to the start go by powers of two.
        rest = f"{name}_rest"
        # Of the cut moment: Spark divides as floats, which a last microsecond would tip over.
        frame = frame.with_columns(_steps_in(nw.col(name), every).alias(rest))
        power = 1
        while power < every.steps:
            back = nw.col(name).dt.offset_by(f"-{power}{every.cut}").cast(wide)
            odd = nw.col(rest) // power % 2 == 1
            frame = frame.with_columns(nw.when(odd).then(back).otherwise(nw.col(name)).alias(name))
            power *= 2
        frame = frame.drop(rest)
    return frame.with_columns(nw.col(name).cast(dtype))


def _steps_in(moment: nw.Expr, every: Every) -> nw.Expr:
    """How many steps a moment is past its interval's start."""
    if every.cut == "y":
        number = moment.dt.year().cast(nw.Int64)
    elif every.cut == "mo":
        number = moment.dt.year().cast(nw.Int64) * 12 + moment.dt.month().cast(nw.Int64) - 1
    else:
        size = _CUTS["day" if every.unit == "week" else every.unit][2]
        anchor = (_FIRST_MONDAY if every.unit == "week" else _EPOCH_DAY) * (_DAY // size)
        # Shifted so that no remainder is one of a negative number.
        number = microseconds(moment) // size + -anchor % every.steps
    return number % every.steps


def spread(
    frame: nw.LazyFrame[Any], first: str, last: str, every: Every, name: str
) -> nw.LazyFrame[Any]:
    """A row for each interval from one start to another, both included.

    narwhals has no such way, so each engine goes its own.

    Args:
        frame: The query; its rows are repeated along the intervals.
        first: The column of first starts, a plain identifier.
        last: The column of last starts, a plain identifier.
        every: The intervals' length.
        name: The new column, a plain identifier.
    """
    native = nw.to_native(frame)
    interval = f"INTERVAL '{every.steps}' {_WORD_OF[every.cut]}"
    if frame.implementation is nw.Implementation.POLARS:
        import polars as pl

        ranges = pl.date_ranges if frame.collect_schema()[first] == nw.Date else pl.datetime_ranges
        starts = ranges(pl.col(first), pl.col(last), interval=f"{every.steps}{every.cut}")
        native = native.with_columns(starts.alias(name)).explode(name)
    elif frame.implementation is nw.Implementation.DUCKDB:
        series = f"unnest(generate_series({first}, {last}, {interval}))"
        native = native.project(f"*, {series} AS {name}")
    elif frame.implementation.is_ibis():
        import ibis

        step = ibis.interval(every.steps, unit=_WORD_OF[every.cut])
        until = native[last].cast("timestamp(6)") + step
        starts = ibis.range(native[first].cast("timestamp(6)"), until, step).unnest()
        native = native.mutate(**{name: starts.cast(native[first].type())})
    else:
        from pyspark.sql import functions as f

        series = f"sequence({first}, {last}, {interval})"
        native = native.withColumn(name, f.explode(f.expr(series)))
    repeated: nw.LazyFrame[Any] = nw.from_native(native)
    return repeated
