"""The nodes of the graph: short functions from state to update."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Send, interrupt

from wideleaf.agents.critic import review
from wideleaf.agents.view import View
from wideleaf.agents.writer import write
from wideleaf.graph.context import Context
from wideleaf.graph.events import told
from wideleaf.graph.labels import Wave, mint, next_wave
from wideleaf.graph.limits import out_of_turns, spent, unstick
from wideleaf.graph.selection import open_sources
from wideleaf.graph.services import services_of
from wideleaf.graph.settings import context_of
from wideleaf.graph.state import Sent, State, grown, tree_of
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError, SourceError, WideleafError
from wideleaf.tools.reading_errors import explained
from wideleaf.tools.step import Wish, perform
from wideleaf.tools.tree import FrameTree

Update = dict[str, Any]
OBJECTIONS = 1
"""The critic sends a frame back so often; after that its doubt becomes a caveat."""


@told
def select(state: State, runtime: Runtime[Context]) -> Update:
    """Open the tables the question is about and pick the columns to show."""
    context = context_of(runtime)
    started = time.perf_counter()
    try:
        if not state["question"].strip():
            return _failed("settings", "the question is empty; ask something of the tables")
        nodes, columns = open_sources(state["question"], services_of(context))
    except WideleafError as error:
        return _failed(error.code, str(error))
    return {**grown(nodes), "columns": columns, "seconds": time.perf_counter() - started}


@told
def think(state: State, runtime: Runtime[Context]) -> Update:
    """Send off the next calls: what waits of the last reply, else what the thinker says now."""
    context = context_of(runtime)
    started = time.perf_counter()
    if state.get("stop"):
        return {"calls": []}
    before = tree_of(state)
    tree, stuck = unstick(before)
    moved = _moved(before, tree)
    aliases, step = state.get("aliases", {}), state.get("step", 0)
    left_out = []
    reason = stuck or spent(state, context)
    if state.get("later") and not moved and not reason:
        wave = next_wave(state["later"], tree, aliases)
        if wave.calls or wave.offer:
            return _sent(wave, step)
        left_out = wave.notes
    if reason := reason or out_of_turns(state, context):
        return {**moved, "calls": [], "stop": reason, "status": "partial"}
    step += 1
    view = View(
        question=state["question"],
        tree=tree,
        columns=state.get("columns", ""),
        notes=(*(n["text"] for n in state.get("notes", []) if n["step"] == step - 1), *left_out),
        step=step,
        max_steps=context.max_steps,
        next_label=f"T{state.get('minted', 0) + 1}",
        memory=state.get("memory", {}),
    )
    try:
        reply = services_of(context).thinker.think(view)
    except WideleafError as error:
        return {**moved, **_failed(error.code, str(error)), "step": step}
    update: Update = {
        **moved,
        "step": step,
        "memory": reply.memory,
        "usage": reply.usage.model_dump(mode="json"),
        "seconds": time.perf_counter() - started,
    }
    if reply.gives_up:
        return {**update, "calls": [], "stop": reply.problem, "status": "unanswered"}
    wishes, notes = mint(reply, state.get("minted", 0))
    wave = next_wave(wishes, tree, aliases)
    notes = [reply.problem, *notes] if reply.problem else notes
    usable = wave.calls or wave.offer
    return {
        **update,
        **_sent(wave._replace(notes=[*notes, *wave.notes]), step),
        "minted": state.get("minted", 0) + sum(bool(wish["label"]) for wish in wishes),
        "unusable": 0 if usable else state.get("unusable", 0) + 1,
    }


def route(state: State) -> list[Send] | str:
    """Send each call to its action's node; without calls, think again or end."""
    if state.get("stop"):
        return "answer"
    if state.get("offer"):
        return "verify"
    return [Send(call["node"], call) for call in state.get("calls", [])] or "think"


@told
def act(state: Sent, runtime: Runtime[Context]) -> Update:
    """Carry out one action; sees only what it was sent."""
    context = context_of(runtime)
    services = services_of(context)
    started = time.perf_counter()
    wish = Wish(**{**state["wish"], "call": Call.model_validate(state["wish"]["call"])})
    node = perform(wish, services.store, services.policy, context.profile)
    seconds = time.perf_counter() - started
    if node.outcome == "ok" and node.id in state["made"]:
        move = {
            "kind": "repeat",
            "origin": state["head"],
            "target": state["made"][node.id],
            "reason": f"{node.label} was done before as {state['made'][node.id]}",
            "after": state["after"],
        }
        aliases = {node.label: move["target"]}
        return {"moves": [move], "head": move["target"], "aliases": aliases, "seconds": seconds}
    return {**grown([node]), "seconds": seconds}


@told
def backtrack(state: Sent, runtime: Runtime[Context]) -> Update:
    """Move the head to an earlier frame."""
    return {"moves": [state["move"]], "head": state["move"]["target"]}


@told
def ask(state: Sent, runtime: Runtime[Context]) -> Update:
    """Ask the person, or go on with the first reading and say so."""
    context = context_of(runtime)
    question = str(state["arguments"].get("question", ""))
    options = [str(option) for option in state["arguments"].get("options", [])]
    if context.interactive:
        said = interrupt({"question": question, "options": options})
        return {"notes": [{"step": state["step"], "text": f"asked {question!r}: {said}"}]}
    first = repr(options[0]) if options else "the likeliest reading"
    text = f"nobody can be asked {question!r}; go on with {first} and say so in Finish's note"
    return {"notes": [{"step": state["step"], "text": text}]}


@told
def verify(state: State, runtime: Runtime[Context]) -> Update:
    """Let the critic look at the frame that is offered as the answer."""
    offer = state["offer"]
    objection = review(tree_of(state), offer["label"])
    if objection and state.get("objections", 0) < OBJECTIONS:
        text = f"{offer['label']} was not accepted: {objection}"
        return {
            "notes": [{"step": state["step"], "text": text}],
            "objections": state.get("objections", 0) + 1,
            "offer": {},
        }
    return {"offer": {**offer, "doubt": objection}, "status": "answered"}


def accepted(state: State) -> str:
    """Go on to the answer if the critic let the frame pass."""
    return "answer" if state.get("offer") else "think"


def answer(state: State, runtime: Runtime[Context]) -> Update:
    """Write the answer out of its frame, or an honest account of how far the run came."""
    tree, offer = tree_of(state), state.get("offer") or {}
    status = state.get("status", "partial")
    label = offer.get("label") or (tree.head if status == "partial" else "")
    store = services_of(context_of(runtime)).store if label else None
    try:
        with store.engine.turn() if store else nullcontext(), explained("the answer"):
            table = store.labelled(tree[label].id) if store else None
            written = write(tree, label, table, state.get("stop", ""))
    except SourceError as error:
        return _failed(error.code, str(error))
    except ActionError as error:
        return _failed("memory", error.text)
    said = [text for text in (offer.get("note"), offer.get("doubt")) if text]
    return {**written, "caveats": [*said, *written["caveats"]]}


def _sent(wave: Wave, step: int) -> Update:
    return {
        "calls": [{**call, "step": step} for call in wave.calls],
        "offer": wave.offer,
        "later": wave.later,
        "notes": [{"step": step, "text": note} for note in wave.notes],
    }


def _moved(before: FrameTree, after: FrameTree) -> Update:
    new = after.moves[len(before.moves) :]
    if not new:
        return {}
    return {"moves": [move.model_dump(mode="json") for move in new], "head": after.head}


def _failed(code: str, message: str) -> Update:
    return {
        "calls": [],
        "stop": message,
        "status": "failed",
        "error": {"code": code, "message": message},
    }
