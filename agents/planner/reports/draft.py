"""A draft of a report's plan: steps as they are added, and the frames they make."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.tools.tree.call import Call


class Draft:
    """Steps over one table.

    Args:
        label: The table's.

    Attributes:
        frame: The rows that are worked on.
        whole: The rows before outliers were taken out.
    """

    def __init__(self, label: str) -> None:
        self.frame = self.whole = label
        self.marked = ""
        self.steps: list[Call] = []
        self._thoughts: list[str] = []

    def add(
        self, action: str, thought: str, arguments: Mapping[str, JsonValue], on: str = ""
    ) -> str:
        """Add a step.

        Args:
            action: What is done.
            thought: Why.
            arguments: With what.
            on: The frame it is done to; by default the rows that are worked on.

        Returns:
            The label of the frame it makes.
        """
        inputs: dict[str, JsonValue] = {} if "left" in arguments else {"table": on or self.frame}
        call = Call(name=action, arguments={**inputs, **arguments})
        for place, known in enumerate(self.steps):
            if known == call:
                return f"${place}"
        self.steps.append(call)
        self._thoughts.append(thought)
        return f"${len(self.steps) - 1}"

    def plan(self, confidence: float, reading: str) -> PlanProposal:
        """The plan, whose last frame is the answer."""
        return PlanProposal(
            steps=tuple(self.steps),
            thoughts=tuple(self._thoughts),
            confidence=confidence,
            reading=reading,
            tallies=True,
        )
