"""The chat in a shell: messages a line each, every command, and what ends or cancels it."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time

import pandas as pd
import pytest
from openai_server import Answer, OpenAIServer

import wideleaf as wl
from wideleaf.graph.shell import chat
from wideleaf.graph.shell.chat_commands import names
from wideleaf.graph.shell.shell import main

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
    }
)
MEANS, COUNT = "What is the mean yield_t by site?", "How many rows have year 2019?"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TRIALS.to_csv("trials.csv", index=False)
    return tmp_path


@pytest.fixture
def say(place, monkeypatch, capsys):
    """Say lines to a chat that is piped; its exit code, and what it printed."""

    def run(*lines, words=("trials.csv",)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["chat", *words])
        return code, *capsys.readouterr()

    return run


class Screen(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def talk(place, monkeypatch, capsys):
    """A person at a terminal who types these lines; an error among them is what they press."""

    def run(*typed, words=("trials.csv",)):
        left = iter([*typed, EOFError()])

        def read(prompt):
            one = next(left)
            if isinstance(one, BaseException):
                raise one
            return one

        screen = Screen()
        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr(sys, "stdin", Screen())
        monkeypatch.setattr(sys, "stdout", screen)
        code = main(["chat", *words])
        return code, screen.getvalue(), capsys.readouterr().err

    return run


def test_messages_are_answered_one_a_line_without_a_prompt(say):
    code, out, err = say(MEANS, "", COUNT)
    assert code == 0
    assert ">" not in out
    assert "North | 5.5" in out
    assert "count: 4" in out
    assert "T1, " in out and "T3, " in out
    assert err == ""


def test_the_steps_are_shown_as_they_come(say):
    _, _, err = say(COUNT, "why?", words=("trials.csv", "--steps"))
    assert err.count("Thought:") == 2 and err.count("Observation trials:") == 1
    assert "Action T2: Filter" in err or "Action T1: Filter" in err


def test_the_code_is_that_of_the_first_message_without_an_answer(say):
    assert say("Why is the sky blue?", COUNT)[0] == 7
    assert say(COUNT, "/histroy", "Why is the sky blue?")[0] == 2
    assert say(COUNT, "/quit", "Why is the sky blue?")[0] == 0
    assert say()[0] == 0


def test_an_answer_is_told_of(say):
    code, out, _ = say(MEANS, COUNT, "/why T1", "/columns t1", "/rows", "/sql", "/tree")
    assert code == 0
    assert "T1 = Group(" in out
    assert "The answer used of trials: site, yield_t." in out
    assert "4 rows went into it" in out
    assert 'SELECT\n    COUNT(*) AS "count"' in out
    assert "◆ T3 Aggregate" in out
    assert "○ T1 Group" in out


def test_the_name_of_a_command_alone_is_that_command(say):
    code, out, _ = say(COUNT, "clear", "Sources", "history")
    assert code == 0 and "Not understood" not in out
    _, *_, goes_on, sources, history = out.splitlines()
    assert goes_on == "The conversation goes on; 'new question: ...' begins anew."
    assert (sources[:7], history) == ("trials:", f"1. {COUNT}: T2")


def test_the_sql_that_is_told_gives_the_answer(say, place):
    say(MEANS, "/export mean.sql")
    with sqlite3.connect(":memory:") as base:
        TRIALS.to_sql("trials", base, index=False)
        rows = base.execute((place / "mean.sql").read_text()).fetchall()
    base.close()
    assert rows == [("North", 5.5), ("South", 5.0), ("West", 7.0)]


def test_going_back_and_undoing(say):
    code, out, _ = say(MEANS, COUNT, "/back", "/columns", "/back T3", "/rows", "/undo", "/history")
    assert code == 0
    assert out.count("North | 5.5") == 3, "answered, gone back to, and left by undoing"
    assert "The answer used of trials: site, yield_t." in out
    assert out.splitlines()[-3:] == [
        f"1. {MEANS}: T1",
        f"2. {COUNT}: T3",
        f"3. {MEANS}: T1, again",
    ]


def test_going_back_twice_is_two_answers_back(say):
    lines = (MEANS, COUNT, "What is the smallest yield_t?", "/back", "/back", "/sql")
    _, out, _ = say(*lines)
    assert f"-- {MEANS}" in out


def test_undoing_forgets_answer_and_frames(say):
    code, out, _ = say(MEANS, COUNT, "/undo", "/tree", "/undo", "/undo", "/tree")
    assert "Filter" not in out
    assert "forgotten; there is no answer before it" in out
    assert "There is no answer yet" in out
    assert code == 7


def test_an_answer_is_drawn_in_the_form_that_suits_it_or_that_is_named(say, place):
    code, out, _ = say(MEANS, "/plot", COUNT, "/plot T1 pie", "/plot T1 column chart")
    assert code == 0
    written = [line.removeprefix("wrote ") for line in out.splitlines() if "wrote " in line]
    bar, pie = ".wideleaf/charts/T1-bar.png", ".wideleaf/charts/T1-pie.png"
    assert written == [bar, pie, bar]
    assert (place / pie).read_bytes().startswith(b"\x89PNG")
    assert "Mean yield_t by site: pie, 3 points." in out


def test_a_message_that_asks_for_a_chart_gets_a_picture(say, place):
    code, out, _ = say(MEANS, "plot that as a line")
    assert code == 0
    assert "wrote .wideleaf/charts/T1-line.png" in out


def test_an_answer_leaves_in_every_form(say, place):
    files = ["a.csv", "a.parquet", "a.py", "a.sql", "a.ipynb", "A.CSV", "a.png", "a.svg"]
    code, out, _ = say(MEANS, *(f"/export {name}" for name in files), "/save 'my run.json'")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("wrote")] == [
        f"wrote {name}" for name in [*files, "my run.json"]
    ]
    frame = wl.Result.load("my run.json").frame
    pd.testing.assert_frame_equal(pd.read_csv("a.csv"), frame)
    pd.testing.assert_frame_equal(pd.read_parquet("a.parquet"), frame)
    space: dict[str, object] = {}
    exec((place / "a.py").read_text(), space)
    assert len(space["answer"]) == 3  # type: ignore[arg-type]
    assert json.loads((place / "a.ipynb").read_text())["cells"]
    assert (place / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (place / "a.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/histroy", "did you mean /history?"),
        ("/xyzzy", "no command '/xyzzy'; /help lists them"),
        ("/", "no command '/'"),
        ("/export", "/export FILE"),
        ("/export a.csv b.csv", "/export FILE"),
        ("/export answer.doc", "'.doc'; it must be of .csv"),
        ("/export nowhere/there/\0.csv", "cannot be written"),
        ("/export .", "'.' has the ending ''"),
        ("/export folder.csv", "'folder.csv' cannot be written: a folder is in its place"),
        ("/export trials.csv/a.parquet", "cannot be written: a file, or a link to nothing, is in"),
        ("/plot pyramid", "no chart has the form 'pyramid'; it is one of bar"),
        ("/back T9", "no answer stands in 'T9'; answers stand in: T1"),
        ("/why trials", "no answer stands in 'trials'"),
        ("/why 'T1", 'no answer stands in "\'T1"'),
    ],
)
def test_a_command_that_does_not_fit_is_one_clear_message(say, place, line, said):
    (place / "folder.csv").mkdir()
    code, out, err = say(MEANS, line, COUNT)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1
    assert "count: 4" in out, "the conversation goes on"


def test_commands_before_the_first_answer(say):
    lines = ["/sql", "/why", "/back", "/undo", "/history", "/export a.csv", "/save a", "/tree"]
    code, out, err = say(*lines, "/sources", "/help")
    assert code == 7
    assert "there is no answer yet" in err
    assert "nothing was asked yet" in out
    assert "trials: 6 rows x 3 columns, " in out and "trials.csv" in out
    for name in names():
        assert name in out


def test_a_named_conversation_goes_on_in_another_process(say):
    words = ("trials.csv", "--thread", "harvest")
    say(MEANS, words=words)
    code, out, _ = say("/history", COUNT, "/back", "/sql", words=words)
    assert code == 0
    assert out.startswith(f"1. {MEANS}: T1\n")
    assert f"-- {MEANS}" in out


def test_each_line_is_answered_by_one_of_json(say):
    lines = [MEANS, "/history", "/nothing", "Why is the sky blue?", "/back T1"]
    code, out, err = say(*lines, words=("trials.csv", "--json"))
    told = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (2, "")
    assert [one.get("status") for one in told] == [
        "answered",
        None,
        "failed",
        "unanswered",
        "answered",
    ]
    assert told[0]["form"] == "wideleaf.result/1"
    assert told[1] == {"command": "/history", "answer": f"1. {MEANS}: T1"}
    assert told[2]["error"]["code"] == "settings"
    assert told[4]["question"] == MEANS


def test_what_was_answered_last_is_shown_by_show(say, capsys):
    say(MEANS)
    assert main(["show"]) == 0
    assert "◆ T1 Group" in capsys.readouterr().out


def test_bytes_that_are_no_text_are_no_traceback(place, monkeypatch, capsys):
    stream = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n" + COUNT.encode() + b"\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["chat", "trials.csv"]) in (0, 7)
    out, err = capsys.readouterr()
    assert "count: 4" in out
    assert err == ""


def test_a_person_is_greeted_and_may_end_it_three_ways(talk):
    for end in ([], ["/quit"], ["exit"]):
        code, out, _ = talk("", COUNT, *end)
        assert code == 0
        assert "trials: 6 rows x 3 columns" in out.splitlines()[0]
        assert "/help" in out
        assert "count: 4" in out


def test_a_question_without_an_answer_is_no_error_of_the_chat(talk):
    assert talk("Why is the sky blue?")[0] == 0


def test_ctrl_c_at_the_prompt_says_how_to_end(talk):
    code, out, _ = talk(KeyboardInterrupt(), COUNT)
    assert "Ctrl-D or /quit ends" in out
    assert "count: 4" in out
    assert code == 0


def test_ctrl_c_cancels_the_question_and_keeps_the_conversation(talk):
    move = {"table": "trials", "measures": [{"function": "count"}]}
    answers = iter(
        [
            Answer(calls=(("Aggregate", move),)),
            Answer(calls=(("Finish", {"table": "T1"}),)),
            None,
            Answer(calls=(("Finish", {"table": "T1"}),)),
        ]
    )

    def choose(body):
        if (answer := next(answers)) is None:
            os.kill(os.getpid(), signal.SIGINT)
            return Answer(delay=2.0)
        return answer

    with OpenAIServer(choose=choose) as server:
        words = ("trials.csv", "--base-url", server.url, "--model", "one")
        code, out, _ = talk("how many?", "and now?", "/history", "and again?", words=words)
    assert code == 0
    assert "cancelled; the conversation goes on" in out
    assert "1. how many?: T1\n" in out
    assert "and now?" not in out
    assert out.count("count: 6") == 2


def test_a_question_back_is_numbered(talk):
    def measure(function):
        return {"table": "trials", "measures": [{"function": function, "column": "yield_t"}]}

    asked = {
        "question": "Which yield?",
        "readings": ["the mean", "the most"],
        "tables": ["T1", "T2"],
    }
    replies = (
        Answer(calls=(("Aggregate", measure("mean")), ("Aggregate", measure("max")))),
        Answer(calls=(("Ask", asked),)),
        Answer(calls=(("Finish", {"table": "T2"}),)),
    )
    with OpenAIServer(*replies) as server:
        words = ("trials.csv", "--base-url", server.url, "--model", "one")
        _, out, _ = talk("the yield?", "7", "2", words=words)
    assert "  1. the mean: " in out
    assert "  2. the most: " in out
    assert "1 or 2, Enter for the first" in out
    assert "8" in out.splitlines()[-3]


def test_what_was_typed_is_kept_for_the_next_time(talk, place):
    talk(COUNT, "/history")
    history = place / ".wideleaf" / chat.HISTORY
    if not history.exists():
        pytest.skip("this Python has no readline")
    assert oct(history.stat().st_mode & 0o777) == "0o600"


class Terminal:
    """A chat in a terminal of its own, and what stands there."""

    def __init__(self) -> None:
        self.near, far = pty.openpty()
        self.chat = subprocess.Popen(
            [sys.executable, "-m", "wideleaf", "chat", "trials.csv", "--thread", "t"],
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # it is in charge
        )
        os.close(far)
        self.seen = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.chat.kill()
        self.chat.wait()
        os.close(self.near)

    def type(self, keys: str) -> None:
        """Wait for a prompt that nothing was typed at, and type."""
        self._read_until("> ")
        os.write(self.near, keys.encode())
        self.seen += "\n"

    def interrupt(self, typed: str, said: str) -> None:
        """Press Ctrl-C when what was typed is read, and again each second that it is not heard.

        What is typed and not yet read a Ctrl-C throws away, and `readline` then waits for a key.
        """
        self._read_until(typed)
        while said not in self.seen:
            os.write(self.near, b"\x03")
            until = time.monotonic() + 1.0
            while said not in self.seen and time.monotonic() < until:
                if select.select([self.near], [], [], 0.1)[0]:
                    self.seen += os.read(self.near, 4096).decode()

    def _read_until(self, end: str) -> None:
        while not self.seen.endswith(end):
            self.seen += os.read(self.near, 4096).decode()

    def leave(self) -> int:
        """Press Ctrl-D until it is heard: a Ctrl-C that comes late throws away what was typed."""
        while self.chat.poll() is None:
            os.write(self.near, b"\x04")
            if select.select([self.near], [], [], 1.0)[0]:
                try:
                    self.seen += os.read(self.near, 4096).decode()
                except OSError:  # Linux says so that the other end is closed
                    break
        return self.chat.wait()

    def end(self) -> int:
        """All that is still said, and the exit code."""
        try:
            while part := os.read(self.near, 4096):
                self.seen += part.decode()
        except OSError:  # Linux says so that the other end is closed
            pass
        return self.chat.wait()


@pytest.mark.slow
def test_on_a_real_terminal(place):
    with Terminal() as screen:
        screen.type(f"{COUNT}\n")
        screen.type("half a quest")
        screen.interrupt("half a quest", "Ctrl-D or /quit ends")
        assert screen.leave() == 0
    assert "count: 4" in screen.seen
    with Terminal() as screen:
        screen.type("\x1b[A\n")
        screen.type("/quit\n")
        assert screen.end() == 0
    assert "Going on after 1 message" in screen.seen
    assert "count: 4" in screen.seen, "the arrow brings back what was typed another time"
