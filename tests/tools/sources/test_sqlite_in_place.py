"""Tables of an SQLite file that are asked where they stand: as a copy has them, and one state."""

import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest

from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.queries.database import database_of
from wideleaf.tools.sources import opening
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.databases import sqlite_columns
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.tables.profiling.sampled import sample_rows
from wideleaf.tools.tables.table import Table

MOMENTS = ("2020-01-05 10:00:01", "2020-01-05T10:00:01.500", "2020-01-06 00:00:00.000000", None)


def write(path: Path, script: str, table: str = "", rows: Any = ()) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(script)
        for row in rows:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    return path


def opened(source: Any, folder: Path, **options: Any) -> Catalog:
    return open_catalog(source, folder, engine="database", **options)


def values(table: Table, column: str) -> list[Any]:
    return [row[column] for row in table.rows(1_000)]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    script = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT, secret TEXT);
    INSERT INTO customers VALUES (1, 'Roma', 'hush'), (2, 'Zürich', 'hush');
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
        amount REAL, day TEXT);
    """
    rows = [(n, 1 + n % 2, n / 2, f"2020-01-{1 + n % 28:02}") for n in range(1, 5_001)]
    return write(tmp_path / "shop.sqlite", script, "orders", rows)


@pytest.mark.parametrize(
    ("declared", "cells", "made"),
    [
        ("INTEGER", (1, None, 2**62), [1, None, 2**62]),
        ("INTEGER", (1, 2.5), [1.0, 2.5]),
        ("", (1, b"\x00"), [1, None]),
        ("REAL", (1, float("inf"), None), [1.0, float("inf"), None]),
        ("BOOLEAN", (0, 1, None), [False, True, None]),
        ("BOOLEAN", (0, 2), [0, 2]),
        ("TEXT", ("1", "2"), ["1", "2"]),
        ("", ("a", 2, b"\x00"), ["a", "2", None]),
        ("DATE", ("2020-02-29", None), [date(2020, 2, 29), None]),
        ("TEXT", ("2020-02-29", "2020-02-30"), ["2020-02-29", "2020-02-30"]),
        ("DATETIME", MOMENTS[:1], [datetime(2020, 1, 5, 10, 0, 1)]),
        (
            "TEXT",
            MOMENTS,
            [datetime(2020, 1, 5, 10, 0, 1), datetime(2020, 1, 5, 10, 0, 1, 500_000),
             datetime(2020, 1, 6), None],
        ),
        ("DATE", ("2020-01-01", "2020-01-01 10:00:00"), ["2020-01-01", "2020-01-01 10:00:00"]),
        ("DATE", (None,), [None]),
    ],
)  # fmt: skip
def test_a_column_is_what_all_its_cells_are(
    tmp_path: Path, declared: str, cells: tuple[Any, ...], made: list[Any]
) -> None:
    path = write(tmp_path / "t.db", f"CREATE TABLE t (v {declared});", "t", [(c,) for c in cells])
    table = opened(path, tmp_path / "w").table("t")
    assert database_of(table.frame) is not None
    assert values(table, "v") == made
    assert [type(one) for one in values(table, "v")] == [type(one) for one in made]


def test_moments_of_several_forms_are_compared_and_sorted_as_moments(tmp_path: Path) -> None:
    rows = [(cell,) for cell in MOMENTS]
    path = write(tmp_path / "t.db", "CREATE TABLE t (v TEXT);", "t", rows)
    frame = opened(path, tmp_path / "w").table("t").frame
    late = frame.filter(nw.col("v") > datetime(2020, 1, 5, 10, 0, 1)).sort("v", descending=True)
    found = [row[0] for row in late.collect("polars").rows()]
    assert found == [datetime(2020, 1, 6), datetime(2020, 1, 5, 10, 0, 1, 500_000)]


def test_a_rare_cell_far_behind_decides_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_columns, "ROWS_LOOKED_AT", 10)
    monkeypatch.setattr(sqlite_columns, "COLUMNS_AT_ONCE", 2)
    rows = [(n, n / 2, "2020-01-01") for n in range(300)]
    rows[150], rows[290] = (150, 1.0, "soon"), (0.5, "none", "2020-01-01")  # type: ignore[assignment]
    path = write(tmp_path / "t.db", "CREATE TABLE t (a INTEGER, b REAL, c TEXT);", "t", rows)
    table = opened(path, tmp_path / "w").table("t")
    assert [table.schema[name] for name in "abc"] == [nw.Float64, nw.String, nw.String]
    assert (values(table, "a")[290], values(table, "b")[290]) == (0.5, "none")


def test_a_large_file_stays_with_all_its_tables_and_a_small_one_is_copied(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def places(source: Any) -> set[str]:
        return {one.place for one in open_catalog(source, tmp_path / "w").all}

    assert places(shop) == {"parquet"}
    monkeypatch.setattr(opening, "MAX_COPIED", 5_000)
    assert places(shop) == {"database"}
    assert places([f"{shop}::customers", f"o={shop}::orders"]) == {"database"}
    assert places(f"{shop}::customers") == {"parquet"}
    catalog = open_catalog(shop, tmp_path / "w")
    assert [str(link) for link in catalog.foreign_keys] == ["orders.customer_id -> customers.id"]
    again = open_catalog([one.address for one in catalog.all], tmp_path / "w")
    assert again.contents == catalog.contents


def test_a_denied_column_is_not_even_looked_at(shop: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(shop)) as connection:
        connection.execute(
            "CREATE VIEW v AS SELECT id, abs(-9223372036854775808) AS bad FROM orders"
        )
    with pytest.raises(SourceError, match="table 'v'"):
        opened(f"{shop}::v", tmp_path / "w")
    table = opened(f"{shop}::v", tmp_path / "w", denied=["BAD"]).table("v")
    assert (table.columns, table.count()) == (("id",), 5_000)


def test_a_file_that_was_written_to_since_is_of_another_state(shop: Path, tmp_path: Path) -> None:
    catalog = opened(shop, tmp_path / "w")
    assert catalog.table("orders").count() == 5_000
    with closing(sqlite3.connect(shop)) as connection, connection:  # nothing keeps it from writing
        connection.execute("INSERT INTO orders VALUES (9000, 1, 1.5, '2020-01-01')")
    with pytest.raises(SourceError, match="was written to since it was opened; begin anew"):
        catalog.table("orders").frame.filter(nw.col("id") > 1).collect()
    anew = opened(shop, tmp_path / "w")
    assert anew.table("orders").count() == 5_001
    assert anew.contents != catalog.contents


def test_a_sample_is_the_same_each_time_and_is_drawn_by_the_file(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wideleaf.tools.tables.profiling.sampled.ROWS_READ", 500)
    monkeypatch.setattr("wideleaf.tools.tables.profiling.sampled.FEWEST_READ", 500)
    first, second = (
        sample_rows(opened(shop, tmp_path / "w").table("orders"), ["id", "amount"]) for _ in "ab"
    )
    assert first.equals(second)
    assert len(first) == 500
    ids = pl.Series(first["id"])
    assert ids.max() > 3_000  # type: ignore[operator]  # not the first rows
    assert (ids.diff().drop_nulls() > 1).sum() > 250


def test_what_sqlite_cannot_say_is_done_here_over_its_columns(shop: Path, tmp_path: Path) -> None:
    there, here = (
        ask("What is the median amount?", str(shop), folder=str(tmp_path / name), engine=engine)
        for name, engine in (("there", "database"), ("here", "polars"))
    )
    assert there.value == here.value == 1250.25


def test_a_query_that_reaches_out_of_the_file_is_refused(shop: Path, tmp_path: Path) -> None:
    source = opened(shop, tmp_path / "w").find("orders").native.backend
    for query in ("SELECT load_extension('x')", "ATTACH 'other.db' AS o", "DELETE FROM orders"):
        with pytest.raises(ActionError), source.ask(query) as fetch:
            fetch(1)


def test_a_question_over_a_join_is_answered_as_over_copies(shop: Path, tmp_path: Path) -> None:
    question = "What is the average amount per city?"
    there, here = (
        ask(question, str(shop), folder=str(tmp_path / name), engine=engine)
        for name, engine in (("there", "database"), ("here", "polars"))
    )
    assert there.frame.equals(here.frame)


def test_a_remainder_of_a_large_whole_number_is_exact(tmp_path: Path) -> None:
    path = write(tmp_path / "t.db", "CREATE TABLE t (v INTEGER);", "t", [(2**60 + 1,), (8,)])
    frame = opened(path, tmp_path / "w").table("t").frame
    assert database_of(frame) is not None
    made = frame.select(r=nw.col("v") % 7 + nw.col("v") % (nw.col("v") % 5))
    assert made.collect("polars")["r"].to_list() == [(2**60 + 1) % 7 + (2**60 + 1) % 2, 1 + 8 % 3]


def test_a_view_by_chance_and_days_beside_bytes_are_read(tmp_path: Path) -> None:
    script = """
    CREATE TABLE t (n INTEGER, d DATE);
    WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 5000)
        INSERT INTO t SELECT i, '2020-01-01' FROM k;
    UPDATE t SET d = x'00' WHERE n = 4000;
    CREATE VIEW v AS SELECT CASE WHEN random() > 0 THEN n ELSE 'a' || n END AS c FROM t;
    """
    catalog = opened(write(tmp_path / "t.db", script), tmp_path / "w")
    assert catalog.table("v").schema["c"] == nw.String
    assert catalog.table("t").schema["d"] == nw.String  # some cells are no days
    assert catalog.table("t").frame.filter(nw.col("d").is_null()).collect("polars").rows() == [
        (4000, None)
    ]


def test_a_file_written_to_while_it_was_closed_is_of_another_state(
    shop: Path, tmp_path: Path
) -> None:
    catalog = opened(shop, tmp_path / "w")
    catalog.find("orders").native.backend.close()
    assert catalog.table("orders").count() == 5_000
    catalog.find("orders").native.backend.close()
    with closing(sqlite3.connect(shop)) as connection, connection:
        connection.execute("DELETE FROM orders WHERE id < 9")
    with pytest.raises(SourceError, match="was written to since"):
        catalog.table("orders").frame.filter(nw.col("id") > 1).collect()
