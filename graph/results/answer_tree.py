"""The tree of a result, which knows its answer and shows itself: as a drawing, or in words."""

from __future__ import annotations

from typing import Any, Self

from pydantic import PrivateAttr

from wideleaf.tools.tree.tree import FrameTree


class AnswerTree(FrameTree):
    """A tree of frames with the label of the answer in it; equal to the same tree without."""

    _answer: str = PrivateAttr(default="")

    @classmethod
    def of(cls, tree: FrameTree, answer: str) -> Self:
        """The same tree, drawn towards an answer; an empty label is none."""
        instance = cls.model_construct(nodes=tree.nodes, head=tree.head, moves=tree.moves)
        instance._answer = answer if answer in tree.by_label else ""
        return instance

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrameTree):
            return NotImplemented
        here = (self.nodes, self.head, self.moves)
        return here == (other.nodes, other.head, other.moves)

    def __str__(self) -> str:
        from wideleaf.graph.drawings.text import draw_text

        return draw_text(self, self._answer or None)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The drawing in words, for IPython on a terminal."""
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        from wideleaf.graph.drawings.page import tree_html

        return tree_html(self, self._answer or None)
