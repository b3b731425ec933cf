"""Databases: which inputs are one, which of their tables are meant, and what they may be called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.naming import URL, TableName, is_url

DATABASE_FILES = (".sqlite", ".sqlite3", ".duckdb", ".ddb", ".db")
"""Suffixes of files that are databases if their first bytes say so."""
SERVERS = ("postgresql", "postgres", "mysql", "mariadb")
CHOOSES = "::"
"""Between a file and one of its tables: ``farm.sqlite::plots``, ``book.xlsx::Plots``."""
_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"


def is_database(text: str) -> bool:
    """Whether a text names a database or a table of one: a URL, a file, a Spark table."""
    if is_url(text) or text.startswith(("spark:", "spark-frame:")):
        return True
    return file_and_table(text) is not None


def file_and_table(text: str) -> tuple[Path, str] | None:
    """Cut ``path::table`` where the path is a database file; the table may be empty."""
    return cut_table(text, lambda path: bool(_magic(path)))


def cut_table(text: str, holds: Callable[[Path], bool]) -> tuple[Path, str] | None:
    """Cut ``path::table`` where the path is a file that holds tables; the table may be empty."""
    path = Path(text).expanduser()
    if path.is_file():
        return (path, "") if holds(path) else None
    place = text.find(CHOOSES)
    while place > 0:
        path = Path(text[:place]).expanduser()
        if path.is_file() and holds(path):
            return path, text[place + len(CHOOSES) :]
        place = text.find(CHOOSES, place + 1)
    return None


def database_tables(text: str) -> list[TableName]:
    """The tables that a text stands for, in the order of their names.

    Args:
        text: A database file, ``path::table``, a server's URL, or ``spark:`` and a table.

    Raises:
        SourceError: If it is no database that can be read, holds no table, has no such table or
            too many; never says a password.
    """
    if text.startswith(("spark:", "spark-frame:")):
        from wideleaf.tools.sources.databases.spark_tables import spark_tables

        return spark_tables(text)
    if is_url(text):
        return _by_url(text)
    found = file_and_table(text)
    if found is None:
        raise SourceError(f"{text!r} is no database that can be read")
    return _of_file(*found)


def _by_url(text: str) -> list[TableName]:
    match = URL.match(text)
    assert match is not None
    kind = match[1].lower()
    if kind in SERVERS:
        from wideleaf.tools.sources.databases.server_tables import server_tables

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


def _of_file(path: Path, table: str) -> list[TableName]:
    wanted = [table] if table else []
    if _magic(path) == "sqlite":
        from wideleaf.tools.sources.databases.sqlite_tables import sqlite_tables

        return sqlite_tables(path, wanted)
    from wideleaf.tools.sources.databases.duckdb_tables import duckdb_tables

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
