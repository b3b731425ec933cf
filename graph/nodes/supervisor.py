"""The supervisor: each visit sends off calls, or has one thought; the graph steps in where it must.

The thinker's request is made anew from the tree at each thought (TSO, section 3.4), so that this
is a node of its own and no agent that grows a chat.
"""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from wideleaf.agents.turn import Exchange, Reply, View
from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.calls import Batch, find_abstention, mint, next_batch, node_of
from wideleaf.graph.nodes.describing import needs_description
from wideleaf.graph.nodes.limits import (
    check_budgets,
    idle_note,
    idle_turns,
    known_of,
    limit_thought,
    out_of_turns,
    unstick,
)
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.selection import turn_columns
from wideleaf.graph.state import RunState, ToolCall, Update, combine, tree_of
from wideleaf.graph.updates import error_update, note_update, stop_update
from wideleaf.tools.errors import ModelError, SettingsError, WideleafError
from wideleaf.tools.tree.tree import FrameTree


@stream_events(on_error="writer")
def supervise(state: RunState, runtime: Runtime[RunContext]) -> Command[str]:
    """Decide where the run goes on; the first that holds decides.

    1. The run has a reason to stop: to the writer.
    2. The chat has the answer to a question back: to `ask_person`.
    3. Calls of the last reply wait, and no budget is used up: to their nodes.
    4. A model is to describe frames that it has not seen: to the describer.
    5. A budget is used up or a branch is stuck for good: an offer that was declined is given
       after all, else the run ends with what there is.
    6. Else the thinker is asked once.
    """
    context, memory = runtime.context.settings, state["memory"]
    if memory.get("stop"):
        return Command(goto="writer")
    if "said" in state["person"].get("asked", {}):  # the chat has asked: its answer is there
        return Command(goto="ask_person")
    before = tree_of(state)
    tree, stuck = unstick(before)
    moved = _moves_update(before, tree)
    reason, left_out = stuck or check_budgets(state, context), list[str]()
    if memory.get("pending") and not moved and not reason:
        batch = next_batch(memory["pending"], tree, state["tree"], memory)
        if batch.is_usable:
            return _send_batch(batch, state, memory["step"])
        left_out = batch.notes
    if needs_description(state, context):
        notes = note_update(memory.get("step", 0), *left_out)
        return Command(goto="describer", update=combine({"memory": {"pending": []}}, notes))
    if reason := reason or out_of_turns(state, context):
        return _end_run(state, reason, moved)
    return _think(state, tree, moved, left_out, runtime.context)


def _think(
    state: RunState, tree: FrameTree, moved: Update, left_out: list[str], under: RunContext
) -> Command[str]:
    """Ask the thinker what to do next."""
    started, memory, context = time.perf_counter(), state["memory"], under.settings
    view = _make_view(state, tree, left_out, context)
    try:
        thinker = under.services.solver_of(state["given"].get("sample", {})).thinker
        with limit_thought(state, context):
            reply = thinker.think(view)
    except SettingsError:  # resumed with others: the run is left as it is
        raise
    except WideleafError as error:
        if isinstance(error, ModelError) and state["review"].get("declined"):
            waited: Update = {"spent": {"seconds": time.perf_counter() - started}}
            update = combine(moved, waited, {"memory": {"step": view.step}})
            return _end_run(state, str(error), update)
        # No thought was had, so none is counted: the next try is this one again.
        ended = error_update(error, time.perf_counter() - started)
        return Command(goto="writer", update=combine(moved, ended))
    seconds = time.perf_counter() - started
    took: Update = {"spent": {"usage": reply.usage.model_dump(mode="json"), "seconds": seconds}}
    if reply.again:  # one request a visit, in the same turn; the thinker bounds how often
        update = combine(moved, took, {"memory": {"thinker": reply.memory}})
        return Command(goto="supervisor", update=update)
    if reason := find_abstention(reply):
        reply = reply.model_copy(update={"calls": (), "problem": reason, "gives_up": True})
    minted = state["tree"].get("minted", 0)
    calls, notes = mint(reply, minted)
    batch = next_batch(calls, tree, state["tree"], memory)
    problems = [reply.problem] if reply.problem else []
    grown = minted + sum(bool(call["label"]) for call in calls)
    update = {
        "tree": {"minted": grown},
        "memory": {
            "step": view.step,
            "thinker": reply.memory,
            "unusable": _count_unusable(reply, batch, memory.get("unusable", 0)),
            "idle": {"known": known_of(state), "turns": idle_turns(state)} if reply.steers else {},
        },
        **took,
        "confidence": reply.confidence,
    }
    if reply.gives_up:
        update["suggestions"] = reply.suggestions.plain()
        ended = stop_update(reply.problem, "unanswered")
        return Command(goto="writer", update=combine(moved, update, ended))
    batch = batch._replace(notes=[*problems, *notes, *batch.notes])
    return _send_batch(batch, state, view.step, combine(moved, update))


