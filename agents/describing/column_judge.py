"""The judge: a model says which of the columns that a search offers a question needs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.loose_json import read_object
from wideleaf.agents.requests import CHARACTERS, shorten_question
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line

OFFERED = 40
LINE_CHARACTERS = 300
_NAMES = ("relevant", "needed", "columns", "picks")


class Judgement(NamedTuple):
    """What a model made of a selection.

    Attributes:
        selection: The selection, judged; as it was where the reply was of no use.
        usage: What it took.
        problem: Why the reply was of no use, or what of it was left out; empty if nothing.
    """

    selection: Selection
    usage: Usage = Usage()
    problem: str = ""


def judge(
    question: str,
    selection: Selection,
    gateway: Gateway,
    tables: Mapping[str, Table] | None = None,
) -> Selection:
    """Have a model say which picks a question means; see `judge_selection`."""
    return judge_selection(question, selection, gateway, tables).selection


def judge_selection(
    question: str,
    selection: Selection,
    gateway: Gateway,
    tables: Mapping[str, Table] | None = None,
) -> Judgement:
    """Validate the picks of a selection with a model (TSO, Algorithm 2: ``Validate(q, Des)``).

    One request for the best picks, as they stand in a prompt: names, kinds and meanings, no
    reason and no cell. What the model names stands as ``resolved``; a name that was not offered
    is refused. Where the reply is of no use, or finds nothing relevant, the rule's verdict stands.

    Args:
        question: The question.
        selection: What a retriever chose.
        gateway: The door to the model.
        tables: The tables by name, so that a family can be taken whole.

    Raises:
        ModelError: If no reply can be had.
    """
    offered = sorted(range(len(selection.picks)), key=lambda n: -selection.picks[n].score)
    offered = sorted(offered[:OFFERED])
    if not offered:
        return Judgement(selection)
    system, human = judge_prompt(question, [selection.picks[n] for n in offered])
    reply = gateway.ask(system, human)
    if reply.problem:
        return Judgement(selection, reply.usage, reply.problem)
    names = [selection.picks[n].reference for n in offered]
    relevant, whole, strange = read_verdict(reply.thought, names)
    problem = f"not offered: {', '.join(strange[:3])}" if strange else ""
    if not relevant:
        return Judgement(selection, reply.usage, problem or "the reply names no candidate")
    picks = list(selection.picks)
    for place, number in enumerate(offered, 1):
        pick = picks[number].model_copy(update={"resolved": place in relevant})
        if place in relevant:
            reason = f"{pick.reason}; a model takes it for relevant"
            pick = pick.model_copy(update={"reason": reason})
        if place in whole and (columns := _whole(pick, tables or {})):
            pick = pick.model_copy(update={"columns": columns, "reason": f"{reason}, whole"})
        picks[number] = pick
    judged = selection.model_copy(update={"picks": tuple(picks), "aside": _aside(selection, picks)})
    return Judgement(judged, reply.usage, problem)


def judge_prompt(question: str, picks: Sequence[Pick]) -> tuple[str, str]:
    """The system and the human message; lines are cut, not dropped, where there is no room."""
    system = render("judge_columns")
    room = LINE_CHARACTERS
    while True:
        lines = [f"Question: {shorten_question(question)}", ""]
        for number, pick in enumerate(picks, 1):
            lines.append(f"{number}. {one_line(f'{pick.table}: {pick.line}', room)}")
        human = "\n".join(lines)
        size = len(json.dumps(system, ensure_ascii=False))
        size += len(json.dumps(human, ensure_ascii=False))
        if size <= CHARACTERS or room < 40:
            return system, human
        room -= 20


def read_verdict(text: str, names: Sequence[str]) -> tuple[set[int], set[int], list[str]]:
    """Read which candidates a reply takes for relevant, which whole, and what was not offered.

    Args:
        text: The reply.
        names: The references offered, in the order of their numbers.
    """
    at = text.find("{")
    while at >= 0:
        try:
            value, end = read_object(text, at)
        except ValueError:
            end = at + 1
        else:
            key = next((k for k in _NAMES if isinstance(value.get(k), list)), None)
            if key is not None:
                relevant, strange = _numbers(value[key], names)
                whole, others = _numbers(value.get("whole"), names)
                return relevant, whole & relevant, [*strange, *others]
        at = text.find("{", end)
    return set(), set(), []


def _numbers(value: JsonValue, names: Sequence[str]) -> tuple[set[int], list[str]]:
    found: set[int] = set()
    strange: list[str] = []
    folded = {name.casefold(): number for number, name in enumerate(names, 1)}
    for one in value if isinstance(value, list) else []:
        said = str(one).strip()
        digits = re.fullmatch(r"#?(\d+)\.?(?:\.0)?", said)
        number = int(digits[1]) if digits and said.casefold() not in folded else None
        number = folded.get(said.casefold()) if number is None else number
        if number is not None and 1 <= number <= len(names):
            found.add(number)
        else:
            strange.append(repr(one_line(said, 60)))
    return found, strange


def _whole(pick: Pick, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """All columns of a pick's family; none where they are not known."""
    if len(pick.columns) == pick.members or pick.table not in tables:
        return pick.columns if len(pick.columns) == pick.members else ()
    try:
        columns = resolve_columns([pick.reference], tables[pick.table])
    except ActionError:
        return ()
    return columns if len(columns) == pick.members else ()


def _aside(selection: Selection, picks: Sequence[Pick]) -> dict[str, int]:
    """How many columns are left aside, now that some families are taken whole."""
    aside = {}
    for table, count in selection.aside.items():
        before = {c for pick in selection.picks if pick.table == table for c in pick.columns}
        after = {c for pick in picks if pick.table == table for c in pick.columns}
        aside[table] = max(0, count + len(before) - len(after))
    return aside
