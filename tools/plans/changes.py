"""What a plan decided on old data and no longer holds on new: said as caveats of a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import narwhals as nw
from pydantic import JsonValue

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.conditions.condition import EQUALITIES, Compare
from wideleaf.tools.conditions.matching import condition_expr, distinct_texts
from wideleaf.tools.conditions.nodes import parts_within
from wideleaf.tools.craft.names import column_mentions
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.expressions.expression import Across
from wideleaf.tools.knowledge.patterns import TIME_KEYS
from wideleaf.tools.knowledge.sides import with_key
from wideleaf.tools.plans.columns import groups_of
from wideleaf.tools.plans.plan import Leaf, Plan, Step
from wideleaf.tools.tables.columns import nearest_names, resolve_column
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.tables.relations import RELATION
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

CRAFT = "Craft"
MAX_TOLD = 5
NAMES_TOLD = 5


def need_step(step: Step) -> None:
    """Refuse a step that no plan can hold; a plan may come from anywhere.

    Raises:
        ActionError: If it is no action on frames, or has too few or too many of them.
    """
    from wideleaf.tools.actions.moves import MOVES

    action = find_action(step.name)
    if action in MOVES or not action.inputs:
        raise ActionError(f"{step.name!r} is no action on frames, and a plan holds nothing else")
    if action.many and step.parents:
        return
    options = [name for name in action.optional if step.arguments.get(name) is not None]
    if len(step.parents) != len(action.inputs) + len(options):
        raise ActionError(
            f"{step.name} works on {len(action.inputs)} frames ({', '.join(action.inputs)}); the "
            f"plan names {len(step.parents)}"
        )


def compare_columns(leaf: Leaf, table: Table, steps: Sequence[Step] = ()) -> list[str]:
    """How the columns that a leaf needs differ from those a new table has.

    Args:
        leaf: The leaf.
        table: The new table.
        steps: The plan's steps, of which those that name a missing column are told.

    Raises:
        SourceError: If one is missing; names each with the nearest there are.
    """
    caveats, missing = [], []
    for name, kind in leaf.columns.items():
        try:
            match = resolve_column(name, table)
        except ActionError:
            near = ", ".join(map(repr, nearest_names(name, table.columns, limit=2)))
            labels = [f"{step.label} ({step.name})" for step in steps if _names_it(step, name)]
            of = f"; needed by {' and '.join(labels[:2])}" if labels else ""
            missing.append(f"{name!r} (nearest: {near}{of})")
            continue
        if match != name:
            caveats.append(f"column {name!r} of {leaf.label!r} is read from {match!r}")
        if kind and table.kind(match) != kind:
            caveats.append(
                f"column {match!r} of {leaf.label!r} was {kind} and is {table.kind(match)} in the "
                "new data"
            )
    if missing:
        more = len(missing) - NAMES_TOLD
        also = f" and {more} more" if more > 0 else ""
        raise SourceError(
            f"table {leaf.source!r} lacks {len(missing)} of the {len(leaf.columns)} columns that "
            f"the plan needs: {', '.join(missing[:NAMES_TOLD])}{also}; rename its columns, or ask "
            "again"
        )
    return caveats


def _names_it(step: Step, column: str) -> bool:
    code = str(step.arguments.get("code", "")) if step.name == CRAFT else ""
    if code:
        return bool(column_mentions(code, [column]))
    return any(column in group for group in groups_of(step.call))


def find_new_members(step: Step, call: Call, table: Table) -> list[str]:
    """Families that a step named whole and that have further members now."""
    names = {name for group in groups_of(call) for name in group}
    caveats = []
    for family in find_families(table.columns):
        new = [column for column in family.columns if column not in names]
        if family.pattern in step.families and new:
            caveats.append(
                f"{step.label} ({step.name}) takes the columns of {family.pattern} that there "
                f"were; {len(new)} more in the new data are left out: {_names(new)}"
            )
    return caveats


def find_missing_texts(label: str, action: Action, table: Table) -> list[str]:
    """Texts that a resolved action compares with and that no cell of new data equals."""
    if isinstance(action, Get):
        return _missing_sides(label, action, table)
    compares = [c for c in _compares(action) if c.column in table.schema]
    return _missing(label, [(f"cell of {c.column!r}", c) for c in compares], table)


def _missing_sides(label: str, action: Get, table: Table) -> list[str]:
    """Relations, and heads and tails of them, that a Get names and new data does not have."""
    caveats: list[str] = []
    if action.layout != "rows":
        there = {one.name for one in table.relations} or {*distinct_texts(table, RELATION)}
        times = TIME_KEYS if action.layout == "times" else ()
        relations = [one for one in (action.relation, action.key) if one and one not in times]
        caveats = [f"{label}: there is no relation {one!r} in the new data"
                for one in relations if one not in there]  # fmt: skip
    for side, name, part, column in action.compared(number_rows(table)):
        test = action.tests.get(side)
        if test is None or column not in part.schema:
            continue
        what = f"{side} of {name!r}" if name else side
        caveats += _missing(label, [(what, test)], with_key(part, column, action.kinds.get(side)))
    return caveats


def _missing(label: str, compares: Sequence[tuple[str, Compare]], table: Table) -> list[str]:
    """Those texts that equal no cell; each comparison stands beside what it speaks of."""
    checks = [
        (what, compare.model_copy(update={"op": "==", "value": literal}))
        for what, compare in compares
        if compare.op in EQUALITIES and compare.match
        for literal in compare.literals
        if table.kind(compare.column) == "text"
    ]
    checks = list(dict.fromkeys(checks))
    if not checks:
        return []
    exact = [compare for _, compare in checks]
    folded = [compare.model_copy(update={"match": "folded"}) for compare in exact]
    counts = [
        condition_expr(compare, table).fill_null(False).cast(nw.Int64).sum().alias(str(place))
        for place, compare in enumerate([*exact, *folded])
    ]
    totals = [int(count or 0) for count in table.frame.select(*counts).collect().row(0)]
    caveats = []
    for (what, compare), hits, loose in zip(checks, totals, totals[len(checks) :], strict=False):
        if hits:
            continue
        text = f"{label}: no {what} is {compare.value!r} in the new data"
        if loose:
            text += f"; {loose} differ from it in case or blanks alone and were not matched"
        caveats.append(text)
    more = len(caveats) - MAX_TOLD
    return caveats[:MAX_TOLD] + ([f"{label}: so are {more} more texts"] if more > 0 else [])


def renumber_headers(
    step: Step, call: Call, old: Mapping[str, str], new: Mapping[str, str]
) -> Call:
    """A call with the numbers of a pivot's columns as they are on new data.

    Args:
        step: The step, for the message.
        call: Its call, which may name numbered columns.
        old: What each number stood for.
        new: What each number stands for now.

    Raises:
        ActionError: If a column it names stands for something that there is no more.
    """
    code = str(call.arguments.get("code", "")) if call.name == CRAFT else ""
    if code:
        names = {*column_mentions(code, list(old))}
    else:
        names = {name for group in groups_of(call) for name in group if name in old}
    places = {value: header for header, value in new.items()}
    if missing := [name for name in names if old[name] not in places]:
        raise ActionError(
            f"{step.name} names {missing[0]!r}, which stood for {old[missing[0]]!r}; the "
            f"new data has no "
            "such value to make a column of",
            kind="unknown column",
        )
    moves = {name: places[old[name]] for name in names if places[old[name]] != name}
    if moves and code:  # what was approved is code by its hash, so it stays as it is
        name, place = next(iter(moves.items()))
        raise ActionError(
            f"the code of {step.label} (Craft) names {name!r}, which stood for {old[name]!r}; in "
            f"the new data that is {place!r}. Code is not rewritten: ask again on the new data",
            kind="moved column",
        )
    if not moves:
        return call
    holding = find_action(call.name).places
    arguments = {name: _move(name, value, holding, moves) for name, value in call.arguments.items()}
    return Call(name=call.name, arguments=arguments)


def compare_answer(plan: Plan, old: Mapping[str, str], new: Sequence[str]) -> list[str]:
    """How the columns of an answer differ from those it had.

    Args:
        plan: The plan.
        old: What its made-up headers stood for.
        new: The columns the answer has now, real headers in place of made-up ones.
    """
    before = [old.get(name, name) for name in plan.columns]
    if not before:
        return []
    were, are = set(before), set(new)
    missing = [name for name in before if name not in are]
    came = [name for name in new if name not in were]
    caveats = [f"the answer has no column {_names(missing)} in the new data"] if missing else []
    return caveats + ([f"the answer has new columns: {_names(came)}"] if came else [])


def _move(
    place: str, value: JsonValue, places: frozenset[str], moves: Mapping[str, str]
) -> JsonValue:
    if isinstance(value, dict):
        return {name: _move(name, part, places, moves) for name, part in value.items()}
    if isinstance(value, list):
        return [_move(place, part, places, moves) for part in value]
    if isinstance(value, str) and place in places:
        return moves.get(value, value)
    return value


def _compares(value: Any) -> Iterator[Compare]:
    """The comparisons anywhere in an action, those along a row one for each column."""
    for part in parts_within(value):
        if isinstance(part, Compare):
            yield part
        elif isinstance(part, Across) and part.op is not None:
            yield from (part.comparison(column) for column in part.columns)


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMES_TOLD
    return ", ".join(map(repr, names[:NAMES_TOLD])) + (f" and {more} more" if more > 0 else "")
