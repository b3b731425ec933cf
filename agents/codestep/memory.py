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
        self.nodes = {
            name: [tree.by_label.get(aliases.get(label, label)) for label in labels]
            for name, labels in memory.labels.items()
        }

    @property
    def results(self) -> dict[str, Node]:
        """The nodes of the results that are there."""
        last = {name: nodes[-1] for name, nodes in self.nodes.items() if nodes}
        return {name: node for name, node in last.items() if node and node.outcome == "ok"}

    def failure(self, name: str) -> Node | None:
        """The node in which a step failed."""
        return next((n for n in self.nodes.get(name, ()) if n and n.outcome != "ok"), None)

    def sizes(self) -> str:
        """How many rows each result has that is there, which tells where a plan ran dry."""
        rows = {name: node.rows for name, node in self.results.items() if node.rows is not None}
        told = ", ".join(f"{name} {count} row{'s' * (count != 1)}" for name, count in rows.items())
        return f"; it had made {told}" if told else ""
