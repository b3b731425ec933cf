"""The past of a question: what is taken up of a conversation once the tables are open."""

from __future__ import annotations

from typing import cast

from wideleaf.agents.turn import Exchange
from wideleaf.graph.channels import Given, Tree
from wideleaf.graph.context import Context
from wideleaf.graph.conversation.record import Record, refuse_past
from wideleaf.graph.state import AskState, RunState, tree_of
from wideleaf.graph.threads import TOLD, About
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.words import one_line

GOING_ON = "going on from"
"""In a note: what is taken from before is said there."""
EARLIER = 3
"""So many of the last questions help to choose the columns that a further one is about."""


def past_of(record: Record, anew: bool = False) -> Given:
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
    exchanges = [] if anew else [one.model_dump(mode="json") for one in record.exchanges]
    return {"exchanges": exchanges, "carried": carried, "talks": True}


def go_on_from(state: AskState, label: str) -> Given:
    """What a question is given that goes on from a frame of the question before it on its thread.

    Args:
        state: As that question left it.
        label: Of the frame, in any case of letters.

    Raises:
        SettingsError: If there is no such frame.
    """
    tree = tree_of(state)
    labels = [node.label for node in tree.nodes if node.outcome == "ok"]
    found = [one for one in labels if one.casefold() == label.strip().casefold()]
    if not found:
        listing = ", ".join(labels) or "none, for nothing was asked on this thread"
        raise SettingsError(f"no frame {label!r} to go on from; the frames are {listing}")
    given, answered = state["given"], found[0] == state.get("label")
    words = given.get("words", "") if answered else f"Show {found[0]}."
    exchange = Exchange(said=words, label=found[0])
    earlier = tuple(Exchange.model_validate(one) for one in given.get("exchanges", []))
    record = Record(exchanges=earlier).grow(exchange, state)
    return {**past_of(record), "talks": False}


def take_up(given: Given, about: About, context: Context) -> tuple[Given, Tree]:
    """What a question goes on from.

    Args:
        given: With what was ``carried`` so far.
        about: What the question is about.
        context: Its settings.

    Returns:
        What it is given, and the tree it begins with; where tables or settings are others now, no
        past, and ``anew``, why.
    """
    given = given.copy()
    carried = given.pop("carried", {})  # it is the tree from here on
    if not carried.get("about"):
        return given, {}
    why = refuse_past(About.model_validate(carried["about"]), about)
    shows = context.policy.allows("values") or not context.asks_a_model
    if not why and carried["local"] and not shows:
        why = f"it was answered without a model, which at privacy {context.privacy!r} sees no cell"
    if why:
        notice = f"Nothing that was asked before was used, for {why}."
        fresh: Given = {**given, "exchanges": [], "anew": notice}
        return fresh, {"minted": carried["minted"]}
    return given, cast(Tree, {name: carried[name] for name in ("nodes", "head", "minted", "local")})


def said_so_far(state: AskState) -> str:
    """The question, and the last ones before it where it may go on from them."""
    past = state["given"].get("exchanges", []) if state["tree"].get("nodes") else []
    questions = [
        str(one.get("reading") or one["said"])
        for one in past
        if one.get("label") or one.get("likely")
    ]
    return "\n".join([state["question"], *reversed(questions[-EARLIER:])])


def join_past(grown: Tree, carried: Tree) -> Tree:
    """The tree with a node for each table, and what is taken up; the head is the last answer.

    Args:
        grown: With a node for each table.
        carried: What `take_up` gave.
    """
    nodes = {**carried.get("nodes", {}), **grown["nodes"]}
    head = carried.get("head") or grown.get("head", "")
    return {**carried, "nodes": nodes, "head": head}


def went_on(state: RunState, label: str) -> str:
    """Say from which earlier answer an answer goes on; empty if it stands on the tables alone.

    Args:
        state: Of the run.
        label: The answer's node.
    """
    tree, note = tree_of(state), str(state["review"].get("offer", {}).get("note", ""))
    if not label or GOING_ON in note:
        return ""
    made_of = {node.label for node in tree.plan(label)}
    for one in reversed(state["given"].get("exchanges", [])):
        if one["label"] in made_of and tree[one["label"]].parents:
            return f"Goes on from {one['label']}, the answer to {one_line(one['said'], TOLD)!r}."
    return ""
