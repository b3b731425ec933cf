"""Inputs: what the user handed in, spread out into the tables it stands for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import narwhals as nw

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.databases import cut_table, is_database
from wideleaf.tools.sources.file_kinds import READABLE, stem_of, suffix_of
from wideleaf.tools.sources.folders import (
    file_wishes,
    files_of_pattern,
    folder_wishes,
    is_pattern,
    named_wish,
    pattern_wishes,
)
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph, graph_of
from wideleaf.tools.sources.kept_frame import kept_frame
from wideleaf.tools.sources.naming import choose_tables
from wideleaf.tools.sources.normalise import file_tables, holds_tables
from wideleaf.tools.sources.part_files import PartFiles
from wideleaf.tools.sources.parts import Progress
from wideleaf.tools.sources.reading_errors import as_source_error
from wideleaf.tools.sources.wishes import (
    TableWish,
    database_wishes,
    free_name,
    need_file,
    table_name,
)
from wideleaf.tools.words import is_whole_text


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
        for wish in _wishes(inputs, folder, progress):
            path = isinstance(wish.content, Path)
            _need_text(os.path.abspath(wish.origin) if path else wish.origin)
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


def _wishes(inputs: Any, folder: Path, progress: Progress) -> Iterator[TableWish]:
    frames = 0
    for entry in _with_parts(_listed(inputs), folder, progress):
        if isinstance(entry, TableWish):
            yield entry
        elif isinstance(entry, Mapping):
            for name, content in entry.items():
                yield from _named(str(name), content, folder, progress)
        elif isinstance(entry, str | os.PathLike):
            yield from _from_path(os.fspath(entry), folder, progress)
        elif isinstance(entry, KnowledgeGraph):
            yield TableWish(table_name(entry.stem), entry)
        else:
            frames += 1
            name = "table" if frames == 1 else f"table_{frames}"
            yield TableWish(name, nw.to_native(entry, pass_through=True))


def _need_text(path: str) -> None:
    """See that a path can be written down, for a run names its tables in what it keeps.

    Raises:
        SourceError: If its name is no UTF-8 text.
    """
    if not is_whole_text(path):
        raise SourceError(f"the name of {path!a} is no UTF-8 text; rename the file or folder")


def _listed(inputs: Any) -> list[Any]:
    single = isinstance(inputs, TableWish | KnowledgeGraph)
    if isinstance(inputs, list | tuple | set | Iterator) and not single:
        return list(inputs)
    return [inputs]


def _with_parts(entries: list[Any], folder: Path, progress: Progress) -> Iterator[Any]:
    """The entries; files without a name go together where they are parts, as in a folder."""
    files = {place: path for place, entry in enumerate(entries) if (path := _bare_file(entry))}
    parts = (
        {
            one.paths[0]: wish
            for wish in file_wishes(list(files.values()), folder, progress)
            if isinstance(one := wish.content, PartFiles)
        }
        if len(files) > 1
        else {}
    )
    others = {path for wish in parts.values() for path in wish.content.paths[1:]}
    for place, entry in enumerate(entries):
        path = files.get(place)
        if path is None or path not in others:
            yield parts.get(path, entry) if path else entry


def _bare_file(entry: Any) -> Path | None:
    """The file that an entry names by its path alone, of a kind that may be a part."""
    if not isinstance(entry, str | os.PathLike):
        return None
    path = Path(entry).expanduser()
    return path if suffix_of(path) in READABLE and path.is_file() else None


def _named(name: str, content: Any, folder: Path, progress: Progress) -> Iterator[TableWish]:
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
        yield from database_wishes(text, name)
        return
    path, cut = Path(content).expanduser(), cut_table(text, holds_tables)
    if cut and cut[1]:
        yield _inner_wish(*cut, name, folder, progress)
    elif path.is_dir() or is_pattern(text):
        yield named_wish(name, text, folder, progress)
    else:
        yield TableWish(table_name(name), need_file(path))


def _from_path(text: str, folder: Path, progress: Progress) -> Iterator[TableWish]:
    if is_database(text):
        yield from database_wishes(text)
        return
    name, rest = name_and_rest(text)
    if handle := graph_of(rest) or kept_frame(rest):
        yield TableWish(table_name(name or handle.stem), handle)
        return
    path, cut = Path(rest).expanduser(), cut_table(rest, holds_tables)
    if name:
        yield from _named(name, rest, folder, progress)
    elif cut and cut[1]:
        yield _inner_wish(*cut, "", folder, progress)
    elif path.is_dir():
        yield from folder_wishes(path, folder, progress)
    elif is_pattern(rest):
        yield from pattern_wishes(rest, folder, progress)
    else:
        yield TableWish(table_name(stem_of(path)), need_file(path))


def _inner_wish(path: Path, wanted: str, name: str, folder: Path, progress: Progress) -> TableWish:
    """One table of a file that may hold several, such as ``book.xlsx::Plots``.

    Raises:
        SourceError: If it has none of that name; names the nearest.
    """
    tables = {table.name: table for table in file_tables(path, folder, progress)}
    (inner,) = choose_tables(tables, [wanted], repr(str(path)), default="")
    plain = table_name(name or inner)
    note = "" if plain in (name, inner) else f"Called {inner!r} in its file."
    return TableWish(plain, tables[inner], note)


def name_and_rest(text: str) -> tuple[str, str]:
    """Cut ``name=path`` in two; without a name where there is such a file as a whole.

    A name has no separator of folders, so that ``lake/year=2020/*.parquet`` is a pattern.
    """
    name, equals, rest = text.partition("=")
    if not equals or not name.strip() or {"/", os.sep} & {*name}:
        return "", text
    try:
        whole = Path(text).expanduser().exists() or (is_pattern(text) and files_of_pattern(text))
    except OSError:  # longer than any file's name
        whole = False
    return ("", text) if whole else (name, rest)


def _spread(wish: TableWish, folder: Path, progress: Progress) -> Iterator[TableWish]:
    """The tables of a file that may hold several, else the wish itself."""
    path = wish.content
    if not isinstance(path, Path) or path.is_dir() or not holds_tables(path):
        yield wish
        return
    taken: set[str] = set()
    tables = file_tables(path, folder, progress)
    for table in tables:
        inner = table_name(table.name) if len(tables) > 1 else ""
        same = inner.casefold().startswith(wish.name.casefold())  # plots.xlsx, sheet "Plots 2020"
        stem = inner if same else f"{wish.name}_{inner}".rstrip("_")
        yield TableWish(
            free_name(stem, taken),
            table,
            " ".join(note for note in (wish.note, table.note) if note),
        )
