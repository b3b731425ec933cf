"""Driving a graph: its stream is read, questions back are answered, Ctrl-C keeps what is there."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing
from contextvars import copy_context
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from typing import Any, NamedTuple

from wideleaf.graph.channels import PlainData
from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.context import MAX_CALLS, Context
from wideleaf.graph.events import STOPPED, Event
from wideleaf.graph.sessions.waiting import Tell, rest
from wideleaf.graph.threads import HOW_ASKED, tell_settings
from wideleaf.tools.engines.process import let_interrupts_in

BATCH_STEPS = 4
"""The supervisor's visit, its tools, the describer, and the visit after it."""


class Listener(NamedTuple):
    """Whom a run speaks to; where it is waited for, these may be coroutine functions.

    Attributes:
        on_event: Told of each thought, action and observation as it happens.
        answer_back: Asked where readings differ; gets the question and up to three options.
        progress: Told what takes long; a line makes way for a question back.
    """

    on_event: Callable[[Event], Any] | None = None
    answer_back: Callable[[str, list[str]], Any] | None = None
    progress: Tell | None = None


def config_of(context: Context, thread: str | None) -> Any:
    """What LangGraph is told of a run: its thread, and how many supersteps it may take.

    Beside the checkpoints of a named thread stands how it was asked, so that it can go on.
    """
    fields: dict[str, Any] = {"recursion_limit": supersteps(context)}
    if thread is None:
        return {"configurable": {"thread_id": "once"}, **fields}
    key = place_of(context.checkpoints, Path(context.folder)).key(thread)
    ways = {HOW_ASKED: tell_settings(context)}
    return {"configurable": {"thread_id": key}, "metadata": ways, **fields}


def supersteps(context: Context) -> int:
    """How many supersteps a run may take: each call of a reply may be a batch of its own."""
    return (MAX_CALLS + 1) * BATCH_STEPS * context.max_steps + 10


class Drive:
    """A graph on its way to an end, and what there is of it; `steps` and `asteps` run it.

    Args:
        graph: With a checkpointer.
        todo: Its input; None to go on with what is under way.
        config: See `config_of`.
        context: The settings.
        listener: Whom it speaks to.
        keep: Whether the run must outlive this process; another need only tell how far it came.
        stopped: Set by whoever does not wait any longer: the run ends at its next step.

    Attributes:
        state: The last state; empty before the end.
        cancelled: Whether Ctrl-C ended it.
    """

    def __init__(
        self,
        graph: Any,
        todo: Any,
        config: Any,
        context: Context,
        listener: Listener,
        *,
        keep: bool,
        stopped: Signal | None = None,
    ) -> None:
        self.graph, self.todo, self.listener = graph, todo, listener
        self.stopped = stopped or Signal()
        settings = {**config["configurable"], STOPPED: self.stopped}
        self.config = {**config, "configurable": settings}
        self.ways: dict[str, Any] = {
            "context": context,
            "stream_mode": ["updates", "custom"],
            "durability": "sync" if keep else "exit",
            "subgraphs": True,  # the samples of a vote
        }
        self.state: PlainData = {}
        self.cancelled = False
        self._asked: PlainData = {}

    def hear(self, part: tuple[Any, str, Any]) -> Event | None:
        """Take a part of the stream: an event, or a question back, which is kept."""
        place, mode, data = part
        if mode == "custom":
            return Event(**data)
        if not place and "__interrupt__" in data:
            self._asked = data["__interrupt__"][0].value
        return None

    def asked(self) -> tuple[str, list[str]] | None:
        """What the person is asked back, if anybody listens: the question and its options."""
        if not self._asked or self.listener.answer_back is None:
            return None
        rest(self.listener.progress)
        texts = [f"{one['reading']}: {one['result']}" for one in self._asked["options"]]
        lead = f"{problem}\n" if (problem := self._asked.get("problem")) else ""
        return f"{lead}{self._asked['question']}", texts

    def answer(self, text: str) -> None:
        """Go on with an answer; an empty one, as of Enter alone, takes the first option."""
        from langgraph.types import Command

        self.todo, self._asked = Command(resume=text.strip() or "1"), {}

    def end(self, *, cancelled: bool = False) -> None:
        """Keep the last state."""
        self.state = values_of(self.graph.get_state(self.config, subgraphs=True))
        if cancelled:
            self.cancelled = True
            self.state |= {"status": "partial", "answer": "Cancelled."}


def values_of(snapshot: Any) -> PlainData:
    """The channels of a graph, those of a run in the middle of it as far as it came."""
    values = dict(snapshot.values)
    inner = [task.state for task in snapshot.tasks if hasattr(task.state, "values")]
    # Of samples side by side none is the run.
    return values | values_of(inner[0]) if len(inner) == 1 else values


def steps(drive: Drive) -> Generator[Event, None, None]:
    """Run a graph to its end; its events as they happen."""
    tell, answer_back, _ = drive.listener
    let_interrupts_in()
    try:
        while True:
            for event in _list_events(drive):
                if tell:
                    tell(event)
                yield event
            if (question := drive.asked()) is None or answer_back is None:
                break
            drive.answer(answer_back(*question))
    except KeyboardInterrupt:
        drive.end(cancelled=True)
    else:
        drive.end()


def _list_events(drive: Drive) -> Generator[Event, None, None]:
    """The events of a run in a thread of its own, so that Ctrl-C is heard while a step goes on."""
    parts: SimpleQueue[Any] = SimpleQueue()
    end = object()

    def work() -> None:
        try:
            # Closed before the checkpointer is: a checkpoint still being written by another
            # thread into a closed database ends the process.
            with closing(drive.graph.stream(drive.todo, drive.config, **drive.ways)) as stream:
                for part in stream:
                    parts.put(part)
        except BaseException as error:
            parts.put(error)
        parts.put(end)

    thread = Thread(target=copy_context().run, args=(work,), name="wideleaf-run")
    thread.start()
    try:
        while (part := parts.get()) is not end:
            if isinstance(part, BaseException):
                raise part
            if event := drive.hear(part):
                yield event
    except BaseException:
        drive.stopped.set()  # the run ends at its next step
        raise
    finally:
        thread.join()


async def asteps(drive: Drive) -> AsyncGenerator[Event, None]:
    """The same without holding up the event loop: nodes, files and questions back have threads.

    A task that is cancelled ends the run at its next step.
    """
    tell, answer_back, _ = drive.listener
    while True:
        try:
            async with aclosing(
                drive.graph.astream(drive.todo, drive.config, **drive.ways)
            ) as stream:
                async for part in stream:
                    if event := drive.hear(part):
                        if tell and inspect.isawaitable(heard := tell(event)):
                            await heard
                        yield event
        except asyncio.CancelledError as error:
            # LangGraph leaves here what it is still writing.
            if tasks := [one for one in error.args if isinstance(one, asyncio.Task)]:
                await asyncio.wait(tasks)
            raise
        if (question := drive.asked()) is None or answer_back is None:
            break
        if inspect.iscoroutinefunction(answer_back):
            reply = await answer_back(*question)
        else:
            reply = await asyncio.to_thread(answer_back, *question)
        drive.answer(reply)
    await asyncio.to_thread(drive.end)
