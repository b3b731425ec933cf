"""Decision: what resolving a Get decides once, against the graph or table at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from wideleaf.tools.actions.filter import tell_absent
from wideleaf.tools.actions.getting.arguments import SIDES, Side
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.conditions.matching import Align
from wideleaf.tools.errors import ActionError
from wideleaf.tools.knowledge.fitting import (
    fit_again,
    fit_cells,
    fit_kind,
    fit_rows,
    folds,
    is_whole,
)
from wideleaf.tools.knowledge.patterns import ROW, Pattern, layout_of
from wideleaf.tools.knowledge.sides import CELL, SUBJECT, ValueKind, with_key
from wideleaf.tools.knowledge.times import read_periods
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.actions.get import Get

MAX_SHIFT = 10**12


def need_sides(action: Get, tables: Sequence[Table]) -> None:
    """Refuse a side that is given twice, or a shift of nothing.

    Args:
        action: As it was asked for.
        tables: Its inputs.

    Raises:
        ActionError: If its arguments cannot stand together.
    """
    for side in SIDES:
        place = getattr(action, f"{side}s")
        if place is not None and not 0 < place < len(tables):
            raise ActionError(f"{side}s is input {place} of {len(tables)}; name a frame")
        if place is not None and getattr(action, side) is not None:
            raise ActionError(f"{side} and {side}s are one side; give a literal or a frame")
        if getattr(action, side) == ():
            raise ActionError(f"{side} is an empty list; leave it out, or give what it may be")
    if abs(action.shift) > MAX_SHIFT:
        raise ActionError(f"no table has {abs(action.shift)} rows to shift by")
    heads = action.head is not None or action.heads is not None
    if action.shift and (layout_of(tables[0]) != "rows" or not heads):
        raise ActionError(
            "shift counts rows of a table from those of heads; give heads of a table",
            kind="argument shift",
        )


def decide(action: Get, tables: Sequence[Table], align: Align | None) -> dict[str, Any]:
    """Conditions, kinds, how frames of text compare, and what comes out.

    Args:
        action: With its relations and layout.
        tables: Its inputs.
        align: Finds what a word means that is not there; None for nothing.

    Raises:
        ActionError: If a literal does not fit, or is not there nor near.
    """
    pattern = action.pattern
    graph = number_rows(tables[0]) if action.layout == "rows" else tables[0]
    relations = {one.name: one.kind for one in tables[0].relations}
    if pattern.answer in ("times", "sides"):
        _need_times(action, graph)
    tests: dict[Side, Compare] = {}
    kinds: dict[Side, ValueKind] = {}
    folded: list[Side] = []
    for side, name, part, column in action.compared(graph):
        members = action.members_of(side, tables)
        literal = getattr(action, side)
        if side == "head" and action.layout == "rows":
            if literal is not None:
                tests[side] = fit_rows(literal, action.shift)
            elif ROW not in tables[action.heads or 0].columns:
                raise ActionError(
                    f"heads of a table are rows; {tables[action.heads or 0].columns[-1]!r} is no "
                    f"frame of rows: ask for those with a column and its value first"
                )
            continue
        kind = fit_kind(part, column, members, literal, relations.get(name, ""))
        if kind is not None:
            kinds[side] = kind
        if members.frame is None:
            what = f"{side} of {name!r}" if name else side
            other = {SUBJECT: CELL, CELL: SUBJECT}[column] if action.layout != "rows" else ""
            if (old := action.tests.get(side)) is not None:
                tests[side] = fit_again(part, column, kind, old)
                continue
            tests[side] = fit_cells(
                part, column, kind, members.sign, literal, align, what, other,
                names=action.layout != "rows",
            )  # fmt: skip
        elif folds(part, column, members):
            folded.append(side)
    outcome = _kind_made(action, pattern, graph, relations)
    return {"tests": tests, "kinds": kinds, "folded": tuple(folded), "made": outcome}


def tell_absent_names(action: Get, table: Table) -> list[Fact]:
    """Which of several names, or of those left out, are not there; one alone is refused before.

    Args:
        action: As it was resolved.
        table: The graph or table that it asks.
    """
    graph = number_rows(table) if action.layout == "rows" else table
    facts: list[Fact] = []
    for side, name, part, column in action.compared(graph):
        test = action.tests.get(side)
        if test is not None and (test.op in ("!=", "not in") or len(test.literals) > 1):
            what = f"{side} of {name!r}" if name else side
            keyed = with_key(part, column, action.kinds.get(side))
            facts += [caveat(fact.text) for fact in tell_absent(test, keyed, what)]
    return facts


def _kind_made(
    action: Get, pattern: Pattern, graph: Table, relations: dict[str, Any]
) -> ValueKind | Literal["once"] | None:
    """As what values come out of a graph: entities once, numbers and dates as such."""
    name = action.relation if pattern.answer == "sides" else pattern.column
    if action.layout == "rows" or pattern.answer not in ("values", "sides"):
        return None
    if action.made is not None and name not in relations:  # resolved on facts that had it
        return action.made
    kind = relations.get(name, "entity")
    if kind == "number":
        return "integer" if is_whole(action.sides(graph, name), CELL) else "number"
    return "date" if kind == "date" else "once"


def _need_times(action: Get, graph: Table) -> None:
    if action.value is not None:
        read_periods(action.value, graph)
        if isinstance(action.value, tuple) and action.value_cmp not in ("=", "!="):
            raise ActionError(f"{action.value_cmp!r} compares with one time")
    if action.values is not None and action.value_cmp == "!=":
        raise ActionError("times of a frame compare by = < <= > >=; use Difference for !=")
