"""One step: a call read, resolved, run and looked at, which makes one node of the tree."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.getting.rows import numbers
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.position import Position
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.steps.disclosure import tells_figures
from wideleaf.tools.steps.observation import Disclosure, observe
from wideleaf.tools.steps.order import need_order
from wideleaf.tools.steps.semantics import Profile, under
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line

PREFIX = "Value error, "
"""What pydantic puts before the words of our own validators."""
CHANGES, CHANGE_CHARACTERS = 4, 200
"""So much is said of what reading a table changed."""


class Wish(NamedTuple):
    """What a step needs to know; nothing of the tree beyond its own parents.

    Attributes:
        call: The action as it was asked for, without its input labels.
        label: The label its node gets.
        parents: Pairs of label and id of the input frames, in the action's order.
        thought: Why.
        failed: Errors of earlier tries at these parents, by the id of the try.
        problem: Why it cannot be carried out at all, such as an input that does not exist.
        focus: Columns that the question means, of any table.
    """

    call: Call
    label: str
    parents: Sequence[tuple[str, str]] = ()
    thought: str = ""
    failed: Mapping[str, str] = {}
    problem: str = ""
    focus: Sequence[str] = ()


def read_call(call: Call) -> Action:
    """Turn a call into its action.

    Raises:
        ActionError: If there is no such action or an argument does not fit.
    """
    from wideleaf.tools.actions.registry import find_action

    try:
        return find_action(call.name).model_validate(call.arguments)
    except ValidationError as error:
        faults = _found(error, call.name)
        problems = "; ".join(f"{place}: {message}" for place, message in faults[:3])
        raise ActionError(
            f"{call.name}'s arguments do not fit: {problems}", kind=f"argument {faults[0][0]}"
        ) from None


def _whole(action: Action) -> Action:
    """A resolved action as it will be read again; what could not be is told now.

    Raises:
        ActionError: If what it was resolved to does not fit its own fields.
    """
    return read_call(Call(name=type(action).__name__, arguments=action.arguments()))


def _found(error: ValidationError, name: str) -> list[tuple[str, str]]:
    """Places and what is wrong there, without what is only wrong because a part of it is."""
    errors = error.errors(include_url=False)
    places = [tuple(one["loc"]) for one in errors]
    faults = [
        one
        for one, place in zip(errors, places, strict=True)
        if one["type"] != "too_short"
        or not any(len(other) > len(place) and other[: len(place)] == place for other in places)
    ]
    return [(_place(one["loc"]) or name, one["msg"].removeprefix(PREFIX)) for one in faults]


def _place(location: tuple[int | str, ...]) -> str:
    """Where in the arguments, without the names of our classes that pydantic puts between."""
    return ".".join(str(part) for part in location if not str(part)[:1].isupper())


def perform(wish: Wish, store: FrameStore, policy: Policy, profile: Profile = "standard") -> Node:
    """Carry out one action; whatever an action may get wrong ends in a failed node."""
    with store.engine.turn():
        return _perform(wish, store, policy, profile)


def _perform(wish: Wish, store: FrameStore, policy: Policy, profile: Profile) -> Node:
    ids = [key for _, key in wish.parents]
    parents = tuple(label for label, _ in wish.parents)
    identity = node_id(ids, wish.call.name, wish.call.arguments)
    node = Node(
        label=wish.label, id=identity, parents=parents, action=wish.call, thought=wish.thought
    )
    changes: tuple[str, ...] = ()
    try:
        if wish.problem:
            raise ActionError(wish.problem, kind="unknown frame")
        if identity in wish.failed:
            raise ActionError(f"this was tried before and {wish.failed[identity]}", kind="tried")
        action = under(profile, read_call(wish.call)).within(policy)
        if isinstance(action, Load):
            source = store.catalog.find(action.source)
            changes = tuple(one_line(note, CHANGE_CHARACTERS) for note in source.changes[:CHANGES])
            action = action.model_copy(
                update={"source": source.name, "fingerprint": source.fingerprint}
            )
        with store.reading(f"{wish.label} {wish.call.name}"):
            tables = store.inputs(action, ids)
            if isinstance(action, Position) or (isinstance(action, Get) and numbers(tables[0])):
                need_order(store.lineage(ids[0]))
            action = store.bound(_whole(action.resolve_with(store.align, *tables)))
            key, table = store.grow(action, ids)
            started = time.perf_counter()
            disclosure = _disclosure(action, key, ids, store, policy)
            observation = observe(action, tables, table, policy, disclosure, wish.focus)
            store.settle(key, time.perf_counter() - started, observation.rows)
            store.tell(key, observation.told)
    except ActionError as error:
        return node.model_copy(
            update={"outcome": "failed", "error": policy.error_text(error), "kind": error.kind}
        )
    resolved = Call(name=wish.call.name, arguments=action.arguments())
    shape, *rest = observation.text.split("\n", 1)  # what is said first is cut last
    return node.model_copy(
        update={
            "id": key,
            "action": resolved,
            "observation": "\n".join([shape, *changes, *rest]),
            "rows": observation.rows,
            "columns": len(table.columns),
            "caveats": (*observation.caveats, *_of_code(action, store)),
        }
    )


def _disclosure(
    action: Action, key: str, parents: Sequence[str], store: FrameStore, policy: Policy
) -> Disclosure:
    """Of what statistics may be told; looked up only where they may be told and cells may not."""
    if policy.allows("values") or not policy.allows("statistics"):
        return Disclosure()
    notes = bool(parents) and tells_figures(action, store.get(parents[0]), store.origin(parents[0]))
    return Disclosure(store.origin(key).own, notes)


def _of_code(action: Action, store: FrameStore) -> list[str]:
    """What the reader should know of code and of where it was run; a model knows that it wrote."""
    if not isinstance(action, Craft):
        return []
    return [caveat for caveat in (action.caveat, store.runner.caveat) if caveat]
