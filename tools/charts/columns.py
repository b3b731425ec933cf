"""Columns as a chart takes them: each a number, a moment or a key, whatever frame they are of."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw

from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.tables.table import kind_of
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Role = Literal["number", "moment", "order", "key"]
_ISO = r"^\d{4}-\d\d(?:-\d\d)?$"
CELLS = "cells"
_CODE = re.compile(r"(?:^|[_\W])(?:id|code|key|nr|no|zip|postcode)$|[a-z]I[dD]$", re.I)
"""Headers of numbers that are names."""
SECONDS_OF_AN_HOUR = 3600.0


@dataclass(frozen=True)
class Column:
    """A column and what a chart may do with it.

    Attributes:
        name: Its header, with a unit where its cells were turned into numbers.
        role: ``number`` is measured, ``moment`` a date or time, ``order`` a number that other
            columns run along (a year, a day), ``key`` what is named.
        cells: In the order of the frame.
    """

    name: str
    role: Role
    cells: pl.Series

    @cached_property
    def distinct(self) -> int:
        """Number of different cells, a null among them."""
        return self.cells.n_unique()

    @property
    def runs(self) -> bool:
        """Whether its cells stand on a line: moments, and numbers that others run along."""
        return self.role in ("moment", "order")

    @property
    def whole(self) -> bool:
        """Whether all its cells are whole numbers."""
        if self.cells.dtype.is_integer():
            return True
        numbers = self.cells.drop_nulls()
        return bool(self.cells.dtype.is_float() and (numbers.round(0) == numbers).all())

    def take(self, role: Role) -> Self:
        """The same column in another role."""
        return replace(self, role=role)


def read_columns(frame: Any) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """The columns that a chart can take, and the headers of those that it cannot.

    Args:
        frame: A narwhals, pandas, Polars or other frame that narwhals knows.

    Raises:
        SettingsError: If it is no frame, or has a header twice.
        ActionError: If it has no row or no column.
    """
    table = _to_polars(frame)
    if not table.width:
        raise ActionError("the frame has no column; a chart needs one of numbers at least")
    if not table.height:
        raise ActionError("the frame has no row; a chart needs rows to draw", kind="not found")
    columns = [_column(series) for series in table]
    rest = [series.name for series, entry in zip(table, columns, strict=True) if entry is None]
    return tuple(column for column in columns if column), tuple(rest)


def _to_polars(frame: Any) -> pl.DataFrame:
    """A frame of any kind in memory."""
    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(frame):
        return _from_pandas(frame)
    try:
        table = nw.from_native(frame)
    except TypeError:
        kind = type(frame).__name__
        raise SettingsError(f"{kind!r} is no frame; hand in a narwhals or pandas frame") from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect("polars")
    polars_table: pl.DataFrame = table.to_polars()
    return polars_table


def _from_pandas(frame: pd.DataFrame) -> pl.DataFrame:
    """With texts as headers, an index that says something as columns, and mixed cells as texts."""
    import pandas as pd
    import polars as pl

    index = frame.index
    if not isinstance(index, pd.RangeIndex):
        unnamed = all(name is None for name in index.names)
        mute = unnamed and pd.api.types.is_integer_dtype(index.dtype)
        frame = frame.reset_index(drop=mute or bool({*index.names} & {*frame.columns}))
    names = [" ".join(map(str, n)) if isinstance(n, tuple) else str(n) for n in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"the header {as_name(name)!r} is there twice; rename one")
    columns: dict[str, pl.Series] = {}
    for name, (_, cells) in zip(names, frame.items(), strict=True):
        try:
            columns[name] = pl.Series(pl.from_pandas(cells.rename(None)))
        except (TypeError, ValueError, OverflowError):  # cells of several kinds in one column
            texts = [None if cell is None else str(cell) for cell in cells]
            columns[name] = pl.Series(texts, dtype=pl.String)
    return pl.DataFrame(columns)


def _column(series: pl.Series) -> Column | None:
    """A column in its role; None for lists, structs, bytes and columns with nothing to draw."""
    import polars as pl

    # Polars takes a name such as ^$ for a pattern where it looks for a column of that name.
    name, series = series.name, series.alias(CELLS)
    dtype = series.dtype
    if series.null_count() == len(series) or (dtype.is_float() and not series.is_finite().any()):
        return None
    kind = kind_of(nw.from_native(series, series_only=True).dtype)
    if kind == "number":
        if not (dtype.is_float() or dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64)):
            small = dtype in (pl.UInt8, pl.UInt16, pl.UInt32)
            series = series.cast(pl.Int64 if small else pl.Float64)
        is_code = dtype.is_integer() and _CODE.search(name)
        if is_code and series.n_unique() == len(series):
            return Column(name, "key", series.cast(pl.String))
        return Column(name, "number", series)
    if kind in ("date", "datetime"):
        wall = series if dtype == pl.Date else series.dt.replace_time_zone(None)
        return Column(name, "moment", wall.cast(pl.Datetime("us")))
    if kind == "boolean":
        texts = pl.Series(CELLS, ["False", "True"]).gather(series.cast(pl.UInt32))
        return Column(name, "key", texts)
    if isinstance(dtype, pl.Duration):
        hours = series.dt.total_microseconds() / (SECONDS_OF_AN_HOUR * 1e6)
        return Column(f"{name} (hours)", "number", hours)
    if kind == "text" or isinstance(dtype, pl.Time):
        return _read_texts(name, series.cast(pl.String))
    return None


def _read_texts(name: str, series: pl.Series) -> Column:
    """A column of texts; one of ISO days or months alone is of moments."""
    if series.str.contains(_ISO).all():
        days = (series + "-01").str.slice(0, 10)
        moments = days.str.to_datetime("%Y-%m-%d", strict=False, time_unit="us")
        if moments.null_count() == series.null_count():
            return Column(name, "moment", moments)
    return Column(name, "key", series)
