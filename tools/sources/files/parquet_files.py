"""Parquet: used in place, a file or a folder of parts, unless a type or a header is in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from wideleaf.tools.cells.repairs import Repair, repair_headers
from wideleaf.tools.errors import SourceError
from wideleaf.tools.latest import Latest
from wideleaf.tools.sources.common_types import is_common
from wideleaf.tools.sources.file_kinds import PARQUET, files_below
from wideleaf.tools.sources.fingerprint import derive_fingerprint, file_fingerprint
from wideleaf.tools.sources.naming import is_part_name
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    describe_damage,
    keep_normal,
    need_content,
    read_footer,
    tell_reading,
    write_normal_form,
)
from wideleaf.tools.sources.source import Progress

if TYPE_CHECKING:
    import polars as pl

MARKS = ("_SUCCESS", "_metadata", "_common_metadata")
"""Files that Spark, Arrow and Dask leave in a folder that is one table."""
REMEMBERED = 64
_in_place: Latest[Normal] = Latest(REMEMBERED)
"""Files that were found whole and of shared types, by place and content: of thousands of columns
the footer alone takes longer to read than most answers."""


def normal_parquet(path: Path, folder: Path, progress: Progress = None) -> Normal:
    """A Parquet file in place, or a copy with clean headers and shared types.

    Raises:
        SourceError: If it is not whole.
    """
    import polars as pl
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

    fingerprint = file_fingerprint(path)
    if (known := _in_place.get(key := (path.resolve(), fingerprint))) is not None:
        return known
    footer = read_footer(path)
    headers = footer.schema.to_arrow_schema().names
    names, repairs = repair_headers(headers)
    if not repairs:
        with _told_if_broken(path):
            dtypes = pl.scan_parquet(path, glob=False).collect_schema().dtypes()
        if all(map(is_common, {*dtypes})):
            normal = need_content(Normal(*key, footer.num_rows, len(headers)), str(path))
            return _in_place.keep(key, normal)

    def write(target: Path, scratch: Path) -> None:
        tell_reading(path, progress)
        with _told_if_broken(path):
            frame = pl.scan_parquet(path, glob=False)
            if repairs:
                table = pq.read_table(path, memory_map=True).rename_columns(names)
                frame = cast("pl.DataFrame", pl.from_arrow(table)).lazy()
            write_normal_form(frame, repairs, target, scratch, forms=False)

    return keep_normal(folder, derive_fingerprint(fingerprint, SHARED_RULES), str(path), write)


def normal_parts(path: Path, folder: Path, progress: Progress = None) -> Normal:
    """A folder of parts in place if engines open it as it is, else a copy in one file.

    What ``key=value`` folders say becomes columns.

    Raises:
        SourceError: If it is not one table, or a part is not whole.
    """
    import polars as pl

    parts = parts_of(path, named=True)
    if not parts:
        raise SourceError(f"folder {str(path)!r} is no table: its files are not parts of one")
    rows = sum(read_footer(part).num_rows for part in parts)
    keys = tuple(name.partition("=")[0] for name in parts[0].relative_to(path).parts[:-1])
    hive = bool(keys)
    frame = pl.scan_parquet(parts, hive_partitioning=hive, try_parse_hive_dates=hive, glob=False)
    with _told_if_broken(path):
        schema = frame.collect_schema()
    names, repairs = repair_headers(schema.names())
    if hive:
        repairs.insert(0, Repair(text="Names of folders became columns", columns=keys))
    fingerprint = derive_fingerprint(
        "", *(f"{one.relative_to(path)} {file_fingerprint(one)}" for one in parts)
    )
    opened = sorted(path.glob("*.parquet")) == parts and not repairs
    if opened and all(map(is_common, schema.dtypes())):
        return need_content(Normal(path.resolve(), fingerprint, rows, len(schema)), str(path))

    def write(target: Path, scratch: Path) -> None:
        if progress:
            progress(f"reading {path.name} ({len(parts)} parts)")
        with _told_if_broken(path):
            clean = frame.rename(dict(zip(schema.names(), names, strict=True)))
            write_normal_form(clean, repairs, target, scratch, forms=False)

    return keep_normal(folder, derive_fingerprint(fingerprint, SHARED_RULES), str(path), write)


@contextmanager
def _told_if_broken(path: Path) -> Iterator[None]:
    """Turn what a reader raises at broken pages of Parquet into one clear error."""
    import polars as pl
    import pyarrow as pa

    try:
        yield
    except BaseException as error:
        panic = type(error).__name__ == "PanicException"  # Polars' own, and no Exception
        known_errors = (pl.exceptions.PolarsError, pa.ArrowException, OSError)
        if not panic and not isinstance(error, known_errors):
            raise
        raise SourceError(describe_damage(path)) from None


def parts_of(folder: Path, named: bool = False) -> list[Path]:
    """The Parquet files of a folder that is one table; none if it is not.

    It is one table if all its files are Parquet with the same columns and types, and that they
    belong together shows: the user gave the folder a name, the folder is called .parquet, holds
    a mark such as ``_SUCCESS``, its files are named as parts are (``part-0.parquet``), or its
    folders are named ``key=value``.

    Args:
        folder: A folder.
        named: Whether the user gave it a name.
    """
    shown = sorted(path for path in folder.iterdir() if path.name[0] not in "._")
    files = files_below(shown)
    if files and all(path.is_dir() for path in shown):
        files = [path for path in files if path.suffix == ".parquet"]
    elif not all(path.is_file() and path.suffix.lower() in PARQUET for path in shown):
        return []
    else:
        together = named or folder.suffix.lower() in PARQUET
        marked = any((folder / mark).exists() for mark in MARKS)
        if not (together or marked or all(is_part_name(path.stem) for path in files)):
            return []
    return files if one_schema(files) else []


def one_schema(files: Sequence[Path]) -> bool:
    """Whether Parquet files have the same columns and types, in the same order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schemas = [pq.read_schema(path) for path in files]
    except (pa.ArrowException, OSError, UnicodeError):  # told where the file is read by itself
        return False
    return bool(schemas) and all(schema.equals(schemas[0]) for schema in schemas)
