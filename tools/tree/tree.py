"""The tree of frames: an append-only record of every step, in which the head may move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id

Outcome = Literal["ok", "failed", "stopped"]
MoveKind = Literal["back", "forced", "repeat", "find"]


class Request(BaseModel):
    """A call as it was written, with the labels of its input frames."""

    model_config = ConfigDict(frozen=True)

    call: Call
    parents: tuple[str, ...] = ()


class Node(BaseModel):
    """One step and the frame it made, or failed to make (TSO, section 3.3).

    Attributes:
        label: What people and models say: a table's name for a leaf, else T1, T2, ...
        id: Hash of the lineage, see `lineage.node_id`.
        parents: Labels of the input nodes, in the action's order; none for a leaf.
        action: The resolved action; of a failed step, the action as it was asked for.
        thought: Why it was done.
        observation: What was seen, already cut to what the privacy level lets out.
        description: What the frame holds, in the words of a model that described it; of a leaf
            those kept of the table; empty where none was asked.
        outcome: ``stopped`` is a time-out or a cancelled step; it is never "tried before".
        error: The message, where the outcome is not ok.
        kind: The kind of the error; two of one kind at one head force a backtrack.
        rows: Number of rows of the frame; None if it was not counted.
        columns: Number of columns of the frame.
        caveats: What the person who reads the answer should know of this step, as far as the
            privacy level lets it out; `tools.steps.caveats` tells all of it.
        request: The call that was written, where it was short for several steps of which this is
            the last.
    """

    model_config = ConfigDict(frozen=True)

    label: str
    id: str
    parents: tuple[str, ...] = ()
    action: Call
    thought: str = ""
    observation: str = ""
    description: str = ""
    outcome: Outcome = "ok"
    error: str = ""
    kind: str = ""
    rows: int | None = None
    columns: int | None = None
    caveats: tuple[str, ...] = ()
    request: Request | None = None

    @property
    def told(self) -> Request:
        """The call that people and models are told of: the one that was written."""
        return self.request or Request(call=self.action, parents=self.parents)


class Move(BaseModel):
    """The head moved without a new frame.

    Attributes:
        kind: ``back`` was chosen, ``forced`` was the graph's own, ``repeat`` went to the frame
            that the same action had made before; ``find`` looked for columns, and the head stayed.
        origin: Label the head left.
        target: Label the head went to.
        reason: Why; of a find, the words that were looked for.
        after: How many nodes the tree held then, so that the order of events is known.
    """

    model_config = ConfigDict(frozen=True)

    kind: MoveKind
    origin: str
    target: str
    reason: str
    after: int


class FrameTree(BaseModel):
    """All nodes in the order they grew, the head, and the head's moves.

    Nothing is ever deleted or altered; every change is a new tree.
    """

    model_config = ConfigDict(frozen=True)

    nodes: tuple[Node, ...] = ()
    head: str = ""
    moves: tuple[Move, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        # A tree that comes from a file must not send a walk along parents into a circle.
        labels: set[str] = set()
        for node in self.nodes:
            if node.label in labels or not labels.issuperset(node.parents):
                raise ValueError(f"node {node.label!r} stands twice or before a parent of it")
            labels.add(node.label)
        ends = [self.head, *(end for move in self.moves for end in (move.origin, move.target))]
        if unknown := [label for label in ends if label and label not in labels]:
            raise ValueError(f"head or move at {unknown[0]!r}, which is not a node of the tree")
        return self

    @cached_property
    def by_label(self) -> dict[str, Node]:
        """Nodes by their label."""
        return {node.label: node for node in self.nodes}

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The first node that was not merely stopped, by lineage id; one with a frame wins."""
        nodes: dict[str, Node] = {}
        for outcome in ("ok", "failed"):
            for node in self.nodes:
                if node.outcome == outcome:
                    nodes.setdefault(node.id, node)
        return nodes

    @cached_property
    def leaves(self) -> tuple[Node, ...]:
        """The raw tables."""
        return tuple(node for node in self.nodes if not node.parents and node.outcome == "ok")

    def __getitem__(self, label: str) -> Node:
        """The node of a label.

        Raises:
            KeyError: If there is none; names the labels there are.
        """
        if label not in self.by_label:
            raise KeyError(f"no node {label!r}; the tree has {', '.join(self.by_label) or 'none'}")
        return self.by_label[label]

    def __repr__(self) -> str:
        back = sum(move.kind in ("back", "forced") for move in self.moves)
        went = f", {back} times gone back" if back else ""
        return f"<FrameTree of {len(self.nodes)} nodes, the head at {self.head or 'none'}{went}>"

    def __str__(self) -> str:
        return repr(self)

    def grow(self, node: Node) -> Self:
        """Add a node; the head follows it if it is ok.

        Raises:
            ValueError: If the label is taken, or a parent is missing or has no frame.
        """
        if node.label in self.by_label:
            raise ValueError(f"label {node.label!r} is taken by {self[node.label].action.name}")
        for parent in node.parents:
            if parent not in self.by_label:
                raise ValueError(f"{node.label!r} has parent {parent!r}, which is not in the tree")
            if node.outcome == "ok" and self[parent].outcome != "ok":
                raise ValueError(f"{node.label!r} has parent {parent!r}, which has no frame")
        head = node.label if node.outcome == "ok" else self.head
        return self.model_copy(update={"nodes": (*self.nodes, node), "head": head})._fresh()

    def back(self, label: str, reason: str, kind: MoveKind = "back") -> Self:
        """Move the head to an earlier node; the branch it leaves stays.

        Raises:
            ValueError: If the label is unknown or its node has no frame.
        """
        if label not in self.by_label or self[label].outcome != "ok":
            there = [node.label for node in self.nodes if node.outcome == "ok"]
            raise ValueError(f"cannot go back to {label!r}; frames are {', '.join(there)}")
        move = Move(kind=kind, origin=self.head, target=label, reason=reason, after=len(self.nodes))
        return self.model_copy(update={"head": label, "moves": (*self.moves, move)})._fresh()

    def path(self, label: str) -> tuple[Node, ...]:
        """From a leaf to the node, along first parents."""
        steps = [self[label]]
        while steps[-1].parents:
            steps.append(self[steps[-1].parents[0]])
        return tuple(reversed(steps))

    def plan(self, label: str) -> tuple[Node, ...]:
        """The minimal sub-DAG that makes a node, parents before children.

        This order is TSO's sequence; `from_sequence` gives the same ids back.
        """
        needed: set[str] = set()
        stack = [label]
        while stack:
            node = self[stack.pop()]
            if node.label not in needed:
                needed.add(node.label)
                stack.extend(node.parents)
        return tuple(node for node in self.nodes if node.label in needed)

    def children(self, label: str) -> tuple[Node, ...]:
        """Nodes that have this one as a parent, failed tries included."""
        return tuple(node for node in self.nodes if label in node.parents)

    def abandoned(self) -> frozenset[str]:
        """Labels of frames that a move left and that nothing came back to since.

        Growing on a frame or moving to one takes it, and all it was made of, up again; the raw
        tables are never abandoned.
        """
        if not self.moves:
            return frozenset()
        exits: dict[str, tuple[int, int]] = {}
        uses: dict[str, tuple[int, int]] = {}
        for order, node in enumerate(self.nodes, 1):
            if node.outcome == "ok":
                uses[node.label] = (order, 0)
        for order, move in enumerate(self.moves, 1):
            uses[move.target] = (move.after, order)
            if move.kind != "repeat" and move.origin:
                exits[move.origin] = (move.after, order)
        for node in reversed(self.nodes):  # what befalls a frame befalls all it was made of
            for events in (exits, uses):
                if node.outcome == "ok" and node.label in events:
                    for parent in node.parents:
                        events[parent] = max(events[node.label], events.get(parent, (0, 0)))
        labels = (label for label in exits if exits[label] > uses.get(label, (0, 0)))
        return frozenset(label for label in labels if self[label].parents)

    @classmethod
    def from_sequence(cls, steps: Iterable[tuple[str, Call, Sequence[str]]]) -> Self:
        """Build a tree from a sequence of (label, resolved action, parent labels)."""
        tree = cls()
        for label, action, parents in steps:
            ids = [tree[parent].id for parent in parents]
            tree = tree.grow(
                Node(
                    label=label,
                    id=node_id(ids, action.name, action.arguments),
                    parents=tuple(parents),
                    action=action,
                )
            )
        return tree

    def _fresh(self) -> Self:
        # model_copy keeps cached properties of the old value.
        for name in ("by_label", "by_id", "leaves"):
            self.__dict__.pop(name, None)
        return self