def _make_view(state: RunState, tree: FrameTree, left_out: list[str], context: Context) -> View:
    memory, given = state["memory"], state["given"]
    step = memory.get("step", 0)
    leaves = [node.label for node in tree.leaves]
    return View(
        question=state["question"],
        tree=tree,
        columns=turn_columns(memory.get("found", {}), memory.get("columns", ""), leaves),
        notes=(
            *(note["text"] for note in memory.get("notes", []) if note["step"] == step),
            *left_out,
            *idle_note(state),
        ),
        step=step + 1,
        max_steps=context.max_steps,
        next_label=f"T{state['tree'].get('minted', 0) + 1}",
        memory=memory.get("thinker", {}),
        choice=state["person"].get("choice", ""),
        aliases=state["tree"].get("aliases", {}),
        drawn=given.get("drawn", ""),
        talks=given.get("talks", False),
        wanted=context.columns,
        past=tuple(Exchange.model_validate(one) for one in given.get("exchanges", [])),
    )


def _count_unusable(reply: Reply, batch: Batch, before: int) -> int:
    """Replies in a row that were no move, this one included."""
    return 0 if batch.is_usable or reply.counted else before + 1


def _send_batch(
    batch: Batch, state: RunState, step: int, update: Update | None = None
) -> Command[str]:
    """Go on with a batch of calls: to tool nodes side by side, to one that goes alone, or on."""
    sample = state["given"].get("sample") or {}
    shared: ToolCall = {"step": step, "number": sample.get("number", 0)}
    calls: list[ToolCall] = [{**call, **shared} for call in (*batch.calls, *batch.alone)]
    for call in calls:
        if "wish" in call:
            call["wish"] = {**call["wish"], "focus": state["memory"].get("focus", [])}
    memory = {"pending": batch.later, "call": calls[0] if batch.alone else {}}
    update = combine(update or {}, {"memory": memory}, note_update(step, *batch.notes))
    if batch.offer:
        return Command(goto="critic", update={**update, "review": {"offer": batch.offer}})
    if batch.alone:
        return Command(goto=node_of(calls[0]["name"]), update=update)
    sends = [Send(node_of(call["name"]), call) for call in calls]
    return Command(goto=sends or "supervisor", update=update)


def _end_run(state: RunState, reason: str, update: Update) -> Command[str]:
    """End it; an offer that was sent back is given, for a doubt alone must not cost the answer."""
    if offer := state["review"].get("declined"):
        offered = {"memory": {"pending": []}, "review": {"offer": {**offer, "last": reason}}}
        return Command(goto="critic", update=combine(update, offered))
    return Command(goto="writer", update=combine(update, stop_update(reason, "partial")))


def _moves_update(before: FrameTree, after: FrameTree) -> Update:
    new = after.moves[len(before.moves) :]
    moves = [move.model_dump(mode="json") for move in new]
    return {"tree": {"moves": moves, "head": after.head}} if new else {}
