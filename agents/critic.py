"""The critic: looks at a frame before it is given as the answer."""

from __future__ import annotations

from wideleaf.tools.tree import FrameTree


def review(tree: FrameTree, label: str) -> str:
    """Object to a frame that can hardly be the answer.

    Args:
        tree: The tree.
        label: The frame offered.

    Returns:
        The objection, with what would be better; empty if there is none.
    """
    node = tree[label]
    if not node.parents and len(tree.nodes) == len(tree.leaves) and (node.rows or 0) > 1:
        return f"{label} is a raw table; apply the actions that the question asks for"
    if node.rows == 0:
        return "it has no rows; check the conditions, or say in a note that nothing matches"
    return ""
