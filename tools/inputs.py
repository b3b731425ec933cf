"""Inputs: what the user handed in, spread out into the tables it stands for."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.columns import nearest
from wideleaf.tools.errors import SourceError
from wideleaf.tools.normalise import READABLE

FILES_NAMED = 5
_LABEL = re.compile(r"[Tt]\d+")


class Wish(NamedTuple):
    """One table to read: its name, what to read and a note on how it came in."""

    name: str
    content: Any
    note: str = ""

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        if isinstance(self.content, Path):
            return str(self.content)
        kind = type(self.content)
        return f"{kind.__module__.partition('.')[0]} {kind.__name__}"


def list_wishes(inputs: Any) -> list[Wish]:
    """Spread out paths, folders, frames and mappings into single tables, each with a name.

    Raises:
        SourceError: If a file is missing, unreadable or of an unknown type, a folder holds no
            table, two tables have one name, or nothing was handed in.
    """
    wishes = list(_wishes(inputs))
    if not wishes:
        raise SourceError("no table was handed in; give a path, a frame or a mapping of them")
    seen: dict[str, Wish] = {}
    for wish in wishes:
        other = seen.setdefault(wish.name.casefold(), wish)
        if other is not wish:
            raise SourceError(
                f"two tables are called {wish.name!r}: {other.origin} and {wish.origin}; name "
                f"one of them, as in other_name={wish.origin} or {{'other_name': ...}}"
            )
    return wishes


def _wishes(inputs: Any) -> Iterator[Wish]:
    frames = 0
    for entry in _listed(inputs):
        if isinstance(entry, Mapping):
            for name, content in entry.items():
                yield from _named(str(name), content)
        elif isinstance(entry, str | os.PathLike):
            yield from _from_path(os.fspath(entry))
        else:
            frames += 1
            yield Wish("table" if frames == 1 else f"table_{frames}", entry)


def _listed(inputs: Any) -> list[Any]:
    return list(inputs) if isinstance(inputs, list | tuple | set | Iterator) else [inputs]


def _named(name: str, content: Any) -> Iterator[Wish]:
    if not isinstance(content, str | os.PathLike):
        yield Wish(table_name(name), content)
        return
    path = Path(content).expanduser()
    if path.is_dir():
        raise SourceError(
            f"{name!r} is to be {str(path)!r}, a folder; one name needs one file, a folder alone "
            "gives each of its files the file's name"
        )
    yield Wish(table_name(name), _file(path))


def _from_path(text: str) -> Iterator[Wish]:
    name, equals, rest = text.partition("=")
    path = Path(text).expanduser()
    if equals and name.strip() and not path.exists():
        yield from _named(name, rest)
    elif path.is_dir():
        yield from _from_folder(path)
    else:
        yield Wish(table_name(path.stem), _file(path))


def _from_folder(folder: Path) -> Iterator[Wish]:
    try:
        files = sorted(p for p in folder.iterdir() if p.is_file() and p.name[0] != ".")
    except PermissionError:
        raise SourceError(f"{str(folder)!r} may not be read; give yourself the right") from None
    tables = [path for path in files if path.suffix.lower() in READABLE]
    others = [path.name for path in files if path not in tables]
    if not tables:
        raise SourceError(
            f"folder {str(folder)!r} holds no table ({len(others)} other files); a table is one of "
            f"{', '.join(READABLE)}"
        )
    more = f" and {len(others) - FILES_NAMED} more" if len(others) > FILES_NAMED else ""
    note = f"Other files of the folder were left aside: {', '.join(others[:FILES_NAMED])}{more}."
    for path in tables:
        yield Wish(table_name(path.stem), _file(path), note if others else "")


def _file(path: Path) -> Path:
    """A file that exists, may be read and is of a known type."""
    if not path.exists():
        near = nearest(path.name, _neighbours(path), limit=1)
        hint = f"; its folder has {near[0]!r}" if near else ""
        raise SourceError(f"no file {str(path)!r}{hint}; the path is taken from {os.getcwd()!r}")
    if path.suffix.lower() not in READABLE:
        raise SourceError(
            f"{str(path)!r} is of unknown type {path.suffix!r}; a table is one of "
            f"{', '.join(READABLE)}"
        )
    if not os.access(path, os.R_OK):
        raise SourceError(f"{str(path)!r} may not be read; give yourself the right to read it")
    return path


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
