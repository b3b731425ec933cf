"""Thoughts as messages: in a chat, what a run does is told as one message that grows.

It is no part of the thread: it stands in the stream of messages only, until the answer comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wideleaf.graph.results.markdown import escape

if TYPE_CHECKING:
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
    from langgraph.config import get_config

    try:
        metadata: dict[str, Any] = get_config().get("metadata") or {}
    except RuntimeError:  # a node that is called outside a graph
        return
    text = thought_text(event) if metadata.get(CHAT) else ""
    if not text:
        return
    from langchain_core.messages import AIMessageChunk
    from langgraph.graph.message import push_message

    # The task of the chat's own node: one for each question, the same when it is resumed.
    task = str(metadata.get("langgraph_checkpoint_ns", "")).partition("|")[0]
    push_message(
        AIMessageChunk(content=text, id=f"{PREFIX}{task.rpartition(':')[2]}"), state_key=None
    )


def thought_text(event: Event) -> str:
    """What an event adds to the message, as Markdown; empty for one that only experts read."""
    text = escape(" ".join(event.text.split()))
    said = f"Sample {event.sample}: {text}" if event.sample else text
    if event.kind in ("thought", "move", "note"):
        return f"\n\n{said}"
    if event.kind == "action":
        return f"\n- {event.label}: {escape(event.text.partition(' {')[0])}"
    if event.kind == "failure":
        return f"\n- {event.label} failed: {text}"
    return ""
