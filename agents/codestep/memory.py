"""What the thinker of CodeSTEP remembers between turns: its program, its frames and its tries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, JsonValue

from wideleaf.agents.craft_task import Try
from wideleaf.tools.tree.tree import FrameTree, Node


class Memory(BaseModel, frozen=True):
    """Plain data of a run.

    Attributes:
        program: The program under way, in the one form of `steps.Program.code`; empty where it
            is to be written.
        labels: By result the labels of the frames of its calls, the last that of the result.
        tries: Programs that did not do, and why.
        more: How many programs may be written beyond the usual tries.
        offered: The label of the frame that was just offered as the answer.
        fallback: The label of the frame to offer if no better program can be had.
        objection: What the critic had against it.
        columns_asked: Whether it was asked which column of rows is the answer.
    """

    program: str = ""
    labels: dict[str, tuple[str, ...]] = {}
    tries: tuple[Try, ...] = ()
    more: int = 0
    offered: str = ""
    fallback: str = ""
    objection: str = ""
    columns_asked: bool = False

    @property
    def plain(self) -> dict[str, JsonValue]:
        """As the state keeps it."""
        return self.model_dump(mode="json")

    def failed(self, code: str, error: str) -> Self:
        """The same after a program that did not do."""
        tries = (*self.tries, Try(code=code, error=error))
        return self.model_copy(update={"tries": tries, "program": "", "labels": {}, "offered": ""})

    def written(self, program: str) -> Self:
        """The same with a new program, of which nothing was done."""
        return self.model_copy(update={"program": program, "labels": {}})

    def sent(self, labels: Mapping[str, tuple[str, ...]]) -> Self:
        """The same with the labels of what was sent off."""
        return self.model_copy(update={"labels": {**self.labels, **labels}})


class Progress:
    """How far a program has come, read off the tree.

    Args:
        memory: What was sent off.
        tree: What was made of it.
        aliases: Labels whose frame had been made before, and its label.
    """

    def __init__(self, memory: Memory, tree: FrameTree, aliases: Mapping[str, str]) -> None:
        self.memory = memory
        self.tree = tree
        self.aliases = aliases

    def node(self, label: str) -> Node | None:
        """The node of a label, or of the frame that it repeats; None if there is none yet."""
        return self.tree.by_label.get(self.aliases.get(label, label))

    def result(self, name: str) -> Node | None:
        """The node of a result that is there."""
        labels = self.memory.labels.get(name, ())
        node = self.node(labels[-1]) if labels else None
        return node if node is not None and node.outcome == "ok" else None

    def failure(self, name: str) -> Node | None:
        """The node in which a step failed."""
        nodes = map(self.node, self.memory.labels.get(name, ()))
        return next((node for node in nodes if node is not None and node.outcome != "ok"), None)

    def done(self) -> dict[str, str]:
        """By result the label of its frame, of those that are there."""
        found = {name: self.result(name) for name in self.memory.labels}
        return {name: node.label for name, node in found.items() if node is not None}

    def sizes(self) -> str:
        """How many rows each result has that is there, which tells where a plan ran dry."""
        found = {name: self.result(name) for name in self.memory.labels}
        told = [
            f"{name} {node.rows} row{'s' * (node.rows != 1)}"
            for name, node in found.items()
            if node is not None and node.rows is not None
        ]
        return f"; it had made {', '.join(told)}" if told else ""
