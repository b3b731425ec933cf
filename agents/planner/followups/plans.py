"""Plans of changed calls: what makes their columns first, and the part that is not there yet."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.followups.change import Change
from wideleaf.agents.planner.followups.earlier import Earlier, first_input
from wideleaf.agents.planner.followups.wording import read_plan
from wideleaf.agents.planner.rules.where import literal
from wideleaf.agents.planner.scenes.derivation import Derivation, PlanProposal, Scene
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.steps.trial import INPUTS
from wideleaf.tools.tree.call import Call

MAKERS = ("Derive", "FromOneHot")


class Continuation(NamedTuple):
    """A changed plan from its table on, and the steps of it that the tree does not have yet."""

    derivation: Derivation
    plan: PlanProposal


def continue_plan(scene: Scene, earlier: Earlier, change: Change) -> Continuation:
    """Write a changed plan as steps that start from the last frame it shares with the earlier one.

    Args:
        scene: The earlier plan's table and the message.
        earlier: The earlier plan.
        change: What became of its calls.
    """
    d, shared = Derivation(scene, earlier.leaf.label), 0
    for place, call in enumerate(change.calls):
        own = call.arguments.get("name") if call.name in MAKERS else None
        said = dict.fromkeys(texts_in(call.arguments, keys=False))
        d = d.need(
            *(c for c in said if c in scene.made and c != own and c not in scene.index.kinds)
        )
        same = place < len(earlier.calls) and earlier.calls[place] == call
        if same and shared == place == len(d.steps):
            shared += 1
        thought = earlier.nodes[place].thought if same else _thought(call)
        d = d.then(call.name, thought, {first_input(call): d.table, **call.arguments})
    shared = min(shared, len(d.steps) - 1)  # a frame that is there already is found again
    said_now = read_plan(change.calls, scene.label)
    reading = f"{said_now}, going on from {earlier.said!r}"
    d = d._replace(uses=change.uses, rules=change.rules, said=said_now)
    start = [node.label for node in earlier.nodes[:shared]]
    steps = tuple(_moved(step, start) for step in d.steps[shared:])
    return Continuation(d, PlanProposal(steps=steps, thoughts=d.thoughts[shared:], reading=reading))


def _moved(step: Call, start: list[str]) -> Call:
    """A step whose first inputs are frames that the tree has."""
    arguments = dict(step.arguments)
    for name in INPUTS:
        place = str(arguments.get(name, ""))
        if place.startswith("$"):
            number = int(place[1:])
            arguments[name] = start[number] if number < len(start) else f"${number - len(start)}"
    return Call(name=step.name, arguments=arguments)


def _thought(call: Call) -> str:
    listed: JsonValue = call.arguments.get("measures") or call.arguments.get("columns")
    names = [one["name"] if isinstance(one, dict) else one for one in listed or ()]  # type: ignore[union-attr]
    what = ", ".join(map(str, names))
    if call.name == "Group":
        return f"{what} for each {literal(call.arguments['keys'])}."
    if call.name == "Aggregate":
        return f"The {what}."
    return {
        "Filter": "Keep the rows that are meant now.",
        "Sort": "Put them in the order that is meant now.",
        "Select": f"The answer is {what}.",
        "Window": "Each as a part of the whole.",
    }.get(call.name, "As before, for what is meant now.")
