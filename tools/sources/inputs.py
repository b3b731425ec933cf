"""Inputs: what the user handed in, spread out into the tables it stands for."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.databases import DATABASE_FILES, database_tables, is_database
from wideleaf.tools.sources.file_kinds import READABLE, READABLE_TEXT, stem_of, suffix_of
from wideleaf.tools.sources.files.parquet_files import parts_of
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph, graph_of
from wideleaf.tools.sources.kept_frame import kept_frame
from wideleaf.tools.sources.naming import without_password
from wideleaf.tools.sources.normalise import file_tables, holds_tables
from wideleaf.tools.sources.parts import Progress, TableHandle
from wideleaf.tools.sources.reading_errors import as_source_error
from wideleaf.tools.tables.columns import nearest_names

FILES_NAMED = 5
_LABEL = re.compile(r"[Tt]\d+")


class TableWish(NamedTuple):
    """One table to read: its name, what to read and a note on how it came in.

    Attributes:
        database: The database of all whose tables it is one; empty if it was asked for itself.
    """

    name: str
    content: Any
    note: str = ""
    database: str = ""

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        if isinstance(self.content, Path):
            return str(self.content)
        if isinstance(self.content, TableHandle):
            return self.content.origin
        kind = type(self.content)
        return f"{kind.__module__.partition('.')[0]} {kind.__name__}"


def list_wishes(inputs: Any, folder: Path, progress: Progress = None) -> list[TableWish]:
    """Spread out paths, folders, frames and mappings into single tables, each with a name.

    Args:
        inputs: What the user handed in.
        folder: Where the tables of files that hold several are kept.
        progress: Told before something slow.

    Raises:
        SourceError: If a file is missing, unreadable or of an unknown type, a folder holds no
            table, two tables have one name, or nothing was handed in.
    """
    wishes: list[TableWish] = []
    with as_source_error():
        for wish in _wishes(inputs):
            wishes += _spread(wish, folder, progress)
    if not wishes:
        raise SourceError("no table was handed in; give a path, a frame or a mapping of them")
    seen: dict[str, TableWish] = {}
    for wish in wishes:
        other = seen.setdefault(wish.name.casefold(), wish)
        if other is not wish:
            raise SourceError(
                f"two tables are called {wish.name!r}: {other.origin} and {wish.origin}; name "
                f"one of them, as in other_name={wish.origin} or {{'other_name': ...}}"
            )
    return wishes


def _wishes(inputs: Any) -> Iterator[TableWish]:
    frames = 0
    for entry in _listed(inputs):
        if isinstance(entry, TableWish):
            yield entry
        elif isinstance(entry, Mapping):
            for name, content in entry.items():
                yield from _named(str(name), content)
        elif isinstance(entry, str | os.PathLike):
            yield from _from_path(os.fspath(entry))
        elif isinstance(entry, KnowledgeGraph):
            yield TableWish(table_name(entry.stem), entry)
        else:
            frames += 1
            name = "table" if frames == 1 else f"table_{frames}"
            yield TableWish(name, nw.to_native(entry, pass_through=True))


def _listed(inputs: Any) -> list[Any]:
    single = isinstance(inputs, TableWish | KnowledgeGraph)
    if isinstance(inputs, list | tuple | set | Iterator) and not single:
        return list(inputs)
    return [inputs]


def _named(name: str, content: Any) -> Iterator[TableWish]:
    if isinstance(content, KnowledgeGraph):
        yield TableWish(table_name(name), content)
        return
    if not isinstance(content, str | os.PathLike):
        yield TableWish(table_name(name), nw.to_native(content, pass_through=True))
        return
    text = os.fspath(content)
    if handle := graph_of(text) or kept_frame(text):
        yield TableWish(table_name(name), handle)
        return
    if is_database(text):
        yield from _from_database(text, name)
        return
    path = Path(content).expanduser()
    if path.is_dir() and (parts := parts_of(path, named=True)):
        yield TableWish(table_name(name), path, _of_parts(parts))
        return
    if path.is_dir():
        raise SourceError(
            f"{name!r} is to be {str(path)!r}, a folder; one name needs one file, a folder alone "
            "gives each of its files the file's name"
        )
    yield TableWish(table_name(name), _file(path))


def _from_path(text: str) -> Iterator[TableWish]:
    if is_database(text):
        yield from _from_database(text)
        return
    name, rest = name_and_rest(text)
    if handle := graph_of(rest) or kept_frame(rest):
        yield TableWish(table_name(name or handle.stem), handle)
        return
    path = Path(rest).expanduser()
    if name:
        yield from _named(name, rest)
    elif path.is_dir():
        yield from _from_folder(path)
    else:
        yield TableWish(table_name(stem_of(path)), _file(path))


def name_and_rest(text: str) -> tuple[str, str]:
    """Cut ``name=path`` in two; without a name where there is such a file as a whole."""
    name, equals, rest = text.partition("=")
    try:
        whole = Path(text).expanduser().exists()
    except OSError:  # longer than any file's name
        whole = False
    return (name, rest) if equals and name.strip() and not whole else ("", text)


def _spread(wish: TableWish, folder: Path, progress: Progress) -> Iterator[TableWish]:
    """The tables of a file that may hold several, else the wish itself."""
    path = wish.content
    if not isinstance(path, Path) or path.is_dir() or not holds_tables(path):
        yield wish
        return
    taken: set[str] = set()
    for table in file_tables(path, folder, progress):
        inner = table_name(table.name) if table.name else ""
        same = inner.casefold().startswith(wish.name.casefold())  # plots.xlsx, sheet "Plots 2020"
        stem = name = inner if same else f"{wish.name}_{inner}".rstrip("_")
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}_{number}"
        taken.add(name.casefold())
        yield TableWish(name, table, " ".join(note for note in (wish.note, table.note) if note))


def _from_database(text: str, given: str = "") -> Iterator[TableWish]:
    """The tables of a database; a name given to several of them is put before each."""
    tables = database_tables(text)
    seen: set[str] = set()
    for table in tables:
        names = [given] if given and len(tables) == 1 else [given, table.name]
        stem = table_name(" ".join(part for part in names if part))
        name, number = stem, 1
        while name.casefold() in seen:
            number += 1
            name = f"{stem}_{number}"
        seen.add(name.casefold())
        note = "" if name == table.name else f"Called {table.name!r} in its database."
        yield TableWish(name, table.part, note, "" if table.asked else without_password(text))


def _from_folder(folder: Path) -> Iterator[TableWish]:
    try:
        if parts := parts_of(folder):
            yield TableWish(table_name(stem_of(folder)), folder, _of_parts(parts))
            return
        inner = sorted(p for p in folder.iterdir() if p.name[0] != ".")
    except PermissionError:
        raise SourceError(f"{str(folder)!r} may not be read; give yourself the right") from None
    for path in inner:  # as Spark writes tables side by side
        if path.is_dir() and suffix_of(path) in READABLE and (parts := parts_of(path)):
            yield TableWish(table_name(stem_of(path)), path, _of_parts(parts))
    files = [path for path in inner if path.is_file()]
    tables = [p for p in files if suffix_of(p) in READABLE or is_database(str(p))]
    others = [path.name for path in files if path not in tables]
    if not tables and not any(path.is_dir() and suffix_of(path) in READABLE for path in inner):
        raise SourceError(
            f"folder {str(folder)!r} holds no table ({len(others)} other files); a table is one of "
            f"{READABLE_TEXT}"
        )
    more = f" and {len(others) - FILES_NAMED} more" if len(others) > FILES_NAMED else ""
    note = f"Other files of the folder were left aside: {', '.join(others[:FILES_NAMED])}{more}."
    for path in tables:
        if is_database(str(path)):
            yield from _from_database(str(path))
        else:
            yield TableWish(table_name(stem_of(path)), _file(path), note if others else "")


def _file(path: Path) -> Path:
    """A file that exists, may be read and is of a known type."""
    if not path.exists():
        near = nearest_names(path.name, _neighbours(path), limit=1)
        hint = f"; its folder has {near[0]!r}" if near else ""
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


def _of_parts(parts: list[Path]) -> str:
    return f"Read the folder's {len(parts)} Parquet files as one table."


def _neighbours(path: Path) -> list[str]:
    folder = path.parent
    return [p.name for p in folder.iterdir()] if os.access(folder, os.R_OK) else []


def table_name(text: str) -> str:
    """Clean a table's name to letters, digits and underscores, not starting with a digit.

    Labels such as T1 are left to intermediate frames: a table T1 is called table_T1.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    if not name:
        return "table"
    return f"table_{name}" if name[0].isdigit() or _LABEL.fullmatch(name) else name
