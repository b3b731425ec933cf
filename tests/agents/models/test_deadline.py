"""A run's time holds within a request: for retries, waits and bodies that drip, for any model."""

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import wait
from email.utils import formatdate

import pytest
from langchain_core.language_models import FakeListChatModel
from openai_server import Answer, OpenAIServer
from work import comes_true

import wideleaf as wl
from wideleaf.agents.models import deadline
from wideleaf.agents.models.deadline import DeadlineError, in_time, limit_time, need_time
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.models import connect
from wideleaf.agents.models.script import Script
from wideleaf.tools.errors import ModelError
from wideleaf.tools.privacy import Policy

LONG = 1000.0
GROUP = ("Group", {"table": "t", "keys": ["site"], "measures": [{"function": "count"}]})


@pytest.fixture
def table(tmp_path):
    (tmp_path / "t.csv").write_text("site,n\n" + "".join(f"{'ab'[n % 2]},{n}\n" for n in range(9)))
    return tmp_path / "t.csv"


class Clock:
    """The time of a run, which stands still until something happens, and then is over."""

    def __init__(self):
        self.now = 0.0
        self.ends = lambda: False

    def monotonic(self):
        return self.now

    def wait(self, futures, seconds):
        while not wait(futures, 0.02).done and not self.ends():
            pass
        if not wait(futures, 0).done:
            self.now += LONG  # however short the look


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(deadline, "time", clock)
    monkeypatch.setattr(deadline, "wait", clock.wait)
    return clock


def ask(table, model, **settings):
    url = {"base_url": model.url, "model": "small"} if isinstance(model, OpenAIServer) else {}
    settings = {"model": model, "max_seconds": LONG, "folder": str(table.parent / "w")} | settings
    return wl.ask("How many rows has each site?", table, **settings | url)


def heard():
    return deadline.current_deadline().heard


@pytest.mark.parametrize(
    ("status", "headers_at"),
    [
        (429, lambda now: {"retry-after": "100"}),
        (503, lambda now: {"retry-after": formatdate(now + 100, usegmt=True)}),
        (500, lambda now: {"retry-after-ms": "100000", "x-should-retry": "true"}),
    ],
    ids=["seconds", "date", "milliseconds"],
)
def test_a_server_that_wants_a_long_wait_ends_the_run_in_time(table, clock, status, headers_at):
    headers = headers_at(time.time())
    clock.ends = heard
    with OpenAIServer(Answer("", (GROUP,)), Answer("no", status=status, headers=headers)) as server:
        result = ask(table, server)
        assert len(server.requests) == 2  # the wait that the server wants is not over
    assert result.status == "partial"
    assert "the limit of 1000 seconds was reached while the model was asked" in result.answer
    assert f"its server's last word was status {status}" in result.answer
    assert result.tree["T1"].rows == 2


@pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
def test_a_body_that_drips_holds_neither_a_run_nor_a_request(table, clock, streaming):
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "x" * 9_000}}]})
    with OpenAIServer(Answer(body=body, drip=0.2)) as server:
        clock.ends = lambda: server.requests
        result = ask(table, server)
        assert (result.status, len(server.requests)) == ("partial", 1)
        model = connect("m", base_url=server.url, timeout=0.5, retries=1, streaming=streaming)
        with pytest.raises(
            ModelError, match=r"did not answer within 0\.5 seconds, also when retried"
        ):
            Gateway(model, Policy()).ask("s", "h")
        # A stream that began is not repeated.
        assert comes_true(lambda: len(server.requests) == (2 if streaming else 3))


class Silent(FakeListChatModel):
    """A model of no provider, that answers when the test is over."""

    def _call(self, *args, **fields):
        ASKED.set()
        OVER.wait()
        return super()._call(*args, **fields)


ASKED, OVER = threading.Event(), threading.Event()


@pytest.fixture
def silent(clock):
    ASKED.clear()
    OVER.clear()
    clock.ends = ASKED.is_set
    yield Silent(responses=["late"])
    OVER.set()


