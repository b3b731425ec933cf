"""The toolbox: which actions a request describes in full, so that it stays short."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from wideleaf.agents.conversation.charts import wants_chart
from wideleaf.agents.models.tools_in_prompt import signatures
from wideleaf.agents.requests import QUESTION_CHARACTERS, json_size
from wideleaf.agents.supervisor.offers import (
    COMMON,
    MAX_READ,
    UNPIVOT,
    match_actions,
    speaks_of_years,
)
from wideleaf.retrieval.selection import GRAPH_WORDS, ONE_HOT
from wideleaf.tools.actions.moves import MOVES, Ask, FindColumns, Recall
from wideleaf.tools.actions.registry import actions, find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.telling.schema import Schema, tool_schema
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

CHARACTERS = 1_100
"""So much room the others have, and what the rest of the request leaves; beyond it those that were
asked for are said in one line each."""
LINES_CHARACTERS = 700
LONG_QUESTION = 500
"""A question takes what it has beyond this from the room of the others, then of their lines."""
WIDE, MANY = 40, 8
"""A tree with a table of more columns, or so many tables, has columns that are not shown."""
CUT = re.compile(r"^  and \d+ more$", re.M)
"""How a text of columns says that some of a table had no room."""
OPEN = "More"
CHART = "Chart"
"""Described, too, where a picture is asked for."""
READER = "reader"
"""The purpose of actions that have a model read texts; offered where there are any."""
FIRST_READ = ("Judge", "Label", "Extract")
"""What is asked of texts most; described before what was used, as far as there is room."""
MATCH = "Match"
"""Of several tables, likewise."""
CRAFT = "Craft"
"""The last resort; where it is switched off, no request speaks of it."""


def tools_for(
    question: str,
    tree: FrameTree,
    opened: Sequence[str] = (),
    *,
    asks: bool = True,
    columns: str = "",
    crafts: bool = True,
    reads: bool = False,
    talks: bool = False,
    spare: int = 0,
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
        reads: Whether there are texts, and a model that reads them.
        talks: Whether there are earlier answers that `Recall` would speak of.
        spare: Characters that the rest of the request leaves free, for further schemas.

    Returns:
        Schemas of the actions described, of the moves, and of `More` for the rest.
    """
    off = frozenset((CRAFT,) * (not crafts)) | (frozenset() if reads else _readings())
    recent = [node.action.name for node in tree.nodes]
    matches = match_actions(question)
    read = _read_first(matches, tree) if reads else []
    spoken = ["Get"] * (GRAPH_WORDS in columns) + ["FromOneHot"] * (ONE_HOT in columns)
    spoken += [UNPIVOT] * speaks_of_years(question, columns)
    names = dict.fromkeys([*reversed(opened), *read, *reversed(recent), *spoken, *matches])
    always = (*COMMON, *[CHART] * wants_chart(question[:MAX_READ]))
    schemas = {name: tool_schema(find_action(name)) for name in always if name not in off}
    room = CHARACTERS - max(min(json_size(question), QUESTION_CHARACTERS) - LONG_QUESTION, 0)
    room -= _size(CHART) * (CHART in schemas)
    lines = LINES_CHARACTERS + min(room, 0)
    room += spare
    for name in names:
        if name in always or name in off:
            continue
        if _size(name) <= room:
            schemas[name] = tool_schema(find_action(name))
            room -= _size(name)
            continue
        size = len(_compact(_in_a_line(name)))
        if name in opened and size <= lines:
            schemas[name] = _in_a_line(name)
            lines -= size
        elif name not in opened and size <= room:  # longer than all the room there is
            schemas[name] = _in_a_line(name)
            room -= size
    tools = [schemas[action.__name__] for action in actions() if action.__name__ in schemas]
    rest = [a.__name__ for a in actions() if a.__name__ not in schemas and a.__name__ not in off]
    closed = [name for name in rest if name in opened]
    there = {Ask: asks, FindColumns: hides_columns(tree, columns), Recall: talks}
    moves = [tool_schema(move) for move in MOVES if there.get(move, True)]
    return [*tools, *moves, *([_more(rest, closed)] if rest else [])]


def hides_columns(tree: FrameTree, columns: str = "") -> bool:
    """Whether there may be columns of raw tables, or relations, that a request does not show."""
    if FindColumns.__name__ in columns or CUT.search(columns):
        return True
    return len(tree.leaves) >= MANY or any((leaf.columns or 0) > WIDE for leaf in tree.leaves)


def more_actions(arguments: dict[str, Any]) -> list[str]:
    """The actions that a call of `More` asks for; names that are none are passed over."""
    request = arguments.get("actions", [])
    names = {str(name).casefold() for name in ([request] if isinstance(request, str) else request)}
    return [action.__name__ for action in actions() if action.__name__.casefold() in names]


def find_misfits(calls: Sequence[Call], described: Collection[str]) -> dict[str, str]:
    """By its name each action that is called without having been described, and what did not fit.

    Args:
        calls: What a model wants done; one that fits, or of no action at all, is passed over.
        described: Names of the tools of the request.
    """
    misfits: dict[str, str] = {}
    for call in calls:
        with suppress(ActionError):
            action = find_action(call.name)
            if action.__name__ in described:
                continue
            inputs = (*action.inputs, *action.optional)
            arguments = {name: part for name, part in call.arguments.items() if name not in inputs}
            try:
                read_call(Call(name=action.__name__, arguments=arguments))
            except ActionError as error:
                misfits[action.__name__] = f"{error.text}; how it is called is shown now"
    return misfits


def _read_first(matches: Sequence[str], tree: FrameTree) -> list[str]:
    """Actions of a reader in the order in which they are described: what is spoken of first."""
    spoken = [name for name in matches if name in _readings()]
    return [*spoken, *FIRST_READ, *([MATCH] * (len(tree.leaves) > 1))]


@cache
def _readings() -> frozenset[str]:
    return frozenset(action.__name__ for action in actions() if action.purpose == READER)


@cache
def _size(name: str) -> int:
    return len(_compact(tool_schema(find_action(name))))


def _compact(schema: Schema) -> str:
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False)


@cache
def _in_a_line(name: str) -> Schema:
    """An action with its arguments in words, for want of room for their schema."""
    signature = signatures([tool_schema(find_action(name))])
    about = " ".join(signature.removeprefix("- ").replace('"', "").split())
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
