"""Shared types: columns of a type that not every engine has become columns of one that all have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.cells.repairs import Repair, repair_headers

if TYPE_CHECKING:
    import polars as pl

DEPTH = 5
"""Fields nested deeper than this are kept as JSON text."""
EXACT_DIGITS = 15
"""So many digits a float keeps of any decimal number."""
MOST_DIGITS = 38
"""Of the decimals that Polars and Spark have."""

_JSON = "Nested values are kept as JSON text"
_BYTES = "Bytes that are text were read as UTF-8"
_LEFT = "Columns of bytes were left out"
_LONG = "Kept as text because of too many digits"
_CUT = "Rounded to about 15 digits"
_WIDE = "Columns of decimals of more than 38 digits were left out"
_UTC = "Times are in UTC"
_SECONDS = "Lengths of time are now in seconds"
_CLOCK = "Times of day became text (HH:MM:SS)"
_NANO = "Times lost their billionths of a second"

MADE_TEXT = (_JSON, _LONG, _CLOCK)
"""What is told of columns that were made into text, and are text for good."""


class _Column(NamedTuple):
    """A column to be: what it is read from, its type there, its name and how deep it was nested."""

    read: pl.Expr
    dtype: pl.DataType
    name: str
    depth: int = 0
    root: str = ""


def describe_flattening(roots: Mapping[str, str]) -> Repair:
    """Tell columns that were fields, each with the header it was nested in, which may be denied."""
    columns, headers = tuple(roots), tuple(roots.values())
    text = "Nested fields became columns"
    return Repair(text=text, columns=columns, headers=headers, ordinary=True)


def is_common(dtype: pl.DataType) -> bool:
    """Whether a Parquet column of this type means the same on every engine as it stands."""
    import polars as pl

    if isinstance(dtype, pl.Datetime):
        return dtype.time_zone is None and dtype.time_unit != "ns"
    small = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
    rest = (pl.Float32, pl.Float64, pl.Boolean, pl.Date, pl.String, pl.Categorical, pl.Enum)
    return isinstance(dtype, small + rest)


def share_types(frame: pl.LazyFrame, *, look: bool = True) -> tuple[pl.LazyFrame, list[Repair]]:
    """Give every column a type that Polars, DuckDB and Spark have with one meaning.

    Nested fields become columns of their own, lists JSON text, lengths of time seconds, times of
    day text, decimals and 64-bit unsigned integers numbers if they fit and text if they do not;
    times with a zone become what the clock shows there, to the millionth of a second; bytes are
    text if they are UTF-8 and left out otherwise; NaN is null.

    Args:
        frame: The query; it is run where a type alone does not tell whether cells fit.
        look: Whether it may be run; else whole numbers are taken to fit in 64 bits, and all else
            not to.

    Returns:
        The query with shared types, and what was changed.
    """
    import polars as pl

    told: defaultdict[str, list[str]] = defaultdict(list)
    columns = _flattened(frame.collect_schema())
    names, renamed = repair_headers([column.name for column in columns])
    columns = [column._replace(name=name) for column, name in zip(columns, names, strict=True)]
    facts = _facts(frame, columns, look)
    made = []
    for column in columns:
        read, text = _shared(column, facts)
        if text:
            told[text].append(column.name)
        if read is not None:
            made.append(read.alias(column.name))
    repairs = [
        Repair(text=text, columns=tuple(found), ordinary=text == _UTC)
        for text, found in told.items()
    ]
    roots = {column.name: column.root for column in columns if column.depth}
    nested = [describe_flattening(roots)] if roots else []
    query = frame.select(made) if made else pl.LazyFrame()
    return query, [*nested, *renamed, *repairs]


def type_unknown(frame: pl.LazyFrame, names: Sequence[str]) -> tuple[pl.LazyFrame, list[Repair]]:
    """Give columns a type of which neither a cell nor the source says what they hold.

    They are taken for numbers if the table has no row, so that a mean of them is a mean of
    nothing and no error; in a table with rows they stay as they are.

    Args:
        frame: The query.
        names: Its columns of no known type.
    """
    import polars as pl

    if not names or frame.select(pl.len()).collect(engine="streaming").item():
        return frame, []
    text = "Taken for numbers, for there is no row that would tell what they hold"
    numbers = frame.with_columns(pl.col(names).cast(pl.Float64, strict=False))
    return numbers, [Repair(text=text, columns=tuple(names))]


def _flattened(schema: pl.Schema) -> list[_Column]:
    import polars as pl

    pending = [_Column(pl.col(name), dtype, name) for name, dtype in reversed(schema.items())]
    found = []
    while pending:
        column = pending.pop()
        if not isinstance(column.dtype, pl.Struct) or column.depth == DEPTH:
            found.append(column)
            continue
        pending += [
            _Column(
                column.read.struct.field(field.name),
                field.dtype,  # type: ignore[arg-type]  # of a schema it is never a class
                f"{column.name}.{field.name}",
                column.depth + 1,
                column.root or column.name,
            )
            for field in reversed(column.dtype.fields)
        ]
    return found


def _facts(frame: pl.LazyFrame, columns: list[_Column], look: bool) -> dict[str, bool]:
    """Whether the cells of a column fit, by the column's name, where its type leaves it open."""
    import polars as pl

    checks = []
    for name, read, dtype in ((c.name, c.read, c.dtype) for c in columns):
        if dtype == pl.UInt64 or _is_whole(dtype):
            checks.append(
                (read.cast(pl.Int64, strict=False).is_null() == read.is_null()).all().alias(name)
            )
        elif isinstance(dtype, pl.Decimal) and EXACT_DIGITS < dtype.precision <= MOST_DIGITS:
            back = read.cast(pl.Float64).cast(dtype, strict=False)
            checks.append((back == read).all().alias(name))
        elif isinstance(dtype, pl.Datetime) and dtype.time_unit == "ns":
            checks.append((read.dt.nanosecond() % 1000 == 0).all().alias(name))
    if not look:
        unsure = {check.meta.output_name() for check in checks}
        whole = {c.name for c in columns if c.dtype == pl.UInt64 or _is_whole(c.dtype)}
        unsure |= {c.name for c in columns if isinstance(c.dtype, pl.Binary)}
        return {name: name in whole for name in unsure}
    row = frame.select(checks).collect(engine="streaming").row(0, named=True) if checks else {}
    for column in columns:
        if isinstance(column.dtype, pl.Binary):
            row[column.name] = _is_text(frame, column.read)
    return row


