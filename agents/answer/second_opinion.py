"""A second opinion: the embedded planner's best plan, run on the side and compared by its rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from wideleaf.agents.answer.writer import brief, plain_cell
from wideleaf.agents.critic.plan_text import words_in
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.trial import Trial
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

LIKELY = 0.5
"""A second plan that is more likely wrong than right is no reason to doubt another."""
_FUNCTIONS = frozenset(("count", "sum", "mean", "median", "min", "max", "count distinct"))
TOLERANCE = 1e-6
MAX_ROWS = 10_000
MAX_ORDERS = 720
"""Orders of columns that are tried; of more columns than six only the one they stand in."""


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
    from wideleaf.agents.planner.proposals import propose

    try:
        plans = propose(question, tables, links, profile=profile).plans
        if not plans or plans[0].confidence < LIKELY or plans[0].unused or plans[0].dropped:
            return None
        frame = Trial(tables, profile).run(plans[0].steps)
        same = same_values(offered, frame, partly=True)
    except ActionError:
        return None
    if same is None:
        return None
    return Opinion(
        same=same,
        columns=in_columns(plans[0].steps, tables),
        reading=str(plans[0].reading),
        result=brief(frame),
        confidence=plans[0].confidence,
    )


def in_columns(steps: Iterable[Call], tables: Mapping[str, Table]) -> str:
    """A plan in names alone: literals, which may be cells, are left out."""
    columns = {name for table in tables.values() for name in table.columns}
    parts = []
    for step in steps:
        words = [word.removeprefix("-") for word in words_in(_without_values(step.arguments))]
        names = dict.fromkeys(w for w in words if w in columns or w in _FUNCTIONS)
        parts.append(f"{step.name} ({', '.join(names)})" if names else step.name)
    return ", ".join(parts)


def _without_values(value: object) -> object:
    """Plain data without the literals of conditions, which may read like a column's name."""
    if isinstance(value, dict):
        return {k: _without_values(v) for k, v in value.items() if k not in ("value", "name")}
    if isinstance(value, (list, tuple)):
        return [_without_values(part) for part in value]
    return value


def same_values(one: Table, other: Table, *, partly: bool = False) -> bool | None:
    """Compare two frames as bags of rows.

    Args:
        one: A frame.
        other: Another.
        partly: Whether columns that only one of them has are passed over.

    Returns:
        None where they are too large to be compared.
    """
    counts = one.count(), other.count()
    if counts[0] != counts[1]:
        return False
    if counts[0] > MAX_ROWS:
        return None
    narrow, wide = sorted((one, other), key=lambda table: len(table.columns))
    if len(narrow.columns) != len(wide.columns) and not partly:
        return False
    ours, theirs = _columns(narrow), _columns(wide)
    return any(_same_bag(ours, matching) for matching in _matchings(ours, theirs))


def _columns(table: Table) -> list[list[Any]]:
    rows = table.rows(MAX_ROWS)
    return [[_cell(row[name]) for row in rows] for name in table.columns]


def _cell(value: Any) -> Any:
    value = plain_cell(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return str(value) if isinstance(value, (list, dict)) else value


def _matchings(ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> list[list[list[Any]]]:
    """Choices of their columns that may stand for ours, each holding the same bag of cells."""
    sorted_theirs = [sorted(column, key=_place) for column in theirs]
    options = []
    for column in ours:
        own = sorted(column, key=_place)
        fits = [n for n, other in enumerate(sorted_theirs) if _alike(own, other)]
        if not fits:
            return []
        options.append(fits)
    if len(ours) > len(theirs):
        return []
    if math.perm(len(theirs), len(ours)) <= MAX_ORDERS:
        orders = permutations(range(len(theirs)), len(ours))
        choices = (o for o in orders if all(n in fits for n, fits in zip(o, options, strict=True)))
        return [[theirs[n] for n in order] for order in choices]
    assignment: list[int] = []
    for fits in options:
        free = [n for n in fits if n not in assignment]
        if not free:
            return []
        assignment.append(free[0])
    return [[theirs[n] for n in assignment]]


def _same_bag(ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> bool:
    mine, others = (
        sorted(zip(*columns, strict=True), key=lambda row: tuple(map(_place, row)))
        for columns in (ours, theirs)
    )
    return all(_alike(row, other) for row, other in zip(mine, others, strict=True))


def _alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return all(_equal(a, b) for a, b in zip(one, other, strict=True))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def _place(cell: Any) -> tuple[str, Any]:
    """Where a cell stands in an order of cells of every type; near numbers stand together."""
    if isinstance(cell, float):
        return "number", float(f"{cell:.6g}")
    return type(cell).__name__, "" if cell is None else cell
