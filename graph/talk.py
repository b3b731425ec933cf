"""The graph of a conversation: hear, then answer by a run that may go on from earlier ones."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from langgraph.graph import END, START, StateGraph

from wideleaf.graph.app import add_question
from wideleaf.graph.context import Context
from wideleaf.graph.nodes import talking
from wideleaf.graph.own_settings import OwnSettings, with_settings
from wideleaf.graph.state import (
    Conversation,
    Inputs,
    Message,
    Reply,
    RunState,
    Said,
    Tables,
    TalkState,
)

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from wideleaf.graph.keywords import IndexKeywords


class TalkInput(Message, Said, Tables, Conversation):
    """A message, its tables, and the conversation before it where no thread keeps it."""


class Told(Message, Conversation):
    """A message to a graph with tables of its own, and the conversation before it."""


class ToldWith(Told, Inputs):
    """A message, and tables and settings that come with it."""


def build_conversation(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "conversation",
    *,
    sources: Any = None,
    model: Any = None,
    base_url: str | None = None,
    **settings: Unpack[IndexKeywords],
) -> CompiledStateGraph[TalkState, Context, Told, Reply]:
    """Compile a graph that goes on with a conversation, for graphs and agents around it.

    What it keeps between two messages is the channel ``conversation``, plain data: on the thread
    of its own checkpointer, or as a node in the state of the graph around it, if that has such a
    channel. Settings are taken as `build_graph` takes them.

    Args:
        checkpointer: Keeps the conversation on its thread; none for a subgraph.
        name: What other graphs and Studio call it.
        sources: What `wideleaf.ask` takes, one or a list; frames are read at the first message.
        model: ``provider:name`` or a LangChain chat model.
        base_url: An OpenAI-compatible server.
        settings: Any other field of `Context`.

    Returns:
        A graph from ``{"message": ...}`` to what `build_graph` gives, and ``conversation``.

    Raises:
        SettingsError: If there is no such setting or its value does not fit.
    """
    own = OwnSettings(sources, model, base_url, settings)
    schema = Told if own.has_sources else ToldWith
    return build_talk(checkpointer, name, said=schema, own=own)


def build_talk(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    name: str = "talk",
    state: type[TalkState] = TalkState,
    said: type[Message] = TalkInput,
    out: type[Reply] = Reply,
    own: OwnSettings | None = None,
    run: type[RunState] = RunState,
) -> CompiledStateGraph[TalkState, Context, Any, Reply]:
    """Compile the state machine that goes on with a conversation.

    A message about an earlier answer is replied to out of the record; any other is a question, of
    whose tree all that earlier answers stand on is part.

    Args:
        checkpointer: Keeps the conversation on its thread; none for a subgraph.
        name: What other graphs and Studio call it.
        state: Its channels, where a graph around it has some for it to carry.
        said: Those of them that are handed in.
        out: Those of them that are handed out, while it runs, too.
        own: Settings of the graph's own.
        run: The channels of a run.
    """
    builder = StateGraph(state, context_schema=Context, input_schema=said, output_schema=out)
    builder.add_node("hear", talking.hear, destinations=("prepare", "reply", "run"))
    builder.add_node("reply", with_settings(own, talking.reply, on_error=""))
    builder.add_node("remember", talking.remember)
    builder.add_edge(START, "hear")
    add_question(builder, own, run)
    builder.add_conditional_edges("run", talking.route_outcome, ["remember", "reply", END])
    builder.add_edge("vote", "remember")
    builder.add_edge("reply", END)
    builder.add_edge("remember", END)
    return builder.compile(checkpointer=checkpointer, name=name)


@cache
def talk_graph() -> CompiledStateGraph[TalkState, Context, Any, Reply]:
    """The graph of a conversation without a checkpointer, compiled once."""
    return build_talk()
