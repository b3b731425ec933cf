"""A run for somebody who may not wait for it: told of each step, and ended between two of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from threading import Event

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.events import StoppedError

Tell = Callable[[str], None]


def run_graph(question: str, context: Context, tell: Tell | None, stop: Event | None) -> PlainData:
    """Answer a question; the state at the end.

    Args:
        question: In plain language.
        context: The settings.
        tell: Told of each step: what kind it is and which node it is about, no more.
        stop: Set by whoever does not wait any longer; the run ends at its next step.

    Raises:
        StoppedError: If it was set.
    """
    from langgraph.checkpoint.memory import InMemorySaver

    from wideleaf.graph.app import ask_graph
    from wideleaf.graph.sessions.driving import Drive, Listener, config_of, steps

    graph = ask_graph().copy({"checkpointer": InMemorySaver()})
    config = config_of(context, None)
    given = {"question": question}
    drive = Drive(graph, given, config, context, Listener(), keep=False, stopped=stop)
    with closing(steps(drive)) as events:
        for event in events:
            if stop is not None and stop.is_set():
                raise StoppedError
            if tell:
                tell(" ".join(filter(None, (event.kind, event.label))))
    return drive.state
