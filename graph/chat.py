"""The chat face: messages in, messages out, for Studio and agents that speak in messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import takewhile
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from wideleaf.agents.conversation.remarks import is_choice
from wideleaf.agents.models.models import name_of
from wideleaf.graph.attachments.blocks import read_text
from wideleaf.graph.attachments.hearing import Heard, hear_tables
from wideleaf.graph.channels import Person, PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.downloads.links import PICTURE, TREE, frame_link, tree_query
from wideleaf.graph.nodes.clarify import (
    Option,
    find_option,
    question_text,
    question_value,
    read_choice,
)
from wideleaf.graph.nodes.reviews import UnclearError, ask_person
from wideleaf.graph.results.chart_parts import chart_message_part
from wideleaf.graph.results.text import (
    confidence_text,
    escape,
    fence,
    image,
    lines,
    opening,
    size_text,
    table_text,
)
from wideleaf.graph.serving.server import user_of
from wideleaf.graph.settings import context_of, given_context, may_open
from wideleaf.graph.state import (
    Answer,
    Message,
    Reply,
    RunState,
    Said,
    Tables,
    TalkState,
)
from wideleaf.graph.talk import TalkInput, build_talk
from wideleaf.graph.thoughts import CHAT, forget_thoughts, join_thoughts
from wideleaf.tools.charts.chart import Chart
from wideleaf.tools.errors import SettingsError

PLANNER = "embedded planner"
TREE_TITLE = "Tree of frames"
UNNAMED = "the model of the server in use"
"""An address is not told to whoever reads a message."""
ASKS = "asks"
"""What the message of a question back says for its status."""
HOW = "Answer with the number or the words of one."
NO_QUESTION = "There is no question: send a message of yours with text that asks one."


class Messages(TypedDict):
    """What a chat sends and gets; belongs to a thread."""

    messages: Annotated[list[AnyMessage], add_messages]


class Shown(TypedDict, total=False):
    """What a page shows while an answer is on its way: the messages so far, and the thoughts."""

    messages: Annotated[list[AnyMessage], join_thoughts]


class Waits(TypedDict, total=False):
    """What a person was asked: a question back that waits, and the run that is gone on with."""

    person: Person


class ChatTalk(TalkState, Shown, total=False):
    """The state of the conversation's graph within a chat.

    Pages take the values of an inner graph for those of the thread: the messages must be in them.
    """


class ChatRun(RunState, Shown, total=False):
    """The state of a run within a chat, likewise."""


class ChatInput(TalkInput, Shown, Waits):
    """A message, the conversation before it, and what a page shows of it."""


class ChatReply(Reply, Shown, Waits, total=False):
    """What comes of a message, and what a page shows of it."""


class ChatState(Messages, Message, Said, Tables, Reply, Waits, total=False):
    """The chat, the message in hand, what came of it, and what further ones may go on from."""


def listen(state: ChatState, runtime: Runtime[Context]) -> PlainData:
    """Take question and tables out of the last message of a person, or say why there are none."""
    messages = state.get("messages", [])
    last = next((one for one in reversed(messages) if isinstance(one, HumanMessage)), None)
    tables: PlainData = state.get("tables") or {}
    heard = Heard("", tables)
    if last is not None:

        def settle(tables: PlainData) -> Context:
            return context_of(runtime, {"tables": tables})

        heard = hear_tables(last.content, tables, settle, lambda one: may_open(one, runtime))
    additions: list[AnyMessage] = []
    if last is not None and heard.content is not None:
        additions.append(last.model_copy(update={"content": heard.content}))
    if not heard.question:
        additions.append(AIMessage(heard.told or NO_QUESTION))
    update = {"tables": heard.tables, "messages": additions}
    if inquiry := answer_asked(_asked(state), heard.question):
        return {**update, "person": {"asked": inquiry}}
    message, typed = read_typed_answer(messages, heard.question)
    return {**update, "message": message, "typed": typed, "person": {}}


def _asked(state: ChatState) -> PlainData:
    """The question back that waits; empty if none does."""
    person: Person = state.get("person") or {}
    return person.get("asked") or {}


def answer_asked(inquiry: PlainData, text: str) -> PlainData:
    """Read a message as the answer to a question back that waits.

    Args:
        inquiry: The question back; empty where none waits.
        text: The message.

    Returns:
        The question with what was ``said``, or the ``problem`` of an answer that means no option;
        nothing where the message is one of its own.
    """
    if not inquiry or not text:
        return {}
    options = options_asked(inquiry)
    try:
        choice = read_choice(text, options)
    except UnclearError as error:
        return {**inquiry, "problem": str(error)}
    return {**inquiry, "said": choice, "problem": ""} if find_option(choice, options) else {}


def options_asked(inquiry: PlainData) -> list[Option]:
    """The options of a question back that waits."""
    return [Option(**one) for one in inquiry["options"]]


def read_typed_answer(messages: list[AnyMessage], question: str) -> tuple[str, str]:
    """Tell whether a message answers a question back that had paused the message before it.

    What comes as a message starts a run of its own, so the message before is answered anew.

    Args:
        messages: Of the thread.
        question: What the last message of a person says.

    Returns:
        The message to be answered, and what was typed; nothing where it is a message of its own.
    """
    if not is_choice(question):
        return question, ""
    unanswered = list(takewhile(lambda one: isinstance(one, HumanMessage), reversed(messages)))
    for one in unanswered[1:]:
        if (text := read_text(one.content)) and not is_choice(text):
            return text, question
    return question, ""


def route_question(state: ChatState) -> str:
    """Go on to the answer if something was said; ask again where that answered no question."""
    if _asked(state).get("problem"):
        return "question"
    return "talk" if state["message"] else END


def route_talk(state: ChatState) -> str:
    """Say the answer, or the question back that it takes."""
    return "question" if _asked(state) else "say"


def put_question(state: ChatState) -> PlainData:
    """Say a question back as a message: pages show messages, and a pause under one at most."""
    inquiry = _asked(state)
    text = question_text(inquiry["question"], options_asked(inquiry), inquiry.get("problem", ""))
    message = AIMessage(f"{text}\n\n{HOW}", response_metadata={"status": ASKS})
    return {"messages": [*forget_thoughts(state["messages"]), message]}


def wait(state: ChatState) -> PlainData:
    """Pause until the person has answered the question back.

    Raises:
        SettingsError: If a thread of an earlier version waits here, which kept it elsewhere.
    """
    inquiry = _asked(state)
    if not inquiry:
        raise SettingsError(
            "what was asked back here was kept by an earlier version of Wideleaf, and this one "
            "cannot go on with it; ask the question again"
        )
    options, before = options_asked(inquiry), inquiry.get("problem", "")
    choice = ask_person(
        lambda problem: question_value(inquiry["question"], options, problem or before),
        lambda answer: read_choice(answer, options),
        str,
    )
    return {"person": {"asked": {**inquiry, "said": choice, "problem": ""}}}


def say(state: ChatState, runtime: Runtime[Context]) -> PlainData:
    """Put the answer into a message, with its table and what a program wants to know of it."""
    table, chart = state.get("table") or {}, state.get("chart")

    def link_as(kind: str) -> str:
        tables = state.get("tables") or {}
        return frame_link(state.get("frame", ""), given_context(runtime), runtime, tables, kind)

    link = link_as("csv")  # by which a page asks for what stands behind one number, too
    shown = link if len(table.get("rows", [])) > 1 else ""
    # A picture in a page brings no token along: to users who need one it comes in the message.
    markdown = "" if user_of(runtime) else _picture(state, link_as)
    artifact = {"artifact": {"type": "table", **table, "url": shown}} if table else {}
    content: Any = message_text(state, shown, markdown)
    if chart:
        artifact = {"artifact": chart}
        if not markdown:
            picture = chart_message_part(Chart.model_validate(chart))
            content = [{"type": "text", "text": content}, picture]
    message = AIMessage(
        content,
        response_metadata=account_of(state, context_of(runtime)),
        additional_kwargs=artifact,
    )
    return {"messages": [*forget_thoughts(state["messages"]), message]}


def _picture(state: ChatState, link_as: Callable[[str], str]) -> str:
    """An answer's chart, or the tree that was asked for, as Markdown; empty where none is."""
    if chart := state.get("chart"):
        link = link_as(PICTURE)
        return image(str(chart["title"]), link) if link else ""
    if not _is_tree(state):
        return ""
    query = tree_query(Record.of(state["conversation"]).tree, state["label"])
    link = link_as(TREE) if query else ""
    return image(TREE_TITLE, f"{link}?{query}") if link else ""


