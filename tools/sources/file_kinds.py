"""File kinds: what a file's name says by one table of kinds; how a file is unpacked and found."""

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
from typing import Any, NamedTuple

from wideleaf.tools.errors import SourceError

PARQUET = (".parquet", ".pq")
DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON = (".json", ".jsonl", ".ndjson", ".geojson")
WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
ARROW = (".arrow", ".arrows", ".feather", ".ipc")


class FileKind(NamedTuple):
    """A kind of file that can be read.

    Attributes:
        suffixes: How names of such files end.
        reader: What reads the tables of one: a module of `sources.files`, and its function, called
            with the file, a folder for what is half done and what the file is called in messages,
            which gives the name of each table in it (empty if it is the only one), the table and
            what was changed. Empty of files that are one table as they stand.
        packed: Whether such files may be packed.
        loose: Whether a row without any value is none.
    """

    suffixes: tuple[str, ...]
    reader: str = ""
    packed: bool = False
    loose: bool = False


KINDS = (
    FileKind(PARQUET),
    FileKind(DELIMITED, packed=True),
    FileKind(WORKBOOKS, "excel:read_workbook", loose=True),
    FileKind(JSON, "json_files:read_json", packed=True, loose=True),
    FileKind((*ARROW, ".orc", ".avro"), "typed_files:read_arrow"),
    FileKind((".dta",), "typed_files:read_stata"),
)
READERS = {suffix: kind for kind in KINDS for suffix in kind.suffixes}
"""By suffix the kind of a file."""


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
RDF_FORMS = {".nt": "nt", ".ttl": "turtle", ".rdf": "xml", ".owl": "xml"}
"""Formats of rdflib by suffix."""
READABLE_TEXT = f"{', '.join(READERS)}; text and JSON may be packed as {', '.join(PACKED)}"
DATABASE_FILES = (".sqlite", ".sqlite3", ".duckdb", ".ddb", ".db")
"""Suffixes of files that are databases if their first bytes say so."""
_BAD_PACKING = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


class TableFile(NamedTuple):
    """A file, and what its name says of it.

    Attributes:
        path: Where it is.
        suffix: Of its name, in small letters, without that of its packing: ``.csv`` of
            ``plots.csv.gz``.
        stem: Its name without its suffixes.
        packing: The suffix of its packing; empty if it is not packed.
        kind: None of a file that no reader knows.
    """

    path: Path
    suffix: str
    stem: str
    packing: str = ""
    kind: FileKind | None = None

    @classmethod
    def of(cls, path: Path) -> TableFile:
        """Read a file's name."""
        suffix = path.suffix.lower()
        if suffix not in PACKED:
            return cls(path, suffix, path.stem, kind=READERS.get(suffix))
        inner = Path(path.stem)
        kind = READERS.get(inner.suffix.lower())
        if kind is None or not kind.packed:
            return cls(path, suffix, inner.stem, suffix)
        return cls(path, inner.suffix.lower(), inner.stem, suffix, kind)

    @property
    def holds_tables(self) -> bool:
        """Whether it is of a kind that may hold several tables."""
        return self.kind is not None and bool(self.kind.reader)

    @property
    def is_text(self) -> bool:
        """Whether it is delimited text."""
        return self.suffix in DELIMITED

    @property
    def is_parquet(self) -> bool:
        """Whether it is Parquet, or a folder that is called so."""
        return self.suffix in PARQUET

    @property
    def rdf_suffix(self) -> str:
        """The suffix that says that it is RDF, packed or not; empty if it is none."""
        suffixes = (Path(self.path.stem).suffix.lower(), self.path.suffix.lower())
        return next((suffix for suffix in suffixes if suffix in RDF_FORMS), "")

    @property
    def origin(self) -> str:
        """What it is called in messages."""
        return repr(str(self.path))

    def read_head(self, size: int) -> bytes:
        """The first bytes, unpacked where it is packed.

        Raises:
            SourceError: If it cannot be unpacked.
            OSError: If it cannot be read.
        """
        opener = PACKED.get(self.packing)
        try:
            with opener(self.path, "rb") if opener else self.path.open("rb") as file:
                return bytes(file.read(size))
        except _BAD_PACKING:
            raise SourceError(f"{self.origin} cannot be unpacked") from None

    def unpack(self, scratch: Path) -> Path:
        """The file itself, or what was packed in it, put into a scratch folder.

        Raises:
            SourceError: If it cannot be unpacked, or is empty inside.
        """
        if not self.packing:
            return self.path
        target = scratch / f"unpacked{self.suffix}"
        try:
            with PACKED[self.packing](self.path, "rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink, 2**20)
        except (OSError, *_BAD_PACKING) as error:
            raise SourceError(
                f"{self.origin} cannot be unpacked ({type(error).__name__}); it is cut short or "
                f"not a {self.path.suffix} file"
            ) from None
        if target.stat().st_size == 0:
            raise SourceError(f"{self.origin} is empty inside; a table with a header was expected")
        return target

    def need(self) -> None:
        """See that it exists, may be read and is of a known kind.

        Raises:
            SourceError: If it is not; names the nearest file of its folder.
        """
        if not self.path.exists():
            near = _near_file(self)
            hint = f"; its folder has {near!r}" if near else ""
            raise SourceError(
                f"no file {self.origin}{hint}; the path is taken from {os.getcwd()!r}"
            )
        if self.path.suffix.lower() in DATABASE_FILES:
            raise SourceError(
                f"{self.origin} is no SQLite or DuckDB file by its first bytes; it may be empty, "
                "encrypted or of another program"
            )
        if self.kind is None:
            raise SourceError(
                f"{self.origin} is of unknown type {self.path.suffix!r}; a table is one of "
                f"{READABLE_TEXT}"
            )
        if not os.access(self.path, os.R_OK):
            raise SourceError(f"{self.origin} may not be read; give yourself the right to read it")


def files_below(inner: Sequence[Path]) -> list[Path]:
    """The files among what stands in a folder, or all below it if it is kept by ``key=value``."""
    paths = [path for path in inner if path.name[0] not in "._"]
    if paths and all(path.is_dir() and "=" in path.name for path in paths):
        below = (one for path in paths for one in path.rglob("*"))
        return sorted(one for one in below if one.is_file() and one.name[0] not in "._")
    return [path for path in inner if path.is_file()]


def _near_file(file: TableFile) -> str:
    """The table beside a path whose name is nearly its name; empty if none is."""
    if not os.access(file.path.parent, os.R_OK):
        return ""
    beside = map(TableFile.of, sorted(file.path.parent.iterdir()))
    there = [one for one in beside if one.kind or one.suffix in DATABASE_FILES]
    alike = [one for one in there if one.suffix == file.suffix]  # of one stem this kind wins
    stems = {one.stem.casefold(): one.path.name for one in [*there, *alike]}
    near = get_close_matches(file.stem.casefold(), stems, 1)
    return stems[near[0]] if near else ""
