"""The sets of questions with gold SQL: their data, for SQLite and as frames, and their rules."""

from __future__ import annotations

import csv
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import polars as pl
import sqlglot
from sql_answers import Rows, by_sqlite, connect, same, schema_of
from sql_relations import Schema
from sql_values import affinity_of
from sqlglot import exp

from wideleaf.tools.engines.engine import Engine
from wideleaf.tools.sources.opening import Catalog, open_catalog
from wideleaf.tools.tables.table import Table

GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")


class Data(NamedTuple):
    """The data of a question, twice: as SQLite has it and as frames."""

    path: Path
    schema: Schema
    tables: dict[str, Table]


class GoldSet(Protocol):
    """What a set says of a question."""

    def data(self, question: dict[str, Any]) -> Data:
        """Its tables."""

    def sql(self, question: dict[str, Any]) -> str:
        """Its query, in SQLite's dialect."""

    def same(self, question: dict[str, Any], ours: Rows, theirs: Rows) -> bool:
        """Whether two results are equal by the set's rule."""

    def is_true(self, question: dict[str, Any]) -> bool:
        """Whether SQLite gives the stored answer for the query on these data."""


class WikiSQL:
    """One CSV file a question; results are lists, texts in lower case, numbers as such."""

    def __init__(self, folder: Path, scratch: Path, engine: Engine, *, declared: bool) -> None:
        self.scratch, self.engine, self.declared = scratch, engine, declared
        self.packed = zipfile.ZipFile(folder / "tables.zip")
        self.known: dict[str, Data] = {}

    def sql(self, question: dict[str, Any]) -> str:
        """The query as the set itself would run it.

        Its texts are in lower case, a backslash quotes a quote, and a text beside a column of
        numbers is a number, thousands in commas.
        """
        tree = sqlglot.parse_one(question["gold_sql"].replace("\\'", "''"), read="sqlite")
        columns = self.data(question).schema["t"]
        names = {one.name.casefold() for one in columns}
        numbers = {one.name.casefold() for one in columns if one.affinity == "number"}
        for column in list(tree.find_all(exp.Column)):
            if column.name.casefold() not in names:
                column.replace(exp.Literal.string(column.name))
        for literal in list(tree.find_all(exp.Literal)):
            if not literal.is_string:
                continue
            beside, number = literal.parent.this, _number(literal.this)
            if isinstance(beside, exp.Column) and beside.name.casefold() in numbers and number:
                literal.replace(exp.Literal.number(number))
            else:
                literal.set("this", literal.this.lower())
        return tree.sql("sqlite", identify=True)

    def same(self, question: dict[str, Any], ours: Rows, theirs: Rows) -> bool:
        """Equal lists of cells."""
        return _cells(ours) == _cells(theirs)

    def is_true(self, question: dict[str, Any]) -> bool:
        """Whether SQLite gives the stored list."""
        found = by_sqlite(self.sql(question), self.data(question).path)
        return _cells(found) == _cells([tuple(question["answer"])])

    def data(self, question: dict[str, Any]) -> Data:
        """The CSV file in lower case; SQLite's columns have the types that the set gave them."""
        name = question["table"]
        if name not in self.known:
            text = self.packed.read(name).decode("utf-8")
            header, *rows = csv.reader(text.splitlines(keepends=True))
            rows = [[cell.lower() for cell in row] for row in rows]
            file, path = self.scratch / "csv" / name, self.scratch / f"{name}.sqlite"
            file.parent.mkdir(exist_ok=True)
            with file.open("w", encoding="utf-8", newline="") as out:
                csv.writer(out).writerows([header, *rows])
            _fill(path, header, rows)
            inputs = as_declared(path) if self.declared else {"t": str(file)}
            self.known[name] = _read(path, inputs, self.scratch, self.engine)
        return self.known[name]


