"""Limits of a folder: what goes first, what stays, and that nothing is lost by it."""

import os
import subprocess
import sys
import time

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.retention import sweep as sweeping
from wideleaf.graph.retention.contents import frame_files
from wideleaf.graph.retention.marks import RUNNING, count_runs, in_use
from wideleaf.graph.retention.sweep import sweep

DAY = 86_400


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.parquet"
    pd.DataFrame({"site": [f"s{n}" for n in range(3000)], "y": range(3000)}).to_parquet(path)
    return str(path)


@pytest.fixture
def asked(trials, tmp_path):
    """Ask for the rows above a number, whose frame is written down; its id and file."""

    def ask(above, days, **settings):
        cut = (
            "Cut.",
            "Filter",
            {"table": "trials", "where": [{"column": "y", "op": ">", "value": above}]},
        )
        script = wl.Script([cut, *[("Done.", "Finish", {"table": "T1"})] * 2])
        folder = tmp_path / "w"
        result = wl.ask(str(above), trials, model=script, folder=folder, **settings)
        store = sweeping_store(folder, trials)
        store.keep(result.tree["T1"].id)
        path = frame_files(folder)[result.tree["T1"].id]
        os.utime(path, (time.time() - days * DAY,) * 2)
        return path

    return ask


def sweeping_store(folder, trials):
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf.tools.steps.store import FrameStore

    return FrameStore(folder, open_catalog([trials], folder))


def context(tmp_path, **limits):
    return wl.Context(folder=tmp_path / "w", **limits)


def test_frames_that_were_not_used_for_days_go_and_come_again(asked, trials, tmp_path):
    old, young = asked(5, days=40), asked(6, days=3)
    told = sweep(context(tmp_path, keep_days=30))
    assert told.startswith("1 frame of ")
    assert "keep_days=30" in told
    assert (old.exists(), young.exists()) == (False, True)
    assert len(wl.frame(old.stem, trials, folder=tmp_path / "w")) == 2994
    assert sweep(context(tmp_path, keep_days=30)) == ""


def test_of_a_folder_that_is_too_large_the_longest_unused_go(asked, tmp_path):
    paths = [asked(number, days=number) for number in (1, 2, 3, 4)]
    size = sum(one.stat().st_size for one in (tmp_path / "w").rglob("*") if one.is_file())
    most = size - paths[3].stat().st_size - paths[2].stat().st_size // 2
    sweep(context(tmp_path, keep_mib=most / (1 << 20)))
    assert [path.exists() for path in paths] == [True, True, False, False]


def test_what_was_used_in_the_last_hour_and_what_a_named_thread_holds_stays(asked, tmp_path):
    fresh, named = asked(1, days=0), asked(2, days=20, thread="kept")
    told = sweep(context(tmp_path, keep_mib=0.001))
    assert (fresh.exists(), named.exists()) == (True, True)
    assert "the rest is of named threads, tables and the index" in told
    sweep(context(tmp_path, keep_days=30, keep_mib=0.001))
    assert named.exists()
    # The thread itself is older than the limit: its frames go, its answer stays.
    later = time.time() + 40 * DAY
    sweep(context(tmp_path, keep_days=30), now=later)
    assert not named.exists()
    assert wl.runs(tmp_path / "w")["kept"].status == "answered"


def test_a_question_tells_what_went(asked, trials, tmp_path, monkeypatch):
    old = asked(5, days=40)
    monkeypatch.setattr(sweeping, "_looked", {})
    result = wl.ask("How many rows?", trials, folder=tmp_path / "w", keep_days=30)
    assert not old.exists()
    assert any("1 frame of" in caveat for caveat in result.caveats)


def test_frames_stay_while_another_run_is_under_way(asked, trials, tmp_path, monkeypatch):
    old = asked(5, days=40)
    with in_use(tmp_path / "w"):
        monkeypatch.setattr(sweeping, "_looked", {})
        wl.ask("How many rows?", trials, folder=tmp_path / "w", keep_days=30)
        assert old.exists()
    monkeypatch.setattr(sweeping, "_looked", {})
    wl.ask("How many rows?", trials, folder=tmp_path / "w", keep_days=30)
    assert not old.exists()


def test_a_store_that_holds_frames_in_memory_makes_them_anew(asked, trials, tmp_path):
    path = asked(5, days=40)
    store = sweeping_store(tmp_path / "w", trials)
    before = store.get(path.stem).count()
    os.utime(path, (time.time() - 40 * DAY,) * 2)
    sweep(context(tmp_path, keep_days=30))
    assert not path.exists()
    assert store.get(path.stem).count() == before


def test_a_mark_is_free_again_when_its_process_was_killed(tmp_path):
    program = (
        "import sys, time; from pathlib import Path;"
        "from wideleaf.graph.retention.marks import in_use\n"
        "with in_use(Path(sys.argv[1])):\n"
        "    print('in', flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, env=os.environ
    ) as other:
        assert other.stdout.readline() == b"in\n"
        assert count_runs(tmp_path) == 1
        with in_use(tmp_path), in_use(tmp_path):
            assert count_runs(tmp_path) == 3
        other.kill()
    assert count_runs(tmp_path) == 0
    assert [*(tmp_path / RUNNING).iterdir()] == []
