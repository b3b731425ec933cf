"""The toolbox: which actions a request describes in full, so that it stays short."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from wideleaf.retrieval.bm25 import stem
from wideleaf.tools import ACTIONS, action_named
from wideleaf.tools.action import Action
from wideleaf.tools.moves import MOVES
from wideleaf.tools.schema import Schema, tool_schema
from wideleaf.tools.tree import FrameTree

COMMON = ("Load", "Select", "Filter", "Derive", "Sort", "Group", "Aggregate", "Join")
"""Described in every request; the others when they are asked for, in use, or spoken of."""
CHARACTERS = 1_200
"""So much room the others have."""
MOST_MATCHED = 2
OPEN = "More"
_WORD = re.compile(r"[a-z]{4,}")


def tools_for(question: str, tree: FrameTree, opened: Sequence[str] = ()) -> list[Schema]:
    """The tools of one request.

    Args:
        question: The user's words; an action that shares a telling word with them is described.
        tree: What was done; an action that was used lately stays described.
        opened: Names of the actions the model asked for with `More`, oldest first.

    Returns:
        Schemas of the actions described, of the moves, and of `More` for the rest.
    """
    used = [node.action.name for node in tree.nodes]
    wanted = dict.fromkeys([*reversed(opened), *reversed(used), *matched(question)])
    shown, room = {*COMMON}, CHARACTERS
    for name in wanted:
        size = _size(name) if name not in COMMON else 0
        if size <= room or name in opened[-1:]:
            shown.add(name)
            room -= size
    actions = [action for action in ACTIONS if action.__name__ in shown]
    rest = [action for action in ACTIONS if action.__name__ not in shown]
    more = [_more(rest)] if rest else []
    return [*(tool_schema(action) for action in (*actions, *MOVES)), *more]


def opened_by(arguments: dict[str, Any]) -> list[str]:
    """The actions that a call of `More` asks for; names that are none are passed over."""
    asked = arguments.get("actions", [])
    wanted = {str(name).casefold() for name in ([asked] if isinstance(asked, str) else asked)}
    return [action.__name__ for action in ACTIONS if action.__name__.casefold() in wanted]


@cache
def matched(question: str) -> tuple[str, ...]:
    """Actions out of the common that share the most telling words with a question."""
    said = _stems(question)
    cues = _cues()
    scores = {name: len(said & words) for name, words in cues.items()}
    best = sorted((name for name in scores if scores[name]), key=lambda n: -scores[n])
    return tuple(best[:MOST_MATCHED])


@cache
def _cues() -> dict[str, frozenset[str]]:
    """Words that tell an action from the common ones: its name, its own cues, its choices."""
    words = {action.__name__: _stems(" ".join(_texts(action))) for action in ACTIONS}
    everywhere = frozenset[str]().union(*(words[name] for name in COMMON))
    return {
        action.__name__: words[action.__name__] - everywhere | _stems(" ".join(action.cues))
        for action in ACTIONS
        if action.__name__ not in COMMON
    }


def _texts(action: type[Action]) -> Iterable[str]:
    yield action.__name__
    yield from _choices(tool_schema(action)["function"]["parameters"])


def _choices(schema: Any) -> Iterable[str]:
    if isinstance(schema, dict):
        yield from (str(value) for value in schema.get("enum", ()))
        for value in schema.values():
            yield from _choices(value)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.lower()))


@cache
def _size(name: str) -> int:
    return len(json.dumps(tool_schema(action_named(name)), separators=(",", ":")))


def _more(rest: Sequence[type[Action]]) -> Schema:
    names = {"type": "array", "items": {"enum": [action.__name__ for action in rest]}}
    parameters = {"type": "object", "properties": {"actions": names}, "required": ["actions"]}
    about = "Shows how to call further actions, from the next turn on; makes no frame."
    function = {"name": OPEN, "description": about, "parameters": parameters}
    return {"type": "function", "function": function}
