"""What is kept of runs: listed, gone on with, renamed, removed, and gone from the disk."""

import json
import os
import sqlite3
import time
from datetime import timedelta

import pandas as pd
import pytest
from database_servers import empty_postgresql

import wideleaf as wl
from wideleaf.graph.checkpoints.place import THREADS, place_of
from wideleaf.graph.checkpoints.shelf import open_shelf
from wideleaf.graph.retention.marks import in_use
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import SettingsError, SourceError

HIGHEST = "Which site has the highest yield_t?"
SECRET = "Zqxjkvgarden"


@pytest.fixture(scope="module")
def postgresql():
    with empty_postgresql() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def place(request):
    """The setting of either place, where nothing is kept yet."""
    if request.param == "sqlite":
        return request.param
    import psycopg

    url = request.getfixturevalue("postgresql")
    with psycopg.connect(url, autocommit=True) as one:
        one.execute("DROP SCHEMA public CASCADE")
        one.execute("CREATE SCHEMA public")
    return url


@pytest.fixture
def ways(tmp_path, place):
    return {"folder": str(tmp_path / "w"), "checkpoints": place}


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.csv"
    sites = [f"{SECRET}{n}" for n in range(30)]
    pd.DataFrame({"site": sites, "yield_t": range(30)}).to_csv(path, index=False)
    return str(path)


def bytes_of(folder):
    return b"\n".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


def rows_of(place):
    """All that a database holds of threads, or nothing."""
    if place == "sqlite":
        return b""
    import psycopg

    told = []
    with psycopg.connect(place) as one:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            for row in one.execute(f"SELECT * FROM {table}"):
                told += [v if isinstance(v, bytes) else str(v).encode() for v in row]
    return b"\n".join(told)


def test_questions_and_conversations_are_listed_with_what_they_are_about(trials, ways, tmp_path):
    wl.ask(HIGHEST, trials, thread="q", max_steps=7, **ways)
    with wl.Session(trials, thread="talk", **ways) as session:
        session.ask("What is the mean yield_t?")
        session.ask("And the maximum?")
    runs = wl.runs(**ways)
    talk, question = runs.all()
    assert (talk.name, talk.kind, talk.asked, talk.question) == (
        *("talk", "conversation", 2, "And the maximum?"),
    )
    assert (question.kind, question.status, question.question) == ("question", "answered", HIGHEST)
    assert question.settings == {"max_steps": 7}
    assert question.sources[0].startswith("trials=")
    assert question.bytes > 0
    assert HIGHEST in repr(runs)
    assert [part.name for part in runs.parts()][-3:] != []
    assert "q" in str(runs["q"])


def test_every_kind_of_thread_has_one_first_checkpoint_and_is_listed_by_it(trials, ways, tmp_path):
    def cut(event):
        raise KeyError

    wl.ask(HIGHEST, trials, thread="q", **ways)
    model = wl.Script([("Done.", "Finish", {"table": "trials"})] * 6)
    wl.ask(HIGHEST, trials, thread="vote", model=model, strategy="vote", samples=2, **ways)
    with pytest.raises(KeyError):
        wl.ask(HIGHEST, trials, thread="cut", on_event=cut, **ways)
    with wl.Session(trials, thread="talk", **ways) as session:
        session.ask("What is the mean yield_t?")
        session.ask("And the maximum?")
    with open_shelf(place_of(ways["checkpoints"], tmp_path / "w")) as shelf:
        assert shelf.names() == ["cut", "q", "talk", "vote"]
        for name in shelf.names():
            config = {"configurable": {"thread_id": shelf.place.key(name), "checkpoint_ns": ""}}
            assert len([*shelf.saver.list(config, filter={"step": -1})]) == 1
            assert shelf.size(name) > len(HIGHEST)


def test_nothing_is_made_where_nothing_is_kept(tmp_path):
    runs = wl.runs(tmp_path / "nowhere")
    assert (runs.all(), runs.parts()) == ([], [])
    assert runs.purge().files == 0
    with pytest.raises(SettingsError, match="no run 'x' is kept"):
        runs.remove("x")


def test_a_run_goes_on_by_its_name_alone(trials, ways):
    class Cut(BaseException):
        pass

    def cut(event):
        if event.kind == "action":
            raise Cut

    with pytest.raises(Cut):
        wl.ask(HIGHEST, trials, thread="q", on_event=cut, **ways)
    runs = wl.runs(**ways)
    assert runs["q"].status == "unfinished"
    assert runs.resume("q").value == f"{SECRET}29"
    assert runs["q"].status == "answered"
    with wl.Session(trials, thread="talk", **ways) as session:
        session.ask("What is the mean yield_t?")
    with runs.resume("talk") as again:
        assert again.ask("And the maximum?").value == 29


def test_a_frame_from_python_goes_on_by_its_copy(ways):
    frame = pd.DataFrame({"site": ["A", "B"], "yield_t": [1, 2]})
    first = wl.ask(HIGHEST, {"trials": frame}, thread="q", **ways)
    assert wl.runs(**ways).resume("q").answer == first.answer


