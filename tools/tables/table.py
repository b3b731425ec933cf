"""A table as every action sees it: a lazy narwhals frame, its schema read once, its groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import narwhals as nw

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.measure import Measure
from wideleaf.tools.tables.relations import Relation

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

MAX_CELLS = 50_000_000
"""What an eager action may hold in memory: rows times columns."""
Kind = Literal["number", "text", "boolean", "date", "datetime", "other"]
DIGITS_OF_INTEGERS = 19
MAX_DIGITS = 38
EXACT_FLOATS = 2**53
"""Up to this size a float is every whole number."""


def kind_of(dtype: nw.dtypes.DType) -> Kind:
    """Name the kind of a column's type in the word that people and models read."""
    if dtype.is_numeric():
        return "number"
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return "text"
    if isinstance(dtype, nw.Boolean):
        return "boolean"
    if isinstance(dtype, nw.Date):
        return "date"
    if isinstance(dtype, nw.Datetime):
        return "datetime"
    return "other"


@dataclass(frozen=True)
class Table:
    """A lazy frame; nothing is read until rows are asked for.

    Attributes:
        frame: The query, on whatever engine holds the data.
        about: What columns and families mean, in the user's words; of a raw table only.
        relations: Of a knowledge graph as it was handed in, its relations; none of other frames.
        measures: What the user calls figures that are worked out of a raw table's columns.
        unordered: Makes the same rows in any order, where an engine takes long to keep theirs.
        found: What an action learnt while it made the table, for its own notes; it is lost, and
            learnt anew, where the table is read again.
        remote: Whether it is a raw table whose cells come over a network, read of samples.
    """

    frame: nw.LazyFrame[Any]
    about: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    relations: tuple[Relation, ...] = field(default=(), compare=False, repr=False)
    measures: tuple[Measure, ...] = field(default=(), compare=False, repr=False)
    unordered: Callable[[], nw.LazyFrame[Any]] | None = field(
        default=None, compare=False, repr=False
    )
    found: Any = field(default=None, compare=False, repr=False)
    remote: bool = field(default=False, compare=False, repr=False)

    @cached_property
    def schema(self) -> dict[str, nw.dtypes.DType]:
        """Column names and types, in order."""
        frame = self.frame
        if is_polars(frame):
            # Polars keeps the whole plan with the query that is asked, some kilobytes a column.
            frame = nw.from_native(nw.to_native(frame).with_columns())
        return dict(frame.collect_schema())

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(self.schema)

    def kind(self, column: str) -> Kind:
        """The kind of one column, which must exist."""
        return kind_of(self.schema[column])

    def count(self) -> int:
        """Number of rows; runs the query, once."""
        return self._rows

    @cached_property
    def _rows(self) -> int:
        return int(self.in_any_order.select(nw.len()).collect().item())

    @cached_property
    def in_any_order(self) -> nw.LazyFrame[Any]:
        """The rows for whoever counts or groups them."""
        return self.frame if self.unordered is None else self.unordered()

    def rows(self, limit: int) -> list[dict[str, Any]]:
        """The first rows as plain dicts; runs the query."""
        return self.frame.head(limit).collect().rows(named=True)

    def collect(self, *columns: str, purpose: str) -> pl.DataFrame:
        """Some columns, or all, in memory, on every engine as a Polars frame, for eager actions.

        Args:
            columns: What to read; nothing else is.
            purpose: Who asks, for the message.

        Raises:
            ActionError: If that is more than `MAX_CELLS`, before anything is read.
        """
        names = columns or self.columns
        rows = self.count()
        if rows * len(names) > MAX_CELLS:
            raise ActionError(
                f"{purpose} holds its columns in memory; {rows} rows x {len(names)} columns are "
                f"more than {MAX_CELLS} cells; Select columns, Filter rows or Sample first",
                kind="too large",
            )
        frame: pl.DataFrame = nw.to_native(self.frame.select(*names).collect("polars"))
        return frame

    def has_nulls(self, column: str) -> bool:
        """Whether some row has no value in a column."""
        first = self.frame.select(column).filter(nw.col(column).is_null()).head(1)
        return len(first.collect()) > 0

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas frame, in which every whole number has all its digits."""
        return _in_pandas(self.frame.collect("pyarrow").to_native())


def _in_pandas(table: pa.Table) -> pd.DataFrame:
    """An Arrow table as a pandas frame; long whole numbers beside nulls stay no floats."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    frame: pd.DataFrame = table.to_pandas()
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_int64(column.type) and column.null_count:
            ends = pc.min_max(column).as_py()
            if max(abs(end or 0) for end in ends.values()) > EXACT_FLOATS:
                frame[name] = pd.array(column.to_pylist(), dtype="Int64")
    return frame


