"""The graph: begin, select, think, one node per action, verify, answer; samples of a vote."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from wideleaf.graph.context import Context
from wideleaf.graph.nodes import answering, crafting, finding, talking, voting
from wideleaf.graph.nodes import thinking as nodes
from wideleaf.graph.state import Answer, Ballots, Question, State
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.registry import actions

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None, name: str = "ask"
) -> CompiledStateGraph[State, Context, Question, Answer]:
    """Compile the state machine that answers a question (TSO, section 3.4).

    Args:
        checkpointer: Keeps the run, so that it can be resumed; none for a subgraph or Studio. Each
            question on one thread starts anew.
        name: What other graphs and Studio call it.

    Returns:
        A graph from ``{"question": ...}`` to answer, value, table and caveats; its settings are
        a `Context`.
    """
    builder = StateGraph(State, context_schema=Context, input_schema=Question, output_schema=Answer)
    builder.add_node("begin", nodes.begin)
    builder.add_edge(START, "begin")
    builder.add_edge("begin", "select")
    add_run(builder, END)
    return builder.compile(checkpointer=checkpointer, name=name)


def add_run(builder: StateGraph[Any, Context, Any, Any], end: str, reply: str = "think") -> None:
    """Add the nodes of a run, from ``select`` to the answer.

    Args:
        builder: Of a graph whose state has the channels of `State`.
        end: Where it goes on after the answer.
        reply: Where it goes on if the question is one about an earlier answer.
    """
    builder.add_node("select", nodes.select)
    _add_steps(builder, reply)
    builder.add_node("sample", build_sample())
    builder.add_node("count", voting.count_ballots)
    builder.add_conditional_edges("select", voting.start, ["think", "sample"])
    builder.add_edge("sample", "count")
    builder.add_conditional_edges("count", voting.send_samples, {"sample": "sample", END: end})
    builder.add_edge("answer", end)


def build_sample() -> CompiledStateGraph[State, Context, State, Ballots]:
    """Compile a sample of a vote: the same steps over tables that are open, and then a ballot.

    A graph of its own, for samples run side by side, and no step of one may see another's state.
    """
    builder = StateGraph(State, context_schema=Context, output_schema=Ballots)
    _add_steps(builder)
    builder.add_node("ballot", voting.cast_ballot)
    builder.add_edge(START, "think")
    builder.add_edge("answer", "ballot")
    builder.add_edge("ballot", END)
    return builder.compile(name="sample")


def _add_steps(builder: StateGraph[Any, Context, Any, Any], reply: str = "think") -> None:
    """Add the nodes from the first thought to the answer."""
    steps = tuple(action.__name__ for action in actions() if action is not Craft)
    builder.add_node("think", nodes.think)
    for action in steps:
        builder.add_node(action, nodes.act)
        builder.add_edge(action, "think")
    builder.add_node("Craft", crafting.write)
    builder.add_node("ApproveCraft", crafting.approve)
    builder.add_node("RunCraft", crafting.run)
    builder.add_node("Backtrack", nodes.backtrack)
    builder.add_node("FindColumns", finding.find_columns)
    builder.add_node("Ask", nodes.ask)
    builder.add_node("Recall", talking.recall)
    builder.add_node("verify", answering.verify)
    builder.add_node("answer", answering.answer)
    builder.add_edge("Backtrack", "think")
    builder.add_edge("FindColumns", "think")
    builder.add_edge("Ask", "think")
    builder.add_conditional_edges(
        "Recall", talking.route_recall, {"think": "think", "reply": reply}
    )
    written = ["Craft", "ApproveCraft", "RunCraft", "think"]
    builder.add_conditional_edges("Craft", crafting.after_writing, written)
    builder.add_conditional_edges("ApproveCraft", crafting.after_running, ["RunCraft", "think"])
    builder.add_conditional_edges("RunCraft", crafting.after_running, ["Craft", "think"])
    ways = [
        *steps,
        "Craft",
        "Backtrack",
        "FindColumns",
        "Ask",
        "Recall",
        "verify",
        "answer",
        "think",
    ]
    builder.add_conditional_edges("think", nodes.route, ways)
    builder.add_conditional_edges("verify", answering.route_verdict, ["think", "answer"])


@cache
def ask_graph() -> CompiledStateGraph[State, Context, Question, Answer]:
    """The graph without a checkpointer, compiled once."""
    return build_graph()
