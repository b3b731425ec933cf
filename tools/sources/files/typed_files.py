"""Tables with types of their own: frames in memory, Arrow, Feather, ORC, Avro and Stata files."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw
import polars as pl

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.errors import SourceError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

FoundTables = Iterator[tuple[str, pl.LazyFrame, list[Repair]]]
VALUE = "value"
"""The column of a series without a name."""
_OBJECTS = "Cells of several kinds became text"
_CODES = "Value labels that say two codes alike were left aside, for the codes"
_LABELS = "What columns mean is taken from the labels of the file's variables"


def read_arrow(path: Path, scratch: Path, origin: str) -> FoundTables:
    """Read an Arrow file or stream (Feather, too), an ORC or an Avro file, batch by batch.

    Every batch is checked before anything else sees it: its buffers come from elsewhere.

    Raises:
        SourceError: If the file is not whole, or of another kind than its name says.
    """
    import pyarrow as pa

    raw = scratch / "raw.parquet"
    try:
        if path.suffix.lower() == ".avro":
            frame = pl.read_avro(path)
            yield "", frame.lazy(), []
            return
        repairs = _copy(*_batches(path), raw)
    except (pa.ArrowException, OSError, ValueError, pl.exceptions.PolarsError) as error:
        kind = path.suffix[1:].upper() if path.suffix.lower() in (".orc", ".avro") else "Arrow"
        raise SourceError(
            f"{origin} is not a whole {kind} file ({type(error).__name__}); write it again, best "
            "as Parquet"
        ) from None
    yield "", pl.scan_parquet(raw), repairs


def _batches(path: Path) -> tuple[pa.Schema, Iterable[pa.RecordBatch]]:
    if path.suffix.lower() == ".orc":
        from pyarrow import orc

        stripes = orc.ORCFile(path)
        return stripes.schema, (stripes.read_stripe(n) for n in range(stripes.nstripes))
    import pyarrow as pa

    with path.open("rb") as file:
        head = file.read(6)
    if head.startswith(b"FEA1"):
        from pyarrow import feather

        table = feather.read_table(path)
        return table.schema, table.to_batches()
    if head == b"ARROW1":
        reader = pa.ipc.open_file(pa.memory_map(str(path)))
        return reader.schema, (reader.get_batch(n) for n in range(reader.num_record_batches))
    stream = pa.ipc.open_stream(path)
    return stream.schema, stream


def _copy(schema: pa.Schema, batches: Iterable[pa.RecordBatch], target: Path) -> list[Repair]:
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    names, repairs = repair_headers(schema.names)
    fields = [pa.field(n, plain_type(f.type)) for n, f in zip(names, schema, strict=True)]
    plain = pa.schema(fields)
    with pq.ParquetWriter(target, plain, compression="lz4", write_statistics=False) as writer:
        for batch in batches:
            batch.validate(full=True)
            table = pa.Table.from_batches([batch]).rename_columns(names)
            writer.write_table(table.cast(plain))
    return repairs


def plain_type(dtype: pa.DataType) -> pa.DataType:
    """The type that Polars can take over: dictionaries undone, wide decimals as text."""
    import pyarrow as pa

    if pa.types.is_dictionary(dtype) or pa.types.is_run_end_encoded(dtype):
        return plain_type(dtype.value_type)
    if pa.types.is_decimal256(dtype):
        return pa.string()
    if isinstance(dtype, pa.BaseExtensionType):
        return plain_type(dtype.storage_type)
    return dtype


def read_stata(path: Path, scratch: Path, origin: str) -> FoundTables:
    """Read a Stata file whole: cells by their value labels, columns by their variables'.

    Raises:
        SourceError: If the file is not whole, or of another kind than its name says.
    """
    repairs = []
    try:
        try:
            frame, labels = _stata_frame(path, by_labels=True)
        except ValueError:  # of a value label that two codes have, or of a file that is none
            frame, labels = _stata_frame(path, by_labels=False)
            repairs.append(Repair(text=_CODES))
    except (ValueError, LookupError, OSError, EOFError, OverflowError, struct.error) as error:
        raise SourceError(
            f"{origin} is not a whole Stata file ({type(error).__name__}); save it again, best "
            "as Parquet or CSV"
        ) from None
    table, changes = arrow_of(frame)
    about = [
        (name, bound_text(labels.get(str(old), "")))
        for name, old in zip(table.column_names, frame, strict=True)
    ]
    if about := [(name, text) for name, text in about if text]:
        repairs.append(Repair(text=_LABELS, about=tuple(about)))
    yield "", cast("pl.DataFrame", pl.from_arrow(table)).lazy(), [*repairs, *changes]


def _stata_frame(path: Path, *, by_labels: bool) -> tuple[pd.DataFrame, dict[str, str]]:
    import pandas as pd

    with pd.read_stata(path, iterator=True) as reader:
        labels: dict[str, str] = reader.variable_labels()
    return pd.read_stata(path, convert_categoricals=by_labels), labels


def arrow_of(frame: Any) -> tuple[pa.Table, list[Repair]]:
    """Make an Arrow table of a frame, which is never changed; headers are made unique.

    A series is a frame of one column of its name, or `VALUE`.

    Args:
        frame: Of pandas, Polars, Arrow or narwhals, or an object that gives an Arrow stream.

    Raises:
        SourceError: If it is no frame.
    """
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

    changes = []
    if any(name is not None for name in frame.index.names):
        frame = frame.set_axis([_header(c) for c in frame.columns], axis=1).reset_index(
            allow_duplicates=True
        )
        changes.append(Repair(text="The named index became columns"))
    elif not _counts_up(frame.index):
        changes.append(Repair(text="The index has no name and was left out"))
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
        changes.append(Repair(text=_OBJECTS, columns=tuple(as_text)))
    return pa.table(arrays, names=names), [*changes, *repairs]


def _header(name: object) -> str:
    return (
        " ".join(str(part) for part in name if part != "") if isinstance(name, tuple) else str(name)
    )


def _counts_up(index: pd.Index[Any]) -> bool:
    return len(index) == 0 or (index[0] == 0 and index.equals(type(index)(range(len(index)))))
