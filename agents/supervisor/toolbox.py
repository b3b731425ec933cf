"""The toolbox: which actions a request describes in full, so that it stays short."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from wideleaf.agents.models.tools_in_prompt import signatures
from wideleaf.retrieval.selection import GRAPH_WORDS, ONE_HOT
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.moves import MOVES, Ask, FindColumns, Recall
from wideleaf.tools.actions.registry import actions, find_action
from wideleaf.tools.telling.schema import Schema, tool_schema
from wideleaf.tools.tree.tree import FrameTree

COMMON = ("Load", "Select", "Filter", "Derive", "Sort", "Group", "Aggregate", "Join")
"""Described in every request; the others when they are asked for, in use, or spoken of."""
CHARACTERS = 1_200
"""So much room the others have; beyond it those that were asked for are said in one line each."""
LINES_CHARACTERS = 750
LONG_QUESTION = 500
"""A question takes what it has beyond this from the room of the others."""
MOST_MATCHED = 3
WIDE, MANY = 40, 8
"""A tree with a table of more columns, or so many tables, has columns that are not shown."""
OPEN = "More"
CRAFT = "Craft"
"""The last resort; where it is switched off, no request speaks of it."""
MOST_READ = 20_000
_WORD = re.compile(r"[a-z]{4,}")
_NAME = re.compile(r"[A-Za-z]{3,}")


def tools_for(
    question: str,
    tree: FrameTree,
    opened: Sequence[str] = (),
    *,
    asks: bool = True,
    columns: str = "",
    crafts: bool = True,
    talks: bool = False,
) -> list[Schema]:
    """The tools of one request.

    Args:
        question: The user's words; an action that shares a telling word with them is described.
        tree: What was done; an action that was used lately stays described.
        opened: Names of the actions the model asked for with `More`, oldest first.
        columns: What is shown of the columns; where categories lie in columns of their own, the
            action that joins them is described.
        asks: Whether there is a person whom `Ask` would reach.
        crafts: Whether a function may be written where no action fits.
        talks: Whether there are earlier answers that `Recall` would speak of.

    Returns:
        Schemas of the actions described, of the moves, and of `More` for the rest.
    """
    off = frozenset() if crafts else frozenset((CRAFT,))
    used = [node.action.name for node in tree.nodes]
    spoken = ["Get"] * (GRAPH_WORDS in columns) + ["FromOneHot"] * (ONE_HOT in columns)
    wanted = dict.fromkeys([*reversed(opened), *reversed(used), *spoken, *match_actions(question)])
    shown = {name: tool_schema(find_action(name)) for name in COMMON if name not in off}
    room, lines = CHARACTERS - max(len(question) - LONG_QUESTION, 0), LINES_CHARACTERS
    for name in wanted:
        if name in COMMON or name in off:
            continue
        if _size(name) <= room:
            shown[name] = tool_schema(find_action(name))
            room -= _size(name)
        elif name in opened and (size := len(_compact(_in_a_line(name)))) <= lines:
            shown[name] = _in_a_line(name)
            lines -= size
    told = [shown[action.__name__] for action in actions() if action.__name__ in shown]
    rest = [a.__name__ for a in actions() if a.__name__ not in shown and a.__name__ not in off]
    closed = [name for name in rest if name in opened]
    there = {Ask: asks, FindColumns: hides_columns(tree, columns), Recall: talks}
    moves = [tool_schema(move) for move in MOVES if there.get(move, True)]
    return [*told, *moves, *([_more(rest, closed)] if rest else [])]


def hides_columns(tree: FrameTree, columns: str = "") -> bool:
    """Whether there may be columns of raw tables, or relations, that a request does not show."""
    if FindColumns.__name__ in columns:
        return True
    return len(tree.leaves) >= MANY or any((leaf.columns or 0) > WIDE for leaf in tree.leaves)


def more_actions(arguments: dict[str, Any]) -> list[str]:
    """The actions that a call of `More` asks for; names that are none are passed over."""
    asked = arguments.get("actions", [])
    wanted = {str(name).casefold() for name in ([asked] if isinstance(asked, str) else asked)}
    return [action.__name__ for action in actions() if action.__name__.casefold() in wanted]


@lru_cache(maxsize=256)
def match_actions(question: str) -> tuple[str, ...]:
    """Actions out of the common that share the most telling words with a question."""
    said = _stems(question[:MOST_READ])
    cues = _cues()
    scores = {name: len(said & words) for name, words in cues.items()}
    written = set(_NAME.findall(question[:MOST_READ]))  # "using PCA"
    best = sorted(
        (name for name in scores if scores[name] or name in written),
        key=lambda name: (name not in written, -scores[name]),
    )
    return tuple(best[:MOST_MATCHED])


@cache
def _cues() -> dict[str, frozenset[str]]:
    """Words that tell an action from the common ones: its name, its own cues, its choices."""
    words = {action.__name__: _stems(" ".join(_texts(action))) for action in actions()}
    everywhere = frozenset[str]().union(*(words[name] for name in COMMON))
    return {
        action.__name__: words[action.__name__] - everywhere | _stems(" ".join(action.cues))
        for action in actions()
        if action.__name__ not in COMMON
    }


@cache
def choices() -> frozenset[str]:
    """The words among which parameters of actions choose, such as ``==`` or ``mean``."""
    return frozenset(word for action in actions() for word in _choices(tool_schema(action)))


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
    return len(_compact(tool_schema(find_action(name))))


def _compact(schema: Schema) -> str:
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False)


@cache
def _in_a_line(name: str) -> Schema:
    """An action with its arguments in words, for want of room for their schema."""
    said = signatures([tool_schema(find_action(name))])
    about = " ".join(said.removeprefix("- ").replace('"', "").split())
    parameters = {"type": "object", "properties": {}}
    function = {"name": name, "description": about, "parameters": parameters}
    return {"type": "function", "function": function}


def _more(rest: Sequence[str], closed: Sequence[str]) -> Schema:
    names = {"type": "array", "items": {"enum": list(rest)}}
    parameters = {"type": "object", "properties": {"actions": names}, "required": ["actions"]}
    about = "Shows how to call further actions, from the next turn on; makes no frame."
    if CRAFT in rest:
        about += f" Where none fits, {CRAFT} has a function written for a step."
    if closed:
        about += f" For want of room {', '.join(closed)} must be opened anew, few at a time."
    function = {"name": OPEN, "description": about, "parameters": parameters}
    return {"type": "function", "function": function}
