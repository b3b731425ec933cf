"""A tree of frames as text: the way to the answer is a straight line, branches stand beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wideleaf.tools.telling.calls import call_text, code_of, shape_text
from wideleaf.tools.tree.tree import FrameTree, Move, Node
from wideleaf.tools.words import one_line

LABEL_CHARACTERS = 40
CALL_CHARACTERS = 64
NOTE_CHARACTERS = 76
BOLD, DIM, RED = "1", "2", "31"


class DrawingLine(NamedTuple):
    """One line: the drawing, what is said beside it, and an ANSI style."""

    left: str
    right: str = ""
    style: str = ""


class TreeSketch:
    """A tree and what of it leads to the answer."""

    def __init__(self, tree: FrameTree, answer: str | None) -> None:
        goal = answer or tree.head
        self.tree = tree
        self.answer = answer
        self.spine = {node.label for node in tree.path(goal)} if goal else set()
        self.way = {node.label for node in tree.plan(goal)} if goal else set()
        self.under: dict[str, list[Node]] = {}
        for node in tree.nodes:
            self.under.setdefault(node.parents[0] if node.parents else "", []).append(node)

    def rows(self) -> Iterator[DrawingLine]:
        """All rows; the answer's own root comes last, so that its line runs on to the end."""
        roots = sorted(self.under.get("", ()), key=lambda node: node.label in self.spine)
        for place, root in enumerate(roots):
            if place:
                yield DrawingLine("")
            yield from self.column(root, "", "")

    def column(self, start: Node, lead: str, indent: str) -> Iterator[DrawingLine]:
        """Rows of a node, of what hangs beside it, and of what goes straight on from it."""
        node: Node | None = start
        while node:
            yield self.row(node, lead)
            below = self.under.get(node.label, [])
            frames = [child for child in below if child.outcome == "ok"]
            onward = next((child for child in frames if child.label in self.spine), None)
            onward = onward or (frames[-1] if frames else None)
            beside: list[Node | Move] = [child for child in below if child is not onward]
            beside += [move for move in self.tree.moves if move.origin == node.label]
            for place, entry in enumerate(beside, 1):
                last = onward is None and place == len(beside)
                corner, beam = ("└─", "  ") if last else ("├─", "│ ")
                if isinstance(entry, Move):
                    yield DrawingLine(f"{indent}{corner}{_move(entry)}", _note(entry.reason), DIM)
                else:
                    yield from self.column(entry, indent + corner, indent + beam)
            node, lead = onward, indent

    def row(self, node: Node, lead: str) -> DrawingLine:
        """One node."""
        others = ", ".join(_label(parent) for parent in node.parents[1:])
        call = call_text(node.action, CALL_CHARACTERS, node.parents, short=True)
        left = f"{_label(node.label)} {call}"
        left += f" with {others}" if others else ""
        if node.outcome != "ok":
            mark, style = ("✗", RED) if node.outcome == "failed" else ("◌", DIM)
            return DrawingLine(f"{lead}{mark} {left}", _note(node.error or node.outcome), style)
        right = shape_text(node)
        right += f"  {_note(node.description)}" if node.description else ""
        if node.label == self.answer:
            return DrawingLine(f"{lead}◆ {left}", f"{right}  answer", BOLD)
        right += "  head" if node.label == self.tree.head and not self.answer else ""
        on_way = node.label in self.way
        return DrawingLine(f"{lead}{'●' if on_way else '○'} {left}", right, "" if on_way else DIM)


def draw_text(tree: FrameTree, answer: str | None = None, *, color: bool = False) -> str:
    """Draw a tree with box-drawing characters, oldest at the top.

    Args:
        tree: The tree.
        answer: Label of the answer; without one the way to the head is the straight line.
        color: Whether to use ANSI colours.

    Returns:
        One line a node or move: ``◆`` the answer, ``●`` a frame on the way to it, ``○`` another
        frame, ``✗`` a failed and ``◌`` a stopped try, ``↩`` the head moving, ``⌕`` a look
        for columns.
    """
    rows = list(TreeSketch(tree, answer).rows())
    width = max((len(row.left) for row in rows), default=0)
    lines = [
        (f"{row.left.ljust(width)}  {row.right}".rstrip(), row.style if color else "")
        for row in rows
    ]
    return "\n".join(f"\033[{style}m{line}\033[0m" if style else line for line, style in lines)


def codes_text(tree: FrameTree) -> list[str]:
    """The code that a model wrote for each step, under the step's label and task."""
    blocks = []
    for node in tree.nodes:
        if code := code_of(node.action):
            call = call_text(node.action, 2 * CALL_CHARACTERS, node.parents, short=True)
            lines = [f"{_label(node.label)} {call}"]
            blocks.append("\n".join([*lines, *(f"  {line}" for line in code.splitlines())]))
    return blocks


def _label(label: str) -> str:
    return one_line(label, LABEL_CHARACTERS)


def _note(text: str) -> str:
    return one_line(text, NOTE_CHARACTERS)


def _move(move: Move) -> str:
    if move.kind == "find":
        return "⌕ looked for columns"
    word = {"back": "back to", "forced": "sent back to", "repeat": "done before as"}[move.kind]
    return f"↩ {word} {_label(move.target)}"
