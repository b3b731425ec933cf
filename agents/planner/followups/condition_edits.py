"""Edits of an earlier plan's rows: a condition in place of another, beside it, or gone; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    columns_in,
    conditions_of,
    items_of,
    rows_end,
    share_test,
)
from wideleaf.tools.tree.call import Call

LOWER, UPPER = (">", ">="), ("<", "<=")
NEGATIVE = ("!=", "not in")
DATED = ("month", "year")
PERIOD = re.compile(r"(\d{4})-(\d{2})")


def add_condition(calls: Calls, item: Any, columns: frozenset[str], joined: bool = False) -> Calls:
    """Put a condition on rows in the place of an earlier one on the same column, or beside it.

    Args:
        calls: The plan.
        item: The condition, as Filter writes it.
        columns: Its columns, with those that say the same, such as the levels of one category.
        joined: Whether its value is one more of those that are meant.
    """
    held = [
        (place, old)
        for place, old in conditions_of(calls)
        if columns & {*columns_in(old)} and (joined or _replaces(item, old))
    ]
    if not held:
        end = rows_end(calls)
        step = Call(name="Filter", arguments={"where": [item]})
        return (*calls[:end], step, *calls[end:])
    item = _of_period(item, held[0][1])
    new = _union(held[0][1], item) if joined else item
    changed = list(calls)
    for number, (place, old) in enumerate(held):
        changed[place] = _exchange(changed[place], old, new if number == 0 else None)
    return tuple(call for call in changed if not _idle(call))


def drop_conditions(calls: Calls, columns: frozenset[str] | None = None) -> Calls | None:
    """Leave conditions on rows out: those on some columns, or all; None if there is none."""
    changed, found = list(calls), False
    for place, old in conditions_of(calls):
        if calls[place].name == "Filter" and (columns is None or columns & {*columns_in(old)}):
            changed[place] = _exchange(changed[place], old, None)
            found = True
    return tuple(call for call in changed if not _idle(call)) if found else None


def leave_out(calls: Calls, items: Sequence[Any]) -> Calls:
    """Leave some conditions on rows out.

    Args:
        calls: The plan.
        items: The conditions, as its steps write them.
    """
    changed = list(calls)
    for place, old in conditions_of(calls):
        if calls[place].name == "Filter" and old in items:
            changed[place] = _exchange(changed[place], old, None)
    return tuple(call for call in changed if not _idle(call))


def _replaces(new: Any, old: Any) -> bool:
    """Whether a condition stands in the place of an earlier one on its column."""
    if "column" not in new or "column" not in old:
        return True
    ops = new.get("op", "=="), old.get("op", "==")
    dated = _of_period(new, old) is not new or (_period(new) and old.get("part") in DATED)
    if (new.get("part") != old.get("part") and not dated) or "is not null" in ops:
        return False
    if ops[0] in NEGATIVE:
        return ops[1] not in NEGATIVE and bool(new.get("value") == old.get("value"))
    opposed = (ops[0] in LOWER and ops[1] in UPPER) or (ops[0] in UPPER and ops[1] in LOWER)
    return not opposed


def _period(item: Any) -> list[str]:
    """Year and month of a condition on one month of one year."""
    found = PERIOD.fullmatch(str(item.get("value", ""))) if item.get("op", "==") == "==" else None
    return list(found.groups()) if found else []


def _of_period(new: Any, old: Any) -> Any:
    """Another month of the year of before, or that month of another year."""
    ends, value = _period(old), new.get("value")
    if not ends or new.get("part") not in DATED or new.get("op") != "==":
        return new
    year, month = (ends[0], int(value)) if new["part"] == "month" else (value, int(ends[1]))
    return {"column": new["column"], "op": "==", "value": f"{year}-{month:02}"}


def _union(old: Any, new: Any) -> Any:
    if not {"column", "value"} <= {*old} or not {"column", "value"} <= {*new}:
        return {"any": [old, new]}
    values: list[JsonValue] = []
    for one in (old["value"], new["value"]):
        values += [v for v in (one if isinstance(one, list) else [one]) if v not in values]
    return {**new, "op": "in", "value": values}


def _exchange(call: Call, old: Any, new: Any) -> Call:
    name = "where" if call.name == "Filter" else "expression"
    where = call.arguments["where"] if name == "where" else share_test(call)
    kept = [new if item == old else item for item in items_of(where)]
    kept = [item for item in kept if item is not None]
    if name == "where":
        return call.model_copy(update={"arguments": {**call.arguments, "where": kept}})
    test = {"if": {"all": kept}, "then": 1, "else": 0}
    return call.model_copy(update={"arguments": {**call.arguments, "expression": test}})


def _idle(call: Call) -> bool:
    return call.name == "Filter" and call.arguments.get("where") == []
