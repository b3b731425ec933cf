"""The lines of a plan: what one call was short for is one line, told as what was meant by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.telling.observations import (
    CALL_CHARACTERS,
    INPUTS,
    asked_text,
    label_text,
    leads_to,
)
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.tree import Node


class PlanLine(NamedTuple):
    """A step, and the frames with a letter that lead to it where its call was short for several.

    Attributes:
        node: The step.
        parts: Those before it, in order.
    """

    node: Node
    parts: tuple[Node, ...] = ()

    @property
    def text(self) -> str:
        """The call: of several steps the one that was meant, such as the filter behind a join."""
        if not self.parts:
            return asked_text(self.node)
        joins = any(part.action.name == "Join" for part in self.parts)
        # What follows the step that was meant only takes away the columns that were joined for it.
        meant = self.parts[-1] if joins and self.node.action.name == "Select" else self.node
        own = {part.label for part in self.parts}
        behind = (*self.parts, self.node)
        inputs = [one for node in behind for one in node.parents if one not in own]
        of = ", ".join(map(label_text, list(dict.fromkeys(inputs))[:INPUTS]))
        call = call_text(to_model_call(meant.action), CALL_CHARACTERS, meant.parents)
        first, last = (label_text(self.parts[end].label) for end in (0, -1))
        by = f"by {first}" if first == last else f"by {first} to {last}"
        return f"{label_text(self.node.label)} = {call} of {of} ({by})"


def plan_lines(steps: Sequence[Node]) -> list[PlanLine]:
    """The steps of a plan, oldest first, with those that a call was short for taken together."""
    labels = {node.label for node in steps}
    parts: dict[str, list[Node]] = {}
    for node in steps:
        if step := leads_to(node.label, labels):
            parts.setdefault(step, []).append(node)
    told = {part.label for listed in parts.values() for part in listed}
    return [
        PlanLine(node, tuple(parts.get(node.label, ()))) for node in steps if node.label not in told
    ]