def test_a_chat_model_of_any_class_is_waited_for_no_longer_than_the_run_has(table, silent):
    result = ask(table, silent)
    assert result.status == "partial" and "the limit of 1000 seconds" in result.answer
    assert result.usage.requests == 0


def test_work_that_does_not_end_is_left_when_the_time_is_over():
    with pytest.raises(DeadlineError, match=r"the limit of 0\.2 seconds"), limit_time(0.2):
        in_time(threading.Event().wait)


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

    result = ask(table, Then(responses=[]))
    assert (result.label, result.status) == ("t", "answered")


def test_the_time_of_a_selector_and_of_a_writer_of_code_counts_too(table, silent):
    wide = table.parent / "wide.csv"
    wide.write_text(",".join(f"site_{n}" for n in range(99)) + "\n" + ",".join("1" * 99) + "\n")
    assert ask(wide, silent, selector="model", retriever="words").status == "partial"
    craft = {"tables": ["t"], "task": "count", "signature": "count(t) -> number"}

    class Writes(Script):
        def _generate(self, messages, *args, **fields):
            if "\nWrite T1" in messages[-1].text:
                return silent._generate(messages, *args, **fields)
            return super()._generate(messages, *args, **fields)

    ASKED.clear()
    result = ask(table, Writes([("why", "Craft", craft)] * 9))
    assert result.status == "partial" and "the limit of 1000 seconds" in result.answer


def test_the_pace_is_waited_for_no_longer_than_there_is_time():
    with OpenAIServer(Answer("a")) as server:
        gateway = Gateway(connect("m", base_url=server.url), Policy(), requests_per_second=1 / LONG)
        with pytest.raises(DeadlineError, match=r"the limit of 0\.5 seconds"), limit_time(0.5):
            gateway.ask("s", "h")
    assert server.requests == []


def test_nothing_is_sent_for_a_run_that_nobody_waits_for(clock):
    clock.ends = heard
    again = Answer("no", status=429, headers={"retry-after-ms": "700"})
    with OpenAIServer(again) as server:
        gateway = Gateway(connect("m", base_url=server.url), Policy())
        before = set(threading.enumerate())
        with pytest.raises(DeadlineError), limit_time(LONG):
            gateway.ask("s", "h")
        with pytest.raises(DeadlineError), limit_time(LONG, spent=LONG):
            gateway.ask("s", "h")
        for thread in set(threading.enumerate()) - before:  # who would ask again, after a while
            thread.join()
    assert len(server.requests) == 1


def test_an_interrupt_ends_what_is_under_way(monkeypatch):
    begun, over = threading.Event(), threading.Event()
    left = []

    def interrupt(*args):
        begun.wait()
        raise KeyboardInterrupt

    def work():
        begun.set()
        over.wait()
        left.append(deadline.current_deadline().remaining())

    monkeypatch.setattr(deadline, "wait", interrupt)
    with limit_time(LONG):
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


def test_the_time_that_is_left_is_what_was_not_spent(clock):
    clock.now = 100.0
    with limit_time(10, spent=4):
        due = deadline.current_deadline()
        assert due.remaining() == 6
        clock.now += 5
        need_time()
        clock.now += 1
        with pytest.raises(DeadlineError, match="the limit of 10 seconds was reached"):
            need_time()


@pytest.mark.slow
def test_a_request_that_hangs_keeps_no_process_alive(table):
    call = [sys.executable, "-m", "wideleaf", "ask", "How many?", str(table), "--json"]
    with OpenAIServer(Answer("late", delay=LONG)) as server:
        options = ["--model", "small", "--base-url", server.url, "--max-seconds", "1"]
        folder = ["--folder", str(table.parent / "w")]
        done = subprocess.run([*call, *options, *folder], capture_output=True)
    assert json.loads(done.stdout)["status"] == "partial"
    assert json.loads(done.stdout)["seconds"] >= 1
    assert b"Traceback" not in done.stderr
