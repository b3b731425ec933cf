"""The nodes of the graph that lead to an answer: short functions from state to update."""

from __future__ import annotations

import time
from typing import get_type_hints

from langgraph.runtime import Runtime
from langgraph.types import Send

from wideleaf.agents.conversation.charts import wants_chart
from wideleaf.agents.models.deadline import limit_time
from wideleaf.agents.turn import Exchange, View
from wideleaf.graph.ballots import due_samples
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.introduction import introduce
from wideleaf.graph.conversation.past import join_past, said_so_far, take_up
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import (
    READ_AS,
    assumption,
    find_option,
    options_of,
    question_error,
    question_value,
    read_choice,
    read_typed,
    take_option,
)
from wideleaf.graph.nodes.describing import after, ask_describer, beside
from wideleaf.graph.nodes.limits import (
    check_budgets,
    idle_note,
    idle_turns,
    known_of,
    limit_thought,
    out_of_turns,
    unstick,
)
from wideleaf.graph.nodes.reviews import ask_person
from wideleaf.graph.nodes.roles import left_to_rules
from wideleaf.graph.nodes.waves import Wave, mint, next_wave
from wideleaf.graph.own_settings import given_update
from wideleaf.graph.selection import hide_schema, open_sources, select_columns, turn_columns
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
    clear,
    nodes_update,
    tree_of,
)
from wideleaf.graph.thoughts import is_of_chat
from wideleaf.graph.threads import About, need_same
from wideleaf.graph.updates import Update, ending, failure_update, note_update, repeat_update
from wideleaf.tools.errors import ActionError, ModelError, SettingsError, SourceError, WideleafError
from wideleaf.tools.steps.series import perform_all
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

LEAVE = "leave"
"""Where a run goes that waits for the chat to ask: out, with its state in ``asked``."""
LONGEST = 2_000
"""Characters of a question for the embedded planner, whose work grows faster than its length."""


def begin(state: State) -> Update:
    """Empty what belongs to a question: of the one before on this thread nothing may stay."""
    cleared = {**clear(Past, Run, Answer), **given_update(state), "form": ANSWER_FORM}
    question = state["question"]
    return {**cleared, "drawn": question if wants_chart(question) else ""}


@stream_events
def select(state: State, runtime: Runtime[Context]) -> Update:
    """Open the tables the question is about and pick the columns to show."""
    context = context_of(runtime)
    started = time.perf_counter()
    try:
        if not state["question"].strip():
            return failure_update("settings", "the question is empty; ask something of the tables")
        if (length := len(state["question"])) > LONGEST and not context.asks_a_model:
            text = f"the question has {length} characters; the embedded planner reads {LONGEST}"
            stop = f"{text} at most: ask a shorter one, or name a model"
            return {"calls": [], "stop": stop, "status": "unanswered"}
        services = services_of(context, begins=True)
        about = About.of(context, services)
        carried = take_up(state, about, context)
        if greeting := introduce(state, services, context):
            return {**join_past({"nodes": {}}, carried), **greeting, "about": about.plain()}
        # The words of a further message alone often name no column.
        words = said_so_far(state, carried)
        with limit_time(context.max_seconds):
            selection, usage, problem = select_columns(words, services)
        nodes, columns = open_sources(words, services, selection)
        if "schema" in context.without:
            nodes, columns = hide_schema(nodes, services.store.catalog.names)
    except WideleafError as error:
        return ending(error, time.perf_counter() - started)
    spent: Update = {
        "usage": usage.model_dump(mode="json"),
        "seconds": time.perf_counter() - started,
        "fallbacks": [left_to_rules("selector", problem)] if problem else [],
    }
    return {
        **join_past(nodes_update(nodes), carried),
        **spent,
        "due": due_samples({**state, **spent}, context),
        "about": about.plain(),
        "columns": columns,
        "focus": selection.focus,
    }


@stream_events
def think(state: State, runtime: Runtime[Context]) -> Update:
    """Send off the next calls, once the frames that the last ones made are described."""
    context = context_of(runtime)
    # What waits of the last reply is done first, so that its frames are described together.
    waits = any(state.get(name) for name in ("stop", "later", "chosen", "asked"))
    described = {} if waits else ask_describer(state, context)
    if not described:
        return _think(state, context)
    return beside(described, _think(after(described, state), context))


