"""The runner: it runs a graph to its end, tells each event, and has questions back answered."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from wideleaf.agents.models.deadline import heed_stop
from wideleaf.graph.channels import PlainData
from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.context import MAX_CALLS, Context
from wideleaf.graph.events import Event
from wideleaf.graph.retention.marks import in_use
from wideleaf.graph.sessions.waiting import Tell, rest
from wideleaf.graph.threads import HOW_ASKED, tell_settings
from wideleaf.tools.engines.process import let_interrupts_in

T = TypeVar("T")
BATCH_STEPS = 4
"""The supervisor's visit, its tools, the describer, and the visit after it."""


class Listener(NamedTuple):
    """Whom a run speaks to.

    Attributes:
        on_event: Told of each thought, action and observation as it happens.
        answer_back: Asked where readings differ; gets the question and up to three options.
        progress: Told what takes long; a line makes way for a question back.
        stop: Set by whoever does not wait any longer: the run ends at its next step.
    """

    on_event: Callable[[Event], Any] | None = None
    answer_back: Callable[[str, list[str]], str] | None = None
    progress: Tell | None = None
    stop: Signal | None = None


class End(NamedTuple):
    """What a run came to.

    Attributes:
        state: Its last state.
        cancelled: Whether Ctrl-C ended it.
    """

    state: PlainData
    cancelled: bool = False


@contextmanager
def open_graph(graph: Any, context: Context, thread: str | None = None) -> Iterator[Any]:
    """A graph whose checkpoints go into memory, or of a named thread where it is kept.

    Args:
        graph: Without a checkpointer; to compile anew takes a tenth of a second.
        context: The settings.
        thread: The name.
    """
    folder = Path(context.folder)
    with in_use(folder):
        if thread is None:
            from langgraph.checkpoint.memory import InMemorySaver

            yield graph.copy({"checkpointer": InMemorySaver()})
        else:
            from wideleaf.graph.checkpoints.shelf import open_shelf

            place = place_of(context.checkpoints, folder)
            with open_shelf(place) as shelf, shelf.held(thread):
                yield graph.copy({"checkpointer": shelf.saver})


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


def run_graph(
    graph: Any,
    todo: Any,
    context: Context,
    listener: Listener | None = None,
    thread: str | None = None,
) -> Generator[Event, None, End]:
    """Run a graph to its end; its events as they happen.

    A stream that is closed ends the run at its next step; Ctrl-C does, too, and keeps what there
    is.

    Args:
        graph: With a checkpointer, see `open_graph`.
        todo: Its input; None to go on with what is under way.
        context: The settings.
        listener: Whom it speaks to.
        thread: The name of a run that must outlive this process; another need only tell how far
            it came.

    Returns:
        What it came to.

    Raises:
        StoppedError: If the listener's signal was set.
    """
    listener = listener or Listener()
    config = config_of(context, thread)
    stream = partial(
        graph.stream,
        config=config,
        context=context,
        stream_mode=["updates", "custom"],
        durability="exit" if thread is None else "sync",
        subgraphs=True,  # the samples of a vote
    )
    let_interrupts_in()
    try:
        while True:
            asked = yield from _tell_events(stream, todo, listener)
            if not asked or listener.answer_back is None:
                return End(_last_state(graph, config))
            todo = _ask_back(asked, listener.answer_back, listener.progress)
    except KeyboardInterrupt:
        state = {**_last_state(graph, config), "status": "partial", "answer": "Cancelled."}
        return End(state, cancelled=True)


def end_of(run: Generator[Any, None, T]) -> T:
    """What a generator gives back at its end."""
    while True:
        try:
            next(run)
        except StopIteration as end:
            ended: T = end.value
            return ended


def _tell_events(
    stream: Callable[[Any], Any], todo: Any, listener: Listener
) -> Generator[Event, None, PlainData | None]:
    """Read a stream in a thread of its own, so that Ctrl-C is heard while a step goes on.

    Returns:
        What the person is asked back at its end, if anything.
    """
    stop = listener.stop or Signal()
    parts: SimpleQueue[Any] = SimpleQueue()
    end, asked = object(), None

    def work() -> None:
        heed_stop(stop)
        try:
            # Closed before the checkpointer is: a checkpoint still being written by another
            # thread into a closed database ends the process.
            with closing(stream(todo)) as running:
                for part in running:
                    parts.put(part)
        except BaseException as error:
            parts.put(error)
        parts.put(end)

    worker = Thread(target=copy_context().run, args=(work,), name="wideleaf-run")
    worker.start()
    try:
        while (part := parts.get()) is not end:
            if isinstance(part, BaseException):
                raise part
            place, mode, data = part
            if mode == "custom":
                event = Event(**data)
                if listener.on_event:
                    listener.on_event(event)
                yield event
            elif not place and "__interrupt__" in data:
                asked = data["__interrupt__"][0].value
    except BaseException:
        stop.set()  # the run ends at its next step
        raise
    finally:
        worker.join()
    return asked


def _ask_back(
    asked: PlainData, answer_back: Callable[[str, list[str]], str], progress: Tell | None
) -> Any:
    """Ask the person; what the run goes on with. Enter alone takes the first option."""
    from langgraph.types import Command

    rest(progress)
    texts = [f"{one['reading']}: {one['result']}" for one in asked["options"]]
    lead = f"{problem}\n" if (problem := asked.get("problem")) else ""
    reply = answer_back(f"{lead}{asked['question']}", texts)
    return Command(resume=reply.strip() or "1")


def _last_state(graph: Any, config: Any) -> PlainData:
    return _values_of(graph.get_state(config, subgraphs=True))


def _values_of(snapshot: Any) -> PlainData:
    """The channels of a graph, those of a run in the middle of it as far as it came."""
    values = dict(snapshot.values)
    inner = [task.state for task in snapshot.tasks if hasattr(task.state, "values")]
    # Of samples side by side none is the run.
    return values | _values_of(inner[0]) if len(inner) == 1 else values
