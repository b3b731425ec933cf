"""Arrow, Feather, ORC and Avro files, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types


def read_arrow(
    path: Path, scratch: Path, origin: str
) -> Iterator[tuple[str, pl.LazyFrame, list[Repair]]]:
    """Read an Arrow file or stream (Feather, too), an ORC or an Avro file, batch by batch.

    Every batch is checked before anything else sees it: its buffers come from elsewhere.

    Args:
        path: The file.
        scratch: A folder to put the table in while it is read.
        origin: What the file is called in messages.

    Yields:
        An empty name, the table and what was changed.

    Raises:
        SourceError: If the file is not whole, or of another kind than its name says.
    """
    import polars as pl
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
    import pyarrow as pa

    if path.suffix.lower() == ".orc":
        from pyarrow import orc

        stripes = orc.ORCFile(path)
        return stripes.schema, (stripes.read_stripe(n) for n in range(stripes.nstripes))
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