def test_a_live_model_is_not_kept_and_is_told_of(trials, ways):
    script = wl.Script([("Done.", "Finish", {"table": "trials"})] * 2)
    wl.ask("Show the table", trials, thread="q", model=script, **ways)
    runs = wl.runs(**ways)
    assert runs["q"].live == "Script"
    with pytest.raises(SettingsError, match="asked with a Script from Python, which is not kept"):
        runs.resume("q")
    assert runs.resume("q", model=script).status == "answered"


def test_a_source_that_is_gone_is_told_and_nothing_is_lost(tmp_path, ways):
    path = tmp_path / "trials.parquet"
    pd.DataFrame({"site": ["A", "B"], "yield_t": [1, 2]}).to_parquet(path)
    first = wl.ask(HIGHEST, str(path), thread="q", **ways)
    path.rename(tmp_path / "moved.parquet")
    runs = wl.runs(**ways)
    with pytest.raises(SourceError, match=r"trials\.parquet"):
        runs.resume("q")
    assert runs["q"].answer == first.answer
    assert runs.resume("q", f"trials={tmp_path / 'moved.parquet'}").answer == first.answer


def test_a_run_has_another_name_and_goes_on_under_it(trials, ways):
    first = wl.ask(HIGHEST, trials, thread="q", **ways)
    wl.ask("How many rows are there?", trials, thread="other", **ways)
    runs = wl.runs(**ways)
    with pytest.raises(SettingsError, match="there is a run 'other' already"):
        runs.rename("q", "other")
    runs.rename("q", "harvest 2026")
    assert sorted(run.name for run in runs) == ["harvest 2026", "other"]
    assert wl.ask(HIGHEST, trials, thread="harvest 2026", **ways) == first


def test_a_run_under_way_is_neither_renamed_nor_removed(trials, ways, tmp_path):
    wl.ask(HIGHEST, trials, thread="q", **ways)
    runs = wl.runs(**ways)
    with open_shelf(place_of(ways["checkpoints"], tmp_path / "w")) as shelf, shelf.held("q"):
        for act in (lambda: runs.remove("q"), lambda: runs.rename("q", "r")):
            with pytest.raises(SettingsError, match="'q' is running elsewhere"):
                act()
    with in_use(tmp_path / "w"), pytest.raises(SettingsError, match="a run is under way in"):
        runs.purge()
    assert runs["q"].status == "answered"


def test_removing_takes_the_frames_that_no_other_needs(trials, ways, tmp_path):
    shared = [
        (
            "Cut.",
            "Filter",
            {"table": "trials", "where": [{"column": "yield_t", "op": ">", "value": 20}]},
        )
    ]
    sort = ("Sort.", "Sort", {"table": "T1", "by": [{"column": "yield_t"}], "limit": 3})
    finish = [("Done.", "Finish", {"table": "T2"})] * 2

    def script(*steps):
        return wl.Script([*shared, *steps, *finish])

    one = wl.ask("a", trials, thread="one", model=script(sort), **ways)
    count = ("Count.", "Aggregate", {"table": "T1", "measures": [{"function": "count"}]})
    two = wl.ask("b", trials, thread="two", model=script(count), **ways)
    ids = {node.label: node.id for node in one.tree.nodes}
    others = {node.label: node.id for node in two.tree.nodes}
    assert ids["T1"] == others["T1"]
    recipes = tmp_path / "w" / "recipes.jsonl"
    assert ids["T2"] in recipes.read_text()
    wl.runs(**ways).remove("one")
    text = recipes.read_text()
    assert ids["T2"] not in text
    assert others["T1"] in text
    assert others["T2"] in text
    frame = wl.frame(others["T2"], trials, folder=tmp_path / "w")
    assert frame.iloc[0, 0] == 9


def test_what_was_removed_is_in_no_byte_of_the_threads(trials, ways, tmp_path):
    wl.ask(f"What is the yield_t of {SECRET}7?", trials, thread="secret", **ways)
    for number in range(3):
        wl.ask("How many rows are there?", trials, thread=f"t{number}", **ways)
    place = ways["checkpoints"]
    held = rows_of(place) + b"".join(p.read_bytes() for p in (tmp_path / "w").glob(f"{THREADS}*"))
    assert SECRET.encode() in held
    removed = wl.runs(**ways).remove("secret")
    assert removed.left == ""
    held = rows_of(place) + b"".join(p.read_bytes() for p in (tmp_path / "w").glob(f"{THREADS}*"))
    assert b"How many rows" in held
    assert SECRET.encode() not in held


