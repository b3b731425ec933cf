"""A tree that shows itself, as HTML: the drawing and a table of all steps, without any script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any, Self

from pydantic import PrivateAttr

from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.drawings.text import draw_text
from wideleaf.tools.telling.calls import UNSAID, code_html
from wideleaf.tools.telling.element import element, fold
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import printable

NODES_DRAWN = 200
"""A tree of more nodes is told as a list alone."""


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
        return draw_text(self, self._answer or None)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The drawing in words, for IPython on a terminal."""
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return tree_html(self, self._answer or None)


def tree_html(tree: FrameTree, answer: str | None = None) -> str:
    """Draw a tree as one element, for a notebook: the drawing, and all steps in a fold."""
    steps = fold("Thoughts, actions and observations", steps_table(tree, answer))
    return element(tree_figure(tree, answer), steps)


def tree_figure(tree: FrameTree, answer: str | None = None) -> str:
    """The drawing as a part of an element; a word where the tree is too large for one."""
    if len(tree.nodes) > NODES_DRAWN:
        return f"<p>A tree of {len(tree.nodes)} nodes is too large to draw here.</p>"
    return f"<figure>{draw_svg(tree, answer)}</figure>"


def steps_table(tree: FrameTree, answer: str | None = None) -> str:
    """All steps and moves in their order as a part of an element."""
    titles = ("Step", "Thought", "Action", "Observation", "Outcome")
    head = "".join(f"<th>{title}</th>" for title in titles)
    rows = "\n".join(_rows(tree, answer))
    return (
        f'<div class="frame"><table class="steps"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _rows(tree: FrameTree, answer: str | None) -> Iterator[str]:
    """Steps in the order they were made, each move of the head where it happened."""
    moves = list(enumerate(tree.moves, 1))
    goal = answer or tree.head
    dead_ends = tree.abandoned() - {node.label for node in (tree.plan(goal) if goal else ())}
    for place, node in enumerate(tree.nodes):
        while moves and moves[0][1].after <= place:
            yield _move_row(*moves.pop(0))
        yield _step_row(node, node.label == answer, node.label in dead_ends)
    yield from (_move_row(number, move) for number, move in moves)


def _step_row(node: Node, answers: bool, is_dead_end: bool) -> str:
    word = "answer" if answers else "left" if is_dead_end else node.outcome
    of = f"<br>of {_text(', '.join(node.parents))}" if node.parents else ""
    code = code_html(node.action)
    arguments = {
        k: v for k, v in node.action.arguments.items() if k not in UNSAID.get(node.action.name, ())
    }
    action = json.dumps(arguments, ensure_ascii=False)
    return (
        f"<tr><td>{_text(node.label)}</td><td>{_text(node.thought)}</td>"
        f"<td><b>{_text(node.action.name)}</b>{of}<pre>{_text(action)}</pre>{code}</td>"
        f"<td>{_text(node.description)}<pre>{_text(node.observation)}</pre></td>"
        f'<td class="{word}">{word}<pre>{_text(node.error)}</pre></td></tr>'
    )


def _move_row(number: int, move: Move) -> str:
    if move.kind == "find":
        text = f"at {_text(move.origin)}, looked for columns: {_text(move.reason)}"
        return f'<tr class="move"><td>⌕ {number}</td><td colspan="4">{text}</td></tr>'
    words = {
        "back": "went back to",
        "forced": "was sent back to",
        "repeat": "went on to the same, done before,",
    }
    return (
        f'<tr class="move"><td>↩ {number}</td><td colspan="4">from {_text(move.origin)} the head '
        f"{words[move.kind]} {_text(move.target)}: {_text(move.reason)}</td></tr>"
    )


def _text(text: str) -> str:
    return escape(printable(text))
