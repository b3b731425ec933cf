"""Shared types: columns of a type that not every engine has become columns of one that all have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from wideleaf.tools.cells.repairs import Repair, repair_headers

DEPTH = 5
"""Fields nested deeper than this are kept as JSON text."""
EXACT_DIGITS = 15
"""So many digits a float keeps of any decimal number."""
MAX_DIGITS = 38
"""Of the decimals that Polars and Spark have."""

_JSON = "Nested values are kept as JSON text"
_LEFT = "Columns of bytes were left out"
_LONG = "Kept as text because of too many digits"
_UTC = "Times are in UTC"
_CLOCK = "Times of day became text (HH:MM:SS)"

MADE_TEXT = (_JSON, _LONG, _CLOCK)
"""What is told of columns that were made into text, and are text for good."""


class _Column(NamedTuple):
    """A column to be: what it is read from, its type there, its name and how deep it was nested."""

    read: pl.Expr
    dtype: pl.DataType
    name: str
    depth: int = 0
    root: str = ""


class _Reading(NamedTuple):
    """How a column is read as a shared type.

    Attributes:
        made: The column; None if it is left out.
        text: What is told of that.
        fits: Whether all cells keep their value so, where the type leaves that open.
        guess: What is taken for it where no cell may be looked at.
        otherwise: The column, and what is told, where they do not.
    """

    made: pl.Expr | None
    text: str = ""
    fits: pl.Expr | None = None
    guess: bool = False
    otherwise: tuple[pl.Expr | None, str] = (None, "")


def describe_flattening(roots: Mapping[str, str]) -> Repair:
    """Tell columns that were fields, each with the header it was nested in, which may be denied."""
    columns, headers = tuple(roots), tuple(roots.values())
    text = "Nested fields became columns"
    return Repair(text=text, columns=columns, headers=headers, ordinary=True)


def is_common(dtype: pl.DataType) -> bool:
    """Whether a Parquet column of this type means the same on every engine as it stands."""
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
    root = (_Column(pl.col(name), dtype, name) for name, dtype in frame.collect_schema().items())
    columns = [*_flatten(root)]
    names, renamed = repair_headers([column.name for column in columns])
    readings = [_reading(column.read, column.dtype) for column in columns]
    pairs = [*zip(names, readings, strict=True)]
    checks = [one.fits.alias(name) for name, one in pairs if look and one.fits is not None]
    facts = _facts(frame, checks) if checks else {}
    changes: defaultdict[str, list[str]] = defaultdict(list)
    expressions = []
    for name, one in pairs:
        fits = one.fits is None or facts.get(name, one.guess)
        cells, text = (one.made, one.text) if fits else one.otherwise
        if text:
            changes[text].append(name)
        if cells is not None:
            expressions.append(cells.alias(name))
    repairs = [
        Repair(text=text, columns=tuple(group), ordinary=text == _UTC)
        for text, group in changes.items()
    ]
    roots = {n: column.root for n, column in zip(names, columns, strict=True) if column.depth}
    nested = [describe_flattening(roots)] if roots else []
    query = frame.select(expressions) if expressions else pl.LazyFrame()
    return query, [*nested, *renamed, *repairs]


def type_unknown(frame: pl.LazyFrame, names: Sequence[str]) -> tuple[pl.LazyFrame, list[Repair]]:
    """Give columns a type of which neither a cell nor the source says what they hold.

    They are taken for numbers if the table has no row, so that a mean of them is a mean of
    nothing and no error; in a table with rows they stay as they are.

    Args:
        frame: The query.
        names: Its columns of no known type.
    """
    if not names or frame.select(pl.len()).collect(engine="streaming").item():
        return frame, []
    text = "Taken for numbers, for there is no row that would tell what they hold"
    numbers = frame.with_columns(pl.col(names).cast(pl.Float64, strict=False))
    return numbers, [Repair(text=text, columns=tuple(names))]


def _flatten(columns: Iterable[_Column]) -> Iterator[_Column]:
    for column in columns:
        if isinstance(column.dtype, pl.Struct) and column.depth < DEPTH:
            yield from _flatten(
                _Column(
                    column.read.struct.field(field.name),
                    field.dtype,  # type: ignore[arg-type]  # of a schema it is never a class
                    f"{column.name}.{field.name}",
                    column.depth + 1,
                    column.root or column.name,
                )
                for field in column.dtype.fields
            )
        else:
            yield column


def _facts(frame: pl.LazyFrame, checks: Sequence[pl.Expr]) -> dict[str, bool]:
    """What checks say by their names; nothing of one that fails, as on bytes that are no text."""
    try:
        return frame.select(checks).collect(engine="streaming").row(0, named=True)
    except pl.exceptions.ComputeError:
        alone = [_facts(frame, [check]) for check in checks] if len(checks) > 1 else []
        return {name: fits for one in alone for name, fits in one.items()}


def _reading(cells: pl.Expr, dtype: pl.DataType) -> _Reading:
    """How a column of a type is read."""
    if isinstance(dtype, (pl.UInt8, pl.UInt16, pl.UInt32)):
        return _Reading(cells.cast(pl.Int64))
    if isinstance(dtype, (pl.Float16, pl.Float32, pl.Float64)):
        wide = cells.cast(pl.Float32) if dtype == pl.Float16 else cells
        return _Reading(wide.fill_nan(None))
    if isinstance(dtype, (pl.UInt64, pl.Int128, pl.UInt128, pl.Decimal)):
        return _of_many_digits(cells, dtype)
    if isinstance(dtype, pl.Duration):
        return _Reading(
            cells.dt.total_microseconds(fractional=True) / 1e6, "Lengths of time are now in seconds"
        )
    if isinstance(dtype, pl.Time):
        return _Reading(cells.dt.to_string("%H:%M:%S%.f"), _CLOCK)
    if isinstance(dtype, pl.Datetime):
        clock = cells.dt.replace_time_zone(None).dt.cast_time_unit("us")
        if zone := dtype.time_zone:
            note = _UTC if zone == "UTC" else f"Times are what the clock shows in {zone}"
            return _Reading(clock, note)
        whole = (cells.dt.nanosecond() % 1000 == 0).all() if dtype.time_unit == "ns" else None
        return _Reading(
            clock, fits=whole, otherwise=(clock, "Times lost their billionths of a second")
        )
    if isinstance(dtype, pl.Binary):
        text = cells.cast(pl.String)
        fits = (text.is_null() == cells.is_null()).all()  # it fails on bytes that are no text
        return _Reading(text, "Bytes that are text were read as UTF-8", fits, False, (None, _LEFT))
    if dtype.is_nested():
        return _as_json(cells, dtype)
    if isinstance(dtype, pl.Object):
        return _Reading(None, "Columns of objects were left out")
    plain = is_common(dtype) and not isinstance(dtype, (pl.Categorical, pl.Enum))
    return _Reading(cells if plain else cells.cast(pl.String))


def _of_many_digits(cells: pl.Expr, dtype: pl.DataType) -> _Reading:
    """How numbers are read that 64 bits may not hold."""
    if isinstance(dtype, pl.Decimal):
        if dtype.precision > MAX_DIGITS:
            return _Reading(None, "Columns of decimals of more than 38 digits were left out")
        if dtype.scale:
            number = cells.cast(pl.Float64)
            same = (number.cast(dtype, strict=False) == cells).all()
            fits = same if dtype.precision > EXACT_DIGITS else None
            return _Reading(number, fits=fits, otherwise=(number, "Rounded to about 15 digits"))
    fits = (cells.cast(pl.Int64, strict=False).is_null() == cells.is_null()).all()
    text = cells.cast(pl.String)
    return _Reading(cells.cast(pl.Int64), fits=fits, guess=True, otherwise=(text, _LONG))


def _as_json(cells: pl.Expr, dtype: pl.DataType) -> _Reading:
    if "Binary" in str(dtype) or "Object" in str(dtype):
        return _Reading(None, _LEFT)
    text = pl.struct(cells.alias("v")).struct.json_encode()  # {"v":[1,2]}
    bare = text.str.slice(5).str.head(-1)
    return _Reading(pl.when(cells.is_not_null()).then(bare), _JSON)
