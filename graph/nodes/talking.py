"""Nodes of a conversation around a run: a message is heard, a remark replied to, both kept."""

from __future__ import annotations

from langgraph.runtime import Runtime

from wideleaf.agents.conversation.openings import read_new_topic
from wideleaf.agents.conversation.remarks import Remark, RemarkKind, going_on, read_remark
from wideleaf.agents.conversation.removals import read_asked
from wideleaf.agents.planner.followups.suppositions import likely_plan
from wideleaf.agents.turn import Exchange
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.drawing import CHART, Drawer, below_chart
from wideleaf.graph.conversation.past import past_update
from wideleaf.graph.conversation.record import Record, refuse_past
from wideleaf.graph.conversation.replies import NOTHING, place_of, reply_to
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import READ_AS
from wideleaf.graph.own_settings import given_update
from wideleaf.graph.services import services_of
from wideleaf.graph.settings import context_of
from wideleaf.graph.state import (
    ANSWER_FORM,
    Answer,
    NodeInput,
    Past,
    PlainData,
    Run,
    State,
    TalkState,
    clear,
    tree_of,
)
from wideleaf.graph.threads import About
from wideleaf.graph.updates import Update, failure_update, note_update
from wideleaf.tools.actions.moves import Recall
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call


def hear(state: TalkState) -> Update:
    """Read a message: a remark on the conversation, or a question with what it may go on from."""
    if inquiry := state.get("asked"):  # the chat has asked: the run goes on where it was left
        return {**inquiry["run"], "asked": {"call": inquiry["call"], "said": inquiry["said"]}}
    record, message = Record.of(state.get("conversation")), state["message"].strip()
    tables = state.get("tables")
    cleared = {**clear(Past, Run, Answer), "remark": {}, "wanted": {}}
    update = given_update(state)
    update["given"] |= {"tables": tables} if tables else {}
    cleared |= {**update, "typed": state.get("typed", "")}
    fresh: PlainData = {**cleared, "form": ANSWER_FORM}
    # "why?" as the first word of all is a remark, too, on nothing.
    past = record.exchanges or (Exchange(said=""),)
    wish = state.get("wanted")
    remark = Remark.model_validate(wish) if wish else read_remark(message, past, record.answers)
    if remark is not None and not remark.rest:
        return {**fresh, "question": message, "remark": remark.model_dump(mode="json")}
    anew = False
    if remark is not None and (place := place_of(remark, record)) >= 0:
        # What is asked beside going back goes on from there.
        record = record.say(record.exchanges[place])
        message = going_on(remark.rest)
        further = read_remark(remark.rest, record.exchanges)
        if further is not None and not further.rest:
            turn = {"question": message, "conversation": record.plain()}
            return {**fresh, **turn, "remark": further.model_dump(mode="json")}
    elif topic := read_new_topic(message):
        anew, message = True, topic
    question, words = read_asked(message)
    return {
        **fresh,
        **past_update(record, anew),
        "question": question,
        "drawn": words,
        "conversation": record.plain(),
    }


def route_message(state: TalkState) -> str:
    """A remark is replied to; a question is answered by a run, or one that was left goes on."""
    if state.get("asked"):
        return "think"
    return "reply" if state.get("remark") else "select"


@stream_events
def reply(state: TalkState, runtime: Runtime[Context]) -> Update:
    """Say an earlier answer again, or how it came about."""
    record, remark = Record.of(state.get("conversation")), Remark.model_validate(state["remark"])
    if state.get("drawn") and remark.kind == "back":  # a model took it for an answer to be said
        remark = remark.model_copy(update={"kind": "chart"})
    if record.last < 0:
        return {"status": "unanswered", "answer": NOTHING}
    context = context_of(runtime)
    try:
        services = services_of(context, begins=True)
        about = About.of(context, services)
        if why := refuse_past(About.model_validate(record.about), about):
            text = f"What was answered before cannot be spoken of any more, for {why}"
            return {"status": "unanswered", "answer": f"{text}; ask it anew.", "conversation": {}}
        with services.store.reading("an earlier answer"):
            drawer = Drawer(services.store, services.policy, context.profile)
            outcome = reply_to(remark, state["message"], record, drawer)
    except ActionError as error:
        return failure_update("memory", error.text)
    except WideleafError as error:
        return failure_update(error.code, str(error))
    return {**outcome.answer, "nodes": outcome.record.nodes, "conversation": outcome.record.plain()}


@stream_events
def recall(state: NodeInput, runtime: Runtime[Context]) -> Update:
    """Take the message for one about an earlier answer, which is told without a further step."""
    try:
        arguments = {name: one for name, one in state["arguments"].items() if name != "table"}
        action = read_call(Call(name="Recall", arguments=arguments))
    except ActionError as error:
        return note_update(state, error.text)
    assert isinstance(action, Recall)
    label = state["arguments"]["table"]
    places = [place for place, one in enumerate(state["past"]) if one["label"] == label]
    if not places:
        answers = ", ".join(dict.fromkeys(one["label"] for one in state["past"] if one["label"]))
        return note_update(
            state, f"no answer stands in {label}; they stand in: {answers or 'none'}"
        )
    kind: RemarkKind = "back" if action.what == "answer" else action.what
    return {"remark": Remark(kind=kind, place=places[-1]).model_dump(mode="json")}


def route_recall(state: State) -> str:
    """Reply where an earlier answer is meant; think again where there is none."""
    return "reply" if state.get("remark") else "think"


def remember(state: TalkState, runtime: Runtime[Context]) -> Update:
    """Keep what was asked and what became of it."""
    record = Record.of(state.get("conversation"))
    if state.get("anew"):  # of what was told under other settings nothing is kept
        record = Record(minted=record.minted)
    context, exchange = context_of(runtime), _exchange(state)
    grown = record.grow(exchange, state, local=not context.asks_a_model)
    return {"conversation": grown.plain()}


def _exchange(state: TalkState) -> Exchange:
    note = str((state.get("offer") or {}).get("note", ""))
    reading = note.removeprefix(READ_AS).rstrip(".") if note.startswith(READ_AS) else ""
    goal = state.get("label", "") if state.get("status") == "answered" else ""
    tree = tree_of(state)
    # What further messages go on from are the rows behind a chart.
    label = below_chart(tree, goal)
    chart = tree[goal].action.arguments if goal and tree[goal].action.name == CHART else {}
    assumed = [one for one in state.get("assumed", []) if one["label"] == label]
    options = [tuple(option) for one in assumed for option in one.get("options", [])]
    reading = options[0][0] if options else reading
    return Exchange(
        said=state["message"],
        reading=reading,
        label=label,
        status=state.get("status", ""),
        options=tuple(options),
        drawn=state.get("drawn", "") if label else "",
        chart=chart,
        confidence=state.get("confidence"),
        likely={} if goal or state.get("sample") else likely_plan(state.get("memory") or {}),
    )
