"""Parquet: used in place, a file or a folder of parts, unless a type or a header is in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import narwhals as nw
import polars as pl
from pydantic import BaseModel

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
from wideleaf.tools.tables.table import kind_of, wider_type
from wideleaf.tools.writing import write_text

MARKS = ("_SUCCESS", "_metadata", "_common_metadata")
"""Files that Spark, Arrow and Dask leave in a folder that is one table."""
WHOLE = "whole 1"
"""Changes when a file would be found whole by other rules."""
REMEMBERED = 64
_in_place: Latest[Normal] = Latest(REMEMBERED)
"""Files that were found whole and of shared types, by place and content: of thousands of columns
the footer alone takes longer to read than most answers."""


class _Whole(BaseModel, frozen=True):
    """What a folder keeps of a file that was found whole, of shared types and with good headers.

    Attributes:
        rows: How many.
        columns: How many.
    """

    rows: int
    columns: int

    @classmethod
    def of(cls, path: Path) -> _Whole | None:
        """What was written; None for what is not there or was cut short."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            return None


def normal_parquet(path: Path, folder: Path, progress: Progress = None) -> Normal:
    """A Parquet file in place, or a copy with clean headers and shared types.

    Raises:
        SourceError: If it is not whole.
    """
    fingerprint = file_fingerprint(path)
    if (cached := _in_place.get(key := (path.resolve(), fingerprint))) is not None:
        return cached
    kept = folder / f"{derive_fingerprint(fingerprint, SHARED_RULES, WHOLE)}.json"
    if whole := _Whole.of(kept):
        return _in_place.keep(key, Normal(*key, whole.rows, whole.columns))
    footer = read_footer(path)
    headers = footer.schema.to_arrow_schema().names
    names, repairs = repair_headers(headers)
    if not repairs:
        with _catch_broken(path):
            dtypes = pl.scan_parquet(path, glob=False).collect_schema().dtypes()
        if all(map(is_common, {*dtypes})):
            normal = need_content(Normal(*key, footer.num_rows, len(headers)), str(path))
            whole = _Whole(rows=normal.rows, columns=normal.columns)
            write_text(kept, whole.model_dump_json())
            return _in_place.keep(key, normal)

    def write(target: Path, scratch: Path) -> None:
        tell_reading(path, progress)
        with _catch_broken(path):
            frame = pl.scan_parquet(path, glob=False)
            if repairs:
                import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it ships no types

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
    parts = parts_of(path, named=True)
    if not parts:
        raise SourceError(f"folder {str(path)!r} is no table: its files are not parts of one")
    rows = sum(read_footer(part).num_rows for part in parts)
    keys = tuple(name.partition("=")[0] for name in parts[0].relative_to(path).parts[:-1])
    hive = bool(keys)
    frame = pl.scan_parquet(parts, hive_partitioning=hive, try_parse_hive_dates=hive, glob=False)
    with _catch_broken(path):
        schema = frame.collect_schema()
    names, repairs = repair_headers(schema.names())
    if hive:
        repairs.insert(0, Repair(text="Names of folders became columns", columns=keys))
    fingerprint = derive_fingerprint(
        "", *(f"{one.relative_to(path)} {file_fingerprint(one)}" for one in parts)
    )
    in_place = sorted(path.glob("*.parquet")) == parts and not repairs
    if in_place and all(map(is_common, schema.dtypes())):
        return need_content(Normal(path.resolve(), fingerprint, rows, len(schema)), str(path))

    def write(target: Path, scratch: Path) -> None:
        if progress:
            progress(f"reading {path.name} ({len(parts)} parts)")
        with _catch_broken(path):
            clean = frame.rename(dict(zip(schema.names(), names, strict=True)))
            write_normal_form(clean, repairs, target, scratch, forms=False)

    return keep_normal(folder, derive_fingerprint(fingerprint, SHARED_RULES), str(path), write)


@contextmanager
def _catch_broken(path: Path) -> Iterator[None]:
    """Turn what a reader raises at broken pages of Parquet into one clear error."""
    try:
        yield
    except BaseException as error:
        import pyarrow as pa

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
    paths = sorted(path for path in folder.iterdir() if path.name[0] not in "._")
    files = files_below(paths)
    if files and all(path.is_dir() for path in paths):
        files = [path for path in files if path.suffix == ".parquet"]
    elif not all(path.is_file() and path.suffix.lower() in PARQUET for path in paths):
        return []
    else:
        together = named or folder.suffix.lower() in PARQUET
        has_mark = any((folder / mark).exists() for mark in MARKS)
        if not (together or has_mark or all(is_part_name(path.stem) for path in files)):
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


def widen(places: Sequence[Path], files: Sequence[Path]) -> tuple[list[pl.LazyFrame], list[Repair]]:
    """Open Parquet files with one type for each name: numbers the wider, dates and times a time.

    A column without a value takes any type.

    Args:
        places: Parquet files of shared types.
        files: What each was made of, for messages.

    Returns:
        The frames, and what was changed.

    Raises:
        SourceError: If the cells of two files go together in no type; names both.
    """
    frames = [nw.from_native(pl.scan_parquet(place, glob=False)) for place in places]
    schemas = [dict(frame.collect_schema()) for frame in frames]
    types: dict[str, nw.dtypes.DType] = {}
    for name in dict.fromkeys(name for schema in schemas for name in schema):
        there = [place for place, schema in enumerate(schemas) if name in schema]
        if len({str(schemas[place][name]) for place in there}) == 1:
            continue
        filled = [
            p for p in there if frames[p].select(~nw.col(name).is_null().all()).collect().item()
        ]
        kinds = {kind_of(schemas[place][name]): place for place in reversed(filled or there)}
        if len(kinds) > 1 and not {*kinds} <= {"date", "datetime"}:
            (other, second), *_, (one, first) = kinds.items()
            raise SourceError(
                f"column {name!r} holds a {one} in {files[first].name!r} and a {other} in "
                f"{files[second].name!r}, so that they are no parts of one table; write it alike "
                "in both, or name the files one by one"
            )
        types[name] = wider_type([schemas[place][name] for place in filled or there])
    wide_frames = [
        frame.with_columns(nw.col(n).cast(t) for n, t in types.items() if n in schema)
        for frame, schema in zip(frames, schemas, strict=True)
    ]
    text = "Given the widest of the types that the files have there"
    repairs = [Repair(text=text, columns=tuple(types), ordinary=True)] if types else []
    return [nw.to_native(frame) for frame in wide_frames], repairs
