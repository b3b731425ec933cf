"""Which rows a report is of: conditions, levels, and what it asks of some rows unread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.analysis import GROUPED, test_of
from wideleaf.agents.planner.reports.columns import Spot, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.features import DEFINED, MADE
from wideleaf.agents.planner.reports.learning import learns
from wideleaf.agents.planner.reports.levels import (
    Level,
    as_rows,
    excludes,
    fills_with,
    find_levels,
    level_of,
    read_sides,
)
from wideleaf.agents.planner.reports.verdicts import OPS
from wideleaf.agents.planner.reports.years import read_years
from wideleaf.agents.report_form import SENTENCE, Form, quoted_in

_SOME = re.compile(
    r"\bfor (?:the )?(?:years?|each|every|all)\b(?! (?:rows?|records?|values?))|\bin each\b"
    r"|\bseparately\b|\bgroup(?:ed)? by\b"
    r"|\bper (?:group|category)\b|\bonly (?:consider|include|use)\b"
    r"|\bduring the (?:first|last|week|month|period|year|time|season|day|morning)\b"
    r"|\bwithin the same\b|\bsame\b.{0,20}\bas\b",
    re.I,
)
_EQUALS = r"\s*(?:column|value)?\s*(?:of|=|==|is|equals?|equal to)\s*"
_ONLY = re.compile(r"\bonly\b|\bfilter|\brestrict|\blimit\w*\b|\bconsider\b|\binclude\b", re.I)
_CASES = re.compile(r"\bif\b|\botherwise\b|\bcategor|\blabel", re.I)


class Chosen(NamedTuple):
    """What a question says of rows.

    Attributes:
        used: The columns that conditions are of.
        of_value: For values that are of some rows, by name, the category and its level.
        between: A category whose levels are compared, where the question names those alone.
        judged: The level of the rows that a model is judged by; None where no level says.
        by_groups: Whether something is asked of each group, or of some rows, that is not read.
    """

    used: tuple[str, ...]
    of_value: dict[str, Level]
    between: str
    judged: Level | None
    by_groups: bool = False


def choose_rows(form: Form, index: TableIndex, draft: Draft) -> Chosen | None:
    """Add the conditions that a question has of rows; None where it has some that is not read.

    Args:
        form: The question.
        index: The table's.
        draft: Takes the steps.
    """
    task = form.task
    spots = find_spots(task, index)
    numbers = _choose_by_numbers(task, spots, index, draft)
    levels = find_levels(task, index, spots)
    years = read_years(task, index, spots)
    if numbers is None or levels is None or years is None:
        return None
    used, levels = numbers[0], [*levels, *numbers[1]]
    where, column = years
    if column and column not in used:
        draft.frame = draft.add("Filter", "Only those years.", {"where": where})
        used.append(column)
    chosen = Chosen((), {}, "", read_sides(task, levels) if learns(task) else None)
    for column in dict.fromkeys(level.column for level in levels):
        own = [level for level in levels if level.column == column]
        if chosen.judged and chosen.judged.column == column:
            used.append(column)
            continue
        out = [level for level in own if excludes(task, level)]
        own = [level for level in own if level not in out]
        if out:
            condition = as_rows(column, [*dict.fromkeys(level.value for level in out)])
            draft.frame = draft.add("Filter", "Without those.", {"where": {"not": condition}})
            used.append("" if own else column)
            if not own:
                continue
        told = {demand.name: level_of(demand, own) for demand in form.demands}
        carried = {name: level for name, level in told.items() if level is not None}
        values = list(dict.fromkeys(level.value for level in own))
        if carried and chosen.of_value:
            return None
        if carried:
            chosen = chosen._replace(of_value=carried)
            if index.kinds.get(column) == "number" and test_of(form.text) in GROUPED:
                chosen = chosen._replace(between=column)
            some = len(values) < len(index.distinct(column)) and not out
            if some and len(values) > 1 and _ONLY.search(task):
                where = as_rows(column, values)
                draft.frame = draft.add("Filter", "Only those rows.", {"where": where})
            continue
        compared = test_of(form.text) in GROUPED and len(values) > 1
        if compared:
            chosen = chosen._replace(between=column)
        elif len(values) > 1 and not _ONLY.search(task):
            return None
        if len(values) < len(index.distinct(column)):
            where = as_rows(column, values)
            draft.frame = draft.add("Filter", "Only those rows.", {"where": where})
            used.append("" if compared else column)
    plain = [s for s in SENTENCE.split(task) if not MADE.search(s) and not DEFINED.search(s)]
    unread = not (used or chosen.of_value) and any(map(_SOME.search, plain))
    if _names_other_cells(task, index, levels):
        return None
    return chosen._replace(used=tuple(filter(None, used)), by_groups=unread)


class _Bound(NamedTuple):
    """A condition of a header and a number."""

    spot: Spot
    op: str
    value: float


def _choose_by_numbers(
    task: str, spots: Sequence[Spot], index: TableIndex, draft: Draft
) -> tuple[list[str], list[Level]] | None:
    """Add the conditions that stand as a header and a number; their columns.

    Of a column that is to equal several numbers these are the levels of a category.
    """
    found = _bounds(task, spots, index)
    if found is None:
        return None
    equal: dict[str, set[float]] = {}
    for spot, op, value in found:
        if op == "==":
            equal.setdefault(spot.column, set()).add(value)
    groups = {column for column, values in equal.items() if len(values) > 1}
    used = []
    for spot, op, value in found:
        if spot.column not in groups:
            where: JsonValue = {"column": spot.column, "op": op, "value": value}
            draft.frame = draft.add("Filter", "Only those rows.", {"where": where})
            used.append(spot.column)
    used += groups
    levels = [Level(s.column, v, s.start, quoted=True) for s, _, v in found if s.column in groups]
    return used, levels


def _bounds(task: str, spots: Sequence[Spot], index: TableIndex) -> list[_Bound] | None:
    found = []
    ends = [hit.end() for hit in SENTENCE.finditer(task)]
    for spot in spots:
        if index.kinds.get(spot.column) != "number":
            continue
        start = max((end for end in ends if end <= spot.start), default=0)
        after = task[spot.end :]
        same = re.match(rf"[\"'”]?{_EQUALS}[\"'“]?(-?\d+(?:\.\d+)?)\b", after)
        beyond = [
            (op, hit)
            for pattern, op in OPS
            if (
                hit := re.match(
                    rf"[\"'”]?\s*(?:column|values?)?\s*(?:is|are|of)?\s*(?:{pattern})\s*"
                    rf"(-?\d+(?:\.\d+)?)\b(?!\s*(?:%|percent|standard|times|std|iqr))",
                    after,
                    re.I,
                )
            )
        ]
        if not (same or beyond):
            continue
        if _CASES.search(task[start : spot.start]):
            return None  # a rule for what a row is called, which is not read
        op, value = ("==", same[1]) if same else (beyond[0][0], beyond[0][1][1])
        found.append(_Bound(spot, op, float(value)))
    return found


def _names_other_cells(task: str, index: TableIndex, levels: Sequence[Level]) -> bool:
    """Whether a cell that is no level stands in quotation marks, which may choose rows."""
    known = {name.lower() for name in index.table.columns}
    known |= {str(level.value).lower() for level in levels}
    return any(
        cell.lower() not in known
        and index.in_cells(cell)
        and not fills_with(task[: task.index(cell)])
        for cell in quoted_in(task)
    )
