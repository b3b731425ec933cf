"""Specs of sources: what was handed in, read once into its kind, its place and its name.

Nothing that a message says becomes a path: a table that came with one is called by a hash of its
content, ``trials=attached:ID.csv``, in its run's folder.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.naming import URL, has_password, redact_url
from wideleaf.tools.tables.relations import GRAPH
from wideleaf.tools.tree.lineage import ID_BYTES

SourceKind = Literal[
    "file",
    "folder",
    "pattern",
    "sqlite",
    "duckdb",
    "server",
    "lake",
    "spark",
    "graph",
    "frame",
    "data",
]
SERVERS = ("postgresql", "postgres", "mysql", "mariadb")
STORES = ("s3", "gs", "az", "abfs", "abfss", "https", "http")
DELTA_LOG, METADATA, METADATA_END = "_delta_log", "metadata", ".metadata.json"
"""What a Delta table's folder holds, and an Iceberg table's."""
ICEBERG = "iceberg:"
"""How a table of an Iceberg catalog begins."""
CHOOSES = "::"
"""Between a file and one of its tables: ``farm.sqlite::plots``, ``book.xlsx::Plots``."""
FRAME = "frame:"
"""How a source begins that is the id of a frame."""
SPARK = ("spark:", "spark-frame:")
"""How a table of Spark begins, and a data frame that this process knows."""
PREFIXES: dict[str, SourceKind] = {FRAME: "frame", **dict.fromkeys(SPARK, "spark")}
ATTACHED = "attached:"
"""How a table begins that came with a message."""
FOLDER = "attachments"
_ATTACHED = re.compile(
    rf"(?:(?P<name>\w+)=)?{ATTACHED}(?P<file>[0-9a-f]{{{2 * ID_BYTES}}}\.[a-z]{{2,8}})"
)
_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"


class SourceSpec(BaseModel, frozen=True):
    """One thing that was handed in; it may stand for several tables.

    Attributes:
        kind: What it is; a file is not looked for, data is whatever is no text.
        name: What the user calls it; empty if nothing.
        text: It as it was written, without the name.
        path: Of what lies on disk.
        table: The one table of it that is meant; empty for all.
        data: A frame or the like.
    """

    kind: SourceKind
    name: str = ""
    text: str = ""
    path: Path = Path()
    table: str = ""
    data: Any = Field(default=None, exclude=True, repr=False)

    @cached_property
    def file(self) -> TableFile:
        """What its path says of a file."""
        return TableFile.of(self.path)


def parse_sources(inputs: Any) -> Iterator[SourceSpec]:
    """Read whatever the user handed in: one thing, several, or a mapping from names to them.

    Raises:
        SourceError: If a URL is of no database that can be read.
    """
    several = isinstance(inputs, list | tuple | set | Iterator)
    for entry in list(inputs) if several else [inputs]:
        if isinstance(entry, Mapping):
            yield from (parse_source(content, str(name)) for name, content in entry.items())
        else:
            yield parse_source(entry)


def parse_source(content: Any, name: str = "") -> SourceSpec:
    """Read one thing that was handed in.

    Args:
        content: A text such as ``name=path``, ``path::table``, a pattern or a URL, a path, or data.
        name: What the user calls it; then a text has no name before it.

    Raises:
        SourceError: If it is a URL of no database that can be read.
    """
    if isinstance(content, SourceSpec):
        return content
    if not isinstance(content, str | os.PathLike):
        return SourceSpec(kind="data", name=name, data=content)
    text = os.fspath(content)
    if not name:
        name, text = _cut_name(text)
    if kind := next((kind for start, kind in PREFIXES.items() if text.startswith(start)), None):
        return SourceSpec(kind=kind, name=name, text=text)
    if URL.match(text):
        return _of_url(text, name)
    if text.startswith(ICEBERG):
        return SourceSpec(kind="lake", name=name, text=text)
    return _of_path(text, name)


def is_pattern(text: str) -> bool:
    """Whether a text is a pattern such as ``folder/*.csv``, and no file has that very name."""
    return glob.has_magic(text) and not Path(text).expanduser().exists()


def files_of_pattern(text: str) -> list[Path]:
    """The files that a pattern finds, in the order of their names; ``**`` stands for folders."""
    paths = map(Path, glob.glob(str(Path(text).expanduser()), recursive=True))
    return sorted(path for path in paths if path.is_file() and path.name[0] not in "._")


def is_attached(source: str) -> bool:
    """Whether a source is a table that came with a message, in its one form."""
    return _ATTACHED.fullmatch(source) is not None


def open_attached(sources: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The sources with the paths of those that came with a message.

    Args:
        sources: As the state of a thread has them.
        folder: Of the run.

    Raises:
        SourceError: If one is not kept in that folder.
    """
    return tuple(_opened(one, folder) if ATTACHED in one else one for one in sources)


def _opened(source: str, folder: Path) -> str:
    match = _ATTACHED.fullmatch(source)
    if match is None:
        return source
    path, name = folder / FOLDER / match["file"], match["name"] or "table"
    if not path.is_file():
        raise SourceError(f"the attached table {name!r} is no longer kept here; attach it again")
    return f"{name}={path}"


def _of_path(text: str, name: str) -> SourceSpec:
    path, table = _cut_table(
        text, lambda path: bool(_database_of(path)) or TableFile.of(path).holds_tables
    )
    spec = SourceSpec(kind="file", name=name, text=text, path=path, table=table)
    if database := _database_of(path):
        change: dict[str, Any] = {"kind": database}
    elif text.startswith(GRAPH) or spec.file.rdf_suffix:
        change = {"kind": "graph", "path": Path(text.removeprefix(GRAPH)).expanduser()}
    elif _is_lake(path):
        change = {"kind": "lake", "text": str(path)}
    elif path.is_dir():
        change = {"kind": "folder"}
    elif is_pattern(text):
        change = {"kind": "pattern"}
    else:
        return spec
    return spec.model_copy(update=change)


def _of_url(text: str, name: str) -> SourceSpec:
    match = URL.match(text)
    assert match is not None
    scheme = match[1].lower()
    if scheme in SERVERS:
        return SourceSpec(kind="server", name=name, text=text)
    if scheme in STORES:
        user = "@" in text[match.end() :].partition("/")[0] and not scheme.startswith("abfs")
        if user or has_password(text) or {"?", "#"} & {*text}:
            bare = redact_url(text).partition("://")[2].rpartition("@")[2]
            raise SourceError(
                f"{scheme}://{bare} was given with a user, a key or parameters, which would "
                "be kept; leave them out, for credentials are read from the environment"
            )
        return SourceSpec(kind="lake", name=name, text=text)
    if scheme not in ("sqlite", "duckdb"):
        raise SourceError(
            f"a {scheme} URL cannot be read; a server is one of {', '.join(SERVERS)}, as in "
            f"postgresql://user@host/database, and a store one of {', '.join(STORES)}"
        )
    place = text[match.end() :].removeprefix("/")  # as SQLAlchemy spells a file
    path, table = _cut_table(place, lambda path: bool(_database_of(path)))
    kind = _database_of(path)
    if kind is None:
        raise SourceError(f"{text!r} is no database file; give its path, as in farm.{scheme}")
    return SourceSpec(kind=kind, name=name, text=text, path=path, table=table)


def _cut_name(text: str) -> tuple[str, str]:
    """Cut ``name=path`` in two; without a name where there is such a file as a whole.

    A name has no separator of folders, so that ``lake/year=2020/*.parquet`` is a pattern.
    """
    name, equals, rest = text.partition("=")
    if not equals or not name.strip() or {"/", os.sep} & {*name} or text.startswith(SPARK):
        return "", text
    try:
        whole = Path(text).expanduser().exists() or (is_pattern(text) and files_of_pattern(text))
    except OSError:  # longer than any file's name
        whole = False
    return ("", text) if whole or _cut_table(text, _is_file)[1] else (name, rest)


def _cut_table(text: str, holds: Callable[[Path], bool]) -> tuple[Path, str]:
    """Cut ``path::table`` where the path is a file that holds tables; the table may be empty."""
    whole = Path(text).expanduser()
    place = -1 if _is_file(whole) else text.find(CHOOSES)
    while place > 0:
        path = Path(text[:place]).expanduser()
        if _is_file(path) and holds(path):
            return path, text[place + len(CHOOSES) :]
        place = text.find(CHOOSES, place + 1)
    return whole, ""


def _is_lake(path: Path) -> bool:
    """Whether a path is a table of a lake: a folder with its log, or its metadata file."""
    if path.is_dir():
        metadata = path / METADATA
        return (path / DELTA_LOG).is_dir() or any(metadata.glob(f"*{METADATA_END}"))
    return path.parent.name == METADATA and path.name.endswith(METADATA_END) and _is_file(path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # longer than any file's name
        return False


def _database_of(path: Path) -> Literal["sqlite", "duckdb"] | None:
    """Which database a file is by its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(20)
    except (OSError, ValueError):
        return None
    if head.startswith(_SQLITE_MAGIC):
        return "sqlite"
    if head[8:12] == _DUCKDB_MAGIC and head[14:20] == bytes(6):  # of the version's number
        return "duckdb"
    return None
