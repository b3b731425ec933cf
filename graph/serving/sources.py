"""Which tables and addresses a client may name: what lies in the owner's folders, or is listed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.naming import is_url
from wideleaf.tools.sources.spec import ATTACHED, CHOOSES, FRAME, SERVERS, is_attached, parse_source
from wideleaf.tools.tables.relations import GRAPH
from wideleaf.tools.tree.lineage import is_id

_NAMED = re.compile(r"(\w+)=(.+)", re.DOTALL)
_ADDRESS = re.compile(
    r"(?:https?|s3|gs|az)://([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?(/[\w~.-]+)*/?", re.A | re.I
)
PORTS = {"http": 80, "https": 443}


class Address(NamedTuple):
    """Where a web address leads."""

    scheme: str
    host: str
    port: int | None
    path: tuple[str, ...]


def source_within(
    text: str, own: Sequence[str], roots: Sequence[str], *, frames: bool = False
) -> str | None:
    """A source as it may be opened for a client.

    Args:
        text: What the client names: a source of the server by its name or as it is written there,
            else a path, absolute or from a root, or a database's URL; ``name=`` may stand before.
        own: The server's sources.
        roots: Folders, URLs of databases and of stores that clients may name; of a store a Parquet
            file below one.
        frames: Whether the folder is the client's own, so that its frames may be named, and the
            tables that came with its messages.

    Returns:
        The source, links and ``..`` resolved; None if it lies outside.
    """
    for entry in own:
        name, equals, _ = entry.partition("=")
        if text == entry or (equals and text == name):
            return entry
    match = _NAMED.fullmatch(text)
    prefix, place = (f"{match[1]}=", match[2]) if match else ("", text)
    if place.startswith(FRAME):
        return text if frames and is_id(place.removeprefix(FRAME)) else None
    if place.startswith(ATTACHED):
        return text if frames and is_attached(text) else None
    if place.startswith(GRAPH):
        prefix, place = prefix + GRAPH, place.removeprefix(GRAPH)
    if is_url(place):
        urls = [root for root in roots if is_url(root)]
        same = any(_is_database_of(place, root) for root in urls)
        # One file, which names no other: the log of a lake's table may lead anywhere.
        stored = place.endswith(".parquet") and address_within(place, urls)
        return prefix + place if same or stored else None
    file, chooses, table = place.partition(CHOOSES)
    path = path_within(file, roots)
    # What is left to cut must be a table's name: the path is not read a second way.
    if path is None or CHOOSES in table or CHOOSES in path:
        return None
    if parse_source(path).kind == "lake":  # what its log names may lie outside
        return None
    return f"{prefix}{path}{chooses}{table}"


def path_within(text: str, roots: Sequence[str]) -> str | None:
    """The real path of a file or folder that lies in one of these folders; None if none does.

    A folder from which a link leads out of it is not let through.
    """
    for root in roots:
        if is_url(root):
            continue
        try:
            home = Path(root).resolve(strict=True)
            path = (home / text).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            continue
        keeps = path.is_file() or path.is_dir()
        if keeps and all(one.is_relative_to(home) for one in (path, *_targets(path))):
            return str(path)
    return None


def _targets(folder: Path) -> Iterator[Path]:
    """Where the links in a folder lead, those of the folders that they lead to included."""
    places: set[str] = set()
    for base, folders, files in os.walk(folder, followlinks=True):
        if (real := os.path.realpath(base)) in places:
            folders.clear()
            continue
        places.add(real)
        for name in (*folders, *files):
            if os.path.islink(path := os.path.join(base, name)):
                yield Path(os.path.realpath(path))


def _is_database_of(text: str, root: str) -> bool:
    """Whether two URLs name one database; a client's has no parameters, which could name another.

    The URL is read by what will open it, so that no two readings of it can differ.
    """
    from wideleaf.tools.sources.databases.server import Server

    kinds = [url.partition("://")[0].partition("+")[0].lower() for url in (text, root)]
    if not {*kinds} <= {*SERVERS}:
        return False
    try:
        target, base = Server(text), Server(root)
    except SourceError:
        return False
    ends = [(one.kind, one.url.host, one.url.port, one.url.database) for one in (target, base)]
    return ends[0] == ends[1] and not target.url.query


def address_within(text: str, roots: Sequence[str]) -> bool:
    """Whether a web address is one of these or lies below one."""
    if text in roots:
        return True
    target = parse_address(text)
    return target is not None and any(
        base is not None and target[:3] == base[:3] and target.path[: len(base.path)] == base.path
        for base in map(parse_address, roots)
    )


def parse_address(text: str) -> Address | None:
    """Read a plain web address; None if it is none, or has a user, parameters or odd signs."""
    if not _ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    path = tuple(part for part in parts.path.split("/") if part)
    if {".", ".."} & {*path}:
        return None
    return Address(parts.scheme, parts.hostname or "", port, path)
