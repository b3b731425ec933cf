"""The shell, as a user types it: answers, exit codes, and one clear message for each bad input."""

import json
import os
import stat
import subprocess
import sys

import pandas as pd
import pytest
from openai_server import Answer, OpenAIServer

from wideleaf.graph.shell.shell import main


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"site": ["Roma", "Perth", "Perth"], "grain yield": [2.0, 4.0, 6.0]})
    frame.to_csv("trials.csv", index=False)
    return tmp_path


def shell(*words, capsys):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_person_is_told_before_what_takes_long_is_imported():
    code = "import sys; from wideleaf.graph.shell import chat, live, shell; from wideleaf.graph."
    code += "sessions import waiting; sys.exit('langgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_answer_comes_first_and_alone(place, capsys):
    code, out, err = shell("ask", "What is the mean grain yield?", "trials.csv", capsys=capsys)
    answer, sure, read_as = out.splitlines()
    assert (code, err) == (0, "")
    assert (answer, sure[:14]) == ("mean of grain yield: 4", "  Confidence: ")
    assert read_as.startswith("  note: Read as: ")


def test_a_question_is_answered_with_steps_and_tree_where_they_are_wanted(place, capsys):
    words = ("ask", "What is the mean grain yield?", "trials.csv", "--steps")
    code, out, err = shell(*words, capsys=capsys)
    assert code == 0
    assert out.startswith("mean of grain yield: 4\n")
    assert "Thought" in err
    assert "Aggregate" in err
    assert "answer" in out


def test_json_holds_the_whole_result_and_nothing_else(place, capsys):
    words = ("ask", "What is the mean grain yield?", "trials.csv", "--json")
    code, out, err = shell(*words, capsys=capsys)
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert result["form"] == "wideleaf.result/1"
    assert result["value"] == 4.0
    assert result["tree"]["nodes"][0]["label"] == "trials"


def test_show_draws_the_last_run(place, capsys):
    shell("ask", "What is the mean grain yield?", "trials.csv", capsys=capsys)
    assert "Aggregate" in shell("show", capsys=capsys)[1]
    assert shell("show", "--as", "svg", capsys=capsys)[1].startswith("<svg")
    shown = shell("show", "--as", "html", "-o", "tree.html", capsys=capsys)
    assert shown[1] == "wrote tree.html\n"
    assert "</html>" in (place / "tree.html").read_text()


def test_a_question_nobody_can_answer_has_its_own_exit_code(place, capsys):
    code, out, _ = shell("ask", "Why is the sky blue?", "trials.csv", capsys=capsys)
    assert code == 7
    assert "Or name a model" in out


def _unreadable(place):
    path = place / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user reads every file")
    return path


def _folder(place):
    (place / "mixed").mkdir()
    (place / "mixed" / "notes.docx").write_text("x")
    return place / "mixed"


def _written(name, content):
    def write(place):
        (place / name).write_bytes(content)
        return place / name

    return write


BAD_SOURCES = {
    "missing": (lambda place: "nowhere.csv", ["'nowhere.csv'"]),
    "unreadable": (_unreadable, ["secret.csv"]),
    "empty file": (_written("empty.csv", b""), ["empty.csv", "empty"]),
    "no columns": (_written("nothing.csv", b"\n\n"), ["nothing.csv", "empty"]),
    "corrupt": (_written("bad.parquet", b"PAR1 this is not it"), ["bad.parquet"]),
    "unknown kind": (_written("table.docx", b"x"), ["table.docx", ".csv"]),
    "folder without tables": (_folder, ["mixed"]),
}


@pytest.mark.parametrize("case", BAD_SOURCES)
def test_a_bad_source_is_one_clear_message(place, capsys, case):
    make, words = BAD_SOURCES[case]
    code, _, err = shell("ask", "How many?", make(place), capsys=capsys)
    assert code == 3
    assert len([line for line in err.splitlines() if not line.startswith("...")]) == 1
    for word in words:
        assert word in err


def test_a_pattern_and_a_table_without_rows_are_asked(place, capsys):
    for month in (1, 2):
        (place / f"sales_{month:02}.csv").write_text(f"region,qty\nnorth,{month}\n")
    code, out, _ = shell("ask", "How many rows?", "sales_*.csv", capsys=capsys)
    assert (code, "count: 2" in out) == (0, True)
    assert "Read 2 files of one header as one table: sales_01.csv to sales_02.csv" in out
    (place / "norows.csv").write_text("name,salary\n")
    code, out, _ = shell("ask", "What is the mean salary?", "norows.csv", capsys=capsys)
    assert (code, "mean of salary: none" in out) == (0, True)
    assert "The table 'norows' has no rows." in out


