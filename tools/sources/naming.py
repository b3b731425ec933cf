"""Naming: what tables and parts of tables are called, and how an input may be shown."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.tables.columns import nearest_names

if TYPE_CHECKING:
    from wideleaf.tools.sources.source import TableHandle

MAX_TABLES = 500
TABLES_NAMED = 8
URL = re.compile(r"^([A-Za-z][A-Za-z0-9]*)(?:\+\w+)?://")
_LABEL = re.compile(r"[Tt]\d+")
_WITHOUT_USER = re.compile(r"[^/?#@:]*(?::\d+)?/[^?#@]*\?[\w-]+=")
"""A host and a database whose parameters follow, one of which may hold an @."""
_PASSWORD = re.compile(r"[?&](?:password|passwd|pwd)=", re.I)
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others write in a folder's name for null."""
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}"
_COUNTED = re.compile(rf"{_UUID}|\d+", re.IGNORECASE)
_KEY = re.compile(r"([^=]+)=([^=]*)")
_SEPARATORS = " -_.,()[]#"
_PIECE = re.compile(r"[-_. ](?:part|chunk|shard|split|batch|block|file|no|nr)$", re.IGNORECASE)

# part-00000-<uuid>.snappy.parquet, part.0.parquet, data_0.parquet, 0001.parquet,
# train-00000-of-00003.parquet; but not sales_2020.parquet, where the name says what is in it.
_PART = re.compile(
    r"(?:part|chunk|shard|split|batch|block|rows?)[-_. ]?\d.*"
    r"|(?:(?:file|data)[-_. ]?)?(?:\d{1,3}|0\d+)"
    rf"|(?:{_UUID})(?:\W.*)?"
    r"|.*[-_.]\d+[-_]of[-_]\d+.*",
    re.IGNORECASE,
)


class TableName(NamedTuple):
    """A table of a database, its plain name, and whether it was asked for by it."""

    name: str
    part: TableHandle
    asked: bool = False


