"""Frames in memory: pandas, Polars and Arrow frames, and whatever speaks Arrow, as Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.arrow_files import plain_type

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

VALUE = "value"
"""The column of a series without a name."""
_OBJECTS = "Cells of several kinds became text"


def arrow_of(frame: Any) -> tuple[pa.Table, list[Repair]]:
    """Make an Arrow table of a frame, which is never changed; headers are made unique.

    A series is a frame of one column of its name, or `VALUE`.

    Args:
        frame: Of pandas, Polars, Arrow or narwhals, or an object that gives an Arrow stream.

    Raises:
        SourceError: If it is no frame.
    """
    import polars as pl
    import pyarrow as pa

    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pandas_series(frame):
        frame = frame.to_frame(VALUE if frame.name is None else frame.name)
    elif isinstance(frame, pl.Series):
        frame = frame.to_frame(frame.name or VALUE)
    elif isinstance(frame, pa.Array | pa.ChunkedArray):
        frame = pa.table({VALUE: frame})
    if nw.dependencies.is_pandas_dataframe(frame):
        return _from_pandas(frame)
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return _from_polars(frame.lazy().collect())
    table = _from_stream(frame)
    if table is None:
        raise SourceError(
            f"a table of type {type(frame).__name__!r} cannot be read; hand in a path, a pandas, "
            "Polars or Arrow frame or series, or a mapping from names to these"
        )
    names, repairs = repair_headers(table.column_names)
    fields = [pa.field(n, plain_type(f.type)) for n, f in zip(names, table.schema, strict=True)]
    return table.rename_columns(names).cast(pa.schema(fields)), repairs


def _from_stream(frame: Any) -> pa.Table | None:
    """A table of what speaks Arrow; None for what does not, or of a single column, as a series."""
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        return frame
    if not hasattr(frame, "__arrow_c_stream__"):
        return None
    try:
        return pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError):
        return None


def _from_polars(frame: pl.DataFrame) -> tuple[pa.Table, list[Repair]]:
    import polars as pl

    names, repairs = repair_headers(frame.columns)
    frame = frame.rename(dict(zip(frame.columns, names, strict=True)))
    objects = [name for name, dtype in frame.schema.items() if dtype == pl.Object]
    if objects:
        frame = frame.with_columns(pl.col(objects).map_elements(str, return_dtype=pl.String))
        repairs.append(Repair(text=_OBJECTS, columns=tuple(objects)))
    return frame.to_arrow(), repairs


def _from_pandas(frame: pd.DataFrame) -> tuple[pa.Table, list[Repair]]:
    import pandas as pd
    import pyarrow as pa

    told = []
    if any(name is not None for name in frame.index.names):
        frame = frame.set_axis([_header(c) for c in frame.columns], axis=1).reset_index(
            allow_duplicates=True
        )
        told.append(Repair(text="The named index became columns"))
    elif not _counts_up(frame.index):
        told.append(Repair(text="The index has no name and was left out"))
    names, repairs = repair_headers([_header(name) for name in frame.columns])
    arrays, as_text = [], []
    for place, name in enumerate(names):
        column = frame.iloc[:, place]
        if isinstance(column.dtype, pd.SparseDtype):
            column = column.astype(column.dtype.subtype)
        try:
            array = pa.Array.from_pandas(column)
            if isinstance(array.type, pa.BaseExtensionType):  # periods and the like
                raise TypeError(array.type)
            arrays.append(array.cast(plain_type(array.type)))
        except (pa.ArrowException, TypeError, OverflowError):
            cells = [None if cell is None or cell != cell else str(cell) for cell in column]
            arrays.append(pa.array(cells, pa.string()))
            as_text.append(name)
    if as_text:
        told.append(Repair(text=_OBJECTS, columns=tuple(as_text)))
    return pa.table(arrays, names=names), [*told, *repairs]


def _header(name: object) -> str:
    return (
        " ".join(str(part) for part in name if part != "") if isinstance(name, tuple) else str(name)
    )


def _counts_up(index: pd.Index[Any]) -> bool:
    return len(index) == 0 or (index[0] == 0 and index.equals(type(index)(range(len(index)))))
