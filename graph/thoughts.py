"""Thoughts as messages: in a chat, what a run does is told as one message that grows.

It is no part of the thread: it is streamed, and is gone when the answer comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from wideleaf.graph.results.text import escape

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage, RemoveMessage

    from wideleaf.graph.events import Event

CHAT = "wideleaf_chat"
"""Key of a run's metadata that says that its thoughts are told as messages."""
PREFIX = "thoughts-"
"""How the ids of such messages begin."""


def tell_thought(event: Event) -> None:
    """Let the message of thoughts grow by an event, if the run is of a chat.

    Args:
        event: What happened.
    """
    metadata = _metadata()
    text = thought_text(event) if metadata.get(CHAT) else ""
    if not text:
        return
    from langchain_core.messages import AIMessageChunk
    from langgraph.graph.message import push_message

    # The task of the chat's own node: one for each question, the same when it is resumed.
    task = str(metadata.get("langgraph_checkpoint_ns", "")).partition("|")[0]
    chunk = AIMessageChunk(content=text, id=f"{PREFIX}{task.rpartition(':')[2]}")
    push_message(chunk, state_key=None if event.sample else "messages")


def is_of_chat() -> bool:
    """Whether the run is of a chat, which tells its thoughts and asks its questions back."""
    return bool(_metadata().get(CHAT))


def configuration() -> dict[str, Any]:
    """The configuration of the node that runs; empty outside a graph."""
    from langgraph.config import get_config

    try:
        return {**get_config()}
    except RuntimeError:  # a node that is called by itself
        return {}


def _metadata() -> dict[str, Any]:
    return {**(configuration().get("metadata") or {})}


def join_thoughts(messages: list[AnyMessage], further: Any) -> list[AnyMessage]:
    """Let the message of thoughts grow, and take other messages as LangGraph does.

    Args:
        messages: What is shown.
        further: A message or several; of thoughts, what they grow by.
    """
    from langchain_core.messages import AIMessage, AIMessageChunk
    from langgraph.graph.message import add_messages

    for one in further if isinstance(further, list) else [further]:
        if isinstance(one, AIMessageChunk):
            before = next((message.text for message in messages if message.id == one.id), "")
            one = AIMessage(before + one.text, id=one.id)
        messages = cast("list[AnyMessage]", add_messages(cast(Any, messages), [one]))
    return messages


def forget_thoughts(messages: list[AnyMessage]) -> list[RemoveMessage]:
    """What takes the thoughts out of a thread's messages."""
    from langchain_core.messages import RemoveMessage

    return [RemoveMessage(id=one.id) for one in messages if one.id and one.id.startswith(PREFIX)]


def thought_text(event: Event) -> str:
    """What an event adds to the message, as Markdown; empty for one that only experts read."""
    text = escape(" ".join(event.text.split()))
    line = f"Sample {event.sample}: {text}" if event.sample else text
    if event.kind in ("thought", "move", "note"):
        return f"\n\n{line}"
    if event.kind == "action":
        return f"\n- {event.label}: {escape(event.text.partition(' {')[0])}"
    if event.kind == "failure":
        return f"\n- {event.label} failed: {text}"
    return ""
