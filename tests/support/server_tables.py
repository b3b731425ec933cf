"""Frames as tables of PostgreSQL, MariaDB or SQLite, opened where they stand."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import narwhals as nw
import polars as pl
import polars.selectors as cs

from wideleaf.tools.sources.databases.database_tables import (
    DatabaseTable,
    server_tables,
    sqlite_tables,
)
from wideleaf.tools.tables.table import Table

TYPES = {"number": "double precision", "boolean": "boolean", "date": "date", "text": "text"}
MOMENTS = {
    "postgresql": ("timestamp", "timestamptz"),
    "mysql": ("datetime(6)", "timestamp(6)"),
    "sqlite": ("datetime", "datetime"),
}
"""Types of dates and times without a zone, and with one."""


class ServerFrames:
    """The tables of a database, one for each frame that was asked for.

    Args:
        url: Of an empty database, by an account that may make tables.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.names: dict[int, str] = {}
        self.opened: dict[str, DatabaseTable] = {}
        self.queries: dict[str, nw.LazyFrame[Any]] = {}
        self.frames: list[pl.DataFrame] = []

    def add(self, frames: list[pl.DataFrame]) -> None:
        """Write frames as tables and open all, so that they are of one state."""
        with owner_of(self.url) as owner:
            for frame in frames:
                if id(frame) not in self.names:
                    self.names[id(frame)] = f"table_{len(self.names)}"
                    self.frames.append(frame)  # its id stays its own
                    _write(owner, self.url, self.names[id(frame)], frame)
        path = path_of(self.url)
        found = sqlite_tables(path, ()) if path else server_tables(self.url)
        self.opened = {one.name: one.part for one in found}  # type: ignore[misc]
        self.queries = {}

    def table(self, frame: pl.DataFrame, relations: Any = ()) -> Table:
        """A frame that was added, as a query of the database."""
        name = self.names[id(frame)]
        if name not in self.queries:
            self.queries[name] = self.opened[name].open(())
        return Table(self.queries[name], relations=relations)

    def close(self) -> None:
        """End what was read, so that the tables can be others."""
        for part in self.opened.values():
            part.backend.close()


def path_of(url: str) -> Path | None:
    """The file of a URL of SQLite."""
    return Path(urlsplit(url).path) if url.startswith("sqlite:") else None


@contextmanager
def owner_of(url: str) -> Iterator[Any]:
    """A connection of the driver's own, each statement a transaction."""
    if path := path_of(url):
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            yield file
        return
    place = urlsplit(url)
    given: dict[str, Any] = {"host": place.hostname, "port": place.port, "user": place.username}
    given |= {"password": unquote(place.password or ""), "autocommit": True}
    if place.scheme == "postgresql":
        import psycopg

        connection: Any = psycopg.connect(**given, dbname=place.path[1:])
    else:
        import pymysql

        connection = pymysql.connect(
            **given, database=place.path[1:], init_command="SET time_zone = '+00:00'"
        )
    with closing(connection):
        yield connection


def _write(owner: Any, url: str, name: str, frame: pl.DataFrame) -> None:
    kind = urlsplit(url).scheme
    mark = "`" if kind == "mysql" else '"'
    blank = "?" if kind == "sqlite" else "%s"
    kinds = Table(nw.from_native(frame.lazy()))

    def quoted(text: str) -> str:
        return mark + text.replace(mark, 2 * mark).replace("%", "%%") + mark

    columns = [f"{quoted(column)} {_type(kind, kinds, column)}" for column in frame.columns]
    cursor = owner.cursor()
    cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}".replace("%%", "%"))
    cursor.execute(f"CREATE TABLE {quoted(name)} ({', '.join(columns)})".replace("%%", "%"))
    blanks = ", ".join([blank] * len(columns))
    if frame.height:
        rows = holdable(kind, frame).rows()
        insert = f"INSERT INTO {quoted(name)} VALUES ({blanks})"
        cursor.executemany(insert if kind != "sqlite" else insert.replace("%%", "%"), rows)


def holdable(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    """A frame as a database can hold it: no number without end in MySQL, moments as texts."""
    numbers = cs.float()
    if kind == "mysql":
        return frame.with_columns(pl.when(numbers.is_finite()).then(numbers))
    if kind == "sqlite":
        moment = cs.datetime().cast(pl.Datetime("us")).dt.to_string("%Y-%m-%d %H:%M:%S%.f")
        return frame.with_columns(moment, cs.date().cast(pl.String))
    return frame


def _type(kind: str, table: Table, column: str) -> str:
    dtype = table.schema[column]
    if dtype.is_integer():
        return "bigint"
    if isinstance(dtype, nw.Datetime):
        return MOMENTS[kind][dtype.time_zone is not None]
    return TYPES[table.kind(column)]
