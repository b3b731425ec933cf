"""DuckDB files: their tables, opened in place by the engine of that name or copied to Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.tools.engines.quoting import quote_name
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.databases.columns import (
    ColumnExpression,
    denied_of,
    readable,
    repairs_of,
)
from wideleaf.tools.sources.databases.duckdb_file import (
    clear_duckdb_errors,
    decide_columns,
    open_connection,
    reads_of,
)
from wideleaf.tools.sources.databases.rows import convert_types, find_typed
from wideleaf.tools.sources.fingerprint import derive_fingerprint, file_fingerprint
from wideleaf.tools.sources.naming import TableName, choose_tables, database_id
from wideleaf.tools.sources.normal import Normal, scratch_folder
from wideleaf.tools.sources.source import Facts, ForeignKey, Progress

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

    from wideleaf.tools.engines.duckdb_engine import DuckDBEngine

RULES = "duckdb 2"
"""Changes when the same file would be read differently."""
MAIN = "main"


@dataclass(frozen=True)
class DuckDBTable:
    """A table or view of a DuckDB file.

    Attributes:
        path: The file.
        schema: Its schema.
        table: Its name.
    """

    path: Path
    schema: str
    table: str

    @property
    def key(self) -> str:
        """What the file calls it: ``schema.table`` outside the main schema."""
        return _key(self.schema, self.table)

    @property
    def origin(self) -> str:
        """The file and the table."""
        return f"{self.path}::{self.key}"

    @cached_property
    def fingerprint(self) -> str:
        """Of the file's content, what was not yet merged into it included."""
        log = self.path.with_name(f"{self.path.name}.wal")
        words = [file_fingerprint(log)] if log.is_file() and log.stat().st_size else []
        return derive_fingerprint(file_fingerprint(self.path), RULES, self.key, *words)

    def close(self) -> None:
        """Nothing is held open."""

    def describe(self, denied: Sequence[str]) -> tuple[Normal, Facts]:
        """What is known of the table, for an engine that opens it where it is.

        Raises:
            SourceError: If it cannot be read.
        """
        fingerprint = self.fingerprint  # before the file is opened: see `open_connection`
        with open_connection(self.path, self.key) as connection:
            selection, withheld = self._kept(connection, denied)
            columns = len(readable(selection, self.origin))
            rows = len(connection.table(self.quoted))
            facts = self._facts(connection, withheld)
        return Normal(self.path, fingerprint, rows, columns, tuple(repairs_of(selection))), facts

    def read(self, folder: Path, denied: Sequence[str], progress: Progress) -> Normal:
        """Copy the table to Parquet, or find it there from the last time.

        Raises:
            SourceError: If it cannot be read.
        """
        self.fingerprint  # noqa: B018  # before the file is opened: see `open_connection`
        with (
            scratch_folder(folder) as scratch,
            open_connection(self.path, self.key, scratch) as duck,
        ):
            selection, withheld = self._kept(duck, denied)
            facts = self._facts(duck, withheld)
            if before := find_typed(folder, facts):
                return before
            if progress:
                progress(f"reading {self.key} of {self.path.name}")
            readable(selection, self.origin)
            raw = scratch.resolve() / "raw.parquet"
            table = duck.table(self.quoted).project(reads_of(selection))
            table.write_parquet(str(raw), compression="lz4")
            return convert_types(raw, (), folder, repairs_of(selection), facts)

    @property
    def quoted(self) -> str:
        """The table as it stands in a query."""
        return f"{quote_name(self.schema)}.{quote_name(self.table)}"

    def _kept(
        self, connection: duckdb.DuckDBPyConnection, denied: Sequence[str]
    ) -> tuple[list[ColumnExpression], tuple[str, ...]]:
        relation = connection.table(self.quoted)
        withheld = denied_of(relation.columns, denied)
        return decide_columns(relation, withheld), withheld

    def _facts(self, connection: duckdb.DuckDBPyConnection, withheld: tuple[str, ...]) -> Facts:
        rows = connection.execute(
            "SELECT constraint_type, constraint_column_names, referenced_table, "
            "referenced_column_names FROM duckdb_constraints() WHERE schema_name = ? "
            "AND table_name = ? AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')",
            [self.schema, self.table],
        ).fetchall()
        return Facts(
            fingerprint=self.fingerprint,
            database=database_id(str(self.path.resolve())),
            table=self.key,
            primary_key=next((tuple(own) for kind, own, *_ in rows if kind[0] == "P"), ()),
            foreign_keys=tuple(
                ForeignKey(
                    columns=tuple(own),
                    table=_key(self.schema, other),  # no key crosses schemas
                    other_columns=tuple(theirs),
                )
                for kind, own, other, theirs in rows
                if kind[0] == "F"
            ),
            withheld=withheld,
        )


