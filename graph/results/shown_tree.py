"""The tree of a result as a notebook and a terminal show it: its drawing, and one line."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from wideleaf.tools.tree.tree import FrameTree

NODES_DRAWN = 200
"""A larger tree is told as text."""


class ShownTree(FrameTree):
    """A tree of frames that draws itself."""

    def __repr__(self) -> str:
        back = sum(move.kind in ("back", "forced") for move in self.moves)
        went = f", {back} times gone back" if back else ""
        return f"<FrameTree of {len(self.nodes)} nodes, the head at {self.head or 'none'}{went}>"

    def __str__(self) -> str:
        from wideleaf.graph.drawings.text import draw_text

        return draw_text(self, self.head or None)

    def _repr_html_(self) -> str:
        from html import escape

        from wideleaf.graph.drawings.svg import draw_svg

        if len(self.nodes) > NODES_DRAWN:
            return f"<pre>{escape(str(self))}</pre>"
        return f'<div style="overflow-x:auto">{draw_svg(self, self.head or None)}</div>'


def _shown(tree: FrameTree) -> FrameTree:
    return ShownTree.model_construct(nodes=tree.nodes, head=tree.head, moves=tree.moves)


Tree = Annotated[FrameTree, AfterValidator(_shown)]
"""A field of it takes any tree and shows it."""
