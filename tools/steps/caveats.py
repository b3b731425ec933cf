"""Caveats of a plan: what the person who reads an answer should know, at every privacy level.

A node of the tree holds those caveats that may leave this machine, for a tree travels. A person
reads the answer here, where the cells are, and so is told the others, too: which values of a
column words were taken for, how much of the variance a component explains, how good a prediction
is. No request to a model is made of what these functions give.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue

from wideleaf.tools.steps.step import read_call
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.tree import FrameTree, Node


def plan_caveats(tree: FrameTree, label: str, store: FrameStore) -> list[str]:
    """The caveats of all steps that made a frame, in their order, each once.

    Args:
        tree: The tree.
        label: The frame's node.
        store: The frames; what was not kept of a step is noted again from its frames.

    Raises:
        ActionError: If memory does not suffice to note it again.
    """
    ids = {node.label: node.id for node in tree.nodes}
    caveats: dict[str, None] = {}
    for node in tree.plan(label):
        if node.parents and node.outcome == "ok" and store.told(node.id) is None:
            store.tell(
                node.id, _note_caveats(node, [ids[parent] for parent in node.parents], store)
            )
        caveats |= dict.fromkeys([*(store.told(node.id) or ()), *node.caveats])
    return list(caveats)


def guess_values(nodes: Iterable[Node]) -> bool:
    """Whether steps compare with values that whoever wrote them did not know.

    No cell was what they say, so that the nearest one was taken or no row is left, or a text could
    not be read in the format that they name.
    """
    return any(
        _is_meant(node.action.arguments)
        or (node.parents and node.rows == 0)
        or node.kind == "nothing reads"
        for node in nodes
    )


def _is_meant(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return bool(value.get("meant")) or any(map(_is_meant, value.values()))
    return isinstance(value, list) and any(map(_is_meant, value))


def _note_caveats(node: Node, parents: list[str], store: FrameStore) -> tuple[str, ...]:
    action = store.bound(read_call(node.action))
    facts = action.notes(store.inputs(action, parents), store.get(node.id))
    return tuple(fact.text for fact in facts if fact.caveat)
