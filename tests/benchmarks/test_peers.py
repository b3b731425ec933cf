"""The comparison with other systems: what is recorded, counted and judged, and one run whole."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from peers import cells_in, load_cells, main, read_lines, words_of
from peers_judge import judge_said
from peers_questions import check, write
from prompt_tokens import Recorder

FARM = "site,yield,note\nRoma,120.5,wet spring\nPerth,131.25,\nCairns,140.75,wet spring\n"


def said(answer, value=None, status="answered"):
    return {"answer": answer, "value": value, "status": status}


@pytest.mark.parametrize(
    ("kind", "gold", "line", "what"),
    [
        ("number", 2000.0, said("it is 2,001.5"), "right"),
        ("number", 2000.0, said("it is 2003"), "wrong"),
        ("number", 0.002, said("0.0021"), "wrong"),
        ("number", 12, said("I cannot be sure", [{"n": 12}]), "right"),
        ("text", "Roma", said("It is Roma."), "right"),
        ("text", "Roma", said("Romania"), "wrong"),
        ("list", ["Roma", "Perth"], said("", ["Perth", "Roma"]), "right"),
        ("list", ["Roma", "Perth"], said("two", ["Perth", "Roma"]), "right"),
        ("table", [["Roma", 2.0]], said("one", {"columns": ["a", "b"], "rows": [["Roma", 2]]}),
         "right"),
        ("table", [["Roma", 2.0]], said("one", {"columns": ["a"], "rows": [["Roma"]]}), "wrong"),
        ("none", None, said("There is no such column."), "right"),
        ("none", None, said("It is 3 km."), "wrong"),
        ("number", 12, said("", status="failed"), "said so"),
    ],
)  # fmt: skip
def test_what_is_said_is_held_against_the_gold_by_a_relative_tolerance(kind, gold, line, what):
    question = {"question": "?", "gold": gold, "type": kind, "tolerance": 0.001}
    assert judge_said(question, line).what == what


def test_a_verdict_that_a_rule_cannot_settle_is_told_as_doubtful():
    question = {"question": "?", "gold": 50.0, "type": "number", "tolerance": 0.0}
    assert judge_said(question, said("0.5")).doubt == "a hundredth or the hundredfold"
    assert judge_said(question, said("50 of 70")).doubt == "other numbers beside it"
    assert not judge_said(question, said("50")).doubt


def test_cells_are_found_as_whole_words_and_not_where_they_are_known(tmp_path):
    path = tmp_path / "farm.csv"
    path.write_text(FARM)
    cells, names = load_cells((path,))
    text = "Roma had 120.5, a wet spring; Perthshire 31.25"
    assert cells_in(cells, text) == {"Roma", "120.5", "wet spring"}
    known = words_of(f"{names} Roma?")
    assert cells_in(cells, text) - known.of(cells) == {"120.5", "wet spring"}
    known.add("of 120.5")
    assert known.of(cells) == {"Roma", "120.5"}


class Model(BaseHTTPRequestHandler):
    """Replies to each request with the program that sums the yields."""

    code = "```python\nprint(tables['farm']['yield'].sum())\n```"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": self.code}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        told = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
        body = json.dumps({**told, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


@pytest.fixture
def model():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_a_recorder_refuses_what_is_past_its_limit(model):
    import openai

    with Recorder(model, limit=1) as recorder:
        client = openai.OpenAI(base_url=recorder.url, api_key="none", max_retries=0)
        asked = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
        assert client.chat.completions.create(**asked).choices[0].message.content == Model.code
        with pytest.raises(openai.BadRequestError, match="no more requests"):
            client.chat.completions.create(**asked)
        client.close()
    assert (len(recorder.asked), recorder.replies, len(recorder.refused)) == (1, [Model.code], 1)
    assert not recorder.failures


@pytest.mark.slow
def test_a_system_is_asked_recorded_and_summed_up(tmp_path, model, capsys):
    (tmp_path / "farm.csv").write_text(FARM)
    question = {"id": "f1", "kind": "everyday", "files": ["farm.csv"], "question": "Total yield?",
                "gold": 392.5, "type": "number", "tolerance": 0.001, "note": ""}  # fmt: skip
    (tmp_path / "questions.jsonl").write_text(json.dumps(question))
    out = tmp_path / "plain.jsonl"
    words = [str(tmp_path), "--system", "plain", "--base-url", model, "--out", str(out)]
    for _ in range(2):  # what has a line is skipped
        main(words)
    (line,) = read_lines(out)
    assert (line["verdict"], line["requests"], line["answer"]) == ("right", 1, "392.5"), line
    assert line["cells"] == 7  # three rows are shown
    assert line["prompt_tokens"] > 50 < line["memory_mb"]
    main([str(tmp_path), "--summary", str(out)])
    assert "| plain | 1 | 1 | 1 of 1 | 0 | 0 |" in capsys.readouterr().out


@pytest.mark.slow
def test_the_forty_questions_have_the_answers_that_other_code_finds(tmp_path):
    write(tmp_path)
    check(tmp_path)