def _is_tree(state: ChatState) -> bool:
    """Whether the answer is the tree of the conversation."""
    return (state.get("person") or {}).get("remark", {}).get("kind") == "tree" and state[
        "status"
    ] == "answered"


def message_text(state: ChatState, link: str = "", picture: str = "") -> str:
    """An answer as Markdown: its table or picture, how sure it is, and its caveats.

    Args:
        state: The chat once the answer is there.
        link: Where the whole table is; empty if nowhere.
        picture: Its chart or tree as Markdown; empty if there is none.
    """
    answer, table = state.get("answer", ""), state.get("table") or {}
    caveats = state.get("caveats") or []
    first = opening(answer, caveats)
    parts = [escape(caveat) for caveat in first]
    if state.get("status") in ("answered", "partial") and len(table.get("rows", [])) > 1:
        parts += [*_explain_stop(state), f"{size_text(table)}:", table_text(table)]
    elif _is_tree(state):
        caption = f"The frames of this conversation, from the tables to {state['label']}:"
        parts.append(escape(caption) if picture else fence(answer, "text"))
    else:
        for caveat in first:
            answer = answer.removeprefix(caveat).lstrip()
        parts.append(lines(answer))
    parts += [picture] if picture else []
    parts += [f"[The whole table as CSV]({link})"] if link else []
    sure = confidence_text(state.get("status"), state.get("confidence"))
    parts += [sure] if sure else []
    parts += [f"> {escape(caveat)}" for caveat in caveats[len(first) :]]
    return "\n\n".join(parts)


