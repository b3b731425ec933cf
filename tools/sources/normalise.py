"""Normalising: a file or a frame becomes Parquet with clean headers and shared types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import polars as pl
from pydantic import BaseModel

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.files.parquet_files import normal_parquet, normal_parts
from wideleaf.tools.sources.files.typed_files import FoundTables, arrow_of
from wideleaf.tools.sources.fingerprint import (
    derive_fingerprint,
    file_fingerprint,
    frame_fingerprint,
)
from wideleaf.tools.sources.normal import (
    FRAMES,
    SHARED_RULES,
    TEXT_RULES,
    Normal,
    is_whole,
    keep_normal,
    need_content,
    read_normal,
    scratch_folder,
    tell_reading,
    write_normal_form,
)
from wideleaf.tools.sources.source import Progress, TableHandle
from wideleaf.tools.sources.spec import FRAME
from wideleaf.tools.tree.lineage import is_id
from wideleaf.tools.writing import write_text

LISTS = "lists 2"
"""Changes when a list of a file's tables is written differently."""
DIGITS = 8
"""Of an id, where a frame is called by it."""


class _Listing(BaseModel, frozen=True):
    """The tables of a file, by name and file in the folder, and what was left aside."""

    tables: list[tuple[str, str]]
    note: str = ""

    @classmethod
    def of(cls, path: Path) -> _Listing | None:
        """What was written; None for what is not there or was cut short."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            return None


@dataclass(frozen=True)
class FileTable(TableHandle):
    """A file that is one table, or one of the tables that were found in a file.

    Attributes:
        file: The file, a folder of Parquet parts, or Parquet that was made of a table in a file.
        name: Its name within the file; empty if it is the only one.
        place: The file, and where in it the table is; empty if it is the file itself.
        note: What was left aside in the file.
    """

    file: TableFile
    name: str = ""
    place: str = ""
    note: str = ""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.file.path

    @property
    def origin(self) -> str:
        """The path, and what it is called there."""
        return self.place or str(self.path)

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """One Parquet file of it; see `normalise`."""
        if self.place:
            return need_content(read_normal(self.path, self.path.stem), self.place)
        return normalise(self.file, folder, progress)


@dataclass(frozen=True)
class Frame(TableHandle):
    """A frame in memory.

    Attributes:
        data: A pandas, Polars or Arrow frame, or a series.
        name: What it is called.
    """

    data: Any
    name: str

    @property
    def origin(self) -> str:
        """What kind of frame it is."""
        kind = type(self.data)
        return f"{kind.__module__.partition('.')[0]} {kind.__name__}"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """One Parquet file of it, read as a file is; it is never changed.

        Raises:
            SourceError: If it is no frame, or has no columns.
        """
        table, repairs = arrow_of(self.data)
        fingerprint = derive_fingerprint(frame_fingerprint(table), TEXT_RULES, SHARED_RULES)

        def write(target: Path, scratch: Path) -> None:
            frame = cast("pl.DataFrame", pl.from_arrow(table))
            write_normal_form(frame.lazy(), repairs, target, scratch)

        return keep_normal(folder, fingerprint, f"{self.name} ({self.origin})", write)


@dataclass(frozen=True)
class KeptFrame(TableHandle):
    """A frame of an earlier answer, by its id, in the folder of its run.

    Attributes:
        id: As the field ``frame`` of an answer has it.
    """

    id: str

    @classmethod
    def of(cls, text: str) -> KeptFrame:
        """The frame that a source names.

        Raises:
            SourceError: If what follows ``frame:`` is no id.
        """
        id = text.removeprefix(FRAME)
        if not is_id(id):
            raise SourceError(
                f"{id[: DIGITS * 4]!r} is no id of a frame; an answer's field 'frame' has one"
            )
        return cls(id)

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        return f"{FRAME}{self.id}"

    @property
    def stem(self) -> str:
        """What it is called where it is given no name."""
        return f"frame_{self.id[:DIGITS]}"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """What is known of the frame's file; what it is called tells how it was made.

        Raises:
            SourceError: If the run's folder does not have it, or it has no rows.
        """
        path = frame_path(folder.parent, self.id)
        if not path.exists() or not is_whole(path):
            raise SourceError(
                f"the frame {self.id} is not in the folder {str(folder.parent)!r}; name the tables "
                "that it was made of beside it, or the folder of its run"
            )
        normal = normalise_file(path, folder, progress)
        return normal._replace(fingerprint=derive_fingerprint(FRAME, self.id))


def frame_path(folder: Path, id: str) -> Path:
    """Where a frame of a run's folder is kept."""
    return folder / FRAMES / f"{id}.parquet"


