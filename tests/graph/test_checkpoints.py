"""Checkpoints: what is kept of a task that broke off."""

from typing import Any

import pytest
from langgraph.checkpoint.serde.types import ERROR
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from wideleaf.graph.checkpoints import open_checkpoints

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Walk(TypedDict):
    steps: list[str]


def _graph(saver: Any) -> Any:
    builder = StateGraph(Walk)
    builder.add_node("first", lambda state: {"steps": [*state["steps"], "first"]})
    builder.add_node("second", lambda state: {"steps": [*state["steps"], "second"]})
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    builder.add_edge("second", END)
    return builder.compile(saver, interrupt_before=["first"])


@pytest.mark.parametrize("broke_off", [True, False])
def test_a_task_that_broke_off_is_done_again(tmp_path, broke_off):
    with open_checkpoints(tmp_path / "threads.sqlite", 5) as saver:
        graph = _graph(saver)
        graph.invoke({"steps": []}, CONFIG)
        (task,) = graph.get_state(CONFIG).tasks
        # What LangGraph hands over where a task was cancelled before it said where to go next.
        writes: list[tuple[str, Any]] = [("steps", ["cut"])]
        writes += [(ERROR, RuntimeError("cancelled"))] * broke_off
        saver.put_writes(graph.get_state(CONFIG).config, writes, task.id)
        steps = graph.invoke(None, CONFIG)["steps"]
        assert steps == (["first", "second"] if broke_off else ["cut"])
