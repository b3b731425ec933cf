"""Suppositions: a refused question as it was likeliest meant, for messages that go on from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from wideleaf.agents.conversation.remarks import is_assent
from wideleaf.agents.planner.proposals import Proposals
from wideleaf.agents.planner.replies import Memory
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.agents.turn import View
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import INPUTS, Trial, bare, labels
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import FrameTree, Node

MARK = "¶"
"""Before the number of a frame that is only supposed; no label in a tree is like it."""
SUPPOSED = 0.5
"""So much of its sureness has what goes on from a question that was refused."""
AGREED = 0.6
"""So sure a reading is that leaves words out and that the person agreed to."""


class Supposition(NamedTuple):
    """A conversation as if its last question had been answered in the likeliest way.

    Attributes:
        view: The message over the tree in which the frames of that plan stand, too.
        tables: Gives the frame of a node's id, of those frames, too.
        plan: That plan.
        said: The question that was refused.
    """

    view: View
    tables: Callable[[str], Table]
    plan: PlanProposal
    said: str

    def saying(self, message: str) -> Supposition:
        """The same with other words of the person's."""
        return self._replace(view=self.view.model_copy(update={"question": message}))


def likely_plan(memory: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The plan that a refused question is gone on from, as plain data; empty if there is none.

    Args:
        memory: The planner's own plain data, as its last reply gave it; any other thinker's has
            none.
    """
    if "plans" not in memory:
        return {}
    best = Memory.model_validate(memory).likely
    if best is None:
        return {}
    plain: dict[str, JsonValue] = best.model_dump(mode="json")
    return plain


def suppose(
    view: View, tables: Callable[[str], Table], profile: Profile = "standard"
) -> Supposition | None:
    """The conversation as if its last question had been answered; None where it was, or can't be.

    Args:
        view: The message, and what was said before it.
        tables: Gives the frame of a node's id.
        profile: What actions mean.
    """
    last = view.past[-1] if view.past else None
    if last is None or last.label or not last.likely:
        return None
    try:
        plan = PlanProposal.model_validate(last.likely)
        tree, frames = _carry_out(plan, view.tree, tables, profile)
    except (ActionError, ValidationError, LookupError, ValueError):
        return None  # tables, or what actions mean, are others now, or a client made it up
    supposed = last.model_copy(
        update={"label": tree.head, "reading": plan.reading, "confidence": plan.confidence}
    )
    grown = view.model_copy(update={"tree": tree, "past": (*view.past[:-1], supposed)})
    return Supposition(
        grown, lambda key: frames[key] if key in frames else tables(key), plan, last.said
    )


def _carry_out(
    plan: PlanProposal, tree: FrameTree, tables: Callable[[str], Table], profile: Profile
) -> tuple[FrameTree, dict[str, Table]]:
    """The tree with a plan's frames, and those by their ids.

    Raises:
        ActionError: If a step does not fit.
        LookupError: If it starts from a frame that there is no more.
        ValueError: If a step makes a frame of none: what a client hands in opens nothing.
    """
    if not all(labels(step) for step in plan.steps):
        raise ValueError("a step of a supposed plan has no input")
    starts = {name for step in plan.steps for name in labels(step) if not name.startswith("$")}
    trial = Trial({name: tables(tree[name].id) for name in starts}, profile)
    frames: dict[str, Table] = {}
    for place, step in enumerate(plan.steps):
        parents = tuple(f"{MARK}{one[1:]}" if one.startswith("$") else one for one in labels(step))
        action = bare(step)
        ids = [tree[name].id for name in parents]
        label, key = f"{MARK}{place}", node_id(ids, action.name, action.arguments)
        frames[key] = trial.run(plan.steps[: place + 1])
        thought = plan.thoughts[place]
        tree = tree.grow(Node(label=label, id=key, parents=parents, action=action, thought=thought))
    return tree, frames


def agree(supposition: Supposition) -> Proposals:
    """What there is to a message that agrees with the reading of a refused question."""
    message, plan = supposition.view.question, supposition.plan
    if not is_assent(message):
        return Proposals()
    agreed = plan.model_copy(
        update={
            "confidence": AGREED,
            "reading": f"{plan.reading}, as was agreed to",
            "remarks": tuple(one for one in plan.remarks if not one.startswith("Not used")),
            "unused": (),
        }
    )
    return Proposals(plans=(agreed,), understood=plan.reading)


def stand_on(supposition: Supposition, reading: Proposals) -> Proposals:
    """Plans over supposed frames as plans that make those frames first, and say so.

    Args:
        supposition: The conversation as it was read.
        reading: What there is to the message in it.
    """
    return reading.model_copy(
        update={"plans": tuple(_prepend_steps(plan, supposition) for plan in reading.plans)}
    )


def _prepend_steps(plan: PlanProposal, supposition: Supposition) -> PlanProposal:
    names = [name for step in plan.steps for name in labels(step) if name.startswith(MARK)]
    before = supposition.plan
    ahead = max((int(name.removeprefix(MARK)) + 1 for name in names), default=0)
    steps = [*before.steps[:ahead], *(_shift_inputs(step, ahead) for step in plan.steps)]
    rest = ", ".join(f"'{' '.join(one.split())}'" for one in before.unused)
    note = f"{supposition.said!r} was refused; it is taken here as {before.reading}"
    remark = f"{note}, without {rest}." if rest else f"{note}."
    return plan.model_copy(
        update={
            "steps": tuple(steps),
            "thoughts": (*before.thoughts[:ahead], *plan.thoughts),
            "confidence": round(SUPPOSED * plan.confidence, 3),
            "remarks": (remark, *plan.remarks),
        }
    )


def _shift_inputs(step: Call, ahead: int) -> Call:
    """A step behind so many others."""
    arguments = dict(step.arguments)
    for name in INPUTS:
        place = str(arguments.get(name, ""))
        if place.startswith("$"):
            arguments[name] = f"${int(place[1:]) + ahead}"
        elif place.startswith(MARK):
            arguments[name] = f"${place.removeprefix(MARK)}"
    return Call(name=step.name, arguments=arguments)