def is_polars(frame: nw.LazyFrame[Any]) -> bool:
    """Whether a query is one of Polars, as an eager action makes it on every engine."""
    return frame.implementation is nw.Implementation.POLARS


def is_far(frame: nw.LazyFrame[Any]) -> bool:
    """Whether rows stand on a cluster or a server, where each look is a job or a query more."""
    engine = frame.implementation
    return bool(engine.is_spark_like() or engine.is_ibis())


def aggregate_by(
    frame: nw.LazyFrame[Any], keys: Sequence[str], *aggregates: nw.Expr
) -> nw.LazyFrame[Any]:
    """Aggregates for each combination of keys, in no order; a null is a key like others.

    DuckDB takes a key with a point, given as a text, for a column of a table; such keys go by
    other names while rows are grouped.

    Args:
        frame: The rows.
        keys: Columns to group by, at least one.
        aggregates: What to compute, under its names.
    """
    if is_polars(frame) or not any("." in key for key in keys):
        return frame.group_by(*keys).agg(*aggregates)
    stem = "__group"
    while any(name.startswith(stem) for name in frame.collect_schema().names()):
        stem = f"_{stem}"
    names = {key: f"{stem}_{place}" for place, key in enumerate(keys)}
    groups = frame.with_columns(*(nw.col(key).alias(name) for key, name in names.items()))
    groups = groups.group_by(*names.values()).agg(*aggregates)
    others = [name for name in groups.collect_schema().names() if name not in {*names.values()}]
    return groups.select(*(nw.col(name).alias(key) for key, name in names.items()), *others)


def count_where(frame: nw.LazyFrame[Any], *tests: nw.Expr) -> list[int]:
    """For how many rows each test holds; a null does not."""
    names = [f"__test_{place}" for place in range(len(tests))]
    marks = (test.cast(nw.Int64).alias(name) for test, name in zip(tests, names, strict=True))
    counts = frame.select(*marks).select(nw.col(*names).sum()).collect()
    return [int(count or 0) for count in counts.row(0)]


def wider_type(dtypes: Sequence[Any]) -> Any:
    """The narrowest type that holds all cells: of numbers the wider, of dates and times a datetime.

    Args:
        dtypes: Types of one kind, or dates and datetimes; all with a time zone or none.
    """
    first = dtypes[0]
    if isinstance(first, (nw.String, nw.Categorical, nw.Enum)):
        return nw.String()
    if all(dtype == first for dtype in dtypes):
        return first
    if first.is_numeric():
        return _number(dtypes)
    units = [dtype.time_unit for dtype in dtypes if isinstance(dtype, nw.Datetime)]
    zone = next((dtype.time_zone for dtype in dtypes if isinstance(dtype, nw.Datetime)), None)
    finest = next((unit for unit in ("ns", "us", "ms", "s") if unit in units), "us")
    return nw.Datetime(finest, zone)  # type: ignore[arg-type]  # one of those four


def _number(dtypes: Sequence[Any]) -> Any:
    if all(dtype.is_integer() for dtype in dtypes):
        return nw.Int64()
    if not all(dtype.is_integer() or isinstance(dtype, nw.Decimal) for dtype in dtypes):
        return nw.Float64()
    decimals = [dtype for dtype in dtypes if isinstance(dtype, nw.Decimal)]
    scale = max(dtype.scale for dtype in decimals)
    before = max(dtype.precision - dtype.scale for dtype in decimals)
    if len(decimals) < len(dtypes):
        before = max(before, DIGITS_OF_INTEGERS)
    fits = before + scale <= MAX_DIGITS
    return nw.Decimal(before + scale, scale) if fits else nw.Float64()
