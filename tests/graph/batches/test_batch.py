"""Batches: many questions over the same tables, kept one by one, gone on with after a crash."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from worker_jobs import crashed, end_on_bad

import wideleaf as wl
from wideleaf.graph.batches import batch as batch_module
from wideleaf.graph.batches import journal as journal_module
from wideleaf.graph.batches.journal import ABOUT, ASKED, FORM, ROWS, Journal
from wideleaf.graph.shell.shell import main
from wideleaf.graph.workers import UNDER_WAY, Work, ask_all
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf.tools.writing import folder_error

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
    }
)
MEAN, ROWS_OF, NONSENSE = (
    "What is the mean yield_t?",
    "How many rows have year 2019?",
    "moin moin",
)


@pytest.fixture
def csv(tmp_path: Path) -> str:
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    return str(path)


@pytest.fixture
def ask(tmp_path, csv):
    def ask(questions, *, source=csv, **named):
        given = {"folder": str(tmp_path / "w"), "out": tmp_path / "answers.parquet", **named}
        return wl.batch(questions, source, **given)

    return ask


def test_answers_stand_in_the_order_of_the_questions_with_what_stood_beside(ask, tmp_path):
    frame = pd.DataFrame(
        {"id": [7, 8, 9], "question": [MEAN, NONSENSE, ROWS_OF], "answer": ["a", "b", "c"]}
    )
    answers = ask(frame)
    told = answers.frame
    assert told["id"].tolist() == [7, 8, 9]
    assert told["answer (given)"].tolist() == ["a", "b", "c"]
    assert told["question"].tolist() == [MEAN, NONSENSE, ROWS_OF]
    assert told["status"].tolist() == ["answered", "unanswered", "answered"]
    assert (answers.rows[0].value, answers.rows[2].value) == (5.5, 4)
    assert "Group" in told["plan"][0] or "Aggregate" in told["plan"][0]
    assert pd.read_parquet(tmp_path / "answers.parquet")["value"].tolist()[0] == 5.5
    assert answers.counts == {"answered": 2, "unanswered": 1}


def test_each_answer_is_a_whole_result(ask):
    answers = ask([MEAN, ROWS_OF])
    result = answers[1]
    assert (result.question, result.value) == (ROWS_OF, 4)
    assert result.frame.iloc[0, 0] == 4
    assert "trials" in result.to_sql()


def test_the_same_words_are_asked_once(ask, monkeypatch):
    asked = _count(monkeypatch)
    answers = ask([MEAN, ROWS_OF, MEAN, f" {MEAN} "])
    assert [row.value for row in answers.rows] == [5.5, 4, 5.5, 5.5]
    assert sorted(asked) == sorted([MEAN, ROWS_OF])
    assert len(answers.asked) == 2


def test_a_question_without_words_costs_its_row_alone(ask):
    answers = ask(["", MEAN, None])
    assert [row.status for row in answers.rows] == ["failed", "answered", "failed"]
    assert "empty" in answers.rows[0].error
    with pytest.raises(SettingsError, match="no result"):
        answers[0]


def _count(monkeypatch) -> list[str]:
    asked: list[str] = []
    real = batch_module.answer_question

    def spy(job, worker, **named):
        asked.append(job[1])
        return real(job, worker, **named)

    monkeypatch.setattr(batch_module, "answer_question", spy)
    return asked


def test_the_same_call_asks_only_what_has_no_answer(ask, monkeypatch):
    first = ask([MEAN])
    asked = _count(monkeypatch)
    second = ask([ROWS_OF, MEAN])
    assert asked == [ROWS_OF]
    assert second.rows[1] == first.rows[0]
    ask([ROWS_OF, MEAN])
    assert asked == [ROWS_OF]
    ask([ROWS_OF, MEAN], anew=True)
    assert asked == [ROWS_OF, ROWS_OF, MEAN]


def test_a_failure_costs_one_row_and_is_asked_again(ask, monkeypatch):
    from wideleaf.graph.sessions import question as room

    real = room.run_graph

    def run_graph(graph, todo, *given):
        if todo["question"] == ROWS_OF:
            raise ZeroDivisionError("of our own")
        return real(graph, todo, *given)

    with monkeypatch.context() as patch:
        patch.setattr(room, "run_graph", run_graph)
        answers = ask([MEAN, ROWS_OF, NONSENSE])
    assert [row.status for row in answers.rows] == ["answered", "failed", "unanswered"]
    assert "bug" in answers.rows[1].error
    assert [row.status for row in ask([MEAN, ROWS_OF, NONSENSE]).rows][1] == "answered"


def test_other_settings_and_tables_are_refused(ask, csv):
    ask([MEAN])
    with pytest.raises(SettingsError, match=r"begun with settings=\{\}, and not.*profile"):
        ask([MEAN], profile="sql")
    TRIALS.assign(yield_t=1.0).to_csv(csv, index=False)
    with pytest.raises(SettingsError, match="other cells in the table 'trials'"):
        ask([MEAN])
    with pytest.raises(SettingsError, match="the tables 'trials', and not 'x'"):
        ask([MEAN], source={"x": TRIALS})
    assert ask([MEAN], anew=True).rows[0].value == 1.0


def test_a_batch_without_an_output_is_known_by_its_questions(ask):
    one, same, other = ask([MEAN], out=None), ask([MEAN], out=None), ask([ROWS_OF], out=None)
    assert one.folder == same.folder != other.folder


@pytest.mark.parametrize("workers", [2])
def test_processes_answer_alike(ask, workers):
    questions = [MEAN, ROWS_OF, NONSENSE]
    many, alone = ask(questions, workers=workers, out=None), ask(questions)
    told = [(row.status, row.value, row.caveats) for row in alone.rows]
    assert [(row.status, row.value, row.caveats) for row in many.rows] == told


@pytest.mark.slow
def test_a_question_that_ends_its_worker_takes_no_other_along(tmp_path):
    jobs = {name: name for name in ("a", "bad", "b", "c", "d")}
    found = dict(ask_all(jobs, Work(end_on_bad, crashed), 2, "processes", tmp_path))
    assert found == {"a": "a!", "bad": "bad?", "b": "b!", "c": "c!", "d": "d!"}


@pytest.mark.slow
@pytest.mark.parametrize("leaves", [True, False])
def test_a_question_that_ended_this_process_is_asked_by_itself(tmp_path, leaves):
    jobs = {"bad": "bad", "a": "a"}
    (tmp_path / UNDER_WAY).write_text('{"id": "bad", "times": 3}')
    # What cannot be handed to another process is not tried for ever.
    row = crashed if leaves else lambda job: f"{job}?"
    found = dict(ask_all(jobs, Work(end_on_bad, row), 1, "here", tmp_path))
    assert found == {"bad": "bad?", "a": "a!"}
    (tmp_path / UNDER_WAY).write_text('{"id": "a", "times": 1}')
    assert dict(ask_all({"a": "a"}, Work(end_on_bad, row), 1, "here", tmp_path)) == {"a": "a!"}


# --- Models -----------------------------------------------------------------------------------


def _model(reply=None):
    def move(_):
        if reply:
            raise reply
        return "Count.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}

    moves = iter(())

    def policy(messages):
        if "Step 1 " in messages[-1].text:
            return move(messages)
        return "Done.", "Finish", {"table": "T1"}

    assert moves is not None
    return wl.Script(policy=policy)


def test_questions_to_a_model_have_threads_and_a_budget(ask):
    questions = [f"How many rows, {n}?" for n in range(6)]
    part = ask(questions, model=_model(), workers=2, total_tokens=1)
    assert part.ended == "budget"
    assert part.counts["not asked"] >= 3
    whole = ask(questions, model=_model(), workers=2)
    assert (whole.ended, whole.counts) == ("", {"answered": 6})
    assert all(row.tokens_in > 0 and row.value == 6 for row in whole.rows)


def test_a_model_out_of_reach_ends_it_and_is_asked_again(ask, monkeypatch):
    questions = [f"How many rows, {n}?" for n in range(9)]
    with pytest.raises(ModelError, match="5 questions in a row failed"):
        ask(questions, model=_model(ConnectionError("down")))
    assert ask(questions, model=_model()).counts == {"answered": 9}


# --- Files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", f"question,id\n{MEAN},1\n{ROWS_OF},2\n"),
        ("q.txt", f"{MEAN}\n\n{ROWS_OF}\n"),
        ("q.jsonl", f'{{"question": "{MEAN}"}}\n{{"question": "{ROWS_OF}"}}\n'),
    ],
)
def test_questions_come_from_files(ask, tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    assert [row.value for row in ask(path).rows] == [5.5, 4]


def test_a_file_of_answers_holds_no_formula(ask, tmp_path):
    questions = [{"question": MEAN, "=note": "=1+1", "n": -3}, {"question": MEAN, "n": 2}]
    ask(questions, out=tmp_path / "a.csv")
    made = pd.read_csv(tmp_path / "a.csv")
    assert made["'=note"].tolist()[0] == "'=1+1"
    assert made["n"].tolist() == [-3, 2]


@pytest.mark.parametrize(
    ("questions", "named", "said"),
    [
        ([], {}, "there is no question"),
        (["", "  "], {}, "none of the 2 questions"),
        ([{"a": "x", "b": "y"}], {}, "no column 'question' among 'a', 'b'"),
        ([{"a": MEAN}], {"column": "b"}, "no column 'b' among 'a'"),
        ([12], {}, "12 is no question"),
        (7, {}, "questions=7 does not fit"),
        ([MEAN], {"workers": 0}, "workers=0"),
        ([MEAN], {"out": "answers.doc"}, "has no ending"),
    ],
)
def test_what_cannot_be_a_batch_is_told_before_anything_is_asked(ask, questions, named, said):
    with pytest.raises(SettingsError, match=said):
        ask(questions, **named)


def test_an_empty_file_of_questions_is_told(ask, tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("question\n")
    with pytest.raises(wl.WideleafError, match="no rows"):
        ask(path)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "html"])
def test_answers_are_written_by_the_ending(ask, tmp_path, suffix):
    out = tmp_path / f"a.{suffix}"
    hostile = "<script>alert(1)</script>"
    ask([MEAN, hostile], out=out)
    text = out.read_text()
    assert "5.5" in text
    assert ("<script" in text) == (suffix != "html")


def test_a_notebook_shows_figures_and_escapes_what_is_not_ours(ask):
    shown = ask([MEAN, "<b>how?</b>"])._repr_html_()
    assert "1 of 2" in shown
    assert "&lt;b&gt;how?" in shown
    assert "<b>how" not in shown


# --- Journals ---------------------------------------------------------------------------------


def test_a_line_that_a_crash_cut_short_is_asked_again(ask):
    folder = ask([MEAN, ROWS_OF]).folder
    rows = folder / ROWS
    rows.write_text(rows.read_text().rstrip()[:-25])
    assert [row.value for row in ask([MEAN, ROWS_OF]).rows] == [5.5, 4]


def test_a_journal_of_another_version_is_told(ask):
    folder = ask([MEAN]).folder
    about = folder / ABOUT
    about.write_text(about.read_text().replace(FORM, "wideleaf.batch/0"))
    with pytest.raises(SettingsError, match=r"is of form 'wideleaf\.batch/0'"):
        ask([MEAN])
    about.write_text("not ours")
    with pytest.raises(SettingsError, match="holds no batch"):
        ask([MEAN])
    (folder / ROWS).write_text('{"key": 1}\n')
    about.unlink()
    with pytest.raises(SettingsError, match="line 1 of"):
        ask([MEAN])
    assert ask([MEAN], anew=True).rows[0].value == 5.5


def test_a_batch_under_way_elsewhere_is_refused(ask):
    folder = ask([MEAN]).folder
    with Journal(folder).held(), pytest.raises(SettingsError, match="under way elsewhere"):
        ask([MEAN])


def test_a_full_disk_loses_nothing_of_what_was_kept(ask, monkeypatch, tmp_path):
    real, left = journal_module.append_lines, [1]

    def append(path, *lines):
        if not left:
            raise folder_error(path.parent, "the disk is full")
        left.pop()
        real(path, *lines)

    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "append_lines", append)
        with pytest.raises(SettingsError, match="the disk is full"):
            ask([MEAN, ROWS_OF])
    told = pd.read_parquet(tmp_path / "answers.parquet")
    assert told["status"].tolist() == ["answered", "not asked"]
    asked = _count(monkeypatch)
    assert [row.value for row in ask([MEAN, ROWS_OF]).rows] == [5.5, 4]
    assert asked == [ROWS_OF]


# --- The shell --------------------------------------------------------------------------------


def test_the_shell_answers_a_file(tmp_path, csv, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(f"{MEAN}\n{NONSENSE}\n")
    assert main(["batch", "q.txt", csv, "--out", "a.csv", "--report", "a.html", "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "2 questions: 1 answered, 1 unanswered" in told
    assert "wrote a.csv\nwrote a.html" in told
    assert pd.read_csv("a.csv")["status"].tolist() == ["answered", "unanswered"]
    assert "<title>2 questions</title>" in Path("a.html").read_text()
    assert main(["batch", "q.txt", csv, "--out", "a.csv", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["value"] for line in lines] == [5.5, None]
    assert main(["batch", "q.txt", csv, "--out", "a.doc"]) == 2


CHILD = (
    "import sys, wideleaf as wl\n"
    "wl.batch(sys.argv[1], sys.argv[2], folder=sys.argv[3], out=sys.argv[4])\n"
)


@pytest.mark.slow
def test_a_batch_that_is_killed_goes_on(tmp_path, csv):
    questions = [f"How many rows have year {n}?" for n in range(2014, 2021)]
    (tmp_path / "q.txt").write_text("\n".join(questions))
    kept, out = str(tmp_path / "w"), str(tmp_path / "a.parquet")
    call = [sys.executable, "-c", CHILD, str(tmp_path / "q.txt"), csv, kept, out]
    at, seen = Random(3), []
    for _ in range(2):
        with subprocess.Popen(call, stderr=subprocess.DEVNULL) as child:
            rows = _wait_for_rows(Path(kept), len(seen) + at.randint(1, 2), child)
            child.send_signal(signal.SIGKILL)
        assert rows[: len(seen)] == seen  # nothing that was kept is asked again
        seen = rows
    assert subprocess.run(call, check=True).returncode == 0
    told = pd.read_parquet(out)
    assert told["question"].tolist() == questions
    alone = wl.batch(questions, csv, folder=str(tmp_path / "alone")).frame
    assert told["status"].tolist() == alone["status"].tolist()
    assert told["answer"].tolist() == alone["answer"].tolist()
    keys = [json.loads(line)["key"] for line in _lines(Path(kept))]
    assert len(keys) == len({*keys}) == len(questions)


def _lines(folder: Path) -> list[str]:
    found = [*folder.glob(f"batches/*/{ROWS}")]
    return [line for line in found[0].read_text().splitlines() if line] if found else []


def _wait_for_rows(folder: Path, count: int, child: subprocess.Popen[bytes]) -> list[str]:
    while child.poll() is None and len(_lines(folder)) < count:
        time.sleep(0.01)
    return [line for line in _lines(folder) if line.endswith("}")]


# --- Among the runs of a folder ---------------------------------------------------------------


def test_a_batch_is_a_run_that_goes_on_by_its_name(ask, tmp_path):
    questions = pd.DataFrame({"text": [MEAN, ROWS_OF], "id": [1, 2]})
    folder = ask(questions, column="text").folder
    rows = folder / ROWS
    rows.write_text(rows.read_text().splitlines()[1] + "\n")
    runs = wl.runs(tmp_path / "w")
    (run,) = runs.all()
    assert (run.kind, run.status, run.asked, run.question) == ("batch", "unfinished", 2, MEAN)
    answers = runs.resume(run.name)
    assert answers.frame["id"].tolist() == [1, 2]
    assert answers.frame["value"].tolist() == [5.5, 4]
    assert pd.read_parquet(tmp_path / "answers.parquet")["value"].tolist() == [5.5, 4]
    assert runs.show(run.name).status == "answered"
    with pytest.raises(SettingsError, match="has its name from its output"):
        runs.rename(run.name, "other")
    runs.remove(run.name)
    assert not folder.exists()
    assert runs.all() == []


def test_a_purge_takes_batches_along(ask, tmp_path):
    folder = ask([MEAN]).folder
    wl.runs(tmp_path / "w").purge()
    assert not folder.exists()


def test_a_batch_whose_call_is_not_kept_is_told_and_left(ask, tmp_path):
    folder = ask([MEAN]).folder
    (folder / ASKED).write_text("{}")
    (run,) = wl.runs(tmp_path / "w").all()
    assert run.status == "unreadable"
    with pytest.raises(SettingsError, match="cannot go on"):
        wl.runs(tmp_path / "w").resume(run.name)
