"""The graph of a conversation: hear, then answer by a run that may go on from earlier ones."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from wideleaf.graph.app import add_run
from wideleaf.graph.context import Context
from wideleaf.graph.nodes import talking
from wideleaf.graph.own_settings import under
from wideleaf.graph.state import Command, Conversation, Message, Reply, Tables, TalkState

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


class Said(Message, Command, Tables, Conversation):
    """A message, its tables, and the conversation before it where no thread keeps it."""


def build_talk(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "talk",
    state: type[TalkState] = TalkState,
    said: type[Said] = Said,
    out: type[Reply] = Reply,
) -> CompiledStateGraph[TalkState, Context, Said, Reply]:
    """Compile the state machine that goes on with a conversation.

    A message about an earlier answer is replied to out of the record; any other is a question, of
    whose tree all that earlier answers stand on is part.

    Args:
        checkpointer: Keeps the conversation on its thread; none for a subgraph.
        name: What other graphs and Studio call it.
        state: Its channels, where a graph around it has some for it to carry.
        said: Those of them that are handed in.
        out: Those of them that are handed out, while it runs, too.
    """
    builder = StateGraph(state, context_schema=Context, input_schema=said, output_schema=out)
    builder.add_node("hear", talking.hear)
    builder.add_node("reply", under(None, talking.reply, first=True))
    builder.add_node("remember", under(None, talking.remember))
    builder.add_edge(START, "hear")
    builder.add_conditional_edges("hear", talking.route_message, ["reply", "select"])
    add_run(builder, "remember", "reply")
    builder.add_edge("reply", END)
    builder.add_edge("remember", END)
    return builder.compile(checkpointer=checkpointer, name=name)


@cache
def talk_graph() -> CompiledStateGraph[TalkState, Context, Said, Reply]:
    """The graph without a checkpointer, compiled once."""
    return build_talk()
