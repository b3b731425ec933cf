"""Folders and patterns as sources: the files in them, parts of one table together."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.databases import is_database
from wideleaf.tools.sources.file_kinds import READABLE, READABLE_TEXT, stem_of, suffix_of
from wideleaf.tools.sources.files.parquet_files import parts_of
from wideleaf.tools.sources.part_files import PartFiles
from wideleaf.tools.sources.part_groups import group_files, one_table
from wideleaf.tools.sources.part_names import common_name
from wideleaf.tools.sources.parts import Progress
from wideleaf.tools.sources.wishes import (
    TableWish,
    database_wishes,
    free_name,
    need_file,
    table_name,
)

FILES_NAMED = 5


def is_pattern(text: str) -> bool:
    """Whether a text is a pattern such as ``folder/*.csv``, and no file has that very name."""
    return glob.has_magic(text) and not Path(text).expanduser().exists()


def files_of_pattern(text: str) -> list[Path]:
    """The files that a pattern finds, in the order of their names; ``**`` stands for folders."""
    found = map(Path, glob.glob(str(Path(text).expanduser()), recursive=True))
    return sorted(path for path in found if path.is_file() and path.name[0] not in "._")


def pattern_wishes(text: str, folder: Path, progress: Progress) -> Iterator[TableWish]:
    """The tables of the files that a pattern finds.

    Raises:
        SourceError: If it finds none.
    """
    found = files_of_pattern(text)
    if not any(suffix_of(path) in READABLE or is_database(str(path)) for path in found):
        what = f"finds {len(found)} files, and no table" if found else "finds no file"
        raise SourceError(
            f"the pattern {text!r} {what}; it is taken from {os.getcwd()!r}, and a table is one of "
            f"{READABLE_TEXT}"
        )
    yield from file_wishes(found, folder, progress)


def named_wish(name: str, text: str, folder: Path, progress: Progress) -> TableWish:
    """A folder or pattern that was given one name, as one table.

    Raises:
        SourceError: If its files are not of one kind and one header.
    """
    path = Path(text).expanduser()
    inner = sorted(path.iterdir()) if path.is_dir() else files_of_pattern(text)
    if path.is_dir() and (parts := parts_of(path, named=True)):
        return TableWish(table_name(name), path, _of_parts(parts))
    files = [one for one in _all_files(inner) if suffix_of(one) in READABLE]
    if len(files) == 1:
        return TableWish(table_name(name), need_file(files[0]))
    if not files:
        raise SourceError(
            f"{name!r} is to be {text!r}, which holds no table; one name needs one file, or files "
            "of one header"
        )
    return TableWish(table_name(name), one_table(files, name, folder, progress))


def folder_wishes(place: Path, folder: Path, progress: Progress) -> Iterator[TableWish]:
    """The tables of a folder: its files, the folders of parts in it, or itself in parts.

    Args:
        place: The folder.
        folder: Where tables are kept that are read out of files.
        progress: Told before something slow.

    Raises:
        SourceError: If it holds no table, or may not be read.
    """
    try:
        if parts := parts_of(place):
            yield TableWish(table_name(stem_of(place)), place, _of_parts(parts))
            return
        inner = sorted(p for p in place.iterdir() if p.name[0] != ".")
    except PermissionError:
        raise SourceError(f"{str(place)!r} may not be read; give yourself the right") from None
    for path in inner:  # as Spark writes tables side by side
        if path.is_dir() and suffix_of(path) in READABLE and (parts := parts_of(path)):
            yield TableWish(table_name(stem_of(path)), path, _of_parts(parts))
    files = _all_files(inner)
    tables = [p for p in files if suffix_of(p) in READABLE or is_database(str(p))]
    others = [path.name for path in files if path not in tables]
    if not tables and not any(path.is_dir() and suffix_of(path) in READABLE for path in inner):
        raise SourceError(
            f"folder {str(place)!r} holds no table ({len(others)} other files); a table is one of "
            f"{READABLE_TEXT}"
        )
    more = f" and {len(others) - FILES_NAMED} more" if len(others) > FILES_NAMED else ""
    note = f"Other files of the folder were left aside: {', '.join(others[:FILES_NAMED])}{more}."
    yield from file_wishes(tables, folder, progress, note if others else "")


def file_wishes(
    paths: Sequence[Path], folder: Path, progress: Progress, note: str = ""
) -> Iterator[TableWish]:
    """Files as tables, each under its own name, parts of one table under their common one."""
    groups = group_files(paths, folder, progress)
    taken = {table_name(stem_of(one)).casefold() for one in groups if isinstance(one, Path)}
    for one in groups:
        if isinstance(one, PartFiles):
            yield TableWish(free_name(table_name(common_name(one.paths)), taken), one, note)
        elif is_database(str(one)):
            yield from database_wishes(str(one))
        else:
            yield TableWish(table_name(stem_of(one)), need_file(one), note)


def _all_files(inner: Sequence[Path]) -> list[Path]:
    """The files among what stands in a folder, or all below it if it is kept by ``key=value``."""
    shown = [path for path in inner if path.name[0] not in "._"]
    if shown and all(path.is_dir() and "=" in path.name for path in shown):
        below = (one for path in shown for one in path.rglob("*"))
        return sorted(one for one in below if one.is_file() and one.name[0] not in "._")
    return [path for path in inner if path.is_file()]


def _of_parts(parts: list[Path]) -> str:
    return f"Read the folder's {len(parts)} Parquet files as one table."
