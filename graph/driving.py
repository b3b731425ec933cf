"""Driving a graph: its stream is read, questions back are answered, Ctrl-C keeps what is there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

from wideleaf.graph.context import MOST_CALLS, Context
from wideleaf.graph.events import Event

CRAFT_NODES = 3
"""Write, approve, run."""


class Listener(NamedTuple):
    """Whom a run speaks to.

    Attributes:
        on_event: Told of each thought, action and observation as it happens.
        answer_back: Asked where readings differ; gets the question and up to three options.
    """

    on_event: Callable[[Event], None] | None = None
    answer_back: Callable[[str, list[str]], str] | None = None


def config_of(context: Context, thread: str | None) -> Any:
    """What LangGraph is told of a run: its thread, and how many supersteps it may take."""
    return {
        "configurable": {"thread_id": thread or "once"},
        "recursion_limit": supersteps(context),
    }


def supersteps(context: Context) -> int:
    """How many supersteps a run may take: a wave is think and act, or the tries of a Craft."""
    wave = 1 + CRAFT_NODES * context.tries
    return (MOST_CALLS + 1) * wave * context.max_steps + 10


def drive(
    graph: Any, todo: Any, config: Any, context: Context, listener: Listener, *, keep: bool
) -> dict[str, Any]:
    """Run a graph to its end; its last state.

    Args:
        graph: With a checkpointer.
        todo: Its input; None to go on with what is under way.
        config: See `config_of`.
        context: The settings.
        listener: Whom it speaks to.
        keep: Whether the run must outlive this process; another need only tell how far it came.
    """
    from langgraph.types import Command

    try:
        while True:
            asked = None
            stream: Any = graph.stream(
                todo,
                config,
                context=context,
                stream_mode=["updates", "custom"],
                durability="sync" if keep else "exit",
                subgraphs=True,  # the samples of a vote
            )
            # Closed before the checkpointer is, whatever a listener raises: a checkpoint still
            # being written by another thread into a closed database ends the process.
            with closing(stream):
                for place, mode, data in stream:
                    if mode == "custom" and listener.on_event:
                        listener.on_event(Event(**data))
                    elif mode == "updates" and not place and "__interrupt__" in data:
                        asked = data["__interrupt__"][0].value
            if asked is None or listener.answer_back is None:
                break
            texts = [f"{one['reading']}: {one['result']}" for one in asked["options"]]
            # An empty answer, as of Enter alone, takes the first.
            answered = listener.answer_back(asked["question"], texts).strip()
            todo = Command(resume=answered or "1")
    except KeyboardInterrupt:
        state = dict(graph.get_state(config).values)
        return {**state, "status": "partial", "answer": "Cancelled."}
    return dict(graph.get_state(config).values)