def _think(state: State, context: Context) -> Update:
    """What waits of the last reply, else what the thinker says now."""
    started = time.perf_counter()
    if state.get("stop"):
        return {"calls": []}
    if inquiry := state.get("asked"):
        return _wait_or_go_on(inquiry, state)
    if state.get("chosen"):  # a reading was taken: its frame is the answer that is looked at
        return {"calls": [], "later": [], "offer": state["chosen"], "chosen": {}}
    before = tree_of(state)
    tree, stuck = unstick(before)
    moved = _record_moves(before, tree)
    aliases, finds, step = (state.get("aliases", {}), state.get("found", {}), state.get("step", 0))
    left_out = []
    reason = stuck or check_budgets(state, context)
    if state.get("later") and not moved and not reason:
        wave = next_wave(state["later"], tree, aliases, finds)
        if wave.calls or wave.offer:
            return _send_wave(wave, step, state)
        left_out = wave.notes
    reason = reason or out_of_turns(state, context)
    if reason and (offer := state.get("declined")):
        return {**moved, **_restore_offer(offer, reason)}
    if reason:
        return {**moved, "calls": [], "stop": reason, "status": "partial"}
    step += 1
    view = View(
        question=state["question"],
        tree=tree,
        columns=turn_columns(finds, state.get("columns", ""), [node.label for node in tree.leaves]),
        notes=(
            *(n["text"] for n in state.get("notes", []) if n["step"] == step - 1),
            *left_out,
            *idle_note(state),
        ),
        step=step,
        max_steps=context.max_steps,
        next_label=f"T{state.get('minted', 0) + 1}",
        memory=state.get("memory", {}),
        choice=state.get("choice", ""),
        aliases=aliases,
        drawn=state.get("drawn", ""),
        talks="conversation" in state or bool(state.get("carried")),
        wanted=context.columns,
        past=tuple(Exchange.model_validate(one) for one in state.get("past", [])),
    )
    try:
        services = services_of(context)
        need_same(state, context, services)
        thinker = services.solver_of(state.get("sample", {})).thinker
        with limit_thought(state, context):
            reply = thinker.think(view)
    except SettingsError:  # resumed with others: the run is left as it is
        raise
    except WideleafError as error:
        if isinstance(error, ModelError) and (offer := state.get("declined")):
            return {**moved, **_restore_offer(offer, str(error)), "step": step}
        # No thought was had, so none is counted: the next try is this one again.
        return {**moved, **ending(error, time.perf_counter() - started)}
    idle = {"known": known_of(state), "turns": idle_turns(state)} if reply.steers else {}
    update: Update = {
        **moved,
        "step": step,
        "idle": idle,
        "memory": reply.memory,
        "usage": reply.usage.model_dump(mode="json"),
        "seconds": time.perf_counter() - started,
        "confidence": reply.confidence,
    }
    if reply.gives_up:
        stop = {"calls": [], "stop": reply.problem, "status": "unanswered"}
        return {**update, **stop, "suggestions": reply.suggestions.plain()}
    wishes, notes = mint(reply, state.get("minted", 0))
    wave = next_wave(wishes, tree, aliases, finds)
    notes = [reply.problem, *notes] if reply.problem else notes
    usable = wave.calls or wave.offer
    return {
        **update,
        **_send_wave(wave._replace(notes=[*notes, *wave.notes]), step, state),
        "minted": state.get("minted", 0) + sum(bool(wish["label"]) for wish in wishes),
        "unusable": 0 if usable or reply.counted else state.get("unusable", 0) + 1,
    }


def _wait_or_go_on(inquiry: PlainData, state: State) -> Update:
    """Leave a question back to the chat, with all that it takes to go on; or go on with a reply."""
    if "said" in inquiry:
        return {"calls": [{**inquiry["call"], "said": inquiry["said"]}], "asked": {}}
    names = get_type_hints(State).keys() - {"asked"}
    run = {name: value for name, value in state.items() if name in names}
    return {"calls": [], "asked": {**inquiry, "run": run}}


def route(state: State) -> list[Send] | str:
    """Send each call to its action's node; without calls, think again or end."""
    if state.get("stop"):
        return "answer"
    if state.get("asked"):
        return LEAVE
    if state.get("offer"):
        return "verify"
    calls = state.get("calls", [])
    if [call["node"] for call in calls] == ["Craft"]:  # it goes alone, and needs the whole state
        return "Craft"
    return [Send(call["node"], call) for call in calls] or "think"