def table_name(text: str) -> str:
    """Clean a table's name to letters, digits and underscores, not starting with a digit.

    Labels such as T1 are left to intermediate frames: a table T1 is called table_T1.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    if not name:
        return "table"
    return f"table_{name}" if name[0].isdigit() or _LABEL.fullmatch(name) else name


def free_name(stem: str, names: set[str]) -> str:
    """A name with the first number that makes it free; it is taken from then on."""
    name, number = stem, 1
    while name.casefold() in names:
        number += 1
        name = f"{stem}_{number}"
    names.add(name.casefold())
    return name


def is_url(text: str) -> bool:
    """Whether a text is a URL of any kind."""
    return URL.match(text) is not None


def redact_url(text: str) -> str:
    """An input as it may be shown: a URL without password, parameters and what follows."""
    before, equals, after = text.partition("=")
    if equals and not is_url(text) and is_url(after):
        return f"{before}={redact_url(after)}"
    match = URL.match(text)
    if match is None or match[1].lower() in ("sqlite", "duckdb"):
        return text
    user, at, rest = _split_user(text[match.end() :])
    place = re.split(r"[?#]", rest)[0]
    return f"{match[0]}{user.partition(':')[0]}{at}{place}"


def has_password(text: str) -> bool:
    """Whether an input is a URL with a password in it."""
    place = text if is_url(text) else text.partition("=")[2]
    match = URL.match(place)
    if match is None:
        return False
    user, _, rest = _split_user(place[match.end() :])
    return ":" in user or _PASSWORD.search(rest) is not None


def _split_user(text: str) -> tuple[str, str, str]:
    """User and password, the sign behind them, and the place with its parameters."""
    if _WITHOUT_USER.match(text):
        return "", "", text
    # A password that was not percent-encoded may hold any sign.
    return text.rpartition("@")


def database_id(origin: str) -> str:
    """What tells a database from others, without saying where it is."""
    return derive_fingerprint("", "database", origin)


def choose_tables(
    tables: Mapping[str, Any], requests: Sequence[str], origin: str, default: str
) -> list[str]:
    """The tables that are wanted, as the database spells them.

    Args:
        tables: All of them, ``schema.table``, those of the default schema as ``table``.
        requests: What the user asked for; all of the default schema if empty.
        origin: What the database is called in messages.
        default: The default schema.

    Raises:
        SourceError: If there is none, too many, or not the one that is wanted.
    """
    if not requests:
        if not tables:
            raise SourceError(f"{origin} holds no table")
        if len(tables) > MAX_TABLES:
            raise SourceError(
                f"{origin} holds {len(tables)} tables, more than {MAX_TABLES}; name those that "
                "the question is about"
            )
        return list(tables)
    folded = {name.casefold(): name for name in reversed(list(tables))}
    names = []
    for want in requests:
        bare = want.removeprefix(f"{default}.") if default else want
        name = next((n for n in (want, bare) if n in tables), None)
        name = name or folded.get(want.casefold()) or folded.get(bare.casefold())
        if name is None:
            near = ", ".join(map(repr, nearest_names(want, list(tables), limit=TABLES_NAMED)))
            hint = f"; the nearest of {len(tables)} are {near}" if near else ""
            raise SourceError(f"{origin} has no table {want!r}{hint}")
        names.append(name)
    return list(dict.fromkeys(names))


def is_part_name(stem: str) -> bool:
    """Whether a name says no more than that the file is a piece of something."""
    return _PART.fullmatch(stem) is not None


def name_pattern(path: Path) -> str:
    """What is the same in the places of all parts of a table: all but numbers and folders' values.

    So ``sales_01.csv`` and ``sales_02.csv`` may be parts of one table, ``orders.csv`` and
    ``returns.csv`` are not, whatever their headers.
    """
    folder = base_folder(path)
    keys = "/".join(f"{key}=" for key in partition_of(path))
    return f"{folder}/{keys}/{_COUNTED.sub('#', path.name)}"


def base_folder(path: Path) -> Path:
    """The folder of a file, above those that are named ``key=value``."""
    folder = path.parent
    while _KEY.fullmatch(folder.name):
        folder = folder.parent
    return folder


def partition_of(path: Path) -> dict[str, str | None]:
    """What the folders of a file say of all its rows, where they are named ``key=value``."""
    inner = path.parent.relative_to(base_folder(path)).parts
    pairs = [part.partition("=") for part in inner]
    return {unquote(k): None if v == NO_VALUE else unquote(v) for k, _, v in pairs}


def partitions_of(paths: Sequence[Path]) -> list[dict[str, str | None]]:
    """What `partition_of` says of each file; a key of whole numbers without zeros before them."""
    partitions = [partition_of(path) for path in paths]
    for key in partitions[0]:
        cells = [one.get(key) for one in partitions]
        if all(cell is None or cell.isdecimal() for cell in cells):
            for one, cell in zip(partitions, cells, strict=True):
                one[key] = None if cell is None else str(int(cell))
    return partitions


def common_name(paths: Sequence[Path]) -> str:
    """What parts are called together: their common beginning or end, else their folder.

    Of the two it is the one with more letters, so that ``q1 results`` and the like are no ``q``.
    """
    stems = [TableFile.of(path).stem for path in paths]
    if not all(map(is_part_name, stems)) and len({*stems}) > 1:
        mirrored = [stem[::-1] for stem in stems]
        ends = (_common_start(stems), _common_start(mirrored)[::-1])
        name = max((_PIECE.sub("", end.strip(_SEPARATORS)) for end in ends), key=_letters)
        if _letters(name):
            return name
    folders = [str(base_folder(path).absolute()) for path in paths]
    return Path(os.path.commonpath(folders)).name


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def shared_start(texts: Sequence[str]) -> str:
    """The signs that all texts begin with."""
    same = takewhile(lambda signs: len({*signs}) == 1, zip(*texts, strict=False))
    return "".join(signs[0] for signs in same)


def _common_start(stems: Sequence[str]) -> str:
    """The common beginning, without a number that goes on differently."""
    start = shared_start(stems)
    goes_on = any(stem[len(start) : len(start) + 1].isdigit() for stem in stems)
    return start.rstrip("0123456789") if goes_on else start
