"""The chat face: messages in, messages out, for Studio and agents that speak in messages."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from wideleaf.graph.context import Context
from wideleaf.graph.results.text import confidence_text, opening
from wideleaf.graph.state import Message, PlainData, Reply
from wideleaf.graph.talk import build_talk

ROWS_SHOWN = 10
NO_QUESTION = "There is no question: send a message of yours with text that asks one."
ATTACHED = (
    "What is attached to a message is not read here, so nothing was answered. Name the table in "
    "the setting `sources`, and ask again without it."
)


class Messages(TypedDict):
    """What a chat sends and gets; belongs to a thread."""

    messages: Annotated[list[AnyMessage], add_messages]


class ChatState(Messages, Message, Reply, total=False):
    """The chat, the message in hand, what came of it, and what further ones may go on from."""


def listen(state: ChatState) -> PlainData:
    """Take the question out of the last message of a person, or say why there is none."""
    messages = state.get("messages", [])
    said = next((m.content for m in reversed(messages) if isinstance(m, HumanMessage)), "")
    parts = [said] if isinstance(said, str) else said
    texts = [p if isinstance(p, str) else str(p.get("text") or "") for p in parts if _is_text(p)]
    question = "\n".join(texts).strip()
    refusal = "" if question else NO_QUESTION
    if len(texts) < len(parts):  # another table must not answer in the place of what was attached
        refusal = ATTACHED
    if refusal:
        return {"message": "", "messages": [AIMessage(refusal)]}
    return {"message": question}


def route_question(state: ChatState) -> str:
    """Go on to the answer if something was said."""
    return "talk" if state["message"] else END


def _is_text(part: str | dict[str, Any]) -> bool:
    return isinstance(part, str) or part.get("type", "text") == "text"


def say(state: ChatState) -> PlainData:
    """Put the answer into a message, with its table, how sure it is, and its caveats."""
    parts = [state.get("answer", "")]
    table, caveats = state.get("table") or {}, state.get("caveats") or []
    first = opening(parts[0], caveats)
    if state.get("status") == "answered" and len(table.get("rows", [])) > 1:
        parts = [*first, f"{table['total']} rows:", markdown(table)]
    sure = confidence_text(state.get("status"), state.get("confidence"))
    parts += [sure] if sure else []
    parts += [f"> {caveat}" for caveat in caveats[len(first) :]]
    return {"messages": [AIMessage("\n\n".join(parts))]}


def markdown(table: PlainData) -> str:
    """The first rows as a Markdown table; bars in cells are escaped."""
    lines = [_row(table["columns"]), _row(["---"] * len(table["columns"]))]
    lines += [_row(row) for row in table["rows"][:ROWS_SHOWN]]
    return "\n".join(lines)


def _row(cells: list[Any]) -> str:
    texts = ("" if cell is None else " ".join(str(cell).split()) for cell in cells)
    return f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |"


def build_chat() -> CompiledStateGraph[ChatState, Context, Messages, Messages]:
    """Compile the chat around the graph of a conversation."""
    builder = StateGraph(
        ChatState, context_schema=Context, input_schema=Messages, output_schema=Messages
    )
    builder.add_node("listen", listen)
    builder.add_node("talk", build_talk())
    builder.add_node("say", say)
    builder.add_edge(START, "listen")
    builder.add_conditional_edges("listen", route_question, ["talk", END])
    builder.add_edge("talk", "say")
    builder.add_edge("say", END)
    return builder.compile(name="chat")


@cache
def chat_graph() -> CompiledStateGraph[ChatState, Context, Messages, Messages]:
    """The chat, compiled once."""
    return build_chat()
