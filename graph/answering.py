"""The nodes that end a run: the critic's look at an offered frame, and the answer out of it."""

from __future__ import annotations

from contextlib import nullcontext

from langgraph.runtime import Runtime

from wideleaf.agents.critic import review
from wideleaf.agents.doubts import Case
from wideleaf.agents.excerpt import Size, excerpt, shorten
from wideleaf.agents.memory import remarks_on
from wideleaf.agents.supervisor import cut_question
from wideleaf.agents.writer import write
from wideleaf.graph.context import Context
from wideleaf.graph.doubting import weigh
from wideleaf.graph.events import told
from wideleaf.graph.services import services_of
from wideleaf.graph.settings import context_of
from wideleaf.graph.state import State, tree_of
from wideleaf.graph.threads import need_same
from wideleaf.graph.updates import Update, failed, noted
from wideleaf.tools.errors import ActionError, SourceError


@told
def verify(state: State, runtime: Runtime[Context]) -> Update:
    """Let the critic look at the frame that is offered as the answer, and doubt it once."""
    context = context_of(runtime)
    services = services_of(context)
    need_same(state, context, services)
    offer, tree = state["offer"], tree_of(state)
    with services.store.reading("the check of the answer"):
        case = Case(
            state["question"],
            tree,
            offer["label"],
            lambda label: services.store.get(tree[label].id),
            services.store.catalog.foreign_keys,
            context.profile,
        )
        verdict = weigh(case, review(case), state, context)
    if verdict.note:
        return {**noted(state, verdict.note), **verdict.update, "offer": {}, "declined": offer}
    accepted = {**offer, "doubts": list(verdict.caveats)}
    return {**verdict.update, "offer": accepted, "status": "answered"}


def accepted(state: State) -> str:
    """Go on to the answer if the critic let the frame pass."""
    return "answer" if state.get("offer") else "think"


@told
def answer(state: State, runtime: Runtime[Context]) -> Update:
    """Write the answer out of its frame, or an honest account of how far the run came."""
    tree, offer = tree_of(state), state.get("offer") or {}
    status = state.get("status") or "partial"
    label = offer.get("label") or (tree.head if status == "partial" else "")
    context, store = context_of(runtime), None
    if label:
        services = services_of(context)
        need_same(state, context, services)
        store = services.store
    try:
        with store.reading("the answer") if store else nullcontext():
            table = store.labelled(tree[label].id) if store else None
            written = write(
                tree,
                label,
                table,
                state.get("stop", ""),
                question=state["question"],
                note=str(offer.get("note", "")),
            )
    except SourceError as error:
        return failed(error.code, str(error))
    except ActionError as error:
        return failed("memory", error.text)
    made_of = {node.label for node in tree.plan(label)} if label else set()
    assumed = [one["text"] for one in state.get("assumed", []) if one["label"] in made_of]
    remarks = remarks_on(state.get("memory", {}), label) if written["label"] else ()
    if remarks and status == "answered":
        apart = "\n" if "\n" in written["answer"] else " "
        written["answer"] = apart.join([" ".join(remarks), written["answer"]])
    notes, rest = written.pop("notes", []), written["caveats"]
    if context.asks_a_model and (cut := cut_question(state["question"])):
        assumed = [cut, *assumed]
    caveats = dict.fromkeys([*remarks, *notes, *assumed, *offer.get("doubts", []), *rest])
    frame = tree[label].id if written["label"] else ""
    return {**fit_answer({**written, "caveats": [*caveats]}, frame), "frame": frame}


def fit_answer(written: Update, frame: str) -> Update:
    """Cut an answer to what a state, and whoever reads it, can hold; a `Result` has the whole.

    Args:
        written: What the writer wrote.
        frame: Id of the answer's frame.
    """
    table = written["table"]
    columns = table.get("columns", [])
    value, text = excerpt(written["value"]), shorten(written["answer"], Size().characters)
    names = excerpt(columns)
    rows = excerpt([row[: len(names.kept)] for row in table.get("rows", [])])
    whole = value.whole and text == written["answer"]
    size = f"{table.get('total', 0)} rows x {len(columns)} columns"
    rest = f"this is a part of {size}; the rest is in the frame {frame} (wideleaf.frame)"
    return {
        **written,
        "answer": text,
        "value": value.kept,
        "table": table
        and {**table, "columns": names.kept, "rows": rows.kept, "width": len(columns)},
        "rest": "" if whole else rest,
        "caveats": written["caveats"] if whole else [*written["caveats"], rest],
    }
