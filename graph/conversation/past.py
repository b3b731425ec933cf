"""The past of a question: what is taken up of a conversation once the tables are open."""

from __future__ import annotations

from collections.abc import Mapping

from wideleaf.graph.context import Context
from wideleaf.graph.conversation.record import Record, refuse_past
from wideleaf.graph.state import PlainData, State, tree_of
from wideleaf.graph.threads import TOLD, About
from wideleaf.tools.words import one_line

GOING_ON = "going on from"
"""In a note: what is taken from before is said there."""
EARLIER = 3
"""So many of the last questions help to choose the columns that a further one is about."""


def past_update(record: Record, anew: bool = False) -> PlainData:
    """What the next question of a conversation is given.

    Args:
        record: The conversation.
        anew: Whether it says that it has nothing to do with what was before: then it is given
            the frames alone, of which none is gone on from.
    """
    carried = {
        "nodes": record.nodes,
        "head": "" if anew else record.head,
        "minted": record.minted,
        "about": record.about,
        "local": record.local,
    }
    past = [] if anew else [one.model_dump(mode="json") for one in record.exchanges]
    return {"past": past, "carried": carried}


def take_up(state: State, about: About, context: Context) -> PlainData:
    """What a question goes on from: the update by which the past is used, or is not.

    Args:
        state: As the run begins.
        about: What it is about.
        context: Its settings.

    Returns:
        Nodes, head and the number of labels given out; where tables or settings are others now,
        no past, and ``anew``, why.
    """
    carried = state.get("carried") or {}
    if not carried.get("about"):
        return {}
    why = refuse_past(About.model_validate(carried["about"]), about)
    if (
        not why
        and carried["local"]
        and context.asks_a_model
        and not context.policy.allows("values")
    ):
        why = f"it was answered without a model, which at privacy {context.privacy!r} sees no cell"
    if why:
        notice = f"Nothing that was asked before was used, for {why}."
        return {"past": [], "carried": {}, "anew": notice, "minted": carried["minted"]}
    return {name: carried[name] for name in ("nodes", "head", "minted")}


def said_so_far(state: State, carried: Mapping[str, object]) -> str:
    """The question, and the last ones before it where it may go on from them."""
    past = state.get("past", []) if carried.get("nodes") else []
    questions = [
        str(one.get("reading") or one["said"])
        for one in past
        if one.get("label") or one.get("likely")
    ]
    return "\n".join([state["question"], *reversed(questions[-EARLIER:])])


def join_past(grown: PlainData, carried: PlainData) -> PlainData:
    """The update that opens tables, with what is taken up; the head is the last answer, if any.

    Args:
        grown: The update with a node for each table.
        carried: What `take_up` gave.
    """
    nodes = {**carried.get("nodes", {}), **grown["nodes"]}
    head = carried.get("head") or grown.get("head", "")
    return {**grown, **carried, "nodes": nodes, "head": head}


def went_on(state: State, label: str) -> str:
    """Say from which earlier answer an answer goes on; empty if it stands on the tables alone.

    Args:
        state: Of the run.
        label: The answer's node.
    """
    tree, note = tree_of(state), str((state.get("offer") or {}).get("note", ""))
    if not label or GOING_ON in note:
        return ""
    made_of = {node.label for node in tree.plan(label)}
    for one in reversed(state.get("past", [])):
        if one["label"] in made_of and tree[one["label"]].parents:
            return f"Goes on from {one['label']}, the answer to {one_line(one['said'], TOLD)!r}."
    return ""
