"""Findings against a frame that a thinker gives as the answer, and what a check may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.actions.window import Window
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree, Node

ANALYSES = frozenset((
    "PCA", "Cluster", "Predict", "Anomaly", "Correlate", "Associate", "Test", "Fit", "Trend",
    "Runs", "Bin", "Normalise", "Impute", "Describe", "Chart",
))  # fmt: skip
"""Actions with aggregates and words of their own."""


class Finding(NamedTuple):
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


@dataclass(frozen=True)
class Candidate:
    """A frame that is given as the answer, as the checks see it.

    Attributes:
        text: The user's words.
        tree: Everything done so far.
        label: The frame.
        table_of: Gives the frame of a label.
        foreign_keys: Declared keys between the tables of the run.
        profile: What actions mean in this run.
        drawn: Whether it is shown as a chart, in which who looks sees more than one value.
    """

    text: str
    tree: FrameTree
    label: str
    table_of: Callable[[str], Table]
    foreign_keys: tuple[Link, ...] = ()
    profile: Profile = "standard"
    drawn: bool = False

    @cached_property
    def question(self) -> Question:
        """The user's words, read once."""
        return Question(self.text)

    @property
    def node(self) -> Node:
        """The node of the frame."""
        return self.tree[self.label]

    @property
    def table(self) -> Table:
        """The frame."""
        return self.table_of(self.label)

    @cached_property
    def plan(self) -> tuple[Node, ...]:
        """What made it, parents before children."""
        return self.tree.plan(self.label)

    @cached_property
    def leaves(self) -> tuple[Node, ...]:
        """The raw tables that it was made of."""
        return tuple(leaf for leaf in self.tree.leaves if leaf in self.plan)

    @cached_property
    def headers(self) -> frozenset[str]:
        """The columns of all raw tables of the run."""
        return frozenset(c for leaf in self.tree.leaves for c in self.table_of(leaf.label).columns)

    @cached_property
    def is_analysis(self) -> bool:
        """Whether a step has words of its own, or the frame is shown as a chart."""
        return self.drawn or any(node.action.name in ANALYSES for node in self.plan)

    def parent(self, node: Node) -> Node:
        """The node that a step is made of, of several the first."""
        return self.tree[node.parents[0]]

    def above(self, label: str) -> Iterator[Node]:
        """A node and those it was made of row by row, up to the first that is something else."""
        node = self.tree[label]
        yield node
        while _passes(node.action.name) and node.parents:
            node = self.parent(node)
            yield node


def _passes(name: str) -> bool:
    """Whether an action makes no row out of several: one row in is one row out, or none."""
    action = find_action(name)
    return "rows" in action.keeps or action is Window


Check = Callable[[Candidate], Iterator[Finding]]
