"""Frames as tables of a PostgreSQL server that runs, opened where they stand."""

from contextlib import closing
from typing import Any

import narwhals as nw
import polars as pl

from wideleaf.tools.sources.databases.server_tables import ServerTable, server_tables
from wideleaf.tools.tables.table import Table

TYPES = {"number": "double precision", "boolean": "boolean", "date": "date", "text": "text"}


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
        import psycopg

        with closing(psycopg.connect(self.url, autocommit=True)) as owner:
            for frame in frames:
                if id(frame) not in self.names:
                    self.names[id(frame)] = f"table_{len(self.names)}"
                    self.frames.append(frame)  # its id stays its own
                    _write(owner, self.names[id(frame)], frame)
        self.opened = {one.name: one.part for one in server_tables(self.url)}  # type: ignore[misc]

    def table(self, frame: pl.DataFrame, relations: Any = ()) -> Table:
        """A frame that was added, as a query of the database."""
        part = self.opened[self.names[id(frame)]]
        return Table(part.open(()), relations=relations)


def _write(owner: Any, name: str, frame: pl.DataFrame) -> None:
    from psycopg import sql

    kinds = Table(nw.from_native(frame.lazy()))
    columns = [
        sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(_type(kinds, column)))
        for column in frame.columns
    ]
    made = sql.SQL("CREATE TABLE {} ({})")
    owner.execute(made.format(sql.Identifier(name), sql.SQL(", ").join(columns)))
    copy = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))
    with owner.cursor().copy(copy) as rows:
        for row in frame.rows():
            rows.write_row(row)


def _type(table: Table, column: str) -> str:
    dtype = table.schema[column]
    if dtype.is_integer():
        return "bigint"
    if isinstance(dtype, nw.Datetime):
        return "timestamptz" if dtype.time_zone else "timestamp"
    return TYPES[table.kind(column)]
