"""The graphs: a run of supervisor, tools, critic and writer; what is before it; a vote."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from langgraph.graph import END, START, StateGraph

from wideleaf.graph.context import Context
from wideleaf.graph.nodes import crafting, voting
from wideleaf.graph.nodes.calls import kind_of
from wideleaf.graph.nodes.critic import criticise
from wideleaf.graph.nodes.describing import describe
from wideleaf.graph.nodes.finding import find_columns
from wideleaf.graph.nodes.person import ask_person
from wideleaf.graph.nodes.prepare import begin, prepare, select
from wideleaf.graph.nodes.reading import read_texts
from wideleaf.graph.nodes.supervisor import supervise
from wideleaf.graph.nodes.talking import recall
from wideleaf.graph.nodes.tools import act, backtrack
from wideleaf.graph.nodes.writer import write
from wideleaf.graph.own_settings import OwnSettings, run_under, with_settings
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import (
    Answer,
    Asked,
    AskState,
    Ballots,
    CraftState,
    RunState,
    StartedQuestion,
    VoteState,
)
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
) -> CompiledStateGraph[AskState, Context, Asked, Answer]:
    """Compile the graph that answers a question (TSO, section 3.4).

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
        A graph from ``{"question": ...}`` to answer, value, table and caveats. On a thread,
        ``start`` beside it names a frame of the question before that this one goes on from.

    Raises:
        SettingsError: If there is no such setting or its value does not fit.
    """
    own = OwnSettings(sources, model, base_url, settings)
    schema: Any = StartedQuestion if own.has_sources else Asked
    builder = StateGraph(
        AskState, context_schema=Context, input_schema=schema, output_schema=Answer
    )
    builder.add_node("begin", begin, destinations=("prepare", "run"))
    builder.add_edge(START, "begin")
    add_question(builder, own)
    builder.add_edge("run", END)
    builder.add_edge("vote", END)
    return builder.compile(checkpointer=checkpointer, name=name)


def add_question(
    builder: StateGraph[Any, Context, Any, Any],
    own: OwnSettings | None = None,
    state: type[RunState] = RunState,
) -> None:
    """Add what answers a question: tables and columns, and then a run, or a vote over several.

    The caller says where `run` and `vote` lead.

    Args:
        builder: Of a graph whose state has the channels of `AskState`.
        own: Settings of the graph's own.
        state: Of a run, where a graph around it has some for it to carry.
    """
    first = with_settings(own, prepare, on_error="run")
    builder.add_node("prepare", first, destinations=("selector", "run"))
    builder.add_node("selector", with_settings(own, select), destinations=("run", "vote"))
    builder.add_node("run", run_under(own, build_run(state)))
    builder.add_node("vote", run_under(own, build_vote()))


def build_run(
    state: type[RunState] = RunState,
) -> CompiledStateGraph[RunState, RunContext, RunState, RunState]:
    """Compile a run: the supervisor's loop over its tools, and what makes an answer of a frame.

    Args:
        state: Its channels.
    """
    builder = StateGraph(state, context_schema=RunContext)
    _add_run(builder)
    builder.add_edge("writer", END)
    return builder.compile(name="run")


def build_vote() -> CompiledStateGraph[VoteState, RunContext, VoteState, VoteState]:
    """Compile a vote (self-consistency, CRAFTQA section 3.4): samples, each a run, and a count."""
    sample = StateGraph(RunState, context_schema=RunContext, output_schema=Ballots)
    _add_run(sample)
    sample.add_node("ballot", voting.cast_ballot)
    sample.add_edge("writer", "ballot")
    sample.add_edge("ballot", END)
    builder = StateGraph(VoteState, context_schema=RunContext)
    builder.add_node("count", voting.count_ballots, destinations=("sample", END))
    builder.add_node("sample", sample.compile(name="sample"))
    builder.add_edge(START, "count")
    builder.add_edge("sample", "count")
    return builder.compile(name="vote")


def _add_run(builder: StateGraph[Any, RunContext, Any, Any]) -> None:
    """Add supervisor, tools, critic and writer; a further tool is a node that leads back."""
    tools = [
        kind for kind in dict.fromkeys(map(kind_of, actions())) if kind not in ("craft", "reader")
    ]
    alone = ("craft", "reader", "ask_person", "recall")
    leads_to = (*tools, "find_columns", "backtrack", *alone, "describer", "critic", "writer")
    # Commands decide where a node goes on to; what is named here is what drawings show.
    builder.add_node("supervisor", supervise, destinations=leads_to)
    for name, node in {
        **dict.fromkeys(tools, act),
        "find_columns": find_columns,
        "backtrack": backtrack,
        "describer": describe,
    }.items():
        builder.add_node(name, node)
        builder.add_edge(name, "supervisor")
    # It ends by a Command to its parent alone, with what it adds: a way out by its own end would
    # give back channels that it was handed, which reducers would count twice.
    builder.add_node("craft", build_craft(), destinations=("supervisor",))
    builder.add_node("reader", read_texts)
    builder.add_edge("reader", "supervisor")
    asked = ("supervisor", "critic", END)
    builder.add_node("ask_person", ask_person, destinations=asked)
    builder.add_node("recall", recall, destinations=("supervisor", END))
    builder.add_node("critic", criticise, destinations=("supervisor", "writer"))
    builder.add_node("writer", write)
    builder.add_edge(START, "supervisor")


def build_craft() -> CompiledStateGraph[CraftState, RunContext, CraftState, CraftState]:
    """Compile a Craft (CRAFTQA, section 3.3): write, have a person approve, run, and try again."""
    builder = StateGraph(CraftState, context_schema=RunContext)
    builder.add_node("write", crafting.write_code, destinations=("write", "approve", "run"))
    builder.add_node("approve", crafting.approve_code, destinations=("run",))
    builder.add_node("run", crafting.run_code, destinations=("write",))
    builder.add_edge(START, "write")
    return builder.compile(name="craft")


@cache
def ask_graph() -> CompiledStateGraph[AskState, Context, Asked, Answer]:
    """The graph without a checkpointer, compiled once."""
    return build_graph()
