"""Normalising: whatever a user hands in becomes one Parquet file with clean headers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from wideleaf.tools.delimited import METADATA_KEY, RULES, write_delimited
from wideleaf.tools.errors import SourceError
from wideleaf.tools.fingerprint import file_fingerprint, frame_fingerprint
from wideleaf.tools.repair import Repair, read_repairs, repair_headers, write_repairs

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

PARQUET = (".parquet", ".pq")
DELIMITED = (".csv", ".tsv", ".tab", ".txt")
READABLE = (*PARQUET, *DELIMITED)
"""Suffixes of the files that can be read."""


class Normal(NamedTuple):
    """A Parquet file and what is known of it."""

    path: Path
    fingerprint: str
    rows: int
    columns: int
    repairs: tuple[Repair, ...] = ()


def normalise_file(
    path: Path, folder: Path, progress: Callable[[str], None] | None = None
) -> Normal:
    """Make one Parquet file of a file; Parquet is used where it is.

    Args:
        path: A file with one of the `READABLE` suffixes.
        folder: Where normalised files are kept by fingerprint.
        progress: Told before something slow.

    Raises:
        SourceError: If the file cannot be read, or has no rows or no columns.
    """
    if path.stat().st_size == 0:
        raise SourceError(f"{str(path)!r} is empty (0 bytes); a table with a header was expected")
    if path.parent.resolve() == folder.resolve():  # normalised before, handed on by its path
        return _known(path, path.stem)
    if path.suffix.lower() in PARQUET:
        return _checked(_parquet(path, folder), str(path))
    fingerprint = file_fingerprint(path, salt=RULES)
    target = folder / f"{fingerprint}.parquet"
    if not target.exists():
        if progress:
            progress(f"reading {path.name} ({path.stat().st_size / 1e6:,.1f} MB)")
        folder.mkdir(parents=True, exist_ok=True)
        write_delimited(path, target, repr(str(path)))
    return _checked(_known(target, fingerprint), str(path))


def normalise_frame(frame: Any, folder: Path, origin: str) -> Normal:
    """Make one Parquet file of a pandas, Polars or Arrow frame; it is never changed.

    Raises:
        SourceError: If it is no such frame, or has no rows or no columns.
    """
    import polars as pl

    if nw.dependencies.is_pandas_dataframe(frame):
        table, repairs = _from_pandas(frame)
    elif nw.dependencies.is_pyarrow_table(frame):
        names, repairs = repair_headers(frame.column_names)
        table = frame.rename_columns(names)
    elif isinstance(frame, pl.DataFrame | pl.LazyFrame):
        names, repairs = repair_headers(frame.collect_schema().names())
        collected = frame.lazy().collect()
        collected.columns = names
        table = collected.to_arrow()
    else:
        raise SourceError(
            f"a table of type {type(frame).__name__!r} cannot be read; hand in a path, a pandas, "
            "Polars or Arrow frame, or a mapping from names to these"
        )
    fingerprint = frame_fingerprint(table)
    target = folder / f"{fingerprint}.parquet"
    if not target.exists():
        _write(table, target, repairs)
    return _checked(_known(target, fingerprint), origin)


def _parquet(path: Path, folder: Path) -> Normal:
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    try:
        footer = pq.read_metadata(path)
        headers = footer.schema.to_arrow_schema().names
    except (pa.ArrowException, OSError):
        raise SourceError(
            f"{str(path)!r} is not a whole Parquet file; write it again, or name it .csv or .tsv "
            "if it is text"
        ) from None
    fingerprint = file_fingerprint(path)
    names, repairs = repair_headers(headers)
    if repairs:
        target = folder / f"{fingerprint}.parquet"
        if not target.exists():
            _write(pq.read_table(path).rename_columns(names), target, repairs)
        return _known(target, fingerprint)
    return Normal(path.resolve(), fingerprint, footer.num_rows, len(headers))


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
            arrays.append(array)
        except (pa.ArrowException, TypeError, OverflowError):
            cells = [None if cell is None or cell != cell else str(cell) for cell in column]
            arrays.append(pa.array(cells, pa.string()))
            as_text.append(name)
    if as_text:
        told.append(Repair(text="Cells of several kinds became text", columns=tuple(as_text)))
    return pa.table(arrays, names=names), [*told, *repairs]


def _header(name: object) -> str:
    return (
        " ".join(str(part) for part in name if part != "") if isinstance(name, tuple) else str(name)
    )


def _counts_up(index: pd.Index[Any]) -> bool:
    return len(index) == 0 or (index[0] == 0 and index.equals(type(index)(range(len(index)))))


def _write(table: pa.Table, target: Path, repairs: list[Repair]) -> None:
    import polars as pl
    import polars.selectors as cs

    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="reading-") as scratch:
        part = Path(scratch) / "typed.parquet"
        frame.with_columns(
            cs.float().fill_nan(None), cs.by_dtype(pl.Null).cast(pl.String)
        ).write_parquet(part, metadata={METADATA_KEY: write_repairs(repairs)})
        part.replace(target)


def _known(target: Path, fingerprint: str) -> Normal:
    import pyarrow.parquet as pq

    footer = pq.read_metadata(target)
    repairs = read_repairs((footer.metadata or {}).get(METADATA_KEY.encode(), b"[]"))
    return Normal(target.resolve(), fingerprint, footer.num_rows, footer.num_columns, repairs)


def _checked(normal: Normal, origin: str) -> Normal:
    for count, what in ((normal.columns, "columns"), (normal.rows, "rows")):
        if count == 0:
            raise SourceError(f"{origin!r} has no {what}; a table needs at least one of each")
    return normal
