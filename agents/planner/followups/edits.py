"""Edits of an earlier plan: which rows it takes, in which order it tells them; pure functions."""

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
    summary_place,
)
from wideleaf.tools.tree.call import Call

LOWER, UPPER = (">", ">="), ("<", "<=")
NEGATIVE = ("!=", "not in")
DATED = ("month", "year")
PERIOD = re.compile(r"(\d{4})-(\d{2})")


def add_condition(calls: Calls, item: Any, columns: frozenset[str], further: bool = False) -> Calls:
    """Put a condition on rows in the place of an earlier one on the same column, or beside it.

    Args:
        calls: The plan.
        item: The condition, as Filter writes it.
        columns: Its columns, with those that say the same, such as the levels of one category.
        further: Whether its value is one more of those that are meant.
    """
    matches = [
        (place, old)
        for place, old in conditions_of(calls)
        if columns & {*columns_in(old)} and (further or _replaces(item, old))
    ]
    if not matches:
        end = rows_end(calls)
        step = Call(name="Filter", arguments={"where": [item]})
        return (*calls[:end], step, *calls[end:])
    item = _of_period(item, matches[0][1])
    new = _union(matches[0][1], item) if further else item
    plan = list(calls)
    for number, (place, old) in enumerate(matches):
        plan[place] = _exchange(plan[place], old, new if number == 0 else None)
    return tuple(call for call in plan if not _idle(call))


def drop_conditions(calls: Calls, columns: frozenset[str] | None = None) -> Calls | None:
    """Leave conditions on rows out: those on some columns, or all; None if there is none."""
    plan, has_any = list(calls), False
    for place, old in conditions_of(calls):
        if calls[place].name == "Filter" and (columns is None or columns & {*columns_in(old)}):
            plan[place] = _exchange(plan[place], old, None)
            has_any = True
    return tuple(call for call in plan if not _idle(call)) if has_any else None


def leave_out(calls: Calls, items: Sequence[Any]) -> Calls:
    """Leave some conditions on rows out.

    Args:
        calls: The plan.
        items: The conditions, as its steps write them.
    """
    plan = list(calls)
    for place, old in conditions_of(calls):
        if calls[place].name == "Filter" and old in items:
            plan[place] = _exchange(plan[place], old, None)
    return tuple(call for call in plan if not _idle(call))


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
    match = PERIOD.fullmatch(str(item.get("value", ""))) if item.get("op", "==") == "==" else None
    return list(match.groups()) if match else []


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
    items = [new if item == old else item for item in items_of(where)]
    items = [item for item in items if item is not None]
    if name == "where":
        return call.model_copy(update={"arguments": {**call.arguments, "where": items}})
    test = {"if": {"all": items}, "then": 1, "else": 0}
    return call.model_copy(update={"arguments": {**call.arguments, "expression": test}})


def _idle(call: Call) -> bool:
    return call.name == "Filter" and call.arguments.get("where") == []


def order(
    calls: Calls, column: str, descending: bool, limit: int | None, only: Sequence[str] = ()
) -> Calls:
    """Put the answer's rows in an order, and keep the first of them.

    Args:
        calls: The plan.
        column: What they are ordered by.
        descending: Whether the greatest comes first.
        limit: How many are kept; all if None.
        only: The columns to answer with, if not all.
    """
    place = sort_place(calls)
    arguments: dict[str, JsonValue] = {"by": [{"column": column, "descending": descending}]}
    if limit is not None:
        arguments |= {"limit": limit, "ties": "keep"}
    step = Call(name="Sort", arguments=arguments)
    rest = [call for call in calls[place:] if call.name != "Sort"]
    if only:
        rest = [call for call in rest if call.name != "Select"]
        rest.append(Call(name="Select", arguments={"columns": [*only]}))
    return (*calls[:place], step, *rest)


def then_order(calls: Calls, column: str, descending: bool) -> Calls:
    """Put those rows in another order that an end of the first order has left."""
    place = sort_place(calls) + 1
    step = Call(name="Sort", arguments={"by": [{"column": column, "descending": descending}]})
    return (*calls[:place], step, *calls[place:])


def sort_place(calls: Calls) -> int:
    """Where the answer's rows are put in order: where they are, else before the last Select."""
    start = summary_place(calls)
    start = start if start < len(calls) else 0
    for place in range(len(calls) - 1, start - 1, -1):
        if calls[place].name == "Sort":
            return place
    end = len(calls)
    while end > start and calls[end - 1].name in ("Select", "Distinct"):
        end -= 1
    return end


def sort_of(calls: Calls) -> Call | None:
    """The call that puts the answer's rows in order, if one does."""
    place = sort_place(calls)
    return calls[place] if place < len(calls) and calls[place].name == "Sort" else None


def by_of(call: Call) -> list[dict[str, Any]]:
    """The columns a Sort goes by."""
    items = call.arguments.get("by")
    return [dict(one) for one in items if isinstance(one, dict)] if isinstance(items, list) else []


def limit_to(calls: Calls, limit: int | None) -> Calls | None:
    """Keep more or fewer of the first rows of the order there is; None if there is none."""
    place = sort_place(calls)
    if place == len(calls) or calls[place].name != "Sort":
        return None
    arguments = {k: v for k, v in calls[place].arguments.items() if k not in ("limit", "ties")}
    if limit is not None:
        arguments |= {"limit": limit, "ties": "keep"}
    return (*calls[:place], Call(name="Sort", arguments=arguments), *calls[place + 1 :])


def turn(calls: Calls) -> Calls | None:
    """Put the answer's rows in the opposite order; None if they are in none."""
    place = sort_place(calls)
    if place == len(calls) or calls[place].name != "Sort":
        return None
    by: JsonValue = [
        {**one, "descending": not one.get("descending", False)} for one in by_of(calls[place])
    ]
    arguments: dict[str, JsonValue] = {**calls[place].arguments, "by": by}
    return (*calls[:place], Call(name="Sort", arguments=arguments), *calls[place + 1 :])


def select(calls: Calls, columns: Sequence[str], further: bool) -> Calls | None:
    """Answer with other columns of the same rows, or with more; None where rows became others."""
    if summary_place(calls) < len(calls):
        return None
    once = calls[-1:] if calls and calls[-1].name == "Distinct" else ()
    calls = calls[: len(calls) - len(once)]
    last = calls[-1] if calls else None
    if last is None or last.name != "Select":
        return (*calls, Call(name="Select", arguments={"columns": [*columns]})) if calls else None
    old = texts_of(last.arguments.get("columns"))
    names: list[JsonValue] = [*dict.fromkeys([*(old if further else old[:-1]), *columns])]
    if names == old:
        return None
    return (*calls[:-1], Call(name="Select", arguments={"columns": names}), *once)


def selected(calls: Calls) -> list[str]:
    """The columns that the last Select keeps; none if there is none."""
    steps = [call for call in calls if call.name == "Select"]
    return texts_of(steps[-1].arguments.get("columns")) if steps else []


def texts_of(items: Any) -> list[str]:
    """A list of texts in a call's arguments."""
    return [str(one) for one in items] if isinstance(items, list) else []
