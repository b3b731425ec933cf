"""Queries made at random over tables made at random: the actions against SQLite itself."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import few, fewer
from database_servers import DRIVERS, EMPTY
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for
from server_tables import ServerFrames
from sql_answers import by_actions, by_sqlite, same, schema_of
from sql_plans import translate

from wideleaf.tools.tables.table import Table

DECLARED = {"k": "INTEGER", "n": "INTEGER", "x": "REAL", "t": "TEXT"}
TYPES = {"INTEGER": pl.Int64, "REAL": pl.Float64, "TEXT": pl.String}
one_of = st.sampled_from
# No capital É: SQLite folds the case of ASCII alone, the actions that of all letters.
cells = {
    "k": st.integers(0, 3),
    "n": st.none() | st.integers(-3, 9),
    "x": st.none() | one_of([-1.5, 0.0, 0.25, 2.0]),
    "t": st.none() | one_of(["", "a", "A", "ab", " a", "é", "10", "9", "b%"]),
}
rows = st.lists(st.fixed_dictionaries(cells), max_size=7)
numbers = one_of(["a.n", "a.x", "a.k", "a.n + a.k", "a.n / 2", "a.x * 2", "abs(a.n)", "-a.k"])
texts = one_of(["a.t", "lower(a.t)", "a.t || 'b'", "coalesce(a.t, 'none')", "substr(a.t, 1, 1)"])
signs = one_of(["=", "<>", "<", "<=", ">", ">="])
literals = one_of(["0", "2", "0.25", "'a'", "'10'", "'é'", "''", "-1"])
patterns = one_of(["'a%'", "'%A'", "'_'", "'%b%'", "'é'", "'%'"])


@st.composite
def leaf(draw: st.DrawFn) -> str:
    sides = draw(numbers | texts), draw(numbers | texts | literals)
    return draw(
        one_of(
            [
                f"{sides[0]} {draw(signs)} {sides[1]}",
                f"a.t {draw(one_of(['', 'NOT ']))}LIKE {draw(patterns)}",
                f"{sides[0]} IS {draw(one_of(['', 'NOT ']))}NULL",
                f"{draw(numbers)} BETWEEN {draw(literals)} AND {draw(literals)}",
                f"{sides[0]} {draw(one_of(['', 'NOT ']))}IN ({draw(literals)}, {draw(literals)})",
                f"a.n {draw(one_of(['', 'NOT ']))}IN (SELECT n FROM b WHERE k > 1)",
                f"a.x {draw(signs)} (SELECT {draw(one_of(['avg', 'max', 'min']))}(x) FROM b)",
                "EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.n > 2)",
            ]
        )
    )


conditions = st.recursive(
    leaf(),
    lambda inner: (
        st.builds("({} AND {})".format, inner, inner)
        | st.builds("({} OR {})".format, inner, inner)
        | st.builds("NOT ({})".format, inner)
    ),
    max_leaves=3,
)
sources = one_of(
    [
        "a", "a", "a JOIN b ON a.k = b.k", "a LEFT JOIN b ON a.n = b.n", "a JOIN b ON a.t = b.t",
        "a JOIN b ON a.k = b.k AND a.x < b.x", "a FULL JOIN b ON a.n = b.k", "a, b",
    ]
)  # fmt: skip
measures = one_of(
    ["count(*)", "count(a.n)", "sum(a.n)", "avg(a.x)", "min(a.t)", "max(a.x)",
     "count(DISTINCT a.t)", "sum(a.k) / 2", "max(a.n) - min(a.n)"]
)  # fmt: skip


@st.composite
def queries(draw: st.DrawFn) -> str:
    where = draw(st.none() | conditions)
    start = f"FROM {draw(sources)}" + (f" WHERE {where}" if where else "")
    kind = draw(one_of(["plain", "grouped", "whole", "set"]))
    if kind == "whole":
        return f"SELECT {draw(measures)}, {draw(measures)} {start}"
    if kind == "grouped":
        key = draw(one_of(["a.k", "a.t", "a.x", "a.n / 2"]))
        having = draw(one_of(["", " HAVING count(*) > 1", " HAVING max(a.n) > 2"]))
        return f"SELECT {key}, {draw(measures)} {start} GROUP BY {key}{having}"
    if kind == "set":
        operation = draw(one_of(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"]))
        column = draw(one_of(["n", "t", "x"]))
        return f"SELECT a.{column}, a.k {start} {operation} SELECT {column}, k FROM b"
    outputs = draw(st.lists(numbers | texts, min_size=1, max_size=3))
    distinct = draw(one_of(["", "DISTINCT "]))
    query = f"SELECT {distinct}{', '.join(outputs)} {start}"
    if draw(st.booleans()):
        # Ordered by all outputs, so that only equal rows are tied.
        ways = ", ".join(
            f"{place + 1} {draw(one_of(['ASC', 'DESC']))}" for place in range(len(outputs))
        )
        limit = draw(one_of(["", " LIMIT 1", " LIMIT 3", " LIMIT 2 OFFSET 1"]))
        query += f" ORDER BY {ways}{limit}"
    return query


def check(engine: str, folder: Path, a: list[Any], b: list[Any], sql: str, url: str = "") -> None:
    path = folder / "random.sqlite"
    there = ServerFrames(url)
    path.unlink(missing_ok=True)
    tables, frames = {}, []
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, made in (("a", a), ("b", b)):
            columns = ", ".join(f"{column} {kind}" for column, kind in DECLARED.items())
            connection.execute(f"CREATE TABLE {name} ({columns})")
            filled = [tuple(row[column] for column in DECLARED) for row in made]
            connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", filled)
            frame = pl.DataFrame(made, schema={c: TYPES[kind] for c, kind in DECLARED.items()})
            frame.write_parquet(folder / f"{name}.parquet")
            tables[name] = Table(engine_for(engine).scan(folder / f"{name}.parquet"))
            frames.append(frame)
    if url:
        there.add(frames)
        tables = {name: there.table(frame) for name, frame in zip("ab", frames, strict=True)}
    with closing(there):
        plan = translate(sql, schema_of(path, tables))
        ours, theirs = by_actions(plan, tables), by_sqlite(sql, path)
    assert same(ours, theirs, ordered=plan.ordered), (sql, ours, theirs, plan.steps)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@few
@given(a=rows, b=rows, sql=queries())
def test_a_random_query_gives_what_sqlite_gives(
    engine: str, a: list[Any], b: list[Any], sql: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(engine, tmp_path_factory.getbasetemp(), a, b, sql)


@pytest.mark.servers
@pytest.mark.parametrize("kind", [*EMPTY])
def test_a_random_query_over_a_server_gives_what_sqlite_gives(kind: str, tmp_path: Path) -> None:
    pytest.importorskip(DRIVERS[kind])

    @fewer
    @given(a=rows, b=rows, sql=queries())
    def check_there(a: list[Any], b: list[Any], sql: str) -> None:
        check("polars", tmp_path, a, b, sql, url)

    with EMPTY[kind]() as url:
        check_there()
