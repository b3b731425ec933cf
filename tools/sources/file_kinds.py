"""File kinds: what a suffix says, packed or not; how a file is unpacked, and found in a folder."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from wideleaf.tools.errors import SourceError

PARQUET = (".parquet", ".pq")
DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON = (".json", ".jsonl", ".ndjson", ".geojson")
WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
ARROW = (".arrow", ".arrows", ".feather", ".ipc")
READERS: dict[str, str] = {
    **dict.fromkeys(WORKBOOKS, "excel:read_workbook"),
    **dict.fromkeys(JSON, "json_files:read_json"),
    **dict.fromkeys((*ARROW, ".orc", ".avro"), "arrow_files:read_arrow"),
    ".dta": "stata_files:read_stata",
}
"""By suffix what reads the tables of a file: a module of `sources.files`, and its function."""


def _open_zstd(path: Path, _: str) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

    return pa.input_stream(str(path), compression="zstd")


@contextmanager
def _open_zip(path: Path, _: str) -> Iterator[Any]:
    """The one file in an archive; folders and what a Mac puts beside it do not count."""
    with zipfile.ZipFile(path) as archive:
        infos = [i for i in archive.infolist() if not i.is_dir()]
        inside = [i for i in infos if not i.filename.startswith("__MACOSX")]
        if len(inside) != 1:
            raise SourceError(f"{str(path)!r} holds {len(inside)} files; unpack it first")
        if inside[0].flag_bits & 1:
            raise SourceError(f"{str(path)!r} is locked by a password; unpack it first")
        with archive.open(inside[0]) as file:
            yield file


PACKED: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _open_zstd,
    ".zip": _open_zip,
}
"""What opens text and JSON files that are packed."""
READABLE = (*PARQUET, *DELIMITED, *READERS)
"""Suffixes of the files that can be read."""
READABLE_TEXT = f"{', '.join(READABLE)}; text and JSON may be packed as {', '.join(PACKED)}"


def suffix_of(path: Path) -> str:
    """A file's suffix without that of its packing: ``.csv`` of ``plots.csv.gz``."""
    suffix = path.suffix.lower()
    if suffix in PACKED:
        inner = Path(path.stem).suffix.lower()
        return inner if inner in (*DELIMITED, *JSON) else suffix
    return suffix


def holds_tables(path: Path) -> bool:
    """Whether a file is of a kind that may hold several tables."""
    return suffix_of(path) in READERS


def stem_of(path: Path) -> str:
    """A file's name without its suffixes."""
    return Path(path.stem).stem if path.suffix.lower() in PACKED else path.stem


def read_head(path: Path, size: int) -> bytes:
    """The first bytes of a file, unpacked where it is packed.

    Raises:
        SourceError: If it cannot be unpacked.
        OSError: If it cannot be read.
    """
    opened = PACKED.get(path.suffix.lower())
    try:
        with opened(path, "rb") if opened else path.open("rb") as file:
            return bytes(file.read(size))
    except (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile):
        raise SourceError(f"{str(path)!r} cannot be unpacked") from None


def unpack(path: Path, scratch: Path) -> Path:
    """The file itself, or what was packed in it, put into a scratch folder.

    Raises:
        SourceError: If it cannot be unpacked, or is empty inside.
    """
    opened = PACKED.get(path.suffix.lower())
    if opened is None:
        return path
    target = scratch / f"unpacked{suffix_of(path)}"
    try:
        with opened(path, "rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink, 2**20)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise SourceError(
            f"{str(path)!r} cannot be unpacked ({type(error).__name__}); it is cut short or not "
            f"a {path.suffix} file"
        ) from None
    if target.stat().st_size == 0:
        raise SourceError(f"{str(path)!r} is empty inside; a table with a header was expected")
    return target


DATABASE_FILES = (".sqlite", ".sqlite3", ".duckdb", ".ddb", ".db")
"""Suffixes of files that are databases if their first bytes say so."""


def files_below(inner: Sequence[Path]) -> list[Path]:
    """The files among what stands in a folder, or all below it if it is kept by ``key=value``."""
    shown = [path for path in inner if path.name[0] not in "._"]
    if shown and all(path.is_dir() and "=" in path.name for path in shown):
        below = (one for path in shown for one in path.rglob("*"))
        return sorted(one for one in below if one.is_file() and one.name[0] not in "._")
    return [path for path in inner if path.is_file()]


def need_file(path: Path) -> Path:
    """A file that exists, may be read and is of a known type.

    Raises:
        SourceError: If it is not; names the nearest file of its folder.
    """
    if not path.exists():
        near = _near_file(path)
        hint = f"; its folder has {near!r}" if near else ""
        raise SourceError(f"no file {str(path)!r}{hint}; the path is taken from {os.getcwd()!r}")
    if path.suffix.lower() in DATABASE_FILES:
        raise SourceError(
            f"{str(path)!r} is no SQLite or DuckDB file by its first bytes; it may be empty, "
            "encrypted or of another program"
        )
    if suffix_of(path) not in READABLE:
        raise SourceError(
            f"{str(path)!r} is of unknown type {path.suffix!r}; a table is one of {READABLE_TEXT}"
        )
    if not os.access(path, os.R_OK):
        raise SourceError(f"{str(path)!r} may not be read; give yourself the right to read it")
    return path


def _near_file(path: Path) -> str:
    """The table beside a path whose name is nearly its name; empty if none is."""
    if not os.access(path.parent, os.R_OK):
        return ""
    kinds = {*READABLE, *DATABASE_FILES}
    there = [p for p in sorted(path.parent.iterdir()) if suffix_of(p) in kinds]
    alike = [p for p in there if suffix_of(p) == suffix_of(path)]  # of one stem this kind wins
    stems = {stem_of(p).casefold(): p.name for p in [*there, *alike]}
    near = get_close_matches(stem_of(path).casefold(), stems, 1)
    return stems[near[0]] if near else ""
