"""The nodes that end a run: the critic, what becomes of its doubts, and the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

from langgraph.runtime import Runtime

from wideleaf.agents.answer.writer import write_answer
from wideleaf.agents.critic.critic import review
from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.planner.replies import remarks_on
from wideleaf.agents.requests import cut_question
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.drawing import (
    CHART,
    Drawer,
    below_chart,
    title_of,
)
from wideleaf.graph.conversation.past import went_on
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import offer_text
from wideleaf.graph.nodes.naming import name_columns
from wideleaf.graph.nodes.roles import ask_critic, ask_writer
from wideleaf.graph.results.chart_parts import chart_channel
from wideleaf.graph.results.fit import fit_answer
from wideleaf.graph.services import services_of
from wideleaf.graph.settings import context_of
from wideleaf.graph.state import PlainData, State, nodes_update, tree_of
from wideleaf.graph.threads import need_same
from wideleaf.graph.updates import Update, failure_update, note_update
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.reading_errors import as_own_error
from wideleaf.tools.steps.caveats import guess_values, plan_caveats
from wideleaf.tools.tree.tree import FrameTree

OBJECTIONS = 1
"""The critic sends a frame back so often; after that its doubts become caveats."""
TOLD = 3
"""Objections that one note tells."""
SURE = 0.99
BY_LEVEL = (
    "At privacy {level!r} the model sees no cell, so it takes the values to compare with, and how "
    "they are written, from the question. At 'samples' (--privacy samples) it would see rows, "
    "which then leave this machine."
)
"""What a person may do about values that a model had to guess."""
_NUMBERS = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_ASSUMED = re.compile(
    r"\b(?:assum\w*|suppos\w*|presum\w*|interpret\w*|guess\w*|unclear|ambig\w*|t[ao]k(?:e|en|ing)|"
    r"took|treat\w*|read as|mean(?:s|t|ing)?|likely|probably|perhaps|not sure|could)\b",
    re.I,
)


@stream_events
def verify(state: State, runtime: Runtime[Context]) -> Update:
    """Let the critic look at the frame that is offered as the answer, and doubt it once."""
    context = context_of(runtime)
    services = services_of(context)
    need_same(state, context, services)
    offer, tree = state["offer"], tree_of(state)
    with services.store.reading("the check of the answer"):
        case = Candidate(
            # "the median?" alone says nothing of the shape of what it goes on from.
            "" if state.get("past") else _asked(state),
            tree,
            below_chart(tree, offer["label"]),
            lambda label: services.store.get(tree[label].id),
            services.store.catalog.foreign_keys,
            context.profile,
            bool(state.get("drawn")) or tree[offer["label"]].action.name == CHART,
        )
        findings = review(case)
    theirs, critique = ask_critic(case, findings, state, context, services)
    with services.store.reading("the check of the answer"):
        verdict = weigh_findings(case, (*findings, *theirs), state, context)
    if critique:  # the same frame is not looked at twice
        offer = {**offer, "criticism": [doubt.text for doubt in theirs]}
    if verdict.note:
        return {
            **critique,
            **note_update(state, verdict.note),
            **verdict.update,
            "offer": {},
            "declined": offer,
        }
    accepted = {**offer, "doubts": list(verdict.caveats)}
    renaming = name_columns(state, tree, accepted, context, services)
    if renaming is not None:
        return {**critique, **verdict.update, **renaming}
    drawing = _draw_offer(
        state, tree, accepted, Drawer(services.store, services.policy, context.profile)
    )
    return {**critique, **verdict.update, "offer": accepted, **drawing, "status": "answered"}


def _asked(state: State) -> str:
    """The question, with the reading of it that the person chose."""
    return " ".join([state["question"], str(state["offer"].get("reading", ""))]).strip()


def _draw_offer(state: State, tree: FrameTree, offer: PlainData, drawer: Drawer) -> Update:
    """The chart that was asked for, where the thinker ended with the rows of it.

    Args:
        state: Of the run.
        tree: Its tree.
        offer: The frame that was accepted.
        drawer: Draws it.
    """
    words, label = state.get("drawn", ""), offer["label"]
    if not words or tree[label].action.name == CHART:
        return {}
    charts = [n for n in tree.nodes if n.parents == (label,) and n.action.name == CHART]
    if there := [node for node in charts if node.outcome == "ok"]:
        return {"offer": {**offer, "label": there[-1].label}}
    minted = state.get("minted", 0) + 1
    with drawer.store.reading("the chart"):
        title = title_of(state["question"])
        node, note = drawer.draw(tree[label], f"T{minted}", words, title)
    if node.outcome != "ok":
        doubt = f"No chart was drawn: {node.error}."
        return {"offer": {**offer, "doubts": [*offer["doubts"], doubt]}}
    doubts = [*offer["doubts"], *([note] if note else [])]
    made_offer = {**offer, "label": node.label, "doubts": doubts}
    return {**nodes_update([node]), "minted": minted, "offer": made_offer}


def route_verdict(state: State) -> str:
    """Go on to the answer if the critic let the frame pass."""
    return "answer" if state.get("offer") else "think"


@stream_events
def answer(state: State, runtime: Runtime[Context]) -> Update:
    """Write the answer out of its frame, or an honest account of how far the run came."""
    tree, offer = tree_of(state), state.get("offer") or {}
    status = state.get("status") or "partial"
    label = offer.get("label") or (_farthest(tree) if status == "partial" else "")
    context, store = context_of(runtime), None
    if label:
        services = services_of(context)
        need_same(state, context, services)
        store = services.store
    try:
        with store.reading("the answer") if store else nullcontext():
            table = store.with_labels(tree[label].id) if store else None
            chart = chart_channel(tree, label, store) if store and not state.get("stop") else {}
            draft = write_answer(
                tree,
                label,
                table,
                state.get("stop", ""),
                question=state["question"],
                note=str(offer.get("note", "")),
                caveats=plan_caveats(tree, label, store) if store else (),
            )
        worded: Update = {}
        if store and status == "answered":
            worded = ask_writer(draft, tree, state, context, services)
    except SourceError as error:
        return failure_update(error.code, str(error))
    except ActionError as error:
        return failure_update("memory", error.text)
    made_of = {node.label for node in tree.plan(label)} if label else set()
    assumptions = [one for one in state.get("assumed", []) if one["label"] in made_of]
    assumed = [one["text"] for one in assumptions]
    if "message" in state:  # of a conversation
        assumed += [offer_text(one) for one in assumptions if one["label"] == label]
    remarks = remarks_on(state.get("memory", {}), label) if draft["label"] else ()
    if remarks and status == "answered":
        apart = "\n" if "\n" in draft["answer"] else " "
        draft["answer"] = apart.join([" ".join(remarks), draft["answer"]])
    notes, rest = draft.pop("notes", []), draft["caveats"]
    if context.asks_a_model and (cut := cut_question(state["question"])):
        assumed = [cut, *assumed]
    past = [text for text in (state.get("anew", ""), went_on(state, label)) if text]
    fallen = [*state.get("fallbacks", []), *worded.pop("fallbacks", [])]
    steps = tree.plan(label) if status == "answered" and label else tree.nodes
    blind = context.asks_a_model and not context.policy.allows("values") and guess_values(steps)
    level = [BY_LEVEL.format(level=context.privacy)] * blind
    own = [*notes, *past, *assumed, *fallen, *offer.get("doubts", []), *rest, *level]
    caveats = dict.fromkeys([*remarks, *own])
    frame = tree[label].id if draft["label"] else ""
    fitted = fit_answer({**draft, "caveats": [*caveats]}, frame)
    return {**worded, **fitted, "frame": frame, **chart}


def _farthest(tree: FrameTree) -> str:
    """Where a run without an answer came to: the head, or the last frame if that is a leaf."""
    if not tree.head or tree[tree.head].parents:
        return tree.head
    labels = [node.label for node in tree.nodes if node.outcome == "ok" and node.parents]
    return labels[-1] if labels else tree.head


class Verdict(NamedTuple):
    """What to do with an offered frame.

    Attributes:
        note: Why it goes back to the thinker; empty if it is accepted.
        caveats: What the person is told of it, if it is accepted.
        update: What the state keeps of it.
    """

    note: str
    caveats: tuple[str, ...]
    update: PlainData


def weigh_findings(
    case: Candidate, doubts: Sequence[Finding], state: State, context: Context
) -> Verdict:
    """Decide on an offered frame.

    Args:
        case: The frame.
        doubts: What the critic has against it.
        state: Of the run; it tells what the thinker was told before.
        context: The settings.
    """
    offer, objections = state["offer"], state.get("objections", 0)
    last, note = offer.get("last", ""), str(offer.get("note", "")).strip()
    noted = bool(note)
    doubts = [doubt for doubt in doubts if not _is_noted(doubt, note)]
    objecting = [doubt for doubt in doubts if doubt.objects and not (noted and doubt.by_note)]
    if objecting and objections < OBJECTIONS and not last:
        own = [doubt for doubt in objecting if not doubt.by_model][:TOLD]
        theirs = [doubt for doubt in objecting if doubt.by_model]
        reasons = "; ".join(doubt.text for doubt in (*own, *theirs))
        objection = f"{offer['label']} was not accepted: {reasons}"
        return Verdict(objection, (), {"objections": objections + 1})
    after = [f"It was given with a doubt, for {last}."] if last and objecting else []
    unsure = any(doubt.objects or doubt.reading for doubt in doubts)
    unsure = unsure or bool(_ASSUMED.search(str(offer.get("note", ""))) or state.get("opinion"))
    # The embedded planner is no judge of a message that others came before.
    if not (context.asks_a_model and context.second_opinion and unsure) or state.get("past"):
        return Verdict("", (*(doubt.told for doubt in doubts), *after), {})
    return _compare_plans(case, doubts, state, after, context)


def _is_noted(doubt: Finding, note: str) -> bool:
    """Whether the note itself tells what would only be reported: the number that was taken."""
    numbers = _NUMBERS.findall(doubt.text)
    return doubt.by_note and not doubt.objects and all(number in note for number in numbers)


def _compare_plans(
    case: Candidate, doubts: Sequence[Finding], state: State, after: Sequence[str], context: Context
) -> Verdict:
    """Compare with the embedded planner's plan; another result is told once, then reported."""
    from wideleaf.agents.answer.second_opinion import second_opinion

    caveats = [*(doubt.told for doubt in doubts), *after]
    tables = {leaf.label: case.table_of(leaf.label) for leaf in case.tree.leaves}
    try:
        with as_own_error("a second plan"):
            links = services_of(context).store.catalog.foreign_keys
            opinion = second_opinion(case.text, tables, case.table, links, context.profile)
    except (ActionError, SourceError):
        opinion = None
    if opinion is None:
        return Verdict("", tuple(caveats), {})
    if opinion.same:
        rest = [doubt for doubt in doubts if not doubt.reading]
        remarks = (*(doubt.told for doubt in rest), *after)
        if any(doubt.objects for doubt in rest):  # both may have counted rows twice
            return Verdict("", remarks, {})
        own = state.get("confidence") or 0.0
        sure = min(1 - (1 - own) * (1 - opinion.confidence), SURE)
        return Verdict("", remarks, {"confidence": sure} if sure else {})
    assumed = _ASSUMED.search(str(state["offer"].get("note", "")))
    if not state.get("opinion") and not state["offer"].get("last") and not assumed:
        note = (
            f"another plan gives another result than {case.label}: {opinion.columns}; if that is "
            "what the question means do so, else call Finish again and say in its note what you "
            "assumed"
        )
        return Verdict(note, (), {"opinion": opinion.reading})
    caveats.append(f"Read as {opinion.reading} it would be {opinion.result}.")
    return Verdict("", tuple(caveats), {})