def _fill(path: Path, header: list[str], rows: list[list[str]]) -> None:
    """Make the database of one table ``t``."""
    types = [_declared([row[place] for row in rows]) for place in range(len(header))]
    names = ['"' + one.replace('"', '""') + '"' for one in header]
    columns = ", ".join(f"{name} {type_}" for name, type_ in zip(names, types, strict=True))
    places = ", ".join("?" * len(header))
    filled = [
        [
            (_number(cell) if type_ == "REAL" else cell) or None
            for cell, type_ in zip(row, types, strict=True)
        ]
        for row in rows
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.executemany(f"INSERT INTO t VALUES ({places})", filled)


def _declared(cells: list[str]) -> str:
    """The type that a column of the set had: its numbers have decimals, or commas if large."""
    filled = [cell for cell in cells if cell]
    if not filled or not all(map(_number, filled)):
        return "TEXT"
    written = all(GROUPED.fullmatch(cell) or repr(float(cell)) == cell for cell in filled)
    return "REAL" if written else "TEXT"


def _number(cell: str) -> str:
    """A number without its commas, as text; empty for what is none."""
    plain = cell.replace(",", "")
    try:
        float(plain)
    except ValueError:
        return ""
    return plain if plain == cell or GROUPED.fullmatch(cell) else ""


def _cells(rows: Rows) -> list[str | float]:
    """The cells of all rows, numbers as such however they are written."""
    made: list[str | float] = []
    for cell in (str(cell).lower() for row in rows for cell in row):
        number = _number(cell)
        made.append(float(f"{float(number):.8g}") if number else cell)
    return made


class Spider:
    """SQLite files of several tables; results are bags of rows, lists if the query orders."""

    def __init__(self, folder: Path, scratch: Path, engine: Engine, *, declared: bool) -> None:
        self.scratch, self.engine, self.declared = scratch, engine, declared
        self.packed = zipfile.ZipFile(folder / "databases.zip")
        self.known: dict[str, Data] = {}

    def sql(self, question: dict[str, Any]) -> str:
        """The query as it is."""
        return str(question["gold_sql"])

    def same(self, question: dict[str, Any], ours: Rows, theirs: Rows) -> bool:
        """Equal rows, the columns in the order asked for."""
        return same(ours, theirs, ordered="order by" in question["gold_sql"].lower())

    def is_true(self, question: dict[str, Any]) -> bool:
        """Whether SQLite gives the stored rows."""
        found = by_sqlite(self.sql(question), self.data(question).path)
        return self.same(question, [tuple(row) for row in question["answer"]], found)

    def data(self, question: dict[str, Any]) -> Data:
        """The tables of a SQLite file."""
        name = question["db"]
        if name not in self.known:
            path = Path(self.packed.extract(name, self.scratch))
            inputs = as_declared(path) if self.declared else str(path)
            self.known[name] = _read(path, inputs, self.scratch, self.engine)
        return self.known[name]


def as_declared(path: Path) -> dict[str, str]:
    """The tables of a SQLite file as Parquet files with the types that SQL sees.

    Reading the source instead finds dates, units and the like in texts, which SQL does not.
    """
    made = {}
    with closing(connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in tables.fetchall():
            quoted = '"' + name.replace('"', '""') + '"'
            found = connection.execute("SELECT name, type FROM pragma_table_info(?)", [name])
            declared = found.fetchall()
            rows = connection.execute(f"SELECT * FROM {quoted}").fetchall()
            columns = {
                column: _typed([row[place] for row in rows], affinity_of(kind))
                for place, (column, kind) in enumerate(declared)
            }
            made[name] = str(path.with_name(f"{path.stem}-{name}.parquet"))
            pl.DataFrame(columns).write_parquet(made[name])
    return made


def _typed(cells: list[Any], affinity: str) -> pl.Series:
    """A column's cells in one type: text if it is declared so or any cell is."""
    if affinity == "text" or any(isinstance(cell, str) for cell in cells):
        texts = [None if cell is None else str(cell) for cell in cells]
        return pl.Series(texts, dtype=pl.String)
    whole = all(cell is None or isinstance(cell, int) for cell in cells)
    return pl.Series(cells, dtype=pl.Int64 if whole else pl.Float64)


def _read(path: Path, inputs: Any, scratch: Path, engine: Engine) -> Data:
    sources = open_catalog(inputs, scratch / "read").all
    catalog = Catalog(sources, engine)
    tables = {source.name: catalog.table(source.name) for source in sources}
    return Data(path, schema_of(path, tables), tables)


SETS: dict[str, type[WikiSQL] | type[Spider]] = {"wikisql": WikiSQL, "spider": Spider}
