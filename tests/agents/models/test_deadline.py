"""A run's time holds within a request: for retries, waits and bodies that drip, for any model."""

import json
import subprocess
import sys
import threading
import time
from email.utils import formatdate

import pytest
from langchain_core.language_models import FakeListChatModel
from openai_server import Answer, OpenAIServer

import wideleaf as wl
from wideleaf.agents.models import deadline
from wideleaf.agents.models.deadline import DeadlineError, in_time, limit_time, need_time
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.models import connect
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import Policy

SOON = 60.0
"""Far less than what each server here would take, far more than a slow machine needs."""
GROUP = ("Group", {"table": "t", "keys": ["site"], "measures": [{"function": "count"}]})


@pytest.fixture
def table(tmp_path):
    (tmp_path / "t.csv").write_text("site,n\n" + "".join(f"{'ab'[n % 2]},{n}\n" for n in range(9)))
    return tmp_path / "t.csv"


def ask(table, model, **settings):
    url = {"base_url": model.url, "model": "small"} if isinstance(model, OpenAIServer) else {}
    settings = {"model": model, "max_seconds": 1, "folder": str(table.parent / "w")} | settings
    started = time.monotonic()
    result = wl.ask("How many rows has each site?", table, **settings | url)
    assert time.monotonic() - started < SOON
    return result


@pytest.mark.parametrize(
    ("status", "headers_at"),
    [
        (429, lambda now: {"retry-after": "100"}),
        (503, lambda now: {"retry-after": formatdate(now + 100, usegmt=True)}),
        (500, lambda now: {"retry-after-ms": "100000", "x-should-retry": "true"}),
    ],
    ids=["seconds", "date", "milliseconds"],
)
def test_a_server_that_wants_a_long_wait_ends_the_run_in_time(table, status, headers_at):
    headers = headers_at(time.time())
    with OpenAIServer(Answer("", (GROUP,)), Answer("no", status=status, headers=headers)) as server:
        result = ask(table, server, max_seconds=2)
    assert result.status == "partial"
    assert "the limit of 2 seconds was reached while the model was asked" in result.answer
    assert f"its server's last word was status {status}" in result.answer
    assert result.tree["T1"].rows == 2
    assert result.seconds >= 2


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_a_body_that_drips_holds_neither_a_run_nor_a_request(table, streaming):
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "x" * 900}}]})
    with OpenAIServer(Answer(body=body, drip=0.2)) as server:
        result = ask(table, server)
        assert (result.status, len(server.requests)) == ("partial", 1)
        model = connect("m", base_url=server.url, timeout=0.5, retries=1, streaming=streaming)
        started = time.monotonic()
        with pytest.raises(
            ModelError, match=r"did not answer within 0\.5 seconds, also when retried"
        ):
            Gateway(model, Policy()).ask("s", "h")
        assert time.monotonic() - started < SOON
    assert len(server.requests) == (2 if streaming else 3)  # a stream that began is not repeated


class Silent(FakeListChatModel):
    """A model of no provider, that answers when the test is over."""

    def _call(self, *args, **fields):
        OVER.wait(SOON * 2)
        return super()._call(*args, **fields)


OVER = threading.Event()


@pytest.fixture
def silent():
    OVER.clear()
    yield Silent(responses=["late"])
    OVER.set()


def test_a_chat_model_of_any_class_is_waited_for_no_longer_than_the_run_has(table, silent):
    result = ask(table, silent)
    assert result.status == "partial" and "the limit of 1 seconds" in result.answer
    assert result.usage.requests == 0


def test_an_answer_that_was_sent_back_is_given_where_the_time_ends(table, silent):
    moves = [("all", "Finish", {"table": "t"})]
    script = Script(moves)

    class Then(Silent):
        def _generate(self, messages, *args, **fields):
            if "Step 1 of" in messages[-1].text:
                return script._generate(messages, *args, **fields)
            return super()._generate(messages, *args, **fields)

        def bind_tools(self, tools, **fields):
            return self

    result = ask(table, Then(responses=[]), max_seconds=3)
    assert (result.label, result.status) == ("t", "answered")


