"""Tables of a database that keeps the text of each query and how many rows it gave."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import duckdb
import narwhals as nw
import polars as pl

from wideleaf.tools.queries.database import Database
from wideleaf.tools.tables.table import Table

TYPES = {"Int64": "int64", "Float64": "float64", "String": "string"}


class AskedDatabase:
    """DuckDB, asked as a server is.

    Args:
        frames: By the names of their tables.
    """

    def __init__(self, frames: Mapping[str, pl.DataFrame]) -> None:
        self.queries: list[str] = []
        self.rows: list[int] = []
        self.connection = duckdb.connect()
        database = Database("duckdb", "a database", self.ask)
        self.tables: dict[str, Table] = {}
        for name, frame in frames.items():
            self.connection.register(f"{name}_frame", frame.to_arrow())
            self.connection.execute(f"create table {name} as from {name}_frame")
            columns = {c: TYPES[str(t)] for c, t in frame.schema.items()}
            self.tables[name] = Table(nw.from_native(database.table(name, columns)))

    @contextmanager
    def ask(self, query: str, stream: bool, seconds: float | None) -> Iterator[Any]:
        self.queries.append(query)
        cells = self.connection.execute(query).fetchall()
        self.rows.append(len(cells))
        yield lambda size: [cells.pop(0) for _ in cells[:size]]
