"""Naming of an answer's columns: as a program wants them called, or why that cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wideleaf.graph.channels import PlainData
from wideleaf.graph.conversation.drawing import CHART
from wideleaf.graph.state import RunState, Update, combine, nodes_update
from wideleaf.graph.updates import note_update, stop_update
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.steps.series import perform_all
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.services import Services

THOUGHT = "The columns are called as whoever asked wants them."


def name_columns(
    state: RunState, tree: FrameTree, offer: PlainData, context: Context, services: Services
) -> Update | None:
    """Call the columns of an accepted frame as `Context.columns` says, by a step of their own.

    A chart has no columns of its own. A model that ends with another number of columns is told
    once; an answer in other columns is none after that.

    Args:
        state: Of the run.
        tree: Its tree.
        offer: The frame that was accepted.
        context: The settings.
        services: They hold the frames.

    Returns:
        What to do in place of the answer as it is: the offer of the renamed frame, a note to the
        thinker, or the end of the run; None where the columns are called so, or may have any name.
    """
    targets, label = context.columns, offer["label"]
    if not targets or tree[label].action.name == CHART:
        return None
    store = services.store
    with store.reading("the names of the columns"):
        there = tuple(store.get(tree[label].id).columns)
        if there == targets:
            return None
        if pairs := pair_names(there, targets):
            number = state["tree"].get("minted", 0) + 1
            call = Call(name="Select", arguments={"columns": dict(pairs)})
            wish = Wish(call, f"T{number}", ((label, tree[label].id),), THOUGHT)
            nodes = perform_all(wish, store, services.policy, context.profile)
            if nodes[-1].outcome == "ok":
                changes = [
                    f"{as_name(old)} is called {as_name(new)}" for old, new in pairs if old != new
                ]
                doubts = [
                    *offer["doubts"],
                    *([f"As was wanted, {', '.join(changes)}."] if changes else []),
                ]
                renamed = {**offer, "label": nodes[-1].label, "doubts": doubts}
                grown = combine(nodes_update(nodes), {"tree": {"minted": number}})
                return {**grown, "review": {"offer": renamed}, "status": "answered"}
    names = ", ".join(map(as_name, targets))
    text = f"the answer is to have exactly the columns {names}: Finish with a frame of these"
    sent_back = any(note["text"] == text for note in state["memory"].get("notes", []))
    if context.asks_a_model and not sent_back and not offer.get("last"):
        return {**note_update(state["memory"]["step"], text), "review": {"offer": {}}}
    stop = (
        f"the answer found has {len(there)} columns, and the {len(targets)} that are wanted are "
        f"{names}; ask for these things in the question, or want other columns"
    )
    return {**stop_update(stop, "unanswered"), "confidence": None, "review": {"offer": {}}}


def pair_names(there: Sequence[str], targets: Sequence[str]) -> list[tuple[str, str]]:
    """Which column gets which name, in the order of the names; empty where the numbers differ.

    A column that is called so is taken whatever else there is; else one with most words of the
    name, and what no word tells goes in its order.
    """
    if {*targets} <= {*there}:
        return [(name, name) for name in targets]
    if len(there) != len(targets):
        return []
    stems = {name: {*map(stem, header_words(name))} for name in (*there, *targets)}
    alike = sorted(
        ((old == new, len(stems[old] & stems[new]), old, new) for new in targets for old in there),
        key=lambda pair: pair[:2],
        reverse=True,
    )
    of: dict[str, str] = {}
    for same, words, old, new in alike:
        if (same or words) and new not in of and old not in of.values():
            of[new] = old
    rest = iter([old for old in there if old not in of.values()])
    return [(of.get(new) or next(rest), new) for new in targets]