def duckdb_tables(path: Path, names: Sequence[str]) -> list[TableName]:
    """The tables and views of a file; not views on other files, which were not handed in.

    Raises:
        SourceError: If it is no whole DuckDB file, is locked, or has no such table.
    """
    tables: dict[str, DuckDBTable] = {}
    with open_connection(path) as connection:
        rows = connection.execute(
            "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE NOT internal "
            "AND NOT temporary UNION ALL "
            "SELECT schema_name, view_name, true FROM duckdb_views() WHERE NOT internal "
            "AND NOT temporary ORDER BY 3, 1, 2"
        ).fetchall()
        for schema, name, _ in rows:
            tables[_key(schema, name)] = DuckDBTable(path, schema, name)
    if not names and any(table.schema == MAIN for table in tables.values()):
        choices = {key: table for key, table in tables.items() if table.schema == MAIN}
    else:
        choices = tables
    keys = choose_tables(choices, names, repr(str(path)), MAIN)
    return [TableName(tables[key].table, tables[key], bool(names)) for key in keys]


def open_table(
    engine: DuckDBEngine,
    path: Path,
    key: str,
    hidden: Sequence[str] = (),
    numbered: str = "",
) -> nw.LazyFrame[Any]:
    """Open a table of a file where it is, on the engine's own connection.

    Args:
        engine: Holds the connection.
        path: The file; attached for reading alone, once.
        key: The table, as the file calls it.
        hidden: Columns that are not to be read.
        numbered: A column to add, of the numbers by which the file tells its rows apart.

    Raises:
        SourceError: If the file is locked, damaged or gone, or has no such table, or rows of a
            view are to be numbered.
    """
    with engine.turn(), clear_duckdb_errors(path, key):
        connection = engine.connection
        alias = _alias(path)
        attached = connection.select("SELECT database_name FROM duckdb_databases()")
        if (alias,) not in attached:
            connection.attach(path, alias)
        place = connection.select(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? "
            "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ?",
            [alias, alias],
        )
        match = next(((s, t) for s, t in place if _key(s, t) == key), None)
        if match is None:
            raise SourceError(f"{str(path)!r} has no table {key!r} any more")
        relation = connection.table(".".join(map(quote_name, (alias, *match))))
        reads = reads_of(decide_columns(relation, hidden))
        if numbered:
            if is_view(engine, path, key):
                raise SourceError(f"rows of the view {key!r} have no numbers; take its tables")
            reads += f", rowid AS {quote_name(numbered)}"
        return engine.open(relation.project(reads))


def is_view(engine: DuckDBEngine, path: Path, key: str) -> bool:
    """Whether a table of a file that was opened is a view, whose rows have no numbers."""
    query = "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ?"
    with engine.turn():
        views = engine.connection.select(query, [_alias(path)])
    return any(_key(*view) == key for view in views)


def _alias(path: Path) -> str:
    return f"file_{database_id(str(path.resolve()))}"


def _key(schema: str, table: str) -> str:
    return table if schema == MAIN else f"{schema}.{table}"
