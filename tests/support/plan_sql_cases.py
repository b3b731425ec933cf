"""Plans as SQL, run in DuckDB and SQLite on the very tables, for tests of the export."""

import math
import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import narwhals as nw
import polars as pl
from action_examples import relations_of
from said import SHELF, ready

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.exports.query import plan_sql
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

Row = tuple[Any, ...]
TYPES = {"number": "NUMERIC", "boolean": "INTEGER"}
STEPS = Sequence[tuple[str, dict[str, Any], Sequence[str]]]


def leaf(frame: pl.DataFrame) -> Table:
    """A table as an engine opens it: no number is a NaN."""
    plain = frame.fill_nan(None)
    return Table(nw.from_native(plain.lazy()), relations=relations_of(frame))


def grown(frames: dict[str, pl.DataFrame], steps: STEPS, thought: str = "") -> tuple[Plan, Table]:
    """A plan of resolved steps T1, T2 ... and its answer by the engine."""
    made = {label: leaf(frame) for label, frame in frames.items()}
    sequence: list[tuple[str, Call, Sequence[str]]] = [
        (label, Call(name="Load", arguments={"source": label}), ()) for label in frames
    ]
    answer = next(iter(frames))
    for place, (name, arguments, parents) in enumerate(steps, 1):
        inputs = [made[parent] for parent in parents]
        action = ready(find_action(name).model_validate(arguments)).resolve(*inputs)
        answer = f"T{place}"
        made[answer] = action.run(*inputs)
        sequence.append((answer, Call(name=name, arguments=action.arguments()), parents))
    tree = FrameTree.from_sequence(sequence)
    nodes = tuple(n.model_copy(update={"thought": thought}) for n in tree.nodes)
    tree = tree.model_copy(update={"nodes": nodes})
    return Plan.of(tree, answer, shelf=SHELF.get), made[answer]


def asked(sql: str, frames: dict[str, pl.DataFrame], dialect: str) -> tuple[list[str], list[Row]]:
    """Headers and rows of a query over the tables."""
    run = in_sqlite if dialect == "sqlite" else in_duckdb
    return run(sql, {label: frame.fill_nan(None) for label, frame in frames.items()})


def in_duckdb(sql: str, frames: dict[str, pl.DataFrame]) -> tuple[list[str], list[Row]]:
    with duckdb.connect() as connection:
        for place, (label, frame) in enumerate(frames.items()):
            connection.register(f"given_{place}", frame.to_arrow())
            name = quoted(label)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given_{place}")
        found = connection.execute(sql)
        return [one[0] for one in found.description], found.fetchall()


def in_sqlite(sql: str, frames: dict[str, pl.DataFrame]) -> tuple[list[str], list[Row]]:
    connection = sqlite3.connect(":memory:")
    try:
        for label, frame in frames.items():
            table = leaf(frame)
            columns = ", ".join(f"{quoted(name)} {_type(table, name)}" for name in table.columns)
            connection.execute(f"CREATE TABLE {quoted(label)} ({columns})")
            marks = ", ".join("?" * len(table.columns))
            rows = [tuple(map(_plain, row)) for row in frame.rows()]
            connection.executemany(f"INSERT INTO {quoted(label)} VALUES ({marks})", rows)
        found = connection.execute(sql)
        return [one[0] for one in found.description], found.fetchall()
    finally:
        connection.close()


def _type(table: Table, name: str) -> str:
    if table.kind(name) == "number":
        return "INTEGER" if table.schema[name].is_integer() else "REAL"
    return "INTEGER" if table.kind(name) == "boolean" else "TEXT"


def _plain(value: Any) -> Any:
    """A cell as SQLite holds it, by the header of the export."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return value.isoformat(" ", timespec="microseconds" if value.microsecond else "seconds")
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else value


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def alike(one: Any, other: Any) -> bool:
    """Whether two cells are equal, numbers to a relative 1e-9."""
    one, other = _plain(one), _plain(other)
    if isinstance(one, timedelta) or isinstance(other, timedelta):
        return bool(one == other)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and bool(one == other)


def ranked(row: Row) -> list[Any]:
    """What rows are sorted by where their order is not promised."""
    cells = [_plain(cell) for cell in row]
    return [
        (0, "", 0.0) if c is None else (1, "", round(float(c), 6)) if isinstance(c, (int, float))
        else (2, str(c), 0.0) for c in cells
    ]  # fmt: skip


def compare(
    plan: Plan, answer: Table, frames: dict[str, pl.DataFrame], dialect: str, *, order: bool = False
) -> str:
    """What differs between the query's frame and the engine's; empty if they are equal."""
    sql = plan_sql(plan, {label: leaf(frame) for label, frame in frames.items()}, dialect)
    headers, rows = asked(sql, frames, dialect)
    wanted = answer.frame.collect().rows()
    if headers != list(answer.columns):
        return f"headers {headers} are not {answer.columns}\n{sql}"
    if not order:
        rows, wanted = sorted(rows, key=ranked), sorted(wanted, key=ranked)
    same = len(rows) == len(wanted) and all(
        alike(a, b) for row, other in zip(rows, wanted, strict=True)
        for a, b in zip(row, other, strict=True)
    )  # fmt: skip
    return "" if same else f"{rows}\nis not\n{wanted}\n{sql}"
