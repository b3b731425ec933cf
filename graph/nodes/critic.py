"""The critic: an offered frame is checked, doubted once, or accepted and put into its last form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from langgraph.runtime import Runtime
from langgraph.types import Command

from wideleaf.agents.critic.critic import review
from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.drawing import CHART, Drawer, below_chart, title_of
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.naming import name_columns
from wideleaf.graph.nodes.roles import ask_critic
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import RunState, Update, combine, nodes_update, tree_of
from wideleaf.graph.updates import note_update
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.sources.reading_errors import as_own_error
from wideleaf.tools.tree.tree import FrameTree

OBJECTIONS = 1
"""The critic sends a frame back so often; after that its doubts become caveats."""
TOLD = 3
"""Objections that one note tells."""
SURE = 0.99
_NUMBERS = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_ASSUMED = re.compile(
    r"\b(?:assum\w*|suppos\w*|presum\w*|interpret\w*|guess\w*|unclear|ambig\w*|t[ao]k(?:e|en|ing)|"
    r"took|treat\w*|read as|mean(?:s|t|ing)?|likely|probably|perhaps|not sure|could)\b",
    re.I,
)


DOUBTED = 0.5
"""The most that is sure of an answer that a check objects to (of 17 such answers of opened sets 9
were right), and of one to who wanted a chart and gets none: it was read amiss."""


@stream_events(on_error="supervisor")
def criticise(state: RunState, runtime: Runtime[RunContext]) -> Command[str]:
    """Look at the frame that is offered as the answer, and doubt it once."""
    context, services = runtime.context.settings, runtime.context.services
    offer, tree = state["review"]["offer"], tree_of(state)
    with services.store.reading("the check of the answer"):
        case = Candidate(
            # "the median?" alone says nothing of the shape of what it goes on from.
            "" if state["given"].get("exchanges") else _asked(state),
            tree,
            below_chart(tree, offer["label"]),
            lambda label: services.store.get(tree[label].id),
            services.store.catalog.foreign_keys,
            context.profile,
            bool(state["given"].get("drawn")) or tree[offer["label"]].action.name == CHART,
        )
        findings = review(case)
    theirs, critique = ask_critic(case, findings, state, context, services)
    with services.store.reading("the check of the answer"):
        verdict = weigh_findings(case, (*findings, *theirs), state, context)
    if critique:  # the same frame is not looked at twice
        offer = {**offer, "criticism": [doubt.text for doubt in theirs]}
    update = combine(critique, verdict.update)
    if verdict.note:
        note = note_update(state["memory"]["step"], verdict.note)
        declined = {"review": {"offer": {}, "declined": offer}}
        return Command(goto="supervisor", update=combine(update, note, declined))
    accepted = {**offer, "doubts": list(verdict.caveats)}
    last = name_columns(state, tree, accepted, context, services)
    if last is None:
        drawer = Drawer(services.store, services.policy, context.profile)
        last = _draw_offer(state, tree, accepted, drawer)
    goes_back = not (last["review"]["offer"] or "status" in last)
    return Command(goto="supervisor" if goes_back else "writer", update=combine(update, last))


def _asked(state: RunState) -> str:
    """The question, with the reading of it that the person chose."""
    return " ".join([state["question"], str(state["review"]["offer"].get("reading", ""))]).strip()


def _draw_offer(state: RunState, tree: FrameTree, offer: PlainData, drawer: Drawer) -> Update:
    """An accepted frame; with the chart that was asked for, where the rows of it were offered.

    Args:
        state: Of the run.
        tree: Its tree.
        offer: The frame that was accepted.
        drawer: Draws it.
    """
    words, label = state["given"].get("drawn", ""), offer["label"]
    if not words or tree[label].action.name == CHART:
        return _accept(offer)
    charts = [n for n in tree.nodes if n.parents == (label,) and n.action.name == CHART]
    if there := [node for node in charts if node.outcome == "ok"]:
        return _accept({**offer, "label": there[-1].label})
    minted = state["tree"].get("minted", 0) + 1
    with drawer.store.reading("the chart"):
        title = title_of(state["question"])
        node, note = drawer.draw(tree[label], f"T{minted}", words, title)
    if node.outcome != "ok":
        doubt = f"No chart was drawn: {node.error}."
        return {**_accept({**offer, "doubts": [*offer["doubts"], doubt]}), **_cap_confidence(state)}
    doubts = [*offer["doubts"], *([note] if note else [])]
    grown = combine(nodes_update([node]), {"tree": {"minted": minted}})
    return {**grown, **_accept({**offer, "label": node.label, "doubts": doubts})}


def _cap_confidence(state: RunState) -> Update:
    sure = state.get("confidence")
    return {"confidence": min(sure, DOUBTED)} if sure else {}


def _accept(offer: PlainData) -> Update:
    return {"review": {"offer": offer}, "status": "answered"}


class Verdict(NamedTuple):
    """What to do with an offered frame.

    Attributes:
        note: Why it goes back to the thinker; empty if it is accepted.
        caveats: What the person is told of it, if it is accepted.
        update: What the state keeps of it.
    """

    note: str
    caveats: tuple[str, ...]
    update: Update


def weigh_findings(
    case: Candidate, doubts: Sequence[Finding], state: RunState, context: Context
) -> Verdict:
    """Decide on an offered frame.

    Args:
        case: The frame.
        doubts: What the critic has against it.
        state: Of the run; it tells what the thinker was told before.
        context: The settings.
    """
    offer, objections = state["review"]["offer"], state["review"].get("objections", 0)
    last, note = offer.get("last", ""), str(offer.get("note", "")).strip()
    doubts = [doubt for doubt in doubts if not _is_noted(doubt, note)]
    objecting = [doubt for doubt in doubts if doubt.objects and not (note and doubt.by_note)]
    if objecting and objections < OBJECTIONS and not last:
        objection = f"{offer['label']} was not accepted: {_tell_reasons(objecting)}"
        return Verdict(objection, (), {"review": {"objections": objections + 1}})
    after = [f"It was given with a doubt, for {last}."] if last and objecting else []
    unsure = _is_unsure(doubts) or _ASSUMED.search(note) or state["review"].get("opinion")
    # The embedded planner is no judge of a message that others came before.
    alone = not state["given"].get("exchanges")
    if not (context.asks_a_model and context.second_opinion and unsure and alone):
        capped = _cap_confidence(state) if objecting else {}
        return Verdict("", (*(doubt.told for doubt in doubts), *after), capped)
    return _compare_plans(case, doubts, state, after, context)


def _tell_reasons(objecting: Sequence[Finding]) -> str:
    """The objections of the checks, a few, and then those of a model."""
    own = [doubt for doubt in objecting if not doubt.by_model][:TOLD]
    theirs = [doubt for doubt in objecting if doubt.by_model]
    return "; ".join(doubt.text for doubt in (*own, *theirs))


def _is_unsure(doubts: Sequence[Finding]) -> bool:
    """Whether a doubt is one that a second plan may settle."""
    return any(doubt.objects or doubt.reading for doubt in doubts)


def _is_noted(doubt: Finding, note: str) -> bool:
    """Whether the note itself tells what would only be reported: the number that was taken."""
    numbers = _NUMBERS.findall(doubt.text)
    return doubt.by_note and not doubt.objects and all(number in note for number in numbers)


def _compare_plans(
    case: Candidate,
    doubts: Sequence[Finding],
    state: RunState,
    after: Sequence[str],
    context: Context,
) -> Verdict:
    """Compare with the embedded planner's plan; another result is told once, then reported."""
    from wideleaf.agents.answer.second_opinion import second_opinion

    caveats = [*(doubt.told for doubt in doubts), *after]
    tables = {leaf.label: case.table_of(leaf.label) for leaf in case.tree.leaves}
    try:
        with as_own_error("a second plan"):
            opinion = second_opinion(
                case.text, tables, case.table, case.foreign_keys, context.profile
            )
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
    offer = state["review"]["offer"]
    assumed = _ASSUMED.search(str(offer.get("note", "")))
    if not state["review"].get("opinion") and not offer.get("last") and not assumed:
        note = (
            f"another plan gives another result than {case.label}: {opinion.columns}; if that is "
            "what the question means do so, else call Finish again and say in its note what you "
            "assumed"
        )
        return Verdict(note, (), {"review": {"opinion": opinion.reading}})
    caveats.append(f"Read as {opinion.reading} it would be {opinion.result}.")
    return Verdict("", tuple(caveats), {})
