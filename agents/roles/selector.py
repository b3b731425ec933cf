"""The selector: a model says which of the columns and tables that a search offers are needed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.loose_json import each_object
from wideleaf.agents.requests import CHARACTERS, shorten_question
from wideleaf.agents.roles.requests import REPAIR_CHARACTERS, ask_role
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.retrieval.tso import Relevance
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.columns import resolve_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import one_line

OFFERED = 40
LINE_CHARACTERS = 300
_NAMES = ("relevant", "needed", "columns", "picks")


class SelectorInput(BaseModel):
    """What a selector is shown.

    Attributes:
        question: The user's words.
        candidates: Picks in the order of their numbers, from 1.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    candidates: tuple[Pick, ...]

    def prompt(self) -> tuple[str, str]:
        """The system and the human message; lines are cut, not dropped, where there is no room."""
        return _number_candidates(
            self.question, [f"{one.table}: {one.line}" for one in self.candidates]
        )


class LevelInput(BaseModel):
    """What a validator of one level is shown.

    Attributes:
        question: The user's words.
        descriptions: Of tables, clusters or columns, in the order of their numbers, from 1.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    descriptions: tuple[str, ...]

    def prompt(self) -> tuple[str, str]:
        """The system and the human message."""
        return _number_candidates(self.question, self.descriptions)


class SelectorOutput(BaseModel):
    """What a selector says.

    Attributes:
        relevant: Numbers of the candidates that the question needs.
        whole: Numbers of the families among them that are meant whole.
    """

    model_config = ConfigDict(frozen=True)

    relevant: frozenset[int]
    whole: frozenset[int] = frozenset()


class Choice(NamedTuple):
    """What a model made of a selection.

    Attributes:
        selection: The selection by its word; as it was where no reply was of use.
        usage: What it took.
        problem: Why no reply was of use; empty if one was.
    """

    selection: Selection
    usage: Usage = Usage()
    problem: str = ""


def choose_picks(
    question: str,
    selection: Selection,
    gateway: Gateway,
    tables: Mapping[str, Table] | None = None,
) -> Choice:
    """Validate the picks of a selection with a model (TSO, Algorithm 2: ``Validate(q, Des)``).

    The best picks are offered as they stand in a prompt: names, kinds and meanings, no reason and
    no cell. What the model names stands as ``resolved``, and the tables that hold it come first; a
    name that was not offered is refused. Where no reply is of use, or none finds anything
    relevant, the rules' verdict stands.

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
        return Choice(selection)
    candidates = tuple(selection.picks[n] for n in offered)
    names = [pick.reference for pick in candidates]
    case = SelectorInput(question=question, candidates=candidates)
    reply = ask_role(gateway, *case.prompt(), lambda text: read_choice(text, names))
    if reply.output is None:
        return Choice(selection, reply.usage, reply.problem)
    picks = list(selection.picks)
    for place, number in enumerate(offered, 1):
        pick = picks[number].model_copy(update={"resolved": place in reply.output.relevant})
        if pick.resolved:
            reason = f"{pick.reason}; a model takes it for relevant"
            pick = pick.model_copy(update={"reason": reason})
        if place in reply.output.whole and (columns := _whole(pick, tables or {})):
            pick = pick.model_copy(update={"columns": columns, "reason": f"{pick.reason}, whole"})
        picks[number] = pick
    update = {
        "picks": tuple(picks),
        "aside": _aside(selection, picks),
        "tables": _tables(selection, picks),
    }
    return Choice(selection.model_copy(update=update), reply.usage)


class LevelValidator:
    """A model's word on tables, clusters and columns (TSO, Algorithm 2: ``Validate(q, Des)``).

    What one level offers goes out in requests of `OFFERED` descriptions. Where no reply is of use,
    all that was offered is relevant, as without a validator, and `problem` says why.

    Args:
        gateway: The door to the model.

    Attributes:
        usage: What it took so far.
        problem: Why a reply was of no use; empty if each was.
    """

    def __init__(self, gateway: Gateway) -> None:
        self.usage, self.problem = Usage(), ""
        self._gateway = gateway

    def __call__(self, question: str, descriptions: Sequence[str]) -> list[Relevance]:
        """How relevant each is.

        Raises:
            ModelError: If no reply can be had.
        """
        verdicts: list[Relevance] = []
        for start in range(0, len(descriptions), OFFERED):
            verdicts += self._judge(question, descriptions[start : start + OFFERED])
        return verdicts

    def _judge(self, question: str, offered: Sequence[str]) -> list[Relevance]:
        names = [f"D{number}" for number in range(1, len(offered) + 1)]
        case = LevelInput(question=question, descriptions=tuple(offered))
        reply = ask_role(self._gateway, *case.prompt(), lambda text: read_choice(text, names, 0))
        self.usage += reply.usage
        if reply.output is None:
            self.problem = reply.problem
            return ["yes"] * len(offered)
        numbers = range(1, len(offered) + 1)
        return [
            "whole" if n in reply.output.whole else "yes" if n in reply.output.relevant else "no"
            for n in numbers
        ]


