"""Series: a call carried out as the steps that it is short for."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.shorthand import Part, expand, is_short
from wideleaf.tools.steps.step import Wish, perform, read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import Node, Request


def perform_all(
    wish: Wish,
    store: FrameStore,
    policy: Policy,
    profile: Profile = "standard",
    made: Mapping[str, str] | None = None,
) -> list[Node]:
    """Carry out one action, or each of the steps that its call is short for.

    Args:
        wish: The action.
        store: Holds the frames.
        policy: Decides what may be told.
        profile: What actions mean.
        made: Labels of frames that are there, by their ids; no node is made of them again.

    Returns:
        The new nodes; the last has the label of the wish, and those before it the same with a
        letter. Where one of the steps fails there is but one node, of the call as it was asked.
    """
    try:
        parts = _parts(wish, store)
    except ActionError as error:
        return [_record_failure(wish, policy.error_text(error), error.kind)]
    if not parts:
        return [perform(wish, store, policy, profile)]
    nodes: list[Node] = []
    frames = [*wish.parents]
    for part, letter in zip(parts, (*ascii_lowercase[: len(parts) - 1], ""), strict=True):
        step = Wish(
            part.call,
            f"{wish.label}{letter}",
            [frames[place] for place in part.inputs],
            "" if letter else wish.thought,
            focus=wish.focus,
        )
        node = perform(step, store, policy, profile)
        if node.outcome != "ok":
            return [_record_failure(wish, node.error, node.kind)]
        earlier = (made or {}).get(node.id) if letter else None
        frames.append((earlier or node.label, node.id))
        nodes += [] if earlier else [node]
    if len(parts) > 1:
        request = Request(call=wish.call, parents=tuple(label for label, _ in wish.parents))
        nodes[-1] = nodes[-1].model_copy(update={"request": request})
    return nodes


def _parts(wish: Wish, store: FrameStore) -> list[Part]:
    """What the call of a wish is short for; nothing of one that is a step, or cannot be read."""
    ids = [key for _, key in wish.parents]
    identity = node_id(ids, wish.call.name, wish.call.arguments)
    if wish.problem or identity in wish.failed:
        return []
    try:
        action = read_call(wish.call)
    except ActionError:
        return []
    if not is_short(action):
        return []
    with store.reading(f"{wish.label} {wish.call.name}"):
        return expand(action, store.inputs(action, ids)[0])


def _record_failure(wish: Wish, error: str, kind: str) -> Node:
    ids = [key for _, key in wish.parents]
    return Node(
        label=wish.label,
        id=node_id(ids, wish.call.name, wish.call.arguments),
        parents=tuple(label for label, _ in wish.parents),
        action=wish.call,
        thought=wish.thought,
        outcome="failed",
        error=error,
        kind=kind,
    )
