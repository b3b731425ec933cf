"""Tables of sources: what a spec stands for, each under a name, not read yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.database_tables import server_tables, sqlite_tables
from wideleaf.tools.sources.databases.duckdb_tables import duckdb_tables
from wideleaf.tools.sources.databases.spark_tables import SparkTable, native_table, spark_tables
from wideleaf.tools.sources.file_kinds import READABLE_TEXT, TableFile, files_below
from wideleaf.tools.sources.files.parquet_files import parts_of
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.sources.lakes import LakeTable
from wideleaf.tools.sources.naming import (
    choose_tables,
    common_name,
    free_name,
    redact_url,
    table_name,
)
from wideleaf.tools.sources.normalise import FileTable, Frame, KeptFrame, file_tables
from wideleaf.tools.sources.part_files import PartFiles, group_files, one_table
from wideleaf.tools.sources.reading_errors import as_source_error
from wideleaf.tools.sources.source import Progress, TableHandle
from wideleaf.tools.sources.spec import (
    SourceKind,
    SourceSpec,
    files_of_pattern,
    parse_source,
    parse_sources,
)
from wideleaf.tools.words import is_whole_text

FILES_NAMED = 5
DATABASES: dict[SourceKind, Any] = {
    "sqlite": lambda spec: sqlite_tables(spec.path, [spec.table] if spec.table else []),
    "duckdb": lambda spec: duckdb_tables(spec.path, [spec.table] if spec.table else []),
    "server": lambda spec: server_tables(spec.text),
    "spark": lambda spec: spark_tables(spec.text),
}
"""What lists the tables of a database, by its kind."""
HANDLES: dict[SourceKind, Any] = {
    "lake": lambda spec: LakeTable(spec.text),
    "frame": lambda spec: KeptFrame.of(spec.text),
    "graph": lambda spec: KnowledgeGraph(spec.path),
}
"""What reads a source that is one table, by its kind."""


@dataclass(frozen=True)
class NamedTable:
    """One table of what was handed in.

    Attributes:
        name: What it is to be called, cleaned by `naming.table_name`.
        handle: What reads it.
        note: How it came in.
        database: The database of all whose tables it is one; empty if it was asked for itself.
    """

    name: str
    handle: TableHandle
    note: str = ""
    database: str = ""

    def __post_init__(self) -> None:
        """Take any text for a name."""
        object.__setattr__(self, "name", table_name(self.name))


def list_tables(inputs: Any, folder: Path, progress: Progress = None) -> list[NamedTable]:
    """Spread out paths, folders, frames and mappings into single tables, each with a name.

    Args:
        inputs: What the user handed in.
        folder: Where the tables of files that hold several are kept.
        progress: Told before something slow.

    Raises:
        SourceError: If a file is missing, unreadable or of an unknown type, a folder holds no
            table, two tables have one name, or nothing was handed in.
    """
    opener = Opener(folder, progress)
    with as_source_error():
        tables = [*opener.open_all([*parse_sources(inputs)])]
    if not tables:
        raise SourceError("no table was handed in; give a path, a frame or a mapping of them")
    by_name: dict[str, NamedTable] = {}
    for table in tables:
        _need_text(table.handle)
        other = by_name.setdefault(table.name.casefold(), table)
        if other is not table:
            mine, first = table.handle.origin, other.handle.origin
            raise SourceError(
                f"two tables are called {table.name!r}: {first} and {mine}; name one of them, as "
                f"in other_name={mine} or {{'other_name': ...}}"
            )
    return tables


class Opener:
    """Finds the tables that specs stand for.

    Args:
        folder: Where the tables of files that hold several are kept.
        progress: Told before something slow.
    """

    def __init__(self, folder: Path, progress: Progress) -> None:
        self._folder, self._progress = folder, progress

    def open_all(self, specs: Sequence[SourceSpec]) -> Iterator[NamedTable]:
        """The tables of several specs; files without a name go together where they are parts."""
        files = {place: spec.file for place, spec in enumerate(specs) if _may_be_part(spec)}
        tables = self._of_files([*files.values()]) if len(files) > 1 else ()
        whole = {t.handle.files: t for t in tables if isinstance(t.handle, PartFiles)}
        parts = {file: group for group in whole for file in group}
        frames = 0
        for place, spec in enumerate(specs):
            file = files.get(place)
            if file in parts:
                if file == parts[file][0]:
                    yield whole[parts[file]]
                continue
            own = isinstance(spec.data, KnowledgeGraph | NamedTable)  # it has a name of its own
            if spec.kind == "data" and not spec.name and not own:
                frames += 1
                spec = spec.model_copy(
                    update={"name": f"table_{frames}" if frames > 1 else "table"}
                )
            yield from self.open(spec)

    def open(self, spec: SourceSpec) -> Iterator[NamedTable]:
        """The tables that a spec stands for.

        Raises:
            SourceError: If there is none, or what it names is not there.
        """
        if spec.kind in DATABASES:
            yield from _of_database(spec)
        elif spec.kind in HANDLES:
            handle = HANDLES[spec.kind](spec)
            yield NamedTable(spec.name or handle.stem, handle)
        elif spec.kind == "data":
            yield _of_data(spec)
        elif spec.kind == "file":
            yield from self._inner(spec) if spec.table else self._file(spec.file, spec.name)
        elif spec.name:
            yield self._one_of_files(spec)
        else:
            yield from self._folder_of(spec) if spec.kind == "folder" else self._pattern(spec)

    def _inner(self, spec: SourceSpec) -> Iterator[NamedTable]:
        """One table of a file that may hold several, such as ``book.xlsx::Plots``."""
        tables = {t.name: t for t in file_tables(spec.file, self._folder, self._progress)}
        (inner,) = choose_tables(tables, [spec.table], spec.file.origin, default="")
        table = NamedTable(spec.name or inner, tables[inner])
        note = "" if table.name in (spec.name, inner) else f"Called {inner!r} in its file."
        yield replace(table, note=note)

    def _file(self, file: TableFile, name: str = "", note: str = "") -> Iterator[NamedTable]:
        """The tables of a file that may hold several, else the file itself."""
        file.need()
        if not file.holds_tables:
            yield NamedTable(name or file.stem, FileTable(file), note)
            return
        name = table_name(name or file.stem)
        all_names: set[str] = set()
        tables = file_tables(file, self._folder, self._progress)
        for table in tables:
            inner = table_name(table.name) if len(tables) > 1 else ""
            same = inner.casefold().startswith(name.casefold())  # plots.xlsx, sheet "Plots 2020"
            stem = inner if same else f"{name}_{inner}".rstrip("_")
            remark = " ".join(one for one in (note, table.note) if one)
            yield NamedTable(free_name(stem, all_names), table, remark)

    def _of_files(self, files: Sequence[TableFile], note: str = "") -> Iterator[NamedTable]:
        """Files as tables, each under its own name, parts of one table under their common one."""
        groups = group_files(files, self._folder, self._progress)
        all_names = {
            table_name(one.stem).casefold() for one in groups if isinstance(one, TableFile)
        }
        for one in groups:
            if isinstance(one, PartFiles):
                name = free_name(table_name(common_name(one.paths)), all_names)
                yield NamedTable(name, one, note)
            elif (spec := parse_source(one.path)).kind in DATABASES:
                yield from _of_database(spec)
            else:
                yield from self._file(one, note=note)

    def _one_of_files(self, spec: SourceSpec) -> NamedTable:
        """A folder or pattern that was given one name, as one table."""
        folder = spec.kind == "folder"
        if folder and (parts := parts_of(spec.path, named=True)):
            return _of_parts(spec.file, parts, spec.name)
        inner = sorted(spec.path.iterdir()) if folder else files_of_pattern(spec.text)
        files = [file for file in map(TableFile.of, files_below(inner)) if file.kind]
        if len(files) == 1:
            return next(self._file(files[0], spec.name))
        if not files:
            raise SourceError(
                f"{spec.name!r} is to be {spec.text!r}, which holds no table; one name needs one "
                "file, or files of one header"
            )
        table = one_table(files, spec.name, self._folder, self._progress)
        return NamedTable(spec.name, table)

    def _folder_of(self, spec: SourceSpec) -> Iterator[NamedTable]:
        """The tables of a folder: its files, the folders of parts in it, or itself in parts."""
        place = spec.path
        try:
            if parts := parts_of(place):
                yield _of_parts(spec.file, parts)
                return
            inner = sorted(p for p in place.iterdir() if p.name[0] != ".")
        except PermissionError:
            raise SourceError(f"{str(place)!r} may not be read; give yourself the right") from None
        folders = [file for file in map(TableFile.of, inner) if file.kind and file.path.is_dir()]
        for one in folders:  # as Spark writes tables side by side
            if parts := parts_of(one.path):
                yield _of_parts(one, parts)
        files = [*map(TableFile.of, files_below(inner))]
        tables = [*filter(_is_table, files)]
        others = [file.path.name for file in files if file not in tables]
        if not tables and not folders:
            raise SourceError(
                f"folder {str(place)!r} holds no table ({len(others)} other files); a table is one "
                f"of {READABLE_TEXT}"
            )
        more = f" and {len(others) - FILES_NAMED} more" if len(others) > FILES_NAMED else ""
        names = ", ".join(others[:FILES_NAMED])
        note = f"Other files of the folder were left aside: {names}{more}."
        yield from self._of_files(tables, note if others else "")

    def _pattern(self, spec: SourceSpec) -> Iterator[NamedTable]:
        """The tables of the files that a pattern finds."""
        files = [*map(TableFile.of, files_of_pattern(spec.text))]
        if not any(map(_is_table, files)):
            what = f"finds {len(files)} files, and no table" if files else "finds no file"
            raise SourceError(
                f"the pattern {spec.text!r} {what}; it is taken from {os.getcwd()!r}, and a table "
                f"is one of {READABLE_TEXT}"
            )
        yield from self._of_files(files)


def _of_data(spec: SourceSpec) -> NamedTable:
    data = spec.data
    if isinstance(data, NamedTable):
        return data
    if isinstance(data, KnowledgeGraph):
        return NamedTable(spec.name or data.stem, data)
    native = native_table(data)
    handle = native if isinstance(native, SparkTable) else Frame(native, spec.name)
    return NamedTable(spec.name, handle)


def _of_database(spec: SourceSpec) -> Iterator[NamedTable]:
    """The tables of a database; a name given to several of them is put before each."""
    tables = DATABASES[spec.kind](spec)
    whole = redact_url(spec.text)
    all_names: set[str] = set()
    for table in tables:
        names = [spec.name] if spec.name and len(tables) == 1 else [spec.name, table.name]
        name = free_name(table_name(" ".join(part for part in names if part)), all_names)
        note = "" if name == table.name else f"Called {table.name!r} in its database."
        yield NamedTable(name, table.part, note, "" if table.asked else whole)


def _may_be_part(spec: SourceSpec) -> bool:
    plain = spec.kind == "file" and not (spec.name or spec.table)
    return plain and spec.file.kind is not None and spec.path.is_file()


def _is_table(file: TableFile) -> bool:
    return file.kind is not None or parse_source(file.path).kind in DATABASES


def _of_parts(folder: TableFile, parts: Sequence[Path], name: str = "") -> NamedTable:
    note = f"Read the folder's {len(parts)} Parquet files as one table."
    return NamedTable(name or folder.stem, FileTable(folder), note)


def _need_text(handle: TableHandle) -> None:
    """See that a path can be written down, for a run names its tables in what it keeps."""
    path = os.path.abspath(handle.origin) if isinstance(handle, FileTable) else handle.origin
    if not is_whole_text(path):
        raise SourceError(f"the name of {path!a} is no UTF-8 text; rename the file or folder")
