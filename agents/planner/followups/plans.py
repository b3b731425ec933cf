"""Plans of changed calls: what makes their columns first, and the part that is not there yet."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    Change,
    Earlier,
    conditions_of,
    first_input,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import by_of, selected, sort_of
from wideleaf.agents.planner.rules.where import SPOKEN, literal, spoken_value
from wideleaf.agents.planner.scopes.derivation import Derivation, JoinScope, PlanProposal
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.steps.trial import INPUTS
from wideleaf.tools.tree.call import Call

MAKERS = ("Derive", "FromOneHot")


class Continuation(NamedTuple):
    """A changed plan from its table on, and the steps of it that the tree does not have yet."""

    derivation: Derivation
    plan: PlanProposal


def continue_plan(scope: JoinScope, earlier: Earlier, change: Change) -> Continuation:
    """Write a changed plan as steps that start from the last frame it shares with the earlier one.

    Args:
        scope: The earlier plan's table and the message.
        earlier: The earlier plan.
        change: What became of its calls.
    """
    d, shared = Derivation(scope, earlier.leaf.label), 0
    for place, call in enumerate(change.calls):
        own = call.arguments.get("name") if call.name in MAKERS else None
        texts = dict.fromkeys(texts_in(call.arguments, keys=False))
        d = d.need(
            *(c for c in texts if c in scope.made and c != own and c not in scope.index.kinds)
        )
        same = place < len(earlier.calls) and earlier.calls[place] == call
        if same and shared == place == len(d.steps):
            shared += 1
        thought = earlier.nodes[place].thought if same else _thought(call)
        d = d.then(call.name, thought, {first_input(call): d.table, **call.arguments})
    shared = min(shared, len(d.steps) - 1)  # a frame that is there already is found again
    said_now = read_plan(change.calls, scope.label)
    reading = f"{said_now}, going on from {earlier.said!r}"
    d = d._replace(uses=change.uses, rules=change.rules, said=said_now)
    start = [node.label for node in earlier.nodes[:shared]]
    steps = tuple(_rebase_step(step, start) for step in d.steps[shared:])
    return Continuation(d, PlanProposal(steps=steps, thoughts=d.thoughts[shared:], reading=reading))


def _rebase_step(step: Call, start: list[str]) -> Call:
    """A step whose first inputs are frames that the tree has."""
    arguments = dict(step.arguments)
    for name in INPUTS:
        place = str(arguments.get(name, ""))
        if place.startswith("$"):
            number = int(place[1:])
            arguments[name] = start[number] if number < len(start) else f"${number - len(start)}"
    return Call(name=step.name, arguments=arguments)


def _thought(call: Call) -> str:
    items: JsonValue = call.arguments.get("measures") or call.arguments.get("columns")
    names = [one["name"] if isinstance(one, dict) else one for one in items or ()]  # type: ignore[union-attr]
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


def read_plan(calls: Calls, table: str) -> str:
    """What a plan gives, in a sentence part."""
    parts = [f"{_answer(calls)} of {table}"]
    where = [phrase for _, item in conditions_of(calls) if (phrase := phrase_item(item))]
    if where:
        parts.append(f"where {' and '.join(where)}")
    if (sort := sort_of(calls)) is not None:
        by = by_of(sort)[0]
        end = "highest" if by.get("descending") else "lowest"
        limit = sort.arguments.get("limit")
        if limit is None:
            parts.append(f"the {end} {by['column']} first")
        else:
            parts.append(f"the {limit} with the {end} {by['column']}")
    return ", ".join(parts)


def _answer(calls: Calls) -> str:
    keys, measures = keys_of(calls), [str(one["name"]) for one in measures_of(calls)]
    names = " and ".join(name if name != "count" else "number of rows" for name in measures)
    later = calls[summary_place(calls) + 1 :]
    if any(
        call.name in ("Window", "Derive") and call.arguments.get("name") == "share"
        for call in calls
    ):
        names = "share of rows" if names in ("share", "") else f"share of the {names}"
    if any(call.name == "Aggregate" for call in later):
        return f"the number of rows of the {names}"
    if names:
        columns = selected(later)
        if keys and columns == keys:
            return f"the {' and '.join(keys)} by {names}"
        return f"the {names}" + (f" for each {' and '.join(keys)}" if keys else "")
    return f"the {', '.join(selected(calls)) or 'rows'}"


def phrase_item(item: Any) -> str:
    """A condition in words."""
    if not isinstance(item, dict):
        return ""
    for name, word in (("any", " or "), ("all", " and ")):
        if name in item:
            return word.join(filter(None, map(phrase_item, item[name])))
    if "column" not in item:
        return ""
    op = item.get("op", "==")
    if op in ("is null", "is not null"):
        return f"{item['column']} is {'missing' if op == 'is null' else 'there'}"
    part = f"the {item['part']} of " if item.get("part") else ""
    text = spoken_value(str(item.get("op")), item.get("value"))
    value = item.get("other") if "other" in item else text
    return f"{part}{item['column']} {SPOKEN.get(op, op)} {value}"
