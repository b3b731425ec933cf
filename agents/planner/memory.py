"""The embedded planner's memory between turns: its plans and the frames they made."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, JsonValue

from wideleaf.agents.planner.scenes.derivation import PlanProposal

LEAST_LIKELY, MOST_LEFT = 0.24, 2
"""A refused reading is gone on from if it is as sure, and leaves so many words out at most."""


class Memory(BaseModel, frozen=True):
    """What the planner remembers between turns, kept as plain data in the graph's state.

    Attributes:
        plans: Its plans, best first.
        plan: The one it is at.
        labels: Labels of the frames that this plan's steps made so far.
        seen: How many nodes and moves the tree held when the last step was asked for; None if
            none was.
        asked: Whether the person was asked which reading is meant.
        done: Labels of the frames that hold an answer, by the plan's place.
        empty: The first frame that held no row.
        understood: What could be linked.
        missing: What could not.
        nearest: Of those words the columns nearest to each.
        there: How many plans there are in all; a sample of a vote has one of them.
    """

    plans: tuple[PlanProposal, ...] = ()
    plan: int = 0
    labels: tuple[str, ...] = ()
    seen: tuple[int, int] | None = None
    asked: bool = False
    done: dict[int, str] = {}
    empty: str = ""
    understood: str = ""
    missing: str = ""
    nearest: dict[str, tuple[str, ...]] = {}
    there: int = 0

    @property
    def likely(self) -> PlanProposal | None:
        """The plan that a refused question is gone on from, if few of its words are left out."""
        best = self.plans[0] if self.plans else None
        if best is None or best.empty or best.dropped or not best.steps:
            return None
        left = sum(len(one.split()) for one in best.unused)
        return best if best.confidence >= LEAST_LIKELY and left <= MOST_LEFT else None


def remarks_on(memory: Mapping[str, JsonValue], label: str) -> tuple[str, ...]:
    """What an answer begins with, of the plan that made its frame.

    Args:
        memory: The planner's own plain data, as its reply gave it; any other thinker's has none.
        label: The frame that is the answer.
    """
    if "plans" not in memory:
        return ()
    known = Memory.model_validate(memory)
    if known.empty and label == known.empty and known.plans:
        return known.plans[0].remarks
    made = [place for place, frame in known.done.items() if frame == label]
    return known.plans[min(made)].remarks if made else ()
