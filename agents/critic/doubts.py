"""Doubts about a frame that is offered as the answer, and what a check may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.actions.window import Window
from wideleaf.tools.sources.parts import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree, Node


class Doubt(NamedTuple):
    """One thing that speaks against a frame.

    Attributes:
        text: What a model may be told at every privacy level: names, counts of rows and the
            literals of its own plan, never a cell.
        objects: Whether the frame goes back to the thinker for it; else it is only reported.
        caveat: What the person is told, who may see cells; the text if empty.
        reading: Whether it is about how the question is read, so that another plan that gives
            the same result settles it.
        by_note: Whether a note of the answer mends it; then it is no objection to one with a note.
        by_model: Whether a model has it; then it is told beside those of the checks.
    """

    text: str
    objects: bool = True
    caveat: str = ""
    reading: bool = False
    by_note: bool = False
    by_model: bool = False

    @property
    def told(self) -> str:
        """What the person is told."""
        return self.caveat or self.text


class Offer(NamedTuple):
    """An offered answer, as the checks see it.

    Attributes:
        question: The user's words.
        tree: Everything done so far.
        label: The frame offered.
        table_of: Gives the frame of a label.
        foreign_keys: Declared keys between the tables of the run.
        profile: What actions mean in this run.
        drawn: Whether it is shown as a chart, in which who looks sees more than one value.
    """

    question: str
    tree: FrameTree
    label: str
    table_of: Callable[[str], Table]
    foreign_keys: tuple[Link, ...] = ()
    profile: Profile = "standard"
    drawn: bool = False

    @property
    def node(self) -> Node:
        """The node offered."""
        return self.tree[self.label]

    @property
    def table(self) -> Table:
        """The frame offered."""
        return self.table_of(self.label)

    @property
    def plan(self) -> tuple[Node, ...]:
        """What made it, parents before children."""
        return self.tree.plan(self.label)

    def above(self, label: str) -> Iterator[Node]:
        """A node and those it was made of row by row, up to the first that is something else."""
        node = self.tree[label]
        yield node
        while _passes(node.action.name) and node.parents:
            node = self.tree[node.parents[0]]
            yield node


def _passes(name: str) -> bool:
    """Whether an action makes no row out of several: one row in is one row out, or none."""
    action = find_action(name)
    return "rows" in action.keeps or action is Window


DoubtCheck = Callable[[Offer], Iterator[Doubt]]
