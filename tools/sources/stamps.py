"""Stamps: whether files were written since they were read, told without reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.naming import redact_url
from wideleaf.tools.sources.spec import SourceSpec, files_of_pattern, parse_source

JOURNALS = ("-wal", ".wal")
"""What SQLite and DuckDB add to a file's name for what is not yet written into it."""
MAX_FILES = 10_000
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
        inputs: As `spec.parse_source` reads them. Of tables of servers, those that are asked where
            they stand have one; of lakes all.
    """
    return tuple(stamp for text in inputs for stamp in _stamps(parse_source(text)))


def _stamps(spec: SourceSpec) -> Iterator[Stamp]:
    path = spec.path
    if spec.kind == "server":
        from wideleaf.tools.sources.databases.held_servers import state_now

        state = int(derive_fingerprint("", state_now(spec.text))[:15], 16)
        yield Stamp(redact_url(spec.text), place=state)
    elif spec.kind == "lake":
        from wideleaf.tools.sources.lakes import find_lake

        yield Stamp(spec.text, place=int(find_lake(spec.text).state[:15], 16))
    elif spec.kind == "pattern":
        yield from map(_stamp, files_of_pattern(spec.text)[:MAX_FILES])
    elif spec.kind == "folder":
        inner = sorted(one for one in path.rglob("*") if one.is_file())
        yield from map(_stamp, inner[:MAX_FILES])
    elif spec.kind in ("file", "graph", "sqlite", "duckdb"):
        yield _stamp(path)
        if spec.kind in ("sqlite", "duckdb"):
            yield from (_stamp(path.with_name(path.name + journal)) for journal in JOURNALS)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return Stamp(str(path))
    return Stamp(str(path), status.st_mtime_ns, status.st_size, status.st_ino)
