"""Streams and tasks: events as they come, the result last; loops that are not held up."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from pathlib import Path

import pandas as pd
import pytest

import wideleaf as wl

TRIALS = pd.DataFrame(
    {
        "site": ["North", "North", "South", "South", "South", "West"],
        "year": [2018, 2019, 2018, 2019, 2019, 2019],
        "yield_t": [5.0, 6.0, 3.0, 4.0, 8.0, 7.0],
    }
)
MEAN, MEANS = "What is the mean yield_t?", "What is the mean yield_t by site?"
COUNT = "How many rows have year 2019?"


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "trials.csv"
    TRIALS.to_csv(path, index=False)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "w")


class Gate:
    """A model that makes a table's count, and waits in a thread until it is let go on."""

    def __init__(self) -> None:
        self.asked, self.open = threading.Event(), threading.Event()
        self.requests = 0

    def model(self) -> wl.Script:
        moves = [
            ("Count.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),
            ("Done.", "Finish", {"table": "T1"}),
        ]

        def move(_: object) -> tuple[str, str, dict[str, object]]:
            self.requests += 1
            self.asked.set()
            self.open.wait()
            return moves[(self.requests - 1) % 2]  # type: ignore[return-value]

        return wl.Script(policy=move)


def test_a_stream_is_events_and_the_result_last(csv, folder):
    *events, result = wl.stream(MEAN, csv, folder=folder)
    told: list[wl.Event] = []
    asked = wl.ask(MEAN, csv, folder=folder, on_event=told.append)
    assert events == told
    assert {event.kind for event in events} >= {"columns", "thought", "action", "observation"}
    assert isinstance(result, wl.Result)
    assert (result.value, result.answer) == (asked.value, asked.answer)


def test_what_is_waited_for_tells_the_same(csv, folder):
    async def run():
        streamed = [one async for one in wl.astream(MEANS, csv, folder=folder)]
        return streamed, await wl.aask(MEANS, csv, folder=folder)

    streamed, asked = asyncio.run(run())
    *events, result = wl.stream(MEANS, csv, folder=folder)
    assert streamed[:-1] == events
    assert streamed[-1].value == asked.value == result.value


def test_errors_are_those_of_ask(csv, folder):
    with pytest.raises(wl.SettingsError, match="question is empty"):
        next(wl.stream(" ", csv, folder=folder))
    with pytest.raises(wl.SourceError, match=r"nowhere\.csv"):
        asyncio.run(wl.aask(MEAN, "nowhere.csv", folder=folder))
    with pytest.raises(wl.SettingsError, match="max_steps=0"):
        asyncio.run(wl.aask(MEAN, csv, folder=folder, max_steps=0))


def test_what_a_listener_raises_is_the_callers_own(csv, folder):
    def tell(event):
        raise LookupError("mine")

    async def atell(event):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        wl.ask(MEAN, csv, folder=folder, on_event=tell)
    with pytest.raises(LookupError, match="mine"):
        asyncio.run(wl.aask(MEAN, csv, folder=folder, on_event=atell))


def test_a_session_streams_and_is_waited_for(csv, folder):
    async def run():
        async with await wl.Session.aopen(csv, folder=folder) as session:
            first = await session.aask(MEANS)
            *events, second = [one async for one in session.astream(COUNT)]
            return first, events, second, session

    first, events, second, session = asyncio.run(run())
    assert second.value == 4
    assert [one.label for one in session.exchanges] == [first.label, second.label]
    *told, third = session.stream("What is the smallest yield_t?")
    assert third.value == 3.0
    assert events and all(isinstance(event, wl.Event) for event in [*events, *told])
    assert session.results == [first, second, third]


@pytest.mark.parametrize("thread", [None, "harvest"])
def test_a_cancelled_task_leaves_the_conversation_as_it_was(csv, folder, thread):
    gate = Gate()

    async def run():
        session = await wl.Session.aopen(csv, folder=folder, thread=thread, model=gate.model())
        gate.open.set()
        await session.aask("how many?")
        before = session.exchanges
        gate.open.clear()
        gate.asked.clear()
        task = asyncio.create_task(session.aask("and how many now?"))
        await asyncio.to_thread(gate.asked.wait)
        requests = gate.requests
        task.cancel()
        await asyncio.sleep(0)  # a task hears of it when the loop comes round
        gate.open.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert gate.requests == requests, "the run went on after its step"
        assert session.exchanges == before
        return before, (await session.aask("how many rows?")).value, session.exchanges

    before, value, after = asyncio.run(run())
    assert value == 6
    assert after[:-1] == before
    if thread:
        again = wl.Session(csv, folder=folder, thread=thread)
        assert again.exchanges == after


def test_a_stream_that_is_left_early_leaves_the_conversation_as_it_was(csv, folder):
    session = wl.Session(csv, folder=folder, thread="t")
    session.ask(MEANS)
    before = session.exchanges
    told = session.stream(COUNT)
    next(told)
    told.close()

    async def run():
        async with aclosing(session.astream(COUNT)) as stream:
            async for _ in stream:
                break

    asyncio.run(run())
    assert session.exchanges == before
    assert wl.Session(csv, folder=folder, thread="t").exchanges == before
    assert session.ask(COUNT).value == 4


def test_two_sessions_in_one_loop_do_not_wait_for_each_other(csv, tmp_path):
    gate = Gate()

    async def run():
        slow = await wl.Session.aopen(csv, folder=str(tmp_path / "a"), model=gate.model())
        quick = await wl.Session.aopen(csv, folder=str(tmp_path / "b"), thread="t")
        waiting = asyncio.create_task(slow.aask("how many?"))
        await asyncio.to_thread(gate.asked.wait)
        answers = [(await quick.aask(question)).value for question in (MEAN, COUNT)]
        assert not waiting.done()
        gate.open.set()
        return answers, (await waiting).value

    assert asyncio.run(run()) == ([5.5, 4], 6)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_loop_is_not_held_up(csv, folder, engine):
    """Files, locks, databases and sleep: nothing of that is done by the thread of the loop."""
    reason = "needs the extra 'studio'"
    blockbuster = pytest.importorskip("blockbuster", reason=reason)
    settings = {"folder": folder, "engine": engine}
    assert wl.Session and wl.aask  # imported

    async def run():
        async with await wl.Session.aopen(csv, thread="t", **settings) as session:
            await session.aask(MEANS)
            told = [one async for one in session.astream(COUNT)]
        with pytest.raises(wl.SourceError):
            await wl.aask(MEAN, "nowhere.csv", folder=folder)
        return told[-1].value, (await wl.aask(MEAN, csv, thread="u", **settings)).value

    with blockbuster.blockbuster_ctx():
        assert asyncio.run(run()) == (4, 5.5)


def test_a_vote_is_waited_for(csv, folder):
    moves = [
        ("Count.", "Aggregate", {"table": "trials", "measures": [{"function": "count"}]}),
        ("Done.", "Finish", {"table": "T1"}),
    ]

    def move(messages):
        return moves["Step 2 of" in messages[-1].text]

    async def run():
        model = wl.Script(policy=move)
        votes = {"strategy": "vote", "samples": 3, "vote_early": False}
        asked = wl.astream("how many?", csv, folder=folder, model=model, **votes)
        return [one async for one in asked]

    *events, result = asyncio.run(run())
    assert result.value == 6
    assert {event.sample for event in events} >= {1, 2, 3}
    assert [sample.votes for sample in result.samples] == [3, 3, 3]


def test_a_session_answers_one_message_at_a_time(csv, folder):
    gate = Gate()

    async def run():
        session = await wl.Session.aopen(csv, folder=folder, model=gate.model())
        first = asyncio.create_task(session.aask("how many?"))
        await asyncio.to_thread(gate.asked.wait)
        with pytest.raises(wl.SettingsError, match="'and now\\?' was not asked"):
            await session.aask("and now?")
        gate.open.set()
        return (await first).value

    assert asyncio.run(run()) == 6


def test_a_question_back_may_be_answered_by_a_coroutine(csv, folder):
    moves = [
        (
            "Both.",
            "Aggregate",
            {"table": "trials", "measures": [{"function": "mean", "column": "yield_t"}]},
        ),
        (
            "Both.",
            "Aggregate",
            {"table": "trials", "measures": [{"function": "max", "column": "yield_t"}]},
        ),
        (
            "Which?",
            "Ask",
            {"question": "Which?", "readings": ["the mean", "the most"], "tables": ["T1", "T2"]},
        ),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    asked: list[str] = []

    async def answer(question, options):
        await asyncio.sleep(0)
        asked.extend(options)
        return "2"

    left = iter(moves)
    model = wl.Script(policy=lambda _: next(left))

    async def run():
        return await wl.aask("yield?", csv, folder=folder, model=model, answer_back=answer)

    assert asyncio.run(run()).value == 8.0
    assert len(asked) == 2


def test_a_cancelled_task_waits_for_no_model(csv, folder):
    gate = Gate()

    async def run():
        session = await wl.Session.aopen(csv, folder=folder, thread="t", model=gate.model())
        task = asyncio.create_task(session.aask("how many?"))
        await asyncio.to_thread(gate.asked.wait)
        task.cancel()
        left, _ = await asyncio.wait([task], timeout=10)  # the gate is still closed
        gate.open.set()
        gate.requests = 0
        return bool(left), session.exchanges, (await session.aask("how many?")).value

    assert asyncio.run(run()) == (True, (), 6)


def test_a_task_that_is_cancelled_while_a_person_is_asked_waits_for_nobody(csv, folder):
    pd.DataFrame({"grain yield": [1.0, 3.0], "straw yield": [5.0, 9.0]}).to_csv(csv, index=False)
    ends = []

    async def run():
        asked = asyncio.Event()

        async def answer(question, options):
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                ends.append("left")

        task = asyncio.create_task(wl.aask("mean yield", csv, folder=folder, answer_back=answer))
        await asked.wait()
        task.cancel()
        left, _ = await asyncio.wait([task], timeout=10)
        return bool(left)

    assert asyncio.run(run())
    assert ends == ["left"]


def test_a_named_run_that_was_cancelled_goes_on(csv, folder):
    gate = Gate()

    async def run():
        model = gate.model()
        task = asyncio.create_task(
            wl.aask("how many?", csv, folder=folder, thread="t", model=model)
        )
        await asyncio.to_thread(gate.asked.wait)
        task.cancel()
        gate.open.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.requests = 0
        return await wl.aask("how many?", csv, folder=folder, thread="t", model=model)

    assert asyncio.run(run()).value == 6