def file_tables(file: TableFile, folder: Path, progress: Progress = None) -> list[FileTable]:
    """Read the tables of a file that may hold several: JSON, a workbook, Arrow.

    They are read once; the folder keeps a list of them beside the tables.

    Args:
        file: One that `holds_tables`.
        folder: Where normalised files are kept by fingerprint.
        progress: Told before something slow.

    Raises:
        SourceError: If the file cannot be read or holds no table.
    """
    _need_bytes(file)
    fingerprint = derive_fingerprint(
        file_fingerprint(file.path, salt=TEXT_RULES), SHARED_RULES, LISTS, file.suffix
    )
    listing = folder / f"{fingerprint}.json"
    if (contents := _Listing.of(listing)) is None:
        tell_reading(file.path, progress)
        with scratch_folder(folder) as scratch:
            contents = _write_tables(file, scratch, fingerprint, folder)
        write_text(listing, contents.model_dump_json())
    whole = str(file.path)
    tables = [
        FileTable(
            TableFile.of(folder / file_name),
            name,
            whole if len(contents.tables) == 1 else f"{whole}, {name!r}",
            contents.note,
        )
        for name, file_name in contents.tables
    ]
    if not all(is_whole(table.path) for table in tables):  # tidied up, or cut short
        listing.unlink()
        return file_tables(file, folder, progress)
    return tables


def normalise_file(path: Path, folder: Path, progress: Progress = None) -> Normal:
    """Make one Parquet file of what lies at a path; see `normalise`."""
    return normalise(TableFile.of(path), folder, progress)


def normalise(file: TableFile, folder: Path, progress: Progress = None) -> Normal:
    """Make one Parquet file of a file; Parquet of shared types is used where it is.

    Args:
        file: A file of a known kind, or a folder of Parquet parts.
        folder: Where normalised files are kept by fingerprint.
        progress: Told before something slow.

    Raises:
        SourceError: If the file cannot be read, has no columns, or holds several tables.
    """
    path = file.path
    if path.is_dir():
        return normal_parts(path, folder, progress)
    _need_bytes(file)
    if path.parent.resolve() == folder.resolve():  # normalised before, handed on by its path
        return read_normal(path, path.stem)
    if file.is_parquet:
        return normal_parquet(path, folder, progress)
    if file.holds_tables:
        tables = file_tables(file, folder, progress)
        if len(tables) > 1:
            names = ", ".join(repr(table.name) for table in tables[:5])
            raise SourceError(f"{file.origin} holds {len(tables)} tables: {names}")
        return tables[0].read(folder)

    def write(target: Path, scratch: Path) -> None:
        from wideleaf.tools.sources.text.delimited import TextPart, write_delimited

        tell_reading(path, progress)
        write_delimited([TextPart(file.unpack(scratch), file.origin)], target)

    # The same bytes mean another table under another suffix: tabs alone cut a .tsv.
    fingerprint = file_fingerprint(path, salt=f"{TEXT_RULES} {path.suffix.lower()}")
    return keep_normal(folder, fingerprint, str(path), write)


def _write_tables(file: TableFile, scratch: Path, fingerprint: str, folder: Path) -> _Listing:
    """Write the tables of a file; those without rows are left aside beside others."""
    kind = file.kind
    assert kind is not None
    module, _, name = kind.reader.partition(":")
    reader = getattr(import_module(f"wideleaf.tools.sources.files.{module}"), name)
    tables: FoundTables = reader(file.unpack(scratch), scratch, file.origin)
    full: list[tuple[str, str]] = []
    empty: list[tuple[str, str]] = []
    for place, (name, frame, repairs) in enumerate(tables):
        if not name and not frame.collect_schema():
            raise SourceError(f"{file.origin} has no rows with a value; a table needs one")
        target = folder / f"{derive_fingerprint(fingerprint, str(place), name)}.parquet"
        rows = write_normal_form(frame, repairs, target, scratch, blank_rows=not kind.loose)
        (full if rows else empty).append((name, target.name))
    if not (full and empty):
        return _Listing(tables=full or empty)
    for _, file_name in empty:
        (folder / file_name).unlink()
    names = ", ".join(repr(name) for name, _ in empty)
    return _Listing(tables=full, note=f"Left aside because they have no rows: {names}.")


def _need_bytes(file: TableFile) -> None:
    if file.path.stat().st_size == 0:
        raise SourceError(f"{file.origin} is empty (0 bytes); a table with a header was expected")
