"""Normalising: whatever a user hands in becomes Parquet with clean headers and shared types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import BaseModel

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import (
    JSON,
    PARQUET,
    READERS,
    WORKBOOKS,
    holds_tables,
    suffix_of,
    unpack,
)
from wideleaf.tools.sources.files.frames import arrow_of
from wideleaf.tools.sources.files.parquet_files import normal_parquet, normal_parts
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import (
    derive_fingerprint,
    file_fingerprint,
    frame_fingerprint,
)
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    need_content,
    read_normal,
    scratch_folder,
    tell_reading,
    write_normal_form,
)
from wideleaf.tools.sources.text.delimited import RULES, TextPart, write_delimited
from wideleaf.tools.writing import write_text

if TYPE_CHECKING:
    import polars as pl

LISTS = "lists 2"
"""Changes when a list of a file's tables is written differently."""
Read = Iterator[tuple[str, "pl.LazyFrame", list[Repair]]]


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


class FileTable(NamedTuple):
    """A file that is one table, or one of the tables that were found in a file: a `TableHandle`.

    Attributes:
        path: The file, a folder of Parquet parts, or Parquet that was made of a table in a file.
        name: Its name within the file; empty if it is the only one.
        place: The file, and where in it the table is; empty if it is the file itself.
        note: What was left aside in the file.
    """

    path: Path
    name: str = ""
    place: str = ""
    note: str = ""

    @property
    def origin(self) -> str:
        """The path, and what it is called there."""
        return self.place or str(self.path)

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Any = None) -> Normal:
        """One Parquet file of it; see `normalise_file`."""
        if self.place:
            return need_content(read_normal(self.path, self.path.stem), self.place)
        return normalise_file(self.path, folder, progress)

    def close(self) -> None:
        """Nothing was opened."""


class Frame(NamedTuple):
    """A frame in memory: a `TableHandle`.

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

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Any = None) -> Normal:
        """One Parquet file of it, read as a file is; it is never changed.

        Raises:
            SourceError: If it is no frame, or has no columns.
        """
        import polars as pl

        table, repairs = arrow_of(self.data)
        fingerprint = derive_fingerprint(frame_fingerprint(table), RULES, SHARED_RULES)
        target = folder / f"{fingerprint}.parquet"
        if not is_whole(target):
            with scratch_folder(folder) as scratch:
                made = cast("pl.DataFrame", pl.from_arrow(table))
                write_normal_form(made.lazy(), repairs, target, scratch)
        return need_content(read_normal(target, fingerprint), f"{self.name} ({self.origin})")

    def close(self) -> None:
        """It is the user's."""


def file_tables(
    path: Path, folder: Path, progress: Callable[[str], None] | None = None
) -> list[FileTable]:
    """Read the tables of a file that may hold several: JSON, a workbook, Arrow.

    They are read once; the folder keeps a list of them beside the tables.

    Args:
        path: A file of which `file_kinds.holds_tables` is true.
        folder: Where normalised files are kept by fingerprint.
        progress: Told before something slow.

    Raises:
        SourceError: If the file cannot be read or holds no table.
    """
    _need_bytes(path)
    fingerprint = derive_fingerprint(
        file_fingerprint(path, salt=RULES), SHARED_RULES, LISTS, suffix_of(path)
    )
    listing = folder / f"{fingerprint}.json"
    if (listed := _Listing.of(listing)) is None:
        tell_reading(path, progress)
        with scratch_folder(folder) as scratch:
            listed = _write_tables(path, scratch, fingerprint, folder)
        write_text(listing, listed.model_dump_json())
    alone = len(listed.tables) == 1
    tables = [
        FileTable(folder / file, name, str(path) if alone else f"{path}, {name!r}", listed.note)
        for name, file in listed.tables
    ]
    if not all(is_whole(table.path) for table in tables):  # tidied up, or cut short
        listing.unlink()
        return file_tables(path, folder, progress)
    return tables


def normalise_file(
    path: Path, folder: Path, progress: Callable[[str], None] | None = None
) -> Normal:
    """Make one Parquet file of a file; Parquet of shared types is used where it is.

    Args:
        path: A file with one of the `READABLE` suffixes, or a folder of Parquet parts.
        folder: Where normalised files are kept by fingerprint.
        progress: Told before something slow.

    Raises:
        SourceError: If the file cannot be read, has no columns, or holds several tables.
    """
    if path.is_dir():
        return need_content(normal_parts(path, folder, progress), str(path))
    _need_bytes(path)
    if path.parent.resolve() == folder.resolve():  # normalised before, handed on by its path
        return read_normal(path, path.stem)
    if suffix_of(path) in PARQUET:
        return need_content(normal_parquet(path, folder, progress), str(path))
    if holds_tables(path):
        tables = file_tables(path, folder, progress)
        if len(tables) > 1:
            names = ", ".join(repr(table.name) for table in tables[:5])
            raise SourceError(f"{str(path)!r} holds {len(tables)} tables: {names}")
        return tables[0].read(folder)
    # The same bytes mean another table under another suffix: tabs alone cut a .tsv.
    fingerprint = file_fingerprint(path, salt=f"{RULES} {path.suffix.lower()}")
    target = folder / f"{fingerprint}.parquet"
    if not is_whole(target):
        tell_reading(path, progress)
        with scratch_folder(folder) as scratch:
            write_delimited([TextPart(unpack(path, scratch), repr(str(path)))], target)
    return need_content(read_normal(target, fingerprint), str(path))


def _write_tables(path: Path, scratch: Path, fingerprint: str, folder: Path) -> _Listing:
    """Write the tables of a file; those without rows are left aside beside others."""
    found: list[tuple[str, str]] = []
    empty: list[tuple[str, str]] = []
    for place, (name, frame, repairs) in enumerate(_read(path, scratch)):
        typed = suffix_of(path) not in (*JSON, *WORKBOOKS)
        if not name and not frame.collect_schema():
            raise SourceError(f"{str(path)!r} has no rows with a value; a table needs one")
        target = folder / f"{derive_fingerprint(fingerprint, str(place), name)}.parquet"
        rows = write_normal_form(frame, repairs, target, scratch, blank_rows=typed)
        (found if rows else empty).append((name, target.name))
    if not (found and empty):
        return _Listing(tables=found or empty)
    for _, file in empty:
        (folder / file).unlink()
    names = ", ".join(repr(name) for name, _ in empty)
    return _Listing(tables=found, note=f"Left aside because they have no rows: {names}.")


def _read(path: Path, scratch: Path) -> Read:
    module, _, name = READERS[suffix_of(path)].partition(":")
    reader = getattr(import_module(f"wideleaf.tools.sources.files.{module}"), name)
    tables: Read = reader(unpack(path, scratch), scratch, repr(str(path)))
    return tables


def _need_bytes(path: Path) -> None:
    if path.stat().st_size == 0:
        raise SourceError(f"{str(path)!r} is empty (0 bytes); a table with a header was expected")
