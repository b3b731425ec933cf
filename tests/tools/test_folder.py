"""The run's folder: one that takes nothing, a disk that fills up, and what a power cut leaves."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.sources.normal import scratch_folder
from wideleaf.tools.steps.recipes import Recipe, RecipeBook
from wideleaf.tools.writing import append_lines, need_folder, write_text, write_whole

QUESTION = "Which site has the highest mean yield?"
UNDER_LIMIT = """
import resource, sys
import wideleaf as wl
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
for limit in sys.argv[4:]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), most))
    try:
        print(wl.ask(sys.argv[3], sys.argv[1], folder=f"{sys.argv[2]}/{limit}").value)
    except wl.WideleafError as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.csv"
    rows = 15_000
    pd.DataFrame(
        {
            "site": ["A", "B", "C"] * (rows // 3),
            "yield": [float(i % 7) for i in range(rows)],
            "note": [f"text {i * 7919}" for i in range(rows)],
        }
    ).to_csv(path, index=False)
    return path


def left_over(folder):
    """What a write that failed must not leave behind."""
    return [p.name for p in Path(folder).rglob("*") if ".part" in p.name or "reading-" in p.name]


def in_the_way(tmp_path, how):
    if how == "a file":
        (tmp_path / "w").write_text("x")
    elif how == "a file above":
        (tmp_path / "above").write_text("x")
        return tmp_path / "above" / "w"
    elif how == "a link to nothing":
        (tmp_path / "w").symlink_to(tmp_path / "gone" / "x")
    elif how == "too long a name":
        return tmp_path / ("n" * 300)
    elif how == "no such place":
        return Path("/proc/self/w")
    elif how == "no name":
        return tmp_path / "a\0b"
    return tmp_path / "w"


@pytest.mark.parametrize(
    "how",
    ["a file", "a file above", "a link to nothing", "too long a name", "no such place", "no name"],
)
def test_a_folder_that_takes_nothing_is_refused_before_any_work(how, tmp_path, trials):
    folder = in_the_way(tmp_path, how)
    with pytest.raises(SettingsError, match="cannot be written to") as caught:
        wl.ask(QUESTION, trials, folder=str(folder))
    assert "name another folder" in str(caught.value)
    with pytest.raises(SettingsError, match="cannot be written to"):
        wl.columns(QUESTION, trials, folder=str(folder))


@pytest.mark.slow
def test_a_full_disk_is_told_as_one_and_leaves_nothing_half_done(tmp_path, trials):
    limits = ["100", "4000", "20000"]
    words = [sys.executable, "-c", UNDER_LIMIT, str(trials), str(tmp_path), QUESTION, *limits]
    run = subprocess.run(words, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    for limit, line in zip(limits, lines, strict=True):
        folder = tmp_path / limit
        assert line.startswith("SettingsError"), run.stdout + run.stderr
        assert "the file would be too large" in line
        assert str(folder) in line
        assert "quote" not in line
        assert left_over(folder) == []
        assert wl.ask(QUESTION, trials, folder=str(folder)).value == "C"


def test_a_reader_that_heard_of_a_full_disk_does_not_blame_the_source(tmp_path):
    with pytest.raises(SettingsError, match="the disk is full"), scratch_folder(tmp_path):
        try:
            raise RuntimeError(
                "parquet: underlying IO error: No space left on device (os error 28)"
            )
        except RuntimeError:
            raise SourceError("look for a quote that is never closed") from None
    with pytest.raises(SourceError, match="quote"), scratch_folder(tmp_path):
        raise SourceError("look for a quote that is never closed")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("room", [b"", b"PAR1", b"half"])
def test_a_copy_that_was_cut_short_is_made_again(room, tmp_path, trials):
    folder = tmp_path / "w"
    value = wl.ask(QUESTION, trials, folder=str(folder)).value
    (copy,) = (folder / "tables").glob("*.parquet")
    copy.write_bytes(copy.read_bytes()[:-1000] if room == b"half" else room)
    assert wl.ask(QUESTION, trials, folder=str(folder)).value == value == "C"


def test_copies_of_json_are_made_again_and_so_is_their_list(tmp_path):
    source, folder = tmp_path / "t.json", tmp_path / "w"
    source.write_text(json.dumps([{"site": "A", "yield": 1}, {"site": "B", "yield": 2}]))
    for damaged in ("*.parquet", "*.json"):
        assert wl.ask(QUESTION, source, folder=str(folder)).value == "B"
        for path in (folder / "tables").glob(damaged):
            path.write_bytes(path.read_bytes()[:9])
    assert wl.ask(QUESTION, source, folder=str(folder)).value == "B"


def test_a_frame_that_was_cut_short_is_made_again(tmp_path, trials):
    from wideleaf.agents.models.script import Script

    moves = [
        ("Odd ones.", "Anomaly", {"table": "trials", "columns": ["yield"]}),
        ("Done.", "Finish", {"table": "T1"}),
        ("Done.", "Finish", {"table": "T1"}),
    ]

    def asked():
        return wl.ask("Which are odd?", trials, model=Script(moves), folder=str(tmp_path / "w"))

    first = asked()
    for size in (0, 500):
        for path in (tmp_path / "w" / "frames").glob("*.parquet"):
            path.write_bytes(path.read_bytes()[:size])
        assert asked().value == first.value
        pd.testing.assert_frame_equal(first.frame, asked().frame)


def test_a_copy_damaged_inside_is_taken_away_and_made_anew(tmp_path, trials):
    folder = tmp_path / "w"
    assert wl.ask(QUESTION, trials, folder=str(folder)).value == "C"
    (copy,) = (folder / "tables").glob("*.parquet")
    data = bytearray(copy.read_bytes())
    data[4:4000] = bytes(3996)
    copy.write_bytes(data)
    with pytest.raises(SourceError, match="has been taken away; ask again") as caught:
        wl.ask(QUESTION, trials, folder=str(folder))
    assert str(trials) in str(caught.value)
    assert wl.ask(QUESTION, trials, folder=str(folder)).value == "C"


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_answer_is_given_before_it_cannot_be_saved(form, tmp_path, trials, capsys):
    (tmp_path / "file").write_text("x")
    words = ["ask", QUESTION, str(trials), "--folder", str(tmp_path / "w")]
    code = main([*words, "--save", str(tmp_path / "file" / "run.json"), *form])
    out, err = capsys.readouterr()
    assert code == SettingsError.exit_code
    assert "was not saved" in err
    assert (json.loads(out)["value"] if form else "C" in out) in ("C", True)
    assert wl.Result.load(tmp_path / "w" / "last.json").value == "C"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("form", ["--json", "--quiet"])
def test_an_output_that_takes_nothing_is_told(form, tmp_path, trials):
    words = ["ask", QUESTION, str(trials), "--folder", str(tmp_path / "w"), form]
    # Of a stream without a buffer nothing is left to be written as the process ends.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "wideleaf", *words],
            env=buffered,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert "nothing more can be written: the disk is full" in run.stderr
    assert "Traceback" not in run.stderr
    assert run.returncode == SettingsError.exit_code


def test_a_saved_run_is_there_whole_or_not_at_all(tmp_path, trials, monkeypatch):
    result = wl.ask(QUESTION, trials, folder=str(tmp_path / "w"))
    path = result.save(tmp_path / "run.json")
    before = path.read_bytes()

    def fail(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SettingsError, match="the disk is full"):
        result.save(path)
    assert path.read_bytes() == before
    assert left_over(tmp_path) == []


def test_quiet_prints_the_answer_alone(tmp_path, trials, capsys):
    words = ["ask", QUESTION, str(trials), "--folder", str(tmp_path / "w"), "--quiet"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("site: C\n", "")


def test_what_a_link_leads_to_is_written_and_keeps_its_rights(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "grün")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "grün"
    assert target.stat().st_mode & 0o777 == 0o640
    write_text(Path(os.devnull), "to nobody")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), write_whole(path) as part:
        part.write_bytes(b"new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_a_line_that_was_not_written_whole_is_no_line(tmp_path, monkeypatch):
    book = RecipeBook(tmp_path / "recipes.jsonl")
    monkeypatch.setattr(os, "write", lambda file, data: len(data) // 2)
    with pytest.raises(SettingsError, match="the disk is full"):
        book.add("key", Recipe("Load", {}, ()))
    monkeypatch.undo()
    append_lines(book.path, "{}")
    assert book.path.read_bytes().endswith(b"\n{}\n")


def test_a_folder_is_made_where_it_can_be(tmp_path):
    need_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


@pytest.mark.slow
def test_a_fork_of_a_process_that_asked_is_told_so(trials, tmp_path):
    code = (
        "import os, sys, wideleaf as wl\n"
        "wl.ask(sys.argv[3], sys.argv[1], folder=sys.argv[2])\n"
        "if os.fork():\n    os.wait()\n    sys.exit()\n"
        "try:\n    wl.ask(sys.argv[3], sys.argv[1], folder=sys.argv[2])\n"
        "except wl.SettingsError as error:\n    print(error, flush=True)\n"
        "os._exit(0)\n"
    )
    words = [sys.executable, "-W", "ignore", "-c", code, trials, tmp_path / "w", QUESTION]
    run = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    assert "forked off one that had asked before" in run.stdout, run.stdout + run.stderr
