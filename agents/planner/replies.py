"""Replies of the embedded planner: a plan's next step, another plan, the answer, what lacks."""

from __future__ import annotations

from pydantic import JsonValue

from wideleaf.agents.planner.memory import Memory
from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.agents.turn import Reply, View
from wideleaf.tools.actions.get import Get
from wideleaf.tools.steps.trial import INPUTS
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

FRAMES = (*INPUTS, *Get.inputs, *Get.optional)
"""Arguments of a plan's steps that name frames."""
RIVAL = 0.75
"""Another answer with so much of the best one's confidence is worth a question to the person."""


def settle(view: View, memory: Memory) -> Reply:
    """Offer the answer; first try a rival that is as likely, and let the person choose."""
    first = min(memory.done)
    best = memory.plans[first]
    # Two readings may come to one frame; and who was asked once, and chose none, is not again.
    if len(set(memory.done.values())) > 1 and not memory.asked:
        readings: list[JsonValue] = [memory.plans[place].reading for place in memory.done]
        frames: list[JsonValue] = list(memory.done.values())
        asked = Call(
            name="Ask",
            arguments={"question": "Which is meant?", "readings": readings, "tables": frames},
        )
        later = memory.model_copy(update={"asked": True})
        return reply(later, "Both readings are as likely.", asked, best)
    rival = (
        None
        if best.empty or len(memory.done) > 1
        else next(
            (
                place
                for place in range(first + 1, len(memory.plans))
                if not memory.plans[place].same
                and memory.plans[place].confidence >= RIVAL * best.confidence
            ),
            None,
        )
    )
    if rival is not None:
        return take_plan(view, memory, rival, "another reading is as likely")
    note = f"Read as: {best.reading}."
    finish = Call(name="Finish", arguments={"table": memory.done[first], "note": note})
    return reply(memory, "This frame holds the answer.", finish, best)


def goes_on(memory: Memory, made: Node) -> bool:
    """Whether a plan whose condition nothing fits goes on all the same, to a count of none."""
    plan = memory.plans[memory.plan]
    passes = plan.empty or plan.tallies
    return made.outcome == "ok" and passes and len(memory.labels) + 1 < len(plan.steps)


def take_plan(view: View, memory: Memory, place: int, reason: str) -> Reply:
    """Go back to a leaf and on with another plan."""
    later = memory.model_copy(update={"plan": place, "labels": (), "seen": None})
    leaf = _leaves(later.plans[place], view.tree)[0]
    if view.tree.head == leaf:
        return next_step(view, later)
    back = Call(name="Backtrack", arguments={"to": leaf, "reason": reason})
    thought = f"{reason}; the next reading is {later.plans[place].reading}"
    return reply(later, thought, back, later.plans[min(memory.done, default=place)])


def next_step(view: View, memory: Memory) -> Reply:
    """The next step of the plan that is under way."""
    plan = memory.plans[memory.plan]
    place = len(memory.labels)
    step = plan.steps[place]
    arguments = dict(step.arguments)
    for name in FRAMES:
        label = arguments.get(name)
        if isinstance(label, str) and label.startswith("$"):
            arguments[name] = memory.labels[int(label[1:])]
    thought = plan.thoughts[place]
    if place == 0:
        thought = f"I read the question as {plan.reading}. {thought}"
    waiting = memory.model_copy(update={"seen": (len(view.tree.nodes), len(view.tree.moves))})
    return reply(waiting, thought, Call(name=step.name, arguments=arguments), plan)


def newest(tree: FrameTree, memory: Memory) -> Node | None:
    """The node that the last step made; the earlier one where it had been made before."""
    if memory.seen is None:
        return None
    nodes, moves = memory.seen
    if len(tree.nodes) > nodes:
        return tree.nodes[-1]
    if len(tree.moves) > moves and tree.moves[-1].kind == "repeat":
        return tree[tree.moves[-1].target]
    return None


def _leaves(plan: PlanProposal, tree: FrameTree) -> list[str]:
    """The leaves a plan starts from."""
    inputs = [str(v) for step in plan.steps for k, v in step.arguments.items() if k in FRAMES]
    return [label for label in inputs if label in tree.by_label]


def reply(memory: Memory, thought: str, call: Call, plan: PlanProposal) -> Reply:
    """One step, with what is remembered and how sure the plan is."""
    return Reply(thought=thought, calls=(call,), memory=_plain(memory), confidence=plan.confidence)


def give_up(memory: Memory, talks: bool = False) -> Reply:
    """End: with the empty frame of the best reading that gave one, else with what is missing.

    Args:
        memory: What is remembered.
        talks: Whether the person can say that the likeliest reading is meant.
    """
    if memory.empty:
        note = f"No row fits. Read as: {memory.plans[0].reading}."
        finish = Call(name="Finish", arguments={"table": memory.empty, "note": note})
        return reply(memory, "No reading leaves a row.", finish, memory.plans[0])
    missing = f"Not understood: {memory.missing}. " if memory.missing else ""
    said = memory.plans[0].remarks if memory.plans else ()
    missing += "".join(f"{one} " for one in said if not one.startswith("Not used"))
    sure = f"{memory.plans[0].confidence:.0%}" if memory.plans else ""
    best = f" The likeliest reading, {memory.plans[0].reading}, is {sure} sure." if sure else ""
    best += " Say 'yes' to take it, or go on from it." if talks and memory.likely else ""
    return Reply(
        problem=(
            f"{missing}The embedded planner found no plan that answers this: {memory.understood}."
            f"{best} A model would be needed for this question; "
            "naming columns and values as the table writes them may also help."
        ),
        memory=_plain(memory),
        gives_up=True,
        confidence=memory.plans[0].confidence if memory.plans else None,
    )


def _plain(memory: Memory) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = memory.model_dump(mode="json")
    return plain