def _is_whole(dtype: pl.DataType) -> bool:
    import polars as pl

    if isinstance(dtype, pl.Decimal):
        return dtype.scale == 0 and dtype.precision <= MOST_DIGITS
    return dtype in (pl.Int128, pl.UInt128)


def _is_text(frame: pl.LazyFrame, read: pl.Expr) -> bool:
    import polars as pl

    try:
        frame.select(read.cast(pl.String).null_count()).collect(engine="streaming")
    except pl.exceptions.ComputeError:
        return False
    return True


def _shared(column: _Column, facts: dict[str, bool]) -> tuple[pl.Expr | None, str]:
    """How a column is read, None if it cannot be, and what is told of it."""
    import polars as pl

    read, dtype, fits = column.read, column.dtype, facts.get(column.name, True)
    if dtype == pl.UInt64 or _is_whole(dtype):
        return (read.cast(pl.Int64), "") if fits else (read.cast(pl.String), _LONG)
    if isinstance(dtype, pl.Decimal):
        if dtype.precision > MOST_DIGITS:
            return None, _WIDE
        return read.cast(pl.Float64), "" if fits else _CUT
    if isinstance(dtype, (pl.UInt8, pl.UInt16, pl.UInt32)):
        return read.cast(pl.Int64), ""
    if isinstance(dtype, (pl.Float16, pl.Float32, pl.Float64)):
        wide = read.cast(pl.Float32) if dtype == pl.Float16 else read
        return wide.fill_nan(None), ""
    if isinstance(dtype, pl.Duration):
        return read.dt.total_microseconds(fractional=True) / 1e6, _SECONDS
    if isinstance(dtype, pl.Time):
        return read.dt.to_string("%H:%M:%S%.f"), _CLOCK
    if isinstance(dtype, pl.Datetime):
        text = "" if fits else _NANO
        if dtype.time_zone:
            clock = f"Times are what the clock shows in {dtype.time_zone}"
            text = _UTC if dtype.time_zone == "UTC" else clock
        return read.dt.replace_time_zone(None).dt.cast_time_unit("us"), text
    if isinstance(dtype, pl.Binary):
        return (read.cast(pl.String), _BYTES) if fits else (None, _LEFT)
    if dtype.is_nested():
        return _as_json(read, dtype)
    if isinstance(dtype, pl.Object):
        return None, "Columns of objects were left out"
    return (read if is_common(dtype) and not _is_coded(dtype) else read.cast(pl.String)), ""


def _is_coded(dtype: pl.DataType) -> bool:
    import polars as pl

    return isinstance(dtype, (pl.Categorical, pl.Enum))


def _as_json(read: pl.Expr, dtype: pl.DataType) -> tuple[pl.Expr | None, str]:
    import polars as pl

    if "Binary" in str(dtype) or "Object" in str(dtype):
        return None, _LEFT
    text = pl.struct(read.alias("v")).struct.json_encode()  # {"v":[1,2]}
    bare = text.str.slice(5).str.head(-1)
    return pl.when(read.is_not_null()).then(bare), _JSON