@stream_events
def act(state: NodeInput, runtime: Runtime[Context]) -> Update:
    """Carry out one action; sees only what it was sent."""
    context = context_of(runtime)
    services = services_of(context)
    started = time.perf_counter()
    wish = Wish(**{**state["wish"], "call": Call.model_validate(state["wish"]["call"])})
    labels = state["made"]
    nodes = perform_all(wish, services.store, services.policy, context.profile, labels)
    seconds = time.perf_counter() - started
    last = nodes[-1]
    if last.outcome == "ok" and last.id in labels:
        move = repeat_update(wish.label, labels[last.id], state["head"], state["after"])
        return {**move, "seconds": seconds}
    if last.action.name == "Load" and last.outcome == "ok":  # a raw table is called by its name
        name = str(last.action.arguments["source"])
        update = nodes_update([last.model_copy(update={"label": name})])
        return {**update, "aliases": {wish.label: name}, "seconds": seconds}
    return {**nodes_update(nodes), "seconds": seconds}


@stream_events
def backtrack(state: NodeInput, runtime: Runtime[Context]) -> Update:
    """Move the head to an earlier frame."""
    return {"moves": [state["move"]], "head": state["move"]["target"]}


@stream_events
def ask(state: NodeInput, runtime: Runtime[Context]) -> Update:
    """Ask the person where readings differ in their results, or take the first and say so."""
    context = context_of(runtime)
    services = services_of(context)
    need_same(state, context, services)
    try:
        question, options = options_of(state["arguments"], state["frames"], services)
    except SourceError as error:
        return failure_update(error.code, str(error))
    except ActionError as error:
        return note_update(state, question_error(error))
    first, before = options[0], state.get("sample", {}).get("choices", {})
    if len(options) == 1:
        text = f"nothing was asked: every reading gives the same result; {first.label} holds it"
        return note_update(state, text)
    if not context.interactive:
        text = f"nobody can be asked {question!r}; {first.reading!r} was taken, {first.label}"
        return {
            **note_update(state, text),
            **take_option(first),
            "assumed": [assumption(options)],
        }
    # Asked once for all samples of a vote, however each words it.
    match = next((o for o in options if o.reading in before or o.result in before.values()), None)
    choice = match.reading if match else before.get(question)
    typed = read_typed(state.get("typed", ""), options)
    choice = state.get("said") if choice is None else choice
    if choice is None and typed is not None:
        text = f"asked {question!r}, the person had typed {typed.reading!r}, {typed.label}"
        choices = {"choices": {typed.reading: typed.result}}
        return {**note_update(state, text), **take_option(typed, READ_AS), **choices}
    if choice is None and is_of_chat() and not state.get("sample"):
        plain = [option._asdict() for option in options]
        return {"asked": {"question": question, "options": plain, "call": {**state}}}
    if choice is None:
        choice = ask_person(
            lambda problem: question_value(question, options, problem),
            lambda answer: read_choice(answer, options),
            str,
        )
    if option := find_option(choice, options):
        text = f"asked {question!r}, the person chose {option.reading!r}, {option.label}"
        choices = {"choices": {option.reading: option.result}}
        lead = READ_AS if state.get("said") else ""  # in a chat the question stands messages above
        return {**note_update(state, text), **take_option(option, lead), **choices}
    text = f"asked {question!r}, the person said: {choice}"
    update = {**note_update(state, text), "choices": {question: str(choice)}}
    if not context.asks_a_model:  # the planner hears no words: it goes on with the first
        update["assumed"] = [assumption(options)]
    return update


def _send_wave(wave: Wave, step: int, state: State) -> Update:
    calls: list[NodeInput] = [{**call, "step": step} for call in wave.calls]
    for call in calls:
        if inputs := state.get("given"):
            call["given"] = inputs
        if call["node"] == "Ask":
            call["about"] = state["about"]
            call["typed"] = state.get("typed", "")
        if call["node"] == "Recall":
            call["past"] = state.get("past", [])
        if sample := state.get("sample"):
            call["sample"] = sample
        if wish := call.get("wish"):
            call["wish"] = {**wish, "focus": state.get("focus", [])}
    return {
        "calls": calls,
        "offer": wave.offer,
        "later": wave.later,
        "notes": [{"step": step, "text": note} for note in wave.notes],
    }


def _restore_offer(offer: Update, reason: str) -> Update:
    """An offer that was sent back; a doubt alone must not cost the run its answer."""
    return {"calls": [], "later": [], "offer": {**offer, "last": reason}}


def _record_moves(before: FrameTree, after: FrameTree) -> Update:
    new = after.moves[len(before.moves) :]
    if not new:
        return {}
    return {"moves": [move.model_dump(mode="json") for move in new], "head": after.head}
