"""The graph: begin, select, think, one node per action, verify, answer; samples of a vote."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from langgraph.graph import END, START, StateGraph

from wideleaf.graph.context import Context
from wideleaf.graph.nodes import answering, crafting, finding, talking, voting
from wideleaf.graph.nodes import thinking as nodes
from wideleaf.graph.own_settings import OwnSettings, under
from wideleaf.graph.state import Answer, Asked, Ballots, Question, State
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.registry import actions

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from wideleaf.graph.keywords import IndexKeywords


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "ask",
    *,
    sources: Any = None,
    model: Any = None,
    base_url: str | None = None,
    **settings: Unpack[IndexKeywords],
) -> CompiledStateGraph[State, Context, Asked, Answer]:
    """Compile the state machine that answers a question (TSO, section 3.4).

    Without settings of its own, a graph runs under a `Context`: what the caller or a graph around
    it hands down, and before that what comes in the input as ``sources`` and ``settings``. What is
    given here holds wherever the graph stands and whatever comes in; with ``sources`` the question
    is all that its input has.

    Args:
        checkpointer: Keeps the run, so that it can be resumed; none for a subgraph or Studio. Each
            question on one thread starts anew.
        name: What other graphs and Studio call it.
        sources: What `wideleaf.ask` takes, one or a list; frames are read at the first question.
        model: ``provider:name`` or a LangChain chat model.
        base_url: An OpenAI-compatible server.
        settings: Any other field of `Context`.

    Returns:
        A graph from ``{"question": ...}`` to answer, value, table and caveats.

    Raises:
        SettingsError: If there is no such setting or its value does not fit.
    """
    own = OwnSettings(sources, model, base_url, settings)
    schema: Any = Question if own.has_sources else Asked
    builder = StateGraph(State, context_schema=Context, input_schema=schema, output_schema=Answer)
    builder.add_node("begin", nodes.begin)
    builder.add_edge(START, "begin")
    builder.add_edge("begin", "select")
    add_run(builder, END, own=own)
    return builder.compile(checkpointer=checkpointer, name=name)


def add_run(
    builder: StateGraph[Any, Context, Any, Any],
    end: str,
    reply: str = "think",
    own: OwnSettings | None = None,
) -> None:
    """Add the nodes of a run, from ``select`` to the answer.

    Args:
        builder: Of a graph whose state has the channels of `State`.
        end: Where it goes on after the answer.
        reply: Where it goes on if the question is one about an earlier answer.
        own: Settings of the graph's own.
    """
    builder.add_node("select", under(own, nodes.select, first=True))
    _add_steps(builder, own, reply)
    builder.add_node("sample", build_sample(own))
    builder.add_node("count", under(own, voting.count_ballots))
    builder.add_conditional_edges("select", voting.start, ["think", "sample"])
    builder.add_edge("sample", "count")
    builder.add_conditional_edges("count", voting.send_samples, {"sample": "sample", END: end})
    builder.add_edge("answer", end)


def build_sample(
    own: OwnSettings | None = None,
) -> CompiledStateGraph[State, Context, State, Ballots]:
    """Compile a sample of a vote: the same steps over tables that are open, and then a ballot.

    A graph of its own, for samples run side by side, and no step of one may see another's state.

    Args:
        own: Settings of the graph around it.
    """
    builder = StateGraph(State, context_schema=Context, output_schema=Ballots)
    _add_steps(builder, own)
    builder.add_node("ballot", under(own, voting.cast_ballot))
    builder.add_edge(START, "think")
    builder.add_edge("answer", "ballot")
    builder.add_edge("ballot", END)
    return builder.compile(name="sample")


def _add_steps(
    builder: StateGraph[Any, Context, Any, Any], own: OwnSettings | None, reply: str = "think"
) -> None:
    """Add the nodes from the first thought to the answer."""
    purposes = [*dict.fromkeys(action.purpose for action in actions())]
    # LangGraph and Studio draw nodes in their order: those of one purpose stand together.
    kinds = sorted(actions(), key=lambda action: purposes.index(action.purpose))
    steps = tuple(action.__name__ for action in kinds if action is not Craft)
    does = {
        "think": nodes.think,
        **dict.fromkeys(steps, nodes.act),
        "Craft": crafting.write,
        "ApproveCraft": crafting.approve,
        "RunCraft": crafting.run,
        "Backtrack": nodes.backtrack,
        "FindColumns": finding.find_columns,
        "Ask": nodes.ask,
        "Recall": talking.recall,
        "verify": answering.verify,
        "answer": answering.answer,
    }
    for name, node in does.items():
        builder.add_node(name, under(own, node))
    for name in (*steps, "Backtrack", "FindColumns", "Ask"):
        builder.add_edge(name, "think")
    recalled: Any = {"think": "think", "reply": reply}
    builder.add_conditional_edges("Recall", talking.route_recall, recalled)
    targets = ["Craft", "ApproveCraft", "RunCraft", "think"]
    builder.add_conditional_edges("Craft", under(own, crafting.after_writing), targets)
    builder.add_conditional_edges("ApproveCraft", crafting.after_running, ["RunCraft", "think"])
    builder.add_conditional_edges("RunCraft", crafting.after_running, ["Craft", "think"])
    others = ("Craft", "Backtrack", "FindColumns", "Ask", "Recall", "verify", "answer", "think")
    ways: Any = {name: name for name in (*steps, *others)} | {nodes.LEAVE: END}
    builder.add_conditional_edges("think", nodes.route, ways)
    builder.add_conditional_edges("verify", answering.route_verdict, ["think", "answer"])


@cache
def ask_graph() -> CompiledStateGraph[State, Context, Asked, Answer]:
    """The graph without a checkpointer, compiled once."""
    return build_graph()
