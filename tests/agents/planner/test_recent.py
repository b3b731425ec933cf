"""What the planner keeps of tables, asked for by many threads at once."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.links.table_index import TABLES_KEPT, index_table
from wideleaf.agents.planner.scopes.database import database_of
from wideleaf.tools.sources.source import Link
from wideleaf.tools.tables.table import Table


@pytest.fixture
def switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def small(number: int) -> Table:
    return Table(nw.from_native(pl.LazyFrame({f"c{number}": [1]})))


def test_many_threads_over_more_tables_than_are_kept_each_get_their_own(switching: None) -> None:
    tables = [small(number) for number in range(4 * TABLES_KEPT)]

    def work(start: int) -> bool:
        right = True
        for turn in range(600):
            table = tables[(start * 7 + turn * 5) % len(tables)]
            right &= index_table(table).table is table
            right &= database_of({"t": table}).tables["t"] is table
        return right

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(16)))


def test_of_one_table_all_threads_get_one_index(switching: None) -> None:
    table = small(0)
    with ThreadPoolExecutor(16) as pool:
        assert len({id(index) for index in pool.map(index_table, [table] * 200)}) == 1


def test_what_else_a_database_depends_on_makes_another() -> None:
    tables = {"a": small(1), "b": small(2)}
    link = Link("a", ("c1",), "b", ("c2",))
    assert database_of(tables) is database_of(dict(tables))
    assert database_of(tables, [link]) is not database_of(tables)
    assert database_of(tables, [link]).link("a", "b") == link
    assert database_of({"x": tables["a"], "b": tables["b"]}).tables.keys() == {"x", "b"}
    assert database_of(tables, profile="sql").profile == "sql"