def _explain_stop(state: Answer) -> list[str]:
    """Why a run ended before its answer: what the answer says before it says the last frame."""
    if state.get("status") != "partial":
        return []
    before, label, _ = state["answer"].partition("\n")[0].rpartition(f"{state['label']}:")
    return [escape(before + label)] if before else []


def account_of(state: ChatState, context: Context) -> PlainData:
    """What a message tells of its answer beside the words: whose it is, of what, and how sure.

    Args:
        state: The chat once the answer is there.
        context: The settings of the run.
    """
    live = context.chat_model
    model_name = context.model or (name_of(live) if live is not None else "")
    fields = {name: state.get(name) for name in ("status", "label", "frame", "confidence")}
    tables = (state.get("conversation") or {}).get("about") or {}
    return {
        **{name: value for name, value in fields.items() if value not in (None, "")},
        "model_name": model_name or (UNNAMED if context.asks_a_model else PLANNER),
        "sources": list(tables.get("tables", ())),
    }


def build_chat() -> CompiledStateGraph[ChatState, Context, Messages, Messages]:
    """Compile the chat around the graph of a conversation."""
    builder = StateGraph(
        ChatState, context_schema=Context, input_schema=Messages, output_schema=Messages
    )
    builder.add_node("listen", listen)
    builder.add_node("talk", build_talk(state=ChatTalk, said=ChatInput, out=ChatReply, run=ChatRun))
    builder.add_node("say", say)
    builder.add_edge(START, "listen")
    builder.add_conditional_edges("listen", route_question, ["talk", "question", END])
    builder.add_node("question", put_question)
    builder.add_node("wait", wait)
    builder.add_conditional_edges("talk", route_talk, ["say", "question"])
    builder.add_edge("question", "wait")
    builder.add_edge("wait", "talk")
    builder.add_edge("say", END)
    return builder.compile(name="chat").with_config(metadata={CHAT: True})


@cache
def chat_graph() -> CompiledStateGraph[ChatState, Context, Messages, Messages]:
    """The chat, compiled once."""
    return build_chat()
