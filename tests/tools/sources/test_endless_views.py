"""A view of a database file that has no end is under the limit of time, from its first look on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import wideleaf as wl
from wideleaf.graph.context import Context
from wideleaf.tools.engines.engine import EngineName
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.work import watch_work

COUNTED = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
VIEWS = {
    "rows without end": COUNTED,
    "a count without end": f"SELECT count(*) AS c FROM ({COUNTED})",
    "no row, ever": f"SELECT i FROM ({COUNTED}) WHERE i < 0",
    "a join of itself": "SELECT a.x FROM big AS a, big AS b, big AS c WHERE a.x + b.x + c.x < 0",
}


def endless(path: Path, view: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE big (x)")
        connection.executemany("INSERT INTO big VALUES (?)", [(n,) for n in range(20_000)])
        connection.execute(f"CREATE VIEW v AS {view}")
        connection.commit()
    return path


def stop_views(purpose: str, *_: int) -> None:
    if purpose.startswith("reading v "):
        raise ActionError("there is no time left", kind="time")


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
def test_a_view_without_end_is_told_and_left(view: str, tmp_path: Path) -> None:
    path = endless(tmp_path / "t.db", view)
    with pytest.raises(SourceError, match=r"reading v of t\.db takes longer than max_seconds"):
        wl.ask("How many rows?", f"{path}::v", folder=tmp_path / "run", max_seconds=0.5)
    with watch_work(stop_views):  # of several it is left out
        assert open_catalog(path, tmp_path / "run").names == ("big",)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_view_of_duckdb_without_end_is_told_and_left(engine: EngineName, tmp_path: Path) -> None:
    with closing(duckdb.connect(str(tmp_path / "t.duckdb"))) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS x")
        connection.execute(f"CREATE VIEW v AS {COUNTED.replace('SELECT 1', 'SELECT 1::HUGEINT')}")
    source = f"{tmp_path / 't.duckdb'}::v"
    with pytest.raises(SourceError, match="takes longer than max_seconds"):
        wl.ask("How many rows?", source, folder=tmp_path / "w", engine=engine, max_seconds=0.5)


def test_what_a_node_of_the_graph_opens_is_watched_too(tmp_path: Path) -> None:
    path = endless(tmp_path / "t.db", COUNTED)
    result = wl.build_graph(max_seconds=0.5).invoke(
        {"question": "How many rows?", "sources": [f"{path}::v"]},
        context=Context(folder=str(tmp_path / "run")),
    )
    assert "takes longer than max_seconds" in result["error"]["message"]


def test_whoever_watches_ends_a_query_by_any_error(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    path = endless(tmp_path / "t.db", COUNTED)
    with pytest.raises(KeyboardInterrupt), watch_work(stop):
        open_catalog(path, tmp_path / "run")
