"""The writer: the answer is written out of its frame, or an honest account of how far it came."""

from __future__ import annotations

from contextlib import nullcontext

from langgraph.runtime import Runtime

from wideleaf.agents.answer.writer import write_answer
from wideleaf.agents.planner.replies import remarks_on
from wideleaf.agents.requests import cut_question
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.past import went_on
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import offer_text
from wideleaf.graph.nodes.roles import ask_writer
from wideleaf.graph.results.chart_parts import chart_channel
from wideleaf.graph.results.fit import fit_answer
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import RunState, Update, tree_of
from wideleaf.graph.updates import failure_update
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.steps.caveats import guess_values, plan_caveats
from wideleaf.tools.tree.tree import FrameTree

BY_LEVEL = (
    "At privacy {level!r} the model sees no cell, so it takes the values to compare with, and how "
    "they are written, from the question. At 'samples' (--privacy samples) it would see rows, "
    "which then leave this machine."
)
"""What a person may do about values that a model had to guess."""


@stream_events()
def write(state: RunState, runtime: Runtime[RunContext]) -> Update:
    """Write the answer out of its frame, or an honest account of how far the run came."""
    context, tree = runtime.context.settings, tree_of(state)
    offer, stop = state["review"].get("offer", {}), state["memory"].get("stop", "")
    status = state.get("status") or "partial"
    label = offer.get("label") or (_farthest(tree) if status == "partial" else "")
    services, store = None, None
    if label:
        services = runtime.context.services
        store = services.store
    worded: Update = {}
    try:
        with store.reading("the answer") if store else nullcontext():
            table = store.with_labels(tree[label].id) if store else None
            chart = chart_channel(tree, label, store) if store and not stop else {}
            draft = write_answer(
                tree,
                label,
                table,
                stop,
                question=state["question"],
                note=str(offer.get("note", "")),
                caveats=plan_caveats(tree, label, store) if store else (),
            )
        if services and status == "answered":
            worded = ask_writer(draft, tree, state, context, services)
    except SourceError as error:
        return failure_update(error.code, str(error))
    except ActionError as error:
        return failure_update("memory", error.text)
    remarks = remarks_on(state["memory"].get("thinker", {}), label) if draft["label"] else ()
    if remarks and status == "answered":
        apart = "\n" if "\n" in draft["answer"] else " "
        draft["answer"] = apart.join([" ".join(remarks), draft["answer"]])
    notes, rest = draft.pop("notes", []), draft["caveats"]
    fallen = worded.get("memory", {}).get("fallbacks", [])
    own = [*_list_caveats(state, label, context), *fallen, *offer.get("doubts", []), *rest]
    caveats = [*remarks, *notes, *own, *_tell_level(tree, label, status, context)]
    frame = tree[label].id if draft["label"] else ""
    fitted = fit_answer({**draft, "caveats": [*dict.fromkeys(caveats)]}, frame)
    return {**worded, **fitted, "frame": frame, **chart}


def _list_caveats(state: RunState, label: str, context: Context) -> list[str]:
    """What the person should know of how the question was taken."""
    tree, given = tree_of(state), state["given"]
    past = [text for text in (given.get("anew", ""), went_on(state, label)) if text]
    cut = cut_question(state["question"]) if context.asks_a_model else ""
    made_of = {node.label for node in tree.plan(label)} if label else set()
    assumed = [one for one in state["person"].get("assumed", []) if one["label"] in made_of]
    texts = [one["text"] for one in assumed]
    if given.get("talks"):
        texts += [offer_text(one) for one in assumed if one["label"] == label]
    return [*past, *([cut] if cut else []), *texts, *state["memory"].get("fallbacks", [])]


def _tell_level(tree: FrameTree, label: str, status: str, context: Context) -> list[str]:
    """What a person may do about values that a model had to guess."""
    if not context.asks_a_model or context.policy.allows("values"):
        return []
    steps = tree.plan(label) if status == "answered" and label else tree.nodes
    return [BY_LEVEL.format(level=context.privacy)] * bool(guess_values(steps))


def _farthest(tree: FrameTree) -> str:
    """Where a run without an answer came to: the head, or the last frame if that is a leaf."""
    if not tree.head or tree[tree.head].parents:
        return tree.head
    labels = [node.label for node in tree.nodes if node.outcome == "ok" and node.parents]
    return labels[-1] if labels else tree.head
