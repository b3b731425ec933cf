"""A second opinion: the embedded planner's best plan, run on the side and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.data_checks import words_in
from wideleaf.agents.same_values import same_values
from wideleaf.agents.writer import brief
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError
from wideleaf.tools.parts import Link
from wideleaf.tools.profiles import Profile
from wideleaf.tools.table import Table
from wideleaf.tools.trial import Trial

LIKELY = 0.5
"""A second plan that is more likely wrong than right is no reason to doubt another."""
_FUNCTIONS = frozenset(("count", "sum", "mean", "median", "min", "max", "count distinct"))


class Opinion(NamedTuple):
    """What another plan makes of the question.

    Attributes:
        same: Whether it gives the same values.
        columns: The plan in names of actions and of the tables' own columns: what a model may be
            told at every privacy level.
        reading: How it reads the question, which may quote cells.
        result: What it gives, in short.
        confidence: How likely the planner holds it to be right.
    """

    same: bool
    columns: str
    reading: str
    result: str
    confidence: float


def second_opinion(
    question: str,
    tables: Mapping[str, Table],
    offered: Table,
    links: Sequence[Link] = (),
    profile: Profile = "standard",
) -> Opinion | None:
    """Answer the question once more without a model, and compare.

    Args:
        question: The user's words.
        tables: The raw tables by label.
        offered: The frame that is to be the answer.
        links: Foreign keys that are declared between the tables.
        profile: What actions mean.

    Returns:
        None where the planner has no plan, is less sure of it than not, where the plan leaves a
        word or a condition of the question out, or cannot be run or compared.
    """
    from wideleaf.agents.proposals import propose

    try:
        plans = propose(question, tables, links, profile=profile).plans
        if not plans or plans[0].confidence < LIKELY or plans[0].unused or plans[0].dropped:
            return None
        made = Trial(tables, profile).run(plans[0].steps)
        same = same_values(offered, made, partly=True)
    except ActionError:
        return None
    if same is None:
        return None
    return Opinion(
        same=same,
        columns=in_columns(plans[0].steps, tables),
        reading=str(plans[0].reading),
        result=brief(made),
        confidence=plans[0].confidence,
    )


def in_columns(steps: Iterable[Call], tables: Mapping[str, Table]) -> str:
    """A plan in names alone: literals, which may be cells, are left out."""
    columns = {name for table in tables.values() for name in table.columns}
    parts = []
    for step in steps:
        named = [word.removeprefix("-") for word in words_in(_without_values(step.arguments))]
        told = dict.fromkeys(w for w in named if w in columns or w in _FUNCTIONS)
        parts.append(f"{step.name} ({', '.join(told)})" if told else step.name)
    return ", ".join(parts)


def _without_values(value: object) -> object:
    """Plain data without the literals of conditions, which may read like a column's name."""
    if isinstance(value, dict):
        return {k: _without_values(v) for k, v in value.items() if k not in ("value", "name")}
    if isinstance(value, (list, tuple)):
        return [_without_values(part) for part in value]
    return value
