"""What is remembered stands in a LangGraph store of the folder, which may be a stranger's."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import wideleaf as wl
from wideleaf.graph.memory import MEMORY, FolderStore
from wideleaf.tools.dictionary.corrections import CORRECTIONS

TABLE = {"plots": pl.DataFrame({"site": ["a", "b"], "yld": [4.5, 6.0]})}
COLUMN = {"tables": [{"name": "plots", "headers": "x"}], "column": "yld"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def test_where_nothing_is_remembered_no_file_is_made_or_opened(folder: Path) -> None:
    store = FolderStore(folder)
    assert store.search(("wideleaf",)) == store.list_namespaces() == []
    assert store.get(CORRECTIONS, "x") is None
    store.path.with_name("w").mkdir(parents=True)
    code = (
        "import sys, polars, wideleaf as wl\n"
        "wl.ask('largest a?', {'t': polars.DataFrame({'a': [1, 2]})}, folder=sys.argv[1])\n"
        "assert not {'langgraph.store.sqlite', 'sqlite_vec'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code, str(folder / "w")], check=True)
    assert not (folder / "w" / MEMORY).exists()


def test_the_file_is_one_that_langgraph_reads(folder: Path) -> None:
    from langgraph.store.sqlite import SqliteStore

    wl.correct(TABLE, column="yld", means="yield", folder=folder)
    with SqliteStore.from_conn_string(str(folder / MEMORY)) as store:
        (item,) = store.search(("wideleaf",))
    assert (item.namespace, item.key) == (CORRECTIONS, "plots: column yld")
    assert item.value["means"] == "yield"
    assert (folder / MEMORY).stat().st_mode & 0o077 == 0
    (again,) = asyncio.run(FolderStore(folder).asearch(("wideleaf",)))
    assert again == item


def test_what_is_of_another_form_is_passed_over_and_forgotten_under_any_key(folder: Path) -> None:
    wl.correct(TABLE, column="yld", means="yield", folder=folder)
    store = FolderStore(folder)
    for n, value in enumerate(
        ({}, {"tables": []}, {**COLUMN, "means": 5}, {**COLUMN, "tables": 1})
    ):
        store.put(CORRECTIONS, str(n), value)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE store SET value = '[1]' WHERE key = '0'")
    store.put(CORRECTIONS, "mine", {**COLUMN, "means": "grain yield"})
    said = {one.means for one in wl.corrections(TABLE, folder=folder)}
    assert said == {"yield", "grain yield"}
    assert wl.forget(TABLE, column="yld", folder=folder) == 2
    assert wl.corrections(TABLE, folder=folder) == ()
    assert len(store.search(CORRECTIONS)) == 4


def test_a_file_that_is_no_store_is_told_of(folder: Path) -> None:
    folder.mkdir()
    (folder / MEMORY).write_text("no database, and long enough to be looked at. " * 9)
    with pytest.raises(wl.SettingsError, match=rf"{MEMORY}.*cannot be used.*move the file away"):
        wl.ask("largest yld?", TABLE, folder=str(folder))


def test_two_processes_may_write_at_once(folder: Path) -> None:
    code = (
        "import sys\n"
        "from wideleaf.graph.memory import FolderStore\n"
        "store = FolderStore(sys.argv[1])\n"
        "for n in range(40):\n    store.put(('t', sys.argv[2]), str(n), {'n': n})\n"
    )
    words = [sys.executable, "-c", code, str(folder)]
    running = [subprocess.Popen([*words, name]) for name in "abc"]
    assert [one.wait() for one in running] == [0, 0, 0]
    assert len(FolderStore(folder).search(("t",), limit=1000)) == 120


def test_a_file_that_leads_elsewhere_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / MEMORY).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(wl.SettingsError, match="link"):
        wl.correct(TABLE, column="yld", means="yield", folder=folder)
    assert not (tmp_path / "elsewhere").exists()
