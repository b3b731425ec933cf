"""Wishes: what is to be read, one table each, under the name that it is to have."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.databases import DATABASE_FILES, database_tables
from wideleaf.tools.sources.file_kinds import READABLE, READABLE_TEXT, stem_of, suffix_of
from wideleaf.tools.sources.naming import without_password
from wideleaf.tools.sources.parts import TableHandle

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


def table_name(text: str) -> str:
    """Clean a table's name to letters, digits and underscores, not starting with a digit.

    Labels such as T1 are left to intermediate frames: a table T1 is called table_T1.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    if not name:
        return "table"
    return f"table_{name}" if name[0].isdigit() or _LABEL.fullmatch(name) else name


def free_name(stem: str, taken: set[str]) -> str:
    """A name with the first number that makes it free; it is taken from then on."""
    name, number = stem, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name.casefold())
    return name


def database_wishes(text: str, given: str = "") -> Iterator[TableWish]:
    """The tables of a database; a name given to several of them is put before each."""
    tables = database_tables(text)
    taken: set[str] = set()
    for table in tables:
        names = [given] if given and len(tables) == 1 else [given, table.name]
        name = free_name(table_name(" ".join(part for part in names if part)), taken)
        note = "" if name == table.name else f"Called {table.name!r} in its database."
        yield TableWish(name, table.part, note, "" if table.asked else without_password(text))


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
