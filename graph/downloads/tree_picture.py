"""A picture of the tree of a conversation, drawn anew of the frames that an address names."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.tools.charts.pictures import png_of_svg
from wideleaf.tools.errors import SourceError
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

MAX_DRAWN = 60
"""Frames of a picture; of a larger tree only the way to the answer is drawn."""
LONGEST = 6_000
"""Characters of an address that any browser and server takes."""
SCALE = 1.5
"""Pixels for each one of the drawing."""


def tree_query(tree: FrameTree, label: str) -> str:
    """The part of an address that names the frames of a tree; empty where they are too many.

    Args:
        tree: The tree of a conversation, in which no step failed.
        label: Its answer.
    """
    for nodes in (tree.nodes, tree.plan(label)):
        query = urlencode([(node.label, node.id) for node in nodes])
        if len(nodes) <= MAX_DRAWN and len(query) <= LONGEST:
            return query
    return ""


def draw_tree(store: FrameStore, pairs: Sequence[tuple[str, str]], answer: str) -> bytes:
    """Draw the frames that an address names, as PNG.

    Args:
        store: Where they are.
        pairs: Label and id of each; the client could have written them.
        answer: The id of the answer's.

    Raises:
        SourceError: If the names fit no tree that was made here.
        KeyError: If a frame is not here.
        ActionError: If a frame cannot be made again.
    """
    labels = {key: label for label, key in pairs}
    recipes = {key: store.recipe(key) for key in labels}
    if len(pairs) > MAX_DRAWN or len({*labels.values()}) < len(pairs) or answer not in labels:
        raise SourceError(f"a tree is at most {MAX_DRAWN} frames, each with a label of its own")
    nodes: dict[str, Node] = {}
    todo = [*labels]
    while todo:
        ready = [key for key in todo if (r := recipes[key]) and nodes.keys() >= {*r.parents}]
        if not ready:
            raise SourceError("the frames of that tree are not here")
        for key in ready:
            recipe, table = recipes[key], store.get(key)
            assert recipe is not None
            nodes[key] = Node(
                label=labels[key],
                id=key,
                parents=tuple(labels[parent] for parent in recipe.parents),
                action=Call(name=recipe.name, arguments=recipe.arguments),
                rows=table.count(),
                columns=len(table.columns),
            )
        todo = [key for key in todo if key not in nodes]
    tree = FrameTree(nodes=tuple(nodes[key] for key in labels), head=labels[answer])
    return png_of_svg(draw_svg(tree, labels[answer], paper=True), SCALE)
