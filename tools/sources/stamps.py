"""Stamps: whether files were written since they were read, told without reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from wideleaf.tools.sources.databases.databases import cut_table, file_and_table
from wideleaf.tools.sources.fingerprint import salt
from wideleaf.tools.sources.folders import files_of_pattern, is_pattern
from wideleaf.tools.sources.inputs import name_and_rest
from wideleaf.tools.sources.naming import is_url, without_password
from wideleaf.tools.sources.normalise import holds_tables
from wideleaf.tools.tables.relations import GRAPH

JOURNALS = ("-wal", ".wal")
"""What SQLite and DuckDB add to a file's name for what is not yet written into it."""
MOST_FILES = 10_000
"""Files of a folder that are looked at."""


class Stamp(NamedTuple):
    """What a file's system says of it; another one after each write.

    Attributes:
        path: Where it is.
        moment: When it was written, in nanoseconds; 0 if it is not there.
        size: In bytes.
        place: Its number in the file system, which a file put in its place does not share.
    """

    path: str
    moment: int = 0
    size: int = 0
    place: int = 0


def stamps_of(inputs: Iterable[str]) -> tuple[Stamp, ...]:
    """The stamps of all files that inputs name.

    Args:
        inputs: As `inputs.list_wishes` reads them. Of tables of servers, those that are asked
            where they stand have one.
    """
    texts = [*inputs]
    servers = (_stamp_of_server(text) for text in texts if is_url(name_and_rest(text)[1]))
    return (*(_stamp(path) for text in texts for path in _files(text)), *servers)


def _stamp_of_server(text: str) -> Stamp:
    from wideleaf.tools.sources.databases.held_servers import state_now

    state = state_now(name_and_rest(text)[1])
    return Stamp(without_password(text), place=int(salt("", state)[:15], 16))


def _files(text: str) -> Iterator[Path]:
    text = name_and_rest(text)[1].removeprefix(GRAPH)
    path = Path(text).expanduser()
    if is_url(text):
        return
    elif is_pattern(text):
        yield from files_of_pattern(text)[:MOST_FILES]
    elif path.is_dir():
        inner = sorted(one for one in path.rglob("*") if one.is_file())
        yield from inner[:MOST_FILES]
    else:
        database = file_and_table(text)
        found = database or cut_table(text, holds_tables)
        path = found[0] if found else path
        yield path
        yield from (path.with_name(path.name + journal) for journal in JOURNALS if database)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return Stamp(str(path))
    return Stamp(str(path), status.st_mtime_ns, status.st_size, status.st_ino)
