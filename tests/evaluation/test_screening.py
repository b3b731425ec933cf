"""Screening a set: who is asked what, what is kept, going on, and scoring what came of it."""

import json

import pytest
from openai_server import Answer, OpenAIServer

from wideleaf.agents.coding.code_lines import parse_code
from wideleaf.agents.requests import CHARACTERS, json_size
from wideleaf.graph.context import make_context
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf_evaluation.generation.screener import calls_beyond, screening_prompt
from wideleaf_evaluation.generation.screening import read_screened, screen_set
from wideleaf_evaluation.sets import load_set

WITHIN = "rows = get_information(relation='Runner', tail_entity='Ada')\nanswer = Count(rows)"
BEYOND = "times = get_information(relation='Time')\nanswer = out_of_predefined()"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    place = tmp_path / "mine"
    (place / "sub").mkdir(parents=True)
    (place / "sub/races.csv").write_text("Runner,Time\nXanary,12.5\nYanary,7.25\n")
    told = [
        {
            "id": n,
            "question": f"Question {n}?",
            "table": "sub/races.csv",
            "answer": [n],
            "type": "t",
        }
        for n in range(4)
    ]
    (place / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told))
    return place


def said(code):
    return Answer(f"Let me see.\n[PYTHON]\n{code}\n[/PYTHON]")


def words(server, *more):
    named = ("--model", "openai:small", "--base-url", server.url)
    return ["eval", "wikisql-e", "mine", "--out", "kept", *named, *more]


def test_questions_that_need_more_are_kept_with_their_tables(folder, capsys):
    answers = [said(WITHIN), said(BEYOND), Answer("I cannot."), said(BEYOND)]
    with OpenAIServer(*answers) as server:
        assert main(words(server)) == 0
        sent = json.dumps(server.requests)
    out, err = capsys.readouterr()
    assert "2 of 4 questions call for more than the functions given; 1 replies" in out
    assert "4/4 questions" in err
    items = load_set(folder.parent / "kept", name="wikisql_e")
    assert [(item.id, item.gold, item.set) for item in items] == [
        ("1", [1], "wikisql_e"),
        ("3", [3], "wikisql_e"),
    ]
    assert items[0].sources == (str(folder.parent / "kept/sub/races.csv"),)
    assert "Runner (text)" in sent
    assert "anary" not in sent  # no cell goes out
    assert "7.25" not in sent
    (row, *_) = read_screened(folder.parent / "kept")
    assert (row.code, row.beyond, row.model) == (WITHIN, False, "openai:small")


def test_a_second_start_goes_on(folder):
    with OpenAIServer(said(BEYOND)) as server:
        assert main(words(server, "--ids", "0", "2", "--quiet")) == 0
        assert main(words(server, "--quiet")) == 0
        assert len(server.requests) == 4
    assert len(load_set(folder.parent / "kept", name="wikisql_e")) == 4


def test_what_came_before_a_model_is_gone_stays(folder):
    with OpenAIServer(said(BEYOND), Answer("no", status=401)) as server:
        context = make_context(model="openai:small", base_url=server.url)
        with pytest.raises(ModelError):
            screen_set(folder, "kept", context, name="wikisql")
    assert [item.id for item in load_set("kept", name="wikisql_e")] == ["0"]


def test_what_does_not_fit_is_told(folder):
    with pytest.raises(SettingsError, match="screening needs a model"):
        screen_set(folder, "kept", make_context())
    with OpenAIServer(said(BEYOND)) as server:
        context = make_context(model="openai:small", base_url=server.url)
        with pytest.raises(SettingsError, match="a set that was not screened"):
            screen_set(folder, folder, context)
        (folder / "screened.jsonl").write_text('{"x": 1}\n')
        with pytest.raises(SettingsError, match="holds no screened questions"):
            screen_set(folder, folder, context)
        assert server.requests == []


@pytest.mark.parametrize(
    ("code", "beyond"),
    [
        (WITHIN, False),
        (BEYOND, True),
        ("answer = Max(out_of_predefined())", True),
        ("# out_of_predefined()\nanswer = Count(rows)", False),
        ("answer = Count('out_of_predefined()')", False),
        ("out_of_predefined = 3", False),
        ("if rows:\n    answer = out_of_predefined(rows, 'the second largest')", True),
    ],
)
def test_a_call_is_read_out_of_the_syntax_tree(code, beyond):
    assert calls_beyond(parse_code(code)) is beyond


def test_no_request_is_too_long():
    kinds = {f"column {'x' * 60} number {n}": "text" for n in range(3000)}
    messages = screening_prompt("why " * 4000, kinds)
    assert sum(map(json_size, messages)) <= CHARACTERS
    assert "more" in messages[1]


def test_the_prompt_is_pinned(golden):
    system, human = screening_prompt("Who is second?", {"Runner": "text", "Time": "number"})
    golden("prompt_screen.txt", f"{system}\n\n=== human\n\n{human}\n")
