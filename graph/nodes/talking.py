"""Nodes of a conversation around a run: a message is heard, a remark replied to, both kept."""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command

from wideleaf.agents.conversation.openings import read_new_topic
from wideleaf.agents.conversation.remarks import Remark, RemarkKind, going_on, read_remark
from wideleaf.agents.conversation.removals import read_asked
from wideleaf.agents.planner.followups.suppositions import likely_plan
from wideleaf.agents.turn import Exchange
from wideleaf.graph.channels import Given
from wideleaf.graph.conversation.drawing import CHART, Drawer, below_chart
from wideleaf.graph.conversation.past import past_of
from wideleaf.graph.conversation.record import Record, refuse_past
from wideleaf.graph.conversation.replies import NOTHING, place_of, reply_to
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import READ_AS
from wideleaf.graph.own_settings import take_inputs
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import RunState, TalkState, Update, begin_question, tree_of
from wideleaf.graph.threads import About
from wideleaf.graph.updates import failure_update, note_update
from wideleaf.tools.actions.moves import Recall
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call


def hear(state: TalkState) -> Command[str]:
    """Read a message: a remark on the conversation, or a question with what it may go on from."""
    asked = (state.get("person") or {}).get("asked") or {}
    if "said" in asked:  # the chat has asked: the run goes on where it was left
        run = asked["run"]
        person = {**run["person"], "asked": {"said": asked["said"]}}
        update = {**begin_question(run["given"]), **run, "person": person}
        return Command(goto="run", update=update)
    record, message = Record.of(state.get("conversation")), state["message"].strip()
    given, tables = take_inputs(state), state.get("tables")
    given = {**given, "typed": state.get("typed", ""), **({"tables": tables} if tables else {})}
    # "why?" as the first word of all is a remark, too, on nothing.
    past = record.exchanges or (Exchange(said=""),)
    wish = state.get("wanted")
    remark = Remark.model_validate(wish) if wish else read_remark(message, past, record.answers)
    if remark is not None and not remark.rest:
        return _remark_on(remark, message, given)
    anew = False
    if remark is not None and (place := place_of(remark, record)) >= 0:
        # What is asked beside going back goes on from there.
        record = record.say(record.exchanges[place])
        message = going_on(remark.rest)
        further = read_remark(remark.rest, record.exchanges)
        if further is not None and not further.rest:
            return _remark_on(further, message, given, record)
    elif topic := read_new_topic(message):
        anew, message = True, topic
    question, words = read_asked(message)
    given = {**given, **past_of(record, anew), "drawn": words}
    update = {**begin_question(given), "wanted": {}, "question": question}
    return Command(goto="prepare", update={**update, "conversation": record.plain()})


def _remark_on(
    remark: Remark, message: str, given: Given, record: Record | None = None
) -> Command[str]:
    """Reply to a remark, on the conversation as it was or goes on from now."""
    fresh = {**begin_question(given), "wanted": {}, "question": message}
    kept = {"conversation": record.plain()} if record else {}
    person = {"remark": remark.model_dump(mode="json")}
    return Command(goto="reply", update={**fresh, **kept, "person": person})


@stream_events()
def reply(state: TalkState, runtime: Runtime[RunContext]) -> Update:
    """Say an earlier answer again, or how it came about."""
    record, remark = (
        Record.of(state.get("conversation")),
        Remark.model_validate(state["person"]["remark"]),
    )
    if (
        state["given"].get("drawn") and remark.kind == "back"
    ):  # a model took it for an answer to be said
        remark = remark.model_copy(update={"kind": "chart"})
    if record.last < 0:
        return {"status": "unanswered", "answer": NOTHING}
    context = runtime.context.settings
    try:
        services = runtime.context.begin()
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
    record = outcome.record
    return {**outcome.answer, "tree": {"nodes": record.nodes}, "conversation": record.plain()}


@stream_events(on_error="supervisor")
def recall(state: RunState, runtime: Runtime[RunContext]) -> Command[str]:
    """Take the message for one about an earlier answer, which is told without a further step."""
    call, past = state["memory"]["call"], state["given"].get("exchanges", [])
    label = call["arguments"]["table"]
    try:
        arguments = {name: one for name, one in call["arguments"].items() if name != "table"}
        action = read_call(Call(name="Recall", arguments=arguments))
    except ActionError as error:
        return Command(goto="supervisor", update=note_update(call["step"], error.text))
    assert isinstance(action, Recall)
    places = [place for place, one in enumerate(past) if one["label"] == label]
    if not places or state["given"].get("sample"):  # a sample of a vote ends by its ballot
        answers = ", ".join(dict.fromkeys(one["label"] for one in past if one["label"]))
        text = f"no answer stands in {label}; they stand in: {answers or 'none'}"
        return Command(goto="supervisor", update=note_update(call["step"], text))
    kind: RemarkKind = "back" if action.what == "answer" else action.what
    remark = Remark(kind=kind, place=places[-1]).model_dump(mode="json")
    return Command(goto=END, update={"person": {"remark": remark}})


def route_outcome(state: TalkState) -> str:
    """Reply where the run took the message for a remark; a question back is the chat's to ask."""
    person = state["person"]
    if person.get("asked"):
        return END
    return "reply" if person.get("remark") else "remember"


def remember(state: TalkState) -> Update:
    """Keep what was asked and what became of it."""
    record = Record.of(state.get("conversation"))
    if state["given"].get("anew"):  # of what was told under other settings nothing is kept
        record = Record(minted=record.minted)
    return {"conversation": record.grow(_exchange(state), state).plain()}


def _exchange(state: TalkState) -> Exchange:
    note = str(state["review"].get("offer", {}).get("note", ""))
    reading = note.removeprefix(READ_AS).rstrip(".") if note.startswith(READ_AS) else ""
    goal = state.get("label", "") if state.get("status") == "answered" else ""
    tree = tree_of(state)
    # What further messages go on from are the rows behind a chart.
    label = below_chart(tree, goal)
    chart = tree[goal].action.arguments if goal and tree[goal].action.name == CHART else {}
    assumed = [one for one in state["person"].get("assumed", []) if one["label"] == label]
    options = [tuple(option) for one in assumed for option in one.get("options", [])]
    reading = options[0][0] if options else reading
    return Exchange(
        said=state["message"],
        reading=reading,
        label=label,
        status=state.get("status", ""),
        options=tuple(options),
        drawn=state["given"].get("drawn", "") if label else "",
        chart=chart,
        confidence=state.get("confidence"),
        likely={} if goal else likely_plan(state["memory"].get("thinker") or {}),
    )
