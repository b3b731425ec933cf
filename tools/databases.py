"""Databases: which inputs are one, which of their tables are meant, and what they may be called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.columns import nearest
from wideleaf.tools.errors import SourceError
from wideleaf.tools.fingerprint import salted
from wideleaf.tools.parts import Part

DATABASE_FILES = (".sqlite", ".sqlite3", ".duckdb", ".ddb", ".db")
"""Suffixes of files that are databases if their first bytes say so."""
SERVERS = ("postgresql", "postgres", "mysql", "mariadb")
MOST_TABLES = 500
TABLES_NAMED = 8
CHOOSES = "::"
"""Between a database file and one of its tables: ``farm.sqlite::plots``."""
_URL = re.compile(r"^([A-Za-z][A-Za-z0-9]*)(?:\+\w+)?://")
_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"


class Named(NamedTuple):
    """A table of a database, its plain name, and whether it was asked for by it."""

    name: str
    part: Part
    asked: bool = False


def is_database(text: str) -> bool:
    """Whether a text names a database or a table of one: a URL, a file, a Spark table."""
    if is_url(text) or text.startswith(("spark:", "spark-frame:")):
        return True
    return file_and_table(text) is not None


def is_url(text: str) -> bool:
    """Whether a text is a URL of any kind."""
    return _URL.match(text) is not None


def file_and_table(text: str) -> tuple[Path, str] | None:
    """Cut ``path::table`` where the path is a database file; the table may be empty."""
    path = Path(text).expanduser()
    if path.is_file():
        return (path, "") if _magic(path) else None
    place = text.find(CHOOSES)
    while place > 0:
        path = Path(text[:place]).expanduser()
        if path.is_file() and _magic(path):
            return path, text[place + len(CHOOSES) :]
        place = text.find(CHOOSES, place + 1)
    return None


def database_tables(text: str) -> list[Named]:
    """The tables that a text stands for, in the order of their names.

    Args:
        text: A database file, ``path::table``, a server's URL, or ``spark:`` and a table.

    Raises:
        SourceError: If it is no database that can be read, holds no table, has no such table or
            too many; never says a password.
    """
    if text.startswith(("spark:", "spark-frame:")):
        from wideleaf.tools.spark_source import spark_tables

        return spark_tables(text)
    if is_url(text):
        return _by_url(text)
    found = file_and_table(text)
    if found is None:
        raise SourceError(f"{text!r} is no database that can be read")
    return _of_file(*found)


def without_password(text: str) -> str:
    """An input as it may be shown: a URL without password, parameters and what follows."""
    before, equals, after = text.partition("=")
    if equals and not is_url(text) and is_url(after):
        return f"{before}={without_password(after)}"
    match = _URL.match(text)
    if match is None or match[1].lower() in ("sqlite", "duckdb"):
        return text
    # A password that was not percent-encoded may hold any of these signs.
    user, at, rest = text[match.end() :].rpartition("@")
    place = re.split(r"[?#]", rest)[0]
    return f"{match[0]}{user.partition(':')[0]}{at}{place}"


def database_id(origin: str) -> str:
    """What tells a database from others, without saying where it is."""
    return salted("", "database", origin)


def chosen(
    tables: Mapping[str, Any], wanted: Sequence[str], origin: str, default: str
) -> list[str]:
    """The tables that are wanted, as the database spells them.

    Args:
        tables: All of them, ``schema.table``, those of the default schema as ``table``.
        wanted: What the user asked for; all of the default schema if empty.
        origin: What the database is called in messages.
        default: The default schema.

    Raises:
        SourceError: If there is none, too many, or not the one that is wanted.
    """
    if not wanted:
        if not tables:
            raise SourceError(f"{origin} holds no table")
        if len(tables) > MOST_TABLES:
            raise SourceError(
                f"{origin} holds {len(tables)} tables, more than {MOST_TABLES}; name those that "
                "the question is about"
            )
        return list(tables)
    folded = {name.casefold(): name for name in reversed(list(tables))}
    made = []
    for want in wanted:
        bare = want.removeprefix(f"{default}.") if default else want
        name = next((n for n in (want, bare) if n in tables), None)
        name = name or folded.get(want.casefold()) or folded.get(bare.casefold())
        if name is None:
            near = ", ".join(map(repr, nearest(want, list(tables), limit=TABLES_NAMED)))
            hint = f"; the nearest of {len(tables)} are {near}" if near else ""
            raise SourceError(f"{origin} has no table {want!r}{hint}")
        made.append(name)
    return list(dict.fromkeys(made))


def quoted(name: str) -> str:
    """A name as it stands in a query, whatever signs it has."""
    return '"' + name.replace('"', '""') + '"'


def _by_url(text: str) -> list[Named]:
    match = _URL.match(text)
    assert match is not None
    kind = match[1].lower()
    if kind in SERVERS:
        from wideleaf.tools.server_source import server_tables

        return server_tables(text)
    if kind in ("sqlite", "duckdb"):  # as SQLAlchemy spells a file
        found = file_and_table(text[match.end() :].removeprefix("/"))
        if found is None:
            raise SourceError(f"{text!r} is no database file; give its path, as in farm.{kind}")
        return _of_file(*found)
    raise SourceError(
        f"a {kind} URL cannot be read; a server is one of {', '.join(SERVERS)}, as in "
        "postgresql://user@host/database"
    )


def _of_file(path: Path, table: str) -> list[Named]:
    wanted = [table] if table else []
    if _magic(path) == "sqlite":
        from wideleaf.tools.sqlite_source import sqlite_tables

        return sqlite_tables(path, wanted)
    from wideleaf.tools.duckdb_source import duckdb_tables

    return duckdb_tables(path, wanted)


def _magic(path: Path) -> str:
    """Which database a file is by its first bytes; empty if none."""
    try:
        with path.open("rb") as file:
            head = file.read(20)
    except OSError:
        return ""
    if head.startswith(_SQLITE_MAGIC):
        return "sqlite"
    if head[8:12] == _DUCKDB_MAGIC and head[14:20] == bytes(6):  # of the version's number
        return "duckdb"
    return ""
