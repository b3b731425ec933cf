"""A run for somebody who may not wait for it: told of each step, and ended between two of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import closing
from threading import Event
from typing import Any

from wideleaf.graph.context import Context
from wideleaf.graph.state import PlainData

Tell = Callable[[str], None]


class StoppedError(Exception):
    """Whoever asked does not wait for the answer any more."""


def run_graph(question: str, context: Context, told: Tell | None, stop: Event | None) -> PlainData:
    """Answer a question; the state at the end.

    Args:
        question: In plain language.
        context: The settings.
        told: Told of each step: what kind it is and which node it is about, no more.
        stop: Set by whoever does not wait any longer; the run ends at its next step.

    Raises:
        StoppedError: If it was set.
    """
    from langgraph.checkpoint.memory import InMemorySaver

    from wideleaf.graph.app import build_graph
    from wideleaf.graph.driving import supersteps

    graph = build_graph(InMemorySaver())
    config: Any = {
        "configurable": {"thread_id": uuid.uuid4().hex},
        "recursion_limit": supersteps(context),
    }
    stream: Any = graph.stream(
        {"question": question},
        config,
        context=context,
        stream_mode=["updates", "custom"],
        durability="exit",
        subgraphs=True,  # the samples of a vote
    )
    with closing(stream):
        for _, mode, data in stream:
            if stop is not None and stop.is_set():
                raise StoppedError(question)
            if told and mode == "custom":
                told(" ".join(filter(None, (data["kind"], data["label"]))))
    return dict(graph.get_state(config).values)