def test_two_tables_of_one_name_are_told_how_to_be_named(place, capsys):
    (place / "more").mkdir()
    (place / "more" / "trials.csv").write_text("a\n1\n")
    code, _, err = shell("ask", "How many?", "trials.csv", "more/trials.csv", capsys=capsys)
    assert code == 3
    assert "other_name=more/trials.csv" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["", "trials.csv"], "question is empty"),
        (["q", "trials.csv", "--max-steps", "0"], "max_steps=0"),
        (["q", "trials.csv", "--max-cost", "1"], "needs prompt_price"),
    ],
)
def test_a_bad_setting_is_named_with_its_value(place, capsys, words, said):
    code, _, err = shell("ask", *words, capsys=capsys)
    assert code == 2
    assert said in err


@pytest.mark.parametrize("model", ["no-such-model", "nobody:x"])
def test_an_unknown_model_is_told_the_form(place, capsys, model):
    code, _, err = shell("ask", "q", "trials.csv", "--model", model, capsys=capsys)
    assert code == 4
    assert model.split(":")[0] in err
    assert "provider:name" in err or "providers" in err


def test_a_server_that_refuses_is_named_and_the_tree_so_far_is_shown(place, capsys):
    url = "http://127.0.0.1:9/v1"
    words = ("ask", "q", "trials.csv", "--model", "m", "--base-url", url)
    code, _, err = shell(*words, capsys=capsys)
    assert code == 4
    assert url in err
    assert "The tree so far" in err
    assert "trials" in err.split("The tree so far")[1]
    assert "Load" in shell("show", capsys=capsys)[1]


def test_a_server_that_hangs_is_left_after_the_time_out(place, capsys):
    with OpenAIServer(*[Answer(delay=3.0)] * 4) as server:
        words = ("--model", "m", "--base-url", server.url, "--timeout", "0.3")
        code, _, err = shell("ask", "q", "trials.csv", *words, capsys=capsys)
    assert code == 4
    assert "0.3" in err


def test_a_hostile_cell_cannot_drive_the_terminal(place, capsys):
    frame = pd.DataFrame({"site": ["\x1b[2Jgone", "b"], "amount": [2, 1]})
    frame.to_parquet("hostile.parquet")
    words = ("ask", "Which site has the highest amount?", "hostile.parquet", "--privacy", "samples")
    _, out, err = shell(*words, capsys=capsys)
    assert "gone" in out
    assert "\x1b" not in out + err


def test_the_audit_file_is_for_its_owner_alone(place, capsys):
    with OpenAIServer(Answer(text="no move")) as server:
        words = ("--model", "m", "--base-url", server.url, "--audit", "audit.jsonl")
        shell("ask", "q", "trials.csv", *words, "--max-steps", "1", capsys=capsys)
    lines = (place / "audit.jsonl").read_text().splitlines()
    assert any("grain yield" in line for line in lines)
    assert stat.S_IMODE((place / "audit.jsonl").stat().st_mode) == 0o600


def test_a_model_behind_a_server_answers_from_the_shell(place, capsys):
    where = [{"column": "site", "op": "==", "value": "perth"}]
    measures = [{"function": "mean", "column": "grain yield", "name": "mean"}]
    chain = (
        ("Filter", {"table": "trials", "where": where}),
        ("Aggregate", {"table": "T1", "measures": measures}),
    )
    replies = [
        Answer("Only Perth, then the mean.", chain),
        Answer(status=500),  # asked again by the client
        Answer("Done.", (("Finish", {"table": "T2"}),)),
    ]
    with OpenAIServer(*replies) as server:
        words = ("--model", "m", "--base-url", server.url, "--json")
        code, out, _ = shell("ask", "Mean yield in Perth?", "trials.csv", *words, capsys=capsys)
    result = json.loads(out)
    assert (code, result["value"]) == (0, 5.0)
    assert result["usage"]["requests"] == 2
    assert result["usage"]["prompt_tokens"] == 200


def test_a_text_only_model_behind_a_server_answers_from_the_shell(place, capsys):
    move = 'Thought: sum\nAction: aggregate\nAction Input: {"table": "trials", "measures": '
    move += '[{"function": "sum", "column": "Grain Yield", "name": "total"}]}\nObservation: 99'
    finish = 'Action: Finish\nAction Input: {"table": "t1"}'
    with OpenAIServer(Answer(move), Answer(finish)) as server:
        words = ("--model", "m", "--base-url", server.url, "--reply-form", "text", "--quiet")
        code, out, _ = shell("ask", "Total yield?", "trials.csv", *words, capsys=capsys)
    assert code == 0
    assert out == "total: 12\n"