def test_the_time_of_a_judge_of_columns_and_of_a_writer_of_code_counts_too(table, silent):
    wide = table.parent / "wide.csv"
    wide.write_text(",".join(f"site_{n}" for n in range(99)) + "\n" + ",".join("1" * 99) + "\n")
    assert ask(wide, silent, judge="model", retriever="words").status == "partial"
    craft = {"tables": ["t"], "task": "count", "signature": "count(t) -> number"}

    class Writes(Script):
        def _generate(self, messages, *args, **fields):
            if "\nWrite T1" in messages[-1].text:
                return silent._generate(messages, *args, **fields)
            return super()._generate(messages, *args, **fields)

    result = ask(table, Writes([("why", "Craft", craft)] * 9), max_seconds=3)
    assert result.status == "partial" and "the limit of 3 seconds" in result.answer


def test_the_pace_is_waited_for_no_longer_than_there_is_time():
    with OpenAIServer(Answer("a")) as server:
        gateway = Gateway(
            connect("m", base_url=server.url), Policy(), requests_per_second=1 / (SOON * 4)
        )
        started = time.monotonic()
        with pytest.raises(DeadlineError, match=r"the limit of 0\.5 seconds"), limit_time(0.5):
            gateway.ask("s", "h")
    assert time.monotonic() - started < SOON
    assert server.requests == []


def test_nothing_is_sent_for_a_run_that_nobody_waits_for():
    again = Answer("no", status=429, headers={"retry-after-ms": "700"})
    with OpenAIServer(again) as server:
        gateway = Gateway(connect("m", base_url=server.url), Policy())
        with pytest.raises(DeadlineError), limit_time(0.4):
            gateway.ask("s", "h")
        with pytest.raises(DeadlineError), limit_time(9, spent=9):
            gateway.ask("s", "h")
        time.sleep(1)
    assert len(server.requests) == 1


def test_an_interrupt_ends_what_is_under_way(monkeypatch):
    begun, over = threading.Event(), threading.Event()
    left = []

    def interrupt(*args):
        begun.wait(SOON)
        raise KeyboardInterrupt

    def work():
        begun.set()
        over.wait(SOON)
        left.append(deadline.current_deadline().left())

    monkeypatch.setattr(deadline, "wait", interrupt)
    with limit_time(SOON):
        with pytest.raises(KeyboardInterrupt):
            in_time(work)
        with pytest.raises(DeadlineError):
            need_time()
    over.set()


def test_what_is_done_in_time_is_given_back_or_raised_as_it_was():
    with limit_time(float("inf")):
        assert in_time(lambda: deadline.current_deadline().limit) == float("inf")
        with pytest.raises(ZeroDivisionError):
            in_time(lambda: 1 / 0)
        need_time()
    assert deadline.current_deadline() is None
    assert in_time(threading.current_thread) is threading.current_thread()


def test_the_time_that_is_left_is_what_was_not_spent(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(deadline.time, "monotonic", lambda: now[0])
    with limit_time(10, spent=4):
        due = deadline.current_deadline()
        assert due.left() == 6
        now[0] += 5
        need_time()
        now[0] += 1
        with pytest.raises(DeadlineError, match="the limit of 10 seconds was reached"):
            need_time()


def test_a_request_that_hangs_keeps_no_process_alive(table):
    call = [sys.executable, "-m", "wideleaf", "ask", "How many?", str(table), "--json"]
    with OpenAIServer(Answer("late", delay=SOON * 2)) as server:
        options = ["--model", "small", "--base-url", server.url, "--max-seconds", "1"]
        folder = ["--folder", str(table.parent / "w")]
        done = subprocess.run([*call, *options, *folder], capture_output=True, timeout=SOON * 1.5)
    assert json.loads(done.stdout)["status"] == "partial"
    assert b"Traceback" not in done.stderr