def test_a_purge_leaves_nothing_of_the_users(trials, ways, tmp_path):
    folder = tmp_path / "w"
    question = f"What is the yield_t of {SECRET}7?"
    wl.ask(question, trials, thread="q", **ways).save(folder / "last.json")
    wl.index(trials, folder=ways["folder"])
    wl.correct(trials, column="yield_t", means=f"{SECRET} tonnes", folder=ways["folder"])
    (folder / "mine.txt").write_text("not of Wideleaf")
    (folder / "clients" / "abc").mkdir(parents=True)
    (folder / "clients" / "abc" / THREADS).write_bytes(b"another's")
    with wl.Session(trials, thread="talk", **ways) as session:
        session.ask(question)
    assert SECRET.encode() in bytes_of(folder)
    removed = wl.runs(**ways).purge()
    assert removed.runs == 2
    assert removed.left == ("'clients', 'mine.txt' stay, which are not the folder's own")
    assert SECRET.encode() not in bytes_of(folder)
    assert SECRET.encode() not in rows_of(ways["checkpoints"])
    assert (folder / "mine.txt").exists()
    assert (folder / "clients" / "abc" / THREADS).exists()
    # The same process goes on, although it held frames, an index and corrections in memory.
    assert wl.runs(**ways).all() == []
    assert wl.ask(question, trials, thread="q", **ways).value == 7
    assert wl.corrections(trials, folder=ways["folder"]) == ()


def test_a_purge_of_what_is_old_leaves_the_rest(trials, ways, tmp_path):
    wl.ask(HIGHEST, trials, thread="q", **ways)
    runs = wl.runs(**ways)
    old = tmp_path / "w" / "tables" / "old.parquet"
    old.write_bytes(b"x")
    os.utime(old, (time.time() - 40 * 86400,) * 2)
    for path in (tmp_path / "w" / "tables").glob("*"):
        os.utime(path, (time.time() - 40 * 86400,) * 2)
    assert runs.purge(timedelta(days=30))[:2] == (0, 1)  # the thread's own table stays
    assert not old.exists()
    assert runs.resume("q").answer
    assert runs.purge(timedelta(0)).runs == 1


def test_a_folder_of_an_earlier_version_is_shown_and_left_as_it_is(trials, tmp_path):
    """Without the word on how it was asked, and one whose checkpoint nobody reads any more."""
    folder = tmp_path / "w"
    for name in ("old", "broken"):
        wl.ask(HIGHEST, trials, thread=name, folder=folder)
    with sqlite3.connect(folder / THREADS) as one:
        one.execute(
            "UPDATE checkpoints SET metadata = json_remove(metadata, '$.wideleaf') "
            "WHERE thread_id = 'old'"
        )
        one.execute("UPDATE checkpoints SET checkpoint = x'c1' WHERE thread_id = 'broken'")
    one.close()
    runs = wl.runs(folder)
    assert runs["old"].note.startswith("how it was asked is not known")
    assert runs["old"].sources == ("trials",)
    with pytest.raises(SettingsError, match="where the tables of 'old' are is not known"):
        runs.resume("old")
    assert runs.resume("old", trials).value == f"{SECRET}29"
    assert runs["broken"].status == "unreadable"
    with pytest.raises(SettingsError, match="'broken' cannot go on: this version cannot read it"):
        runs.resume("broken")
    (folder / "last.json").write_text('{"form": "wideleaf.result/9", "question": "?"}')
    assert "this version reads 'wideleaf.result/1'" in runs["last.json"].note


def test_a_file_of_threads_that_is_none_is_left_and_told(tmp_path):
    (tmp_path / THREADS).write_bytes(b"no database at all" * 100)
    with pytest.raises(SettingsError, match=r"used .*they are left as they are"):
        wl.runs(tmp_path).all()
    assert (tmp_path / THREADS).exists()


# --- The shell ---------------------------------------------------------------------------------


def shell(capsys, *words):
    code = main(["runs", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_shell_lists_shows_renames_removes_and_purges(trials, tmp_path, capsys):
    where = ("--folder", str(tmp_path / "w"))
    wl.ask(HIGHEST, trials, thread="q", folder=tmp_path / "w")
    assert HIGHEST in shell(capsys, *where)[1]
    listed = json.loads(shell(capsys, "list", *where, "--json")[1])
    assert [run["name"] for run in listed["runs"]] == ["q"]
    assert {"threads", "frames"} <= {part["name"] for part in listed["parts"]}
    assert json.loads(shell(capsys, "show", "q", *where, "--json")[1])["question"] == HIGHEST
    assert shell(capsys, "rename", "q", "r", *where)[0] == 0
    assert SECRET in shell(capsys, "resume", "r", *where, "--quiet")[1]
    code, _, told = shell(capsys, "remove", "r", *where)
    assert (code, "say --yes" in told) == (2, True)
    assert json.loads(shell(capsys, "remove", "r", *where, "--yes", "--json")[1])["runs"] == 1
    code, _, told = shell(capsys, "purge", "--older-than", "soon", "--yes", *where)
    assert (code, "'soon' is no age; right would be such as 30d" in told) == (2, True)
    assert shell(capsys, "purge", "--older-than", "30d", "--yes", *where)[0] == 0
    assert shell(capsys, "purge", "--yes", *where)[0] == 0
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["swept"]


def test_who_is_asked_may_say_no(trials, tmp_path, capsys, monkeypatch):
    wl.ask(HIGHEST, trials, thread="q", folder=tmp_path / "w")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "")
    code, _, told = shell(capsys, "purge", "--folder", str(tmp_path / "w"))
    assert (code, "nothing was removed" in told) == (2, True)
    assert wl.runs(tmp_path / "w")["q"]
