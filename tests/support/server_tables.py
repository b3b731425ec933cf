"""Frames as tables of a PostgreSQL or MariaDB server that runs, opened where they stand."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import unquote, urlsplit

import narwhals as nw
import polars as pl
import polars.selectors as cs

from wideleaf.tools.sources.databases.server_tables import ServerTable, server_tables
from wideleaf.tools.tables.table import Table

TYPES = {"number": "double precision", "boolean": "boolean", "date": "date", "text": "text"}
MOMENTS = {"postgresql": ("timestamp", "timestamptz"), "mysql": ("datetime(6)", "timestamp(6)")}
"""Types of dates and times without a zone, and with one."""


class ServerFrames:
    """The tables of a database, one for each frame that was asked for.

    Args:
        url: Of an empty database, by an account that may make tables.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.names: dict[int, str] = {}
        self.opened: dict[str, ServerTable] = {}
        self.frames: list[pl.DataFrame] = []

    def add(self, frames: list[pl.DataFrame]) -> None:
        """Write frames as tables and open all, so that they are of one state."""
        with owner_of(self.url) as owner:
            for frame in frames:
                if id(frame) not in self.names:
                    self.names[id(frame)] = f"table_{len(self.names)}"
                    self.frames.append(frame)  # its id stays its own
                    _write(owner, self.url, self.names[id(frame)], frame)
        self.opened = {one.name: one.part for one in server_tables(self.url)}  # type: ignore[misc]

    def table(self, frame: pl.DataFrame, relations: Any = ()) -> Table:
        """A frame that was added, as a query of the database."""
        part = self.opened[self.names[id(frame)]]
        return Table(part.open(()), relations=relations)

    def close(self) -> None:
        """End what was read, so that the tables can be others."""
        for part in self.opened.values():
            part.server.close()


@contextmanager
def owner_of(url: str) -> Iterator[Any]:
    """A connection of the driver's own, each statement a transaction."""
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
    mark = '"' if kind == "postgresql" else "`"
    kinds = Table(nw.from_native(frame.lazy()))

    def quoted(text: str) -> str:
        return mark + text.replace(mark, 2 * mark).replace("%", "%%") + mark

    columns = [f"{quoted(column)} {_type(kind, kinds, column)}" for column in frame.columns]
    cursor = owner.cursor()
    cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}".replace("%%", "%"))
    cursor.execute(f"CREATE TABLE {quoted(name)} ({', '.join(columns)})".replace("%%", "%"))
    blanks = ", ".join(["%s"] * len(columns))
    if frame.height:
        rows = frame.rows() if kind == "postgresql" else finite(frame).rows()
        cursor.executemany(f"INSERT INTO {quoted(name)} VALUES ({blanks})", rows)


def finite(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame as MySQL can hold it: what is no number, or has no end, is null."""
    numbers = cs.float()
    return frame.with_columns(pl.when(numbers.is_finite()).then(numbers))


def _type(kind: str, table: Table, column: str) -> str:
    dtype = table.schema[column]
    if dtype.is_integer():
        return "bigint"
    if isinstance(dtype, nw.Datetime):
        return MOMENTS[kind][dtype.time_zone is not None]
    return TYPES[table.kind(column)]
