"""Files in folders: those that are there, and one that should be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import READABLE, READABLE_TEXT, stem_of, suffix_of

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
