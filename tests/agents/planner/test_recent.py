"""What the planner keeps of tables: for many threads at once, and read in few passes."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import narwhals as nw
import polars as pl
import pytest

import wideleaf as wl
from wideleaf.agents.planner.links import cells
from wideleaf.agents.planner.links.table_index import TABLES_KEPT, index_table
from wideleaf.agents.planner.scopes.database import database_of
from wideleaf.tools.sources.source import Link
from wideleaf.tools.tables.profiling.distinct import distinct_values
from wideleaf.tools.tables.table import Table

TRAITS = ("height", "width", "weight", "yield", "protein", "starch", "ash", "density", "moisture")
SITES = ("north", "south", "east", "west", "hill", "moor", "mill", "acre", "gate", "down", "brook")


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


@pytest.mark.parametrize(
    "question", ["mean height north 2015", "mean yield 2015 of each height north"]
)
def test_the_columns_that_a_number_or_a_group_may_be_of_are_read_in_one_pass(
    question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{trait} {site} 2015" for trait in TRAITS for site in SITES]
    wide = pl.DataFrame({name: [0.5, 1.5, float(n)] for n, name in enumerate(names)})
    passes: list[list[str]] = []

    def read(table: Table, columns: list[str], most: int) -> dict[str, list[object]]:
        passes.append(columns)
        return distinct_values(table, columns, most)

    monkeypatch.setattr(cells, "distinct_values", read)
    wl.ask(question, {"t": wide}, folder=tmp_path)
    assert any(len(columns) > 1 for columns in passes)
    assert len(passes) <= 4, "a pass over a wide file takes longer than its cells"
