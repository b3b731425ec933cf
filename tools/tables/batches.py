"""Batches: a table that may be larger than memory, a part at a time, from every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.tables.table import MAX_CELLS, Table, is_polars
from wideleaf.tools.work import tell_progress

if TYPE_CHECKING:
    import polars as pl

CELLS_AT_ONCE = 2_000_000
"""Rows times columns of a batch: 16 MB of floats, of which a few copies are held."""
CELLS_WHOLE = 20_000_000
"""What is not more is one batch."""
Fill = Callable[["pl.DataFrame"], "pl.DataFrame"]


def is_large(table: Table) -> bool:
    """Whether a table is more than an action may hold whole."""
    return table.count() * len(table.columns) > MAX_CELLS


def read_batches(table: Table, columns: Sequence[nw.Expr], purpose: str) -> Iterator[pl.DataFrame]:
    """All rows in the order of the table, a batch after the other; one of what is small.

    Args:
        table: Whose rows.
        columns: What is read of them, each under a name of its own.
        purpose: Who reads, for whoever watches the work.

    Yields:
        Frames of `CELLS_AT_ONCE` cells at most, or one of `CELLS_WHOLE`; none where no row is.
    """
    yield from _read(table.frame.select(*columns), len(columns), table.count(), purpose)


def _read(
    frame: nw.LazyFrame[Any], columns: int, total: int, purpose: str
) -> Iterator[pl.DataFrame]:
    count, width = 0, max(columns, 1)
    size = max(1, CELLS_AT_ONCE // width)
    for batch in _batches(frame, size, whole=total * width <= CELLS_WHOLE):
        if batch.height:
            yield batch
            count += batch.height
            tell_progress(purpose, count, total)


def _batches(frame: nw.LazyFrame[Any], size: int, *, whole: bool) -> Iterator[pl.DataFrame]:
    import polars as pl

    native = nw.to_native(frame)
    if whole:
        yield nw.to_native(frame.collect("polars"))
    elif is_polars(frame):
        yield from native.collect_batches(chunk_size=size, maintain_order=True)
    elif frame.implementation is nw.Implementation.DUCKDB:
        yield from _frames(native.to_arrow_reader(size))
    elif frame.implementation.is_ibis():
        yield from _frames(native.to_pyarrow_batches(chunk_size=size))
    else:  # Spark hands rows over one by one
        schema = {name: _polars_type(dtype) for name, dtype in frame.collect_schema().items()}
        rows = native.toLocalIterator()
        while part := list(islice(rows, size)):
            yield pl.DataFrame([tuple(row) for row in part], schema=schema, orient="row")


def _frames(batches: Iterable[Any]) -> Iterator[pl.DataFrame]:
    import polars as pl

    for batch in batches:
        frame = pl.from_arrow(batch)
        assert isinstance(frame, pl.DataFrame)
        yield frame


def _polars_type(dtype: Any) -> Any:

    frame = nw.from_dict({"": []}, schema={"": dtype}, backend="polars")
    native: pl.DataFrame = nw.to_native(frame)
    return native.schema[""]


def add_by_batch(
    table: Table, inputs: Sequence[str], outputs: Mapping[str, Any], fill: Fill, purpose: str
) -> Table:
    """A table with columns beside its own, each cell made of its own row alone.

    A small table is collected whole; of a large one a batch is read, and filled, when its rows
    are asked for, so that it is never held.

    Args:
        table: The table.
        inputs: Columns that `fill` reads.
        outputs: The new columns, with their types of Polars.
        fill: Makes the new columns of a frame with the columns of `read`.
        purpose: Who asks, for whoever watches the work.
    """
    if not is_large(table):
        whole = table.collect(purpose=purpose)
        return Table(nw.from_native(whole.with_columns(fill(whole.select(*inputs))).lazy()))
    from polars.io.plugins import register_io_source

    total = table.count()  # not in a thread of the query: it would wait for whoever counts that

    def batches(
        projection: list[str] | None, predicate: pl.Expr | None, most: int | None, size: int | None
    ) -> Iterator[pl.DataFrame]:
        names = [*table.columns, *outputs] if projection is None else projection
        filled = any(name in outputs for name in names)
        needed = dict.fromkeys(
            [*(n for n in names if n not in outputs), *(inputs if filled else ())]
        )
        frame = table.frame.select(*needed)
        rows = total if most is None else min(total, most)
        frame = frame if most is None else frame.head(most)
        for batch in _read(frame, len(needed), rows, purpose):
            whole = batch.with_columns(fill(batch.select(*inputs))) if filled else batch
            selection = whole.select(names)
            yield selection if predicate is None else selection.filter(predicate)

    types = dict(nw.to_native(table.frame.head(0).collect("polars")).schema)
    source = register_io_source(batches, schema={**types, **outputs}, is_pure=True)
    return Table(nw.from_native(source))