def read_choice(text: str, names: Sequence[str], least: int = 1) -> SelectorOutput:
    """Read which candidates a reply takes for relevant, which whole, and what was not offered.

    Args:
        text: The reply.
        names: The references offered, in the order of their numbers.
        least: So many it must take for relevant.

    Raises:
        ActionError: If it names fewer of them, or others alone.
    """
    strange: list[str] = []
    for value in each_object(text):
        key = next((k for k in _NAMES if isinstance(value.get(k), list)), None)
        if key is None:
            continue
        relevant, strange = _numbers(value[key], names)
        whole, _ = _numbers(value.get("whole"), names)
        if len(relevant) >= least and (relevant or not strange):
            return SelectorOutput(relevant=frozenset(relevant), whole=frozenset(whole & relevant))
    if strange:
        raise ActionError(f"not offered: {', '.join(strange[:3])}; there are 1 to {len(names)}")
    raise ActionError('it names no candidate; write {"relevant": [numbers], "whole": [numbers]}')


def _number_candidates(question: str, candidates: Sequence[str]) -> tuple[str, str]:
    """The prompt of numbered candidates; lines are cut, not dropped, where there is no room."""
    system = render("select_columns")
    room = LINE_CHARACTERS
    while True:
        lines = [f"Question: {shorten_question(question)}", ""]
        for number, candidate in enumerate(candidates, 1):
            lines.append(f"{number}. {one_line(candidate, room)}")
        human = "\n".join(lines)
        size = len(json.dumps(system, ensure_ascii=False))
        size += len(json.dumps(human, ensure_ascii=False))
        if size <= CHARACTERS - REPAIR_CHARACTERS or room < 40:
            return system, human
        room -= 20


def _numbers(value: JsonValue, names: Sequence[str]) -> tuple[set[int], list[str]]:
    numbers: set[int] = set()
    strange: list[str] = []
    folded = {name.casefold(): number for number, name in enumerate(names, 1)}
    for one in value if isinstance(value, list) else []:
        text = str(one).strip()
        digits = re.fullmatch(r"#?(\d+)\.?(?:\.0)?", text)
        number = int(digits[1]) if digits and text.casefold() not in folded else None
        number = folded.get(text.casefold()) if number is None else number
        if number is not None and 1 <= number <= len(names):
            numbers.add(number)
        else:
            strange.append(repr(one_line(text, 60)))
    return numbers, strange


def _whole(pick: Pick, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """All columns of a pick's family; none where they are not known."""
    if len(pick.columns) == pick.members or pick.table not in tables:
        return pick.columns if len(pick.columns) == pick.members else ()
    try:
        columns = resolve_columns([pick.reference], tables[pick.table])
    except ActionError:
        return ()
    return columns if len(columns) == pick.members else ()


def _tables(selection: Selection, picks: Sequence[Pick]) -> dict[str, float]:
    """How well tables fit: those that hold what is relevant before all others."""
    most = max(selection.tables.values(), default=0.0)
    names = {pick.table for pick in picks if pick.resolved}
    return {
        table: score + (most + 1.0) * (table in names) for table, score in selection.tables.items()
    }


def _aside(selection: Selection, picks: Sequence[Pick]) -> dict[str, int]:
    """How many columns are left aside, now that some families are taken whole."""
    aside = {}
    for table, count in selection.aside.items():
        before = {c for pick in selection.picks if pick.table == table for c in pick.columns}
        after = {c for pick in picks if pick.table == table for c in pick.columns}
        aside[table] = max(0, count + len(before) - len(after))
    return aside
