"""A folder that somebody else packed: nothing of it is run, followed or believed."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import ormsgpack
import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.workers import _read_note
from wideleaf.tools.errors import SettingsError

SITES = {"sites": pd.DataFrame({"site": ["A", "B"], "height": [1, 2]})}


def forge(folder: Path, checkpoint: bytes) -> None:
    """Put other bytes in place of the checkpoints of a thread."""
    connection = sqlite3.connect(folder / "threads.sqlite")
    with connection:
        connection.execute("update checkpoints set checkpoint = ?", (checkpoint,))
    connection.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    wl.ask("Which site has the highest height?", SITES, folder=tmp_path / "run", thread="kept")
    return tmp_path / "run"


@pytest.mark.filterwarnings("ignore")
def test_a_checkpoint_that_names_a_function_calls_nothing(folder: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    call = ormsgpack.packb(("os", "system", f"touch {proof}"))
    forge(folder, ormsgpack.packb(ormsgpack.Ext(0, call)))  # LangGraph's constructor of one value
    runs = wl.runs(folder)
    assert [run.status for run in runs.all()] == ["unreadable"]
    assert runs["kept"].status == "unreadable"
    runs.purge(timedelta(days=30))
    wl.ask("How many rows?", SITES, folder=folder, keep_days=1, keep_mib=1)
    assert not proof.exists()


@pytest.mark.parametrize("shape", [[1, 2], {"channel_values": [3]}, {"v": 1}, "text", None])
def test_a_checkpoint_of_another_shape_is_told_and_left(folder: Path, shape: object) -> None:
    forge(folder, ormsgpack.packb(shape))
    assert [run.status for run in wl.runs(folder).all()] == ["unreadable"]


@pytest.mark.parametrize("name", ["last.json", "tables", "threads.sqlite", "frames/one.parquet"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    own = tmp_path / "own"
    own.write_text("mine")
    link = tmp_path / "run" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(own)
    with pytest.raises(SettingsError, match="is a link; remove it"):
        wl.ask("How many rows?", SITES, folder=tmp_path / "run")
    assert own.read_text() == "mine"


def test_a_folder_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "disk")
    assert wl.ask("How many rows?", SITES, folder=tmp_path / "run").value == 2


@pytest.mark.parametrize("text", ["", '{"id": "a", "ti', "[1]", '{"id": "a", "times": 1}'])
def test_a_note_that_was_cut_short_says_nothing(tmp_path: Path, text: str) -> None:
    note = tmp_path / "note"
    assert _read_note(note) == {}
    note.write_text(text)
    assert _read_note(note) == ({"id": "a", "times": 1} if text.endswith("1}") else {})
