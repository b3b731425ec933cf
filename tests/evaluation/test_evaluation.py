"""The harness: reads sets, asks every question, keeps rows, goes on, and reports."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai_server import Answer, OpenAIServer

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.batches.batch import ProgressBar
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf_evaluation import answers as evaluation_answers
from wideleaf_evaluation import evaluation as evaluation_module
from wideleaf_evaluation import rows as evaluation_rows
from wideleaf_evaluation.answers import crashed_item
from wideleaf_evaluation.evaluation import evaluate
from wideleaf_evaluation.report import evaluation_report, in_markdown
from wideleaf_evaluation.rows import EvalRow, read_rows, settings_of
from wideleaf_evaluation.sets import half_of, load_set

ASKED = {
    "a": ("What is the mean grain yield?", 4),
    "b": ("How many rows are there?", 3),
    "c": ("What is the highest grain yield?", 7),  # a wrong gold
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "mine"
    place.mkdir()
    frame = pd.DataFrame({"site": ["Roma", "Perth", "Perth"], "grain yield": [2.0, 4.0, 6.0]})
    frame.to_csv(place / "trials.csv", index=False)
    write(place, [line(id, *asked, "trials.csv") for id, asked in ASKED.items()])
    return place


def line(id, question, answer, table, **other):
    return {"id": id, "question": question, "table": table, "answer": answer, **other}


def write(folder, lines, name="questions.jsonl"):
    (folder / name).write_text("".join(json.dumps(one) + "\n" for one in lines))


def settings(folder, **other):
    return settings_of(**{"folder": str(folder), "set": "plain", **other})


@pytest.fixture
def asked(monkeypatch):
    """The questions that are really asked, by `wideleaf.ask`, which still answers."""
    told, real = [], wl.ask

    def ask(question, *sources, **given):
        told.append((question, given))
        return real(question, *sources, **given)

    monkeypatch.setattr(wl, "ask", ask, raising=False)
    return told


def test_every_question_gets_a_row(folder):
    rows = evaluate(load_set(folder), settings(folder), "out")
    assert [(row.id, row.status) for row in rows] == [(id, "answered") for id in "abc"]
    assert [row.right for row in rows] == [True, True, False]
    assert rows[2].cause == "wrong value"
    assert rows[2].cells == ("6.0",)
    assert all(row.steps and row.seconds > 0 and row.megabytes > 0 for row in rows)


def test_a_second_start_goes_on_where_the_first_was(folder, asked):
    items = load_set(folder)
    evaluate(items[:1], settings(folder), "out")
    with open("out/rows.jsonl", "a") as file:
        file.write('{"id": "b", "que')  # a crash cuts a line off
    rows = evaluate(items, settings(folder), "out")
    assert [row.id for row in rows] == list("abc")
    assert [question for question, _ in asked] == [question for question, _ in ASKED.values()]
    assert [row.id for row in read_rows("out")] == list("abc")


def test_a_folder_of_other_settings_is_refused(folder):
    items = load_set(folder)
    evaluate(items[:1], settings(folder), "out")
    with pytest.raises(SettingsError, match="profile='standard'"):
        evaluate(items, settings(folder, profile="sql"), "out")


def test_the_stamp_is_of_the_code_of_every_room(tmp_path, monkeypatch):
    module = tmp_path / "mine" / "room" / "inner" / "module.py"
    module.parent.mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(evaluation_rows, "PACKAGES", ("mine",))
    stamps = set()
    for text in ("a = 1", "a = 2", "a = 1"):
        module.write_text(text)
        stamps.add(evaluation_rows.code_stamp.__wrapped__())
    assert len(stamps) == 2


def test_a_setting_that_does_not_fit_ends_it_before_the_first_question(folder, asked):
    with pytest.raises(SettingsError, match="strategy='nope'"):
        evaluate(load_set(folder), settings(folder, strategy="nope"), "out")
    with pytest.raises(SettingsError, match="n=0"):
        settings(folder, n=0)
    assert asked == []


def test_one_question_that_crashes_is_one_failure(folder, monkeypatch):
    real = wl.ask

    def ask(question, *sources, **given):
        if "mean" in question:
            raise ZeroDivisionError("a bug")
        return real(question, *sources, **given)

    monkeypatch.setattr(wl, "ask", ask, raising=False)
    rows = evaluate(load_set(folder), settings(folder), "out")
    assert [row.status for row in rows] == ["failed", "answered", "answered"]
    assert rows[0].error == "ZeroDivisionError: a bug"
    assert rows[0].cause == "error"


def test_questions_without_a_usable_model_end_it_and_are_asked_again(folder, monkeypatch):
    def gone(question, *sources, **given):
        raise ModelError("no server at 127.0.0.1:9")

    real = wl.ask
    write(folder, [line(n, *ASKED["a"], "trials.csv") for n in range(9)])
    monkeypatch.setattr(wl, "ask", gone, raising=False)
    with pytest.raises(ModelError, match="5 questions in a row"):
        evaluate(load_set(folder), settings(folder), "out")
    monkeypatch.setattr(wl, "ask", real, raising=False)
    assert all(row.right for row in evaluate(load_set(folder), settings(folder), "out"))


def test_ctrl_c_keeps_what_there_is_and_not_the_question_under_way(folder, monkeypatch):
    real = wl.ask

    def ask(question, *sources, **given):
        if "How many" in question:
            with suppress(KeyboardInterrupt):  # `ask` gives back a partial result then
                signal.raise_signal(signal.SIGINT)
        return real(question, *sources, **given)

    monkeypatch.setattr(wl, "ask", ask, raising=False)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        evaluate(load_set(folder), settings(folder), "out")
    assert [row.id for row in read_rows("out")] == ["a"]
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.setattr(wl, "ask", real, raising=False)
    assert len(evaluate(load_set(folder), settings(folder), "out")) == 3


@pytest.mark.slow
def test_a_question_during_which_the_process_ended_is_asked_by_itself(folder):
    code = (
        "import os, wideleaf as wl\n"
        "from wideleaf_evaluation import evaluate, load_set, settings_of\n"
        "wl.ask = lambda *_, **__: os._exit(9)\n"
        "evaluate(load_set('mine'), settings_of(folder='mine', set='plain'), 'out')\n"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    rows = evaluate(load_set(folder), settings_of(folder="mine", set="plain"), "out")
    assert [row.status for row in rows] == ["answered"] * 3
    lost = crashed_item(load_set(folder)[0])
    assert (lost.status, lost.right) == ("failed", False)
    assert "the process ended" in lost.error


@pytest.mark.slow
def test_workers_give_the_same_rows(folder):
    alone = evaluate(load_set(folder), settings(folder), "one")
    many = evaluate(load_set(folder), settings(folder), "two", workers=2)
    assert [(r.id, r.cells, r.scores) for r in alone] == [(r.id, r.cells, r.scores) for r in many]


class Waiting(Script):
    """A model that answers only when two questions wait for it, as one that is slow."""

    def __init__(self):
        barrier = Barrier(2, timeout=300)
        mean = {"table": "trials", "measures": [{"function": "mean", "column": "grain yield"}]}

        def policy(messages):
            if "Step 1 " in messages[-1].text:
                barrier.wait()
                return "What shall I do?", "Aggregate", mean
            return "Done.", "Finish", {"table": "T1"}

        super().__init__(policy=policy)


def test_with_a_model_several_questions_are_under_way_at_a_time(folder):
    write(folder, [line(n, "What is the mean grain yield?", 4, "trials.csv") for n in range(4)])
    given = settings(folder, keep_runs=True)
    rows = evaluate(load_set(folder), given, "out", workers=2, model=Waiting())
    assert [(row.id, row.right, row.steps) for row in rows] == [(str(n), True, 2) for n in range(4)]
    assert all(0 < row.largest < 4000 and row.requests == 2 for row in rows)
    for row in rows:
        kept = wl.Result.load(row.run)
        assert kept.question == row.question
        requests = Path(row.run).with_suffix(".requests.jsonl").read_text().splitlines()
        told = [json.loads(text)["event"] for text in requests]
        assert told == ["request", "reply"] * 2


def test_an_error_of_ours_in_a_thread_comes_out(folder, monkeypatch):
    def broken(item, *_):
        raise KeyError(item.id)

    monkeypatch.setattr(evaluation_module, "answer_item", broken)
    with pytest.raises(KeyError):
        evaluate(load_set(folder), settings(folder), "out", workers=2, model=Waiting())


def test_rows_tell_failed_steps_and_objections(folder):
    moves = [
        ("Wrong.", "Select", {"table": "trials", "columns": ["town"]}),
        ("All.", "Finish", {"table": "trials"}),
        ("Count.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    items = [item for item in load_set(folder) if item.id == "b"]
    (found,) = evaluate(items, settings(folder), "out", model=Script(moves))
    assert (found.right, found.steps, found.failed, found.objections) == (True, 4, 1, 1)
    assert found.run == ""


def test_questions_are_chosen_by_name_and_a_wrong_name_is_told(folder):
    assert [item.id for item in load_set(folder, ids=["c", "a"])] == ["a", "c"]
    with pytest.raises(SettingsError, match="no question 'z'"):
        load_set(folder, ids=["a", "z"])


def test_a_folder_of_before_a_setting_was_added_is_gone_on_with(folder):
    evaluate(load_set(folder)[:1], settings(folder), "out")
    kept = json.loads((folder.parent / "out/settings.json").read_text())
    del kept["ids"], kept["timeout"], kept["keep_runs"]
    (folder.parent / "out/settings.json").write_text(json.dumps(kept))
    assert len(evaluate(load_set(folder), settings(folder), "out")) == 3
    with pytest.raises(SettingsError, match="timeout=60"):
        evaluate(load_set(folder), settings(folder, timeout=5), "out")


def test_the_shell_lists_what_each_run_of_a_model_took(folder, capsys):
    said = [
        Answer(calls=(("Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),))
    ]
    said.append(Answer(calls=(("Finish", {"table": "T1"}),)))
    with OpenAIServer(*said) as server:
        words = ["--ids", "b", "--model", "openai:small", "--base-url", server.url]
        assert main(["eval", "mine", "--out", "out", *words, "--keep-runs"]) == 0
    out = capsys.readouterr().out
    assert "| largest_request |" in out and "| objections |" in out
    (told,) = [text for text in out.splitlines() if text.startswith("  b ")]
    assert told.split()[:4] == ["b", "yes", "answered", "2"]
    assert (folder.parent / "out/runs/b.json").is_file()


def test_a_refused_question_is_asked_again_to_see_what_the_guess_was(folder, monkeypatch):
    told, real = [], wl.ask

    def ask(question, *sources, **given):
        told.append(given.get("least_confidence"))
        result = real(question, *sources, **given)
        refuses = given.get("least_confidence") is None
        refused = {"status": "unanswered", "label": "", "value": None, "answer": "Unclear."}
        return result.model_copy(update=refused) if refuses else result

    monkeypatch.setattr(wl, "ask", ask, raising=False)
    rows = evaluate(load_set(folder), settings(folder), "out")
    assert {(row.status, row.cause, row.right) for row in rows} == {
        ("unanswered", "refused", False)
    }
    assert [row.refused["answer"] for row in rows] == [1.0, 1.0, 0.0]
    assert told == [None, 0.0] * 3
    evaluate(load_set(folder), settings(folder, refused_check=False), "other")
    assert told == [None, 0.0] * 3 + [None] * 3


def test_an_archive_is_unpacked_once_and_its_names_stay_inside(folder, tmp_path):
    with zipfile.ZipFile(folder / "tables.zip", "w") as packed:
        packed.writestr("t.csv", "a\n1\n")
        packed.writestr("../../evil.csv", "a\n1\n")
    write(folder, [line("x", "?", 1, "t.csv")])
    place = tmp_path / "deep" / "tables"
    (item,) = load_set(folder, unpack_to=place)
    assert item.sources == (str(place / "t.csv"),)
    assert not (tmp_path / "evil.csv").exists()
    os.utime(place / "t.csv", (1, 1))
    load_set(folder, unpack_to=place)
    assert (place / "t.csv").stat().st_mtime == 1
    (place / "t.csv").write_text("a")  # cut off by a crash
    load_set(folder, unpack_to=place)
    assert (place / "t.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "nowhere.csv"])
def test_a_set_cannot_name_files_outside_of_it(folder, tmp_path, name):
    (tmp_path / "secret.csv").write_text("a\n1\n")
    write(folder, [line("x", "?", 1, name)])
    with pytest.raises(SettingsError, match="no table"):
        load_set(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "line 1 of .* is no JSON"), ('{"id": 1}', "line 1 of .*KeyError"), ("[]", "line 1")],
)
def test_a_damaged_line_is_named(folder, text, said):
    (folder / "questions.jsonl").write_text(text)
    with pytest.raises(SettingsError, match=said):
        load_set(folder)


def test_questions_are_chosen_by_type_half_and_chance(folder):
    lines = [
        line(n, "?", n, f"t{n % 7}.csv", type="ab"[n % 2], hardness="easy" if n < 30 else "hard")
        for n in range(60)
    ]
    for n in range(7):
        (folder / f"t{n}.csv").write_text("a\n1\n")
    write(folder, lines, "questions_other.jsonl")

    def ids(**how):
        return [item.id for item in load_set(folder, file="other", **how)]

    assert len(ids(types=["a"])) == len(ids(types=["easy"])) == 30
    assert sorted(ids(half="fit") + ids(half="held"), key=int) == ids()
    groups = {half: {i.group for i in load_set(folder, file="other", half=half)} for half in HALVES}
    assert groups["fit"].isdisjoint(groups["held"])
    assert ids(n=9, seed=1) == ids(n=9, seed=1) != ids(n=9, seed=2)
    assert len(set(ids(n=9))) == 9


HALVES = ("fit", "held")


@given(st.text())
def test_a_group_is_in_one_half_for_ever(group):
    assert half_of(group) in HALVES


def test_halves_do_not_change():
    told = [half_of(name) for name in ("adult.csv", "iris.csv", "world_1.sqlite", "")]
    assert told == ["fit", "held", "held", "held"]


def test_a_name_that_comes_twice_is_told_apart(folder):
    write(folder, [line("x", "?", n, "trials.csv") for n in range(3)])
    assert [item.id for item in load_set(folder)] == ["x", "x#2", "x#3"]


def test_forms_of_benchmarks_are_read(folder):
    spider = {"id": "s", "question": "?", "db": "trials.csv", "tables": None, "answer": [[1]]}
    write(folder, [{**spider, "answer_ordered": True, "hardness": "extra", "type": "text2sql"}])
    (item,) = load_set(folder, name="spider")
    assert (item.ordered, item.hardness, item.group) == (True, "extra", "trials.csv")
    bench = line("d", "Mean?", [["m", "1"]], "trials.csv", type=["Stats"], format="@m[mean]")
    write(folder, [{**bench, "constraints": "Round."}, {**bench, "table_available": False}])
    (item,) = load_set(folder, name="dabench")
    assert item.question == "Mean?\nRound.\n@m[mean]"
    with pytest.raises(SettingsError, match="no set 'nope'; there are wikisql"):
        load_set(folder, name="nope")


def row(right, **other):
    fields = {"id": "1", "question": "?", "status": "answered", "scores": {"answer": float(right)}}
    fields["scores"]["denotation"] = 0.0
    return EvalRow(**{**fields, "cause": "" if right else "wrong value", **other})


def test_the_report_tells_calibration_and_the_worst(folder):
    rows = [row(True, confidence=0.95)] * 3 + [row(False, confidence=0.95, id="w", answer="a|b")]
    rows += [row(False, confidence=0.15), row(True, confidence=1.0)]
    report = evaluation_report(rows, settings(folder))
    assert report["headline"] == "answer"
    assert report["accuracy"]["answer"]["mean"] == pytest.approx(4 / 6)
    first, last = report["confidence"]["bins"]
    assert (first["count"], last["count"]) == (1, 5)
    assert last["accuracy"] == pytest.approx(0.8)
    gap = (0.15 + 5 * (0.96 - 0.8)) / 6
    assert report["confidence"]["expected_calibration_error"] == pytest.approx(gap)
    assert report["worst"][0]["id"] == "w"
    assert "a\\|b" in in_markdown(report)


def test_the_report_tells_how_wise_refusals_were(folder):
    refused = {"status": "unanswered", "cause": "refused"}
    rows = [row(False, **refused, refused={"answer": score}) for score in (0, 0, 1)]
    rows += [row(False, **refused), row(True)]
    report = evaluation_report(rows, settings(folder))
    assert report["refusals"] == {
        "count": 4,
        "guessed": 3,
        "guess_wrong": 2,
        "guess_right": 1,
        "wise": pytest.approx(2 / 3),
    }
    assert report["failures"]["refused"]["count"] == 4
    assert report["answered_right"] == 1


def test_the_report_adds_up_cost(folder):
    rows = [row(True, seconds=n, tokens_in=10, backtracks=1, megabytes=n) for n in range(1, 101)]
    cost = evaluation_report(rows, settings(folder))["cost"]
    assert (cost["seconds_median"], cost["seconds_p95"], cost["megabytes_peak"]) == (50.5, 95, 100)
    assert (cost["tokens_in"], cost["backtracks"]) == (1000, 100)


def test_the_shell_scores_a_set_and_writes_the_report(folder, capsys):
    levels = {"a": "easy", "b": "easy", "c": "hard"}
    lines = [line(one, *ASKED[one], "trials.csv", hardness=level) for one, level in levels.items()]
    write(folder, lines)
    assert main(["eval", "mine", "--out", "out", "--misses", "5"]) == 0
    out, err = capsys.readouterr()
    assert ": 3 questions" in out and "profile standard" in out
    assert "| answer | 66.7% |" in out
    assert "| all | 2 (66.7%) | 1 (33.3%) | 0 (0.0%) |" in out
    assert "| easy | 2 (100.0%) | 0 (0.0%) | 0 (0.0%) |" in out
    assert "| hard | 0 (0.0%) | 1 (100.0%) | 0 (0.0%) |" in out
    assert "What is the highest grain yield?" in out
    assert "3/3 questions" in err
    report = json.loads((folder.parent / "out/report.json").read_text())
    assert report["settings"]["profile"] == "standard"
    page = (folder.parent / "out/report.md").read_text()
    assert "| answer | 66.7% |" in page
    assert "| hard | 0 (0.0%) | 1 (100.0%) | 0 (0.0%) |" in page
    assert not list((folder.parent / "out").glob("frames*"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "no folder 'nowhere'"),
        (["mine", "--set", "nope"], "no set 'nope'"),
        (["mine", "--file", "nope"], "no 'nope'"),
        (["mine", "--type", "nope"], "no question is left"),
        (["mine", "--workers", "0"], "workers=0"),
    ],
)
def test_a_wrong_word_in_the_shell_is_one_clear_message(folder, capsys, words, said):
    assert main(["eval", *words]) == 2
    assert said in capsys.readouterr().err


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_a_terminal_gets_a_bar():
    screen = Terminal()
    bar = ProgressBar(screen)
    bar(1, 2, "questions")
    bar(2, 2, "questions, 1 of 2 asked now right")
    bar.close()
    assert screen.text.count("\r") == 2
    assert screen.text.endswith("2/2 questions, 1 of 2 asked now right\n")


def test_the_settings_kept_hold_no_password(folder):
    kept = settings(folder, base_url="http://user:secret@host/v1").without_secrets()
    assert "secret" not in json.dumps(kept)


def test_a_partial_answer_is_no_answer(folder, monkeypatch):
    (item, *_) = load_set(folder)
    found = evaluation_answers.answer_item(item, settings(folder, max_seconds=1e-9), "frames")
    assert (found.status, found.cause, found.right) == ("partial", "ended early", False)
