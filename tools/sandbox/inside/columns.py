"""A frame's columns as bare Arrow buffers: laid out inside the sandbox, checked outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.sandbox.inside.values import MAX_COLUMNS

if TYPE_CHECKING:
    import polars as pl

KINDS = ("bool", "int64", "uint64", "double", "large_string", "date32[day]", "timestamp[us]")
"""The types of columns; whatever a result holds is cast to one of them."""
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""The years 1 to 9999, in days from 1970."""
DAY_MICROSECONDS = 86_400_000_000
MAX_HEADER = 10_000


def lay_out(frame: Any) -> tuple[list[list[Any]], list[memoryview]]:
    """Lay out a pandas frame of plain columns.

    Returns:
        For each column its name, type and the sizes of its buffers, a missing one -1; and the
        buffers, one after the other.
    """
    import pyarrow as pa  # type: ignore[import-untyped]

    described, buffers = [], []
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = _kind(column.type)
        chunks = column.cast(kind).chunks
        cells = pa.concat_arrays(chunks) if chunks else pa.array([], kind)
        if cells.offset:
            cells = cells.take(pa.array(range(len(cells)), pa.int64()))
        there = [None if one is None else memoryview(one) for one in cells.buffers()]
        described.append([name, str(cells.type), [-1 if b is None else len(b) for b in there]])
        buffers += [one for one in there if one is not None]
    return described, buffers


def _kind(dtype: Any) -> Any:
    import pyarrow as pa

    kinds = pa.types
    if kinds.is_uint64(dtype) or kinds.is_boolean(dtype) or kinds.is_date32(dtype):
        return dtype
    if kinds.is_integer(dtype):
        return pa.int64()
    if kinds.is_floating(dtype) or kinds.is_decimal(dtype):
        return pa.float64()
    return pa.timestamp("us") if kinds.is_timestamp(dtype) else pa.large_string()


def read_columns(described: Any, rows: Any, body: memoryview) -> pl.DataFrame:
    """Read what `lay_out` wrote, as of a stranger: every size, offset and text is checked.

    Args:
        described: Names, types and sizes of buffers.
        rows: Number of rows.
        body: The buffers.

    Raises:
        ValueError: If anything of it does not fit.
    """
    import polars as pl
    import pyarrow as pa

    if not _is_count(rows) or not isinstance(described, list):
        raise ValueError("no table")
    if not 0 < len(described) <= MAX_COLUMNS:
        raise ValueError("no columns, or too many")
    arrays: dict[str, Any] = {}
    at = 0
    for name, kind, sizes in described:
        if not isinstance(name, str) or name in arrays or len(name) > MAX_HEADER:
            raise ValueError("a name that is none, or stands twice")
        if kind not in KINDS or not isinstance(sizes, list):
            raise ValueError("no type of ours")
        parts: list[Any] = []
        for size in sizes:
            if size == -1:
                parts.append(None)
                continue
            if not _is_count(size) or at + size > len(body):
                raise ValueError("a buffer beyond the end")
            parts.append(body[at : at + size])
            at += size
        arrays[_plain_text(name)] = _array(kind, rows, parts)
    if at != len(body) or len(arrays) != len(described):
        raise ValueError("bytes that belong to no column")
    table = pa.table(arrays)
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def _array(kind: str, rows: int, parts: Sequence[memoryview | None]) -> Any:
    import pyarrow as pa

    texts = kind == "large_string"
    if len(parts) != (3 if texts else 2):
        raise ValueError("not as many buffers as the type has")
    width = {"bool": 1, "date32[day]": 32}.get(kind, 64)
    least = [-(-rows // 8), -(-rows * width // 8) + 8 * texts, 0]
    for part, need, there in zip(parts, least, (False, rows > 0 or texts, False), strict=False):
        if (part is None and there) or (part is not None and len(part) < need):
            raise ValueError("a buffer is too short for its rows")
    buffers = [None if part is None else pa.py_buffer(part) for part in parts]
    if texts and buffers[2] is None:
        buffers[2] = pa.py_buffer(b"")
    array = pa.Array.from_buffers(_type(kind), rows, buffers)
    try:
        array.validate(full=True)
    except pa.ArrowException:
        raise ValueError("cells that are none") from None
    if kind in ("date32[day]", "timestamp[us]"):
        _need_a_year(array, 1 if kind == "date32[day]" else DAY_MICROSECONDS)
    return array


def _type(kind: str) -> Any:
    import pyarrow as pa

    types = (
        pa.bool_(), pa.int64(), pa.uint64(), pa.float64(), pa.large_string(), pa.date32(),
        pa.timestamp("us"),
    )  # fmt: skip
    return dict(zip(KINDS, types, strict=True))[kind]


def _need_a_year(array: Any, unit: int) -> None:
    """Calendars end somewhere, and polars panics beyond."""
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    days = array.cast(pa.int32() if unit == 1 else pa.int64())
    ends = pc.min_max(days).as_py()
    first, last = ends["min"], ends["max"]
    if first is not None and not FIRST_DAY * unit <= first <= last < (LAST_DAY + 1) * unit:
        raise ValueError("a date beyond the years 1 to 9999")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 48


def _plain_text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
