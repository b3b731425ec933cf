"""Edits that take an earlier plan's answer as a whole: how many, which part, how finely."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    columns_in,
    conditions_of,
    items_of,
    keys_of,
    measures_of,
    rows_end,
    share_test,
    summary_place,
)
from wideleaf.agents.planner.followups.measure_edits import COUNT, aggregate_step, rename
from wideleaf.tools.tree.call import Call


def count_rows(calls: Calls) -> Calls | None:
    """How many rows the answer has, or that a number was made of."""
    counted = aggregate_step([{"function": COUNT, "name": COUNT}])
    place = summary_place(calls)
    tests = [(at, share_test(call)) for at, call in enumerate(calls[:place]) if share_test(call)]
    if tests and calls[place:] and calls[place].name == "Aggregate":
        at, where = tests[0]
        keep = Call(name="Filter", arguments={"where": items_of(where)})
        return (*calls[:at], keep, *calls[at + 1 : place], counted)
    if place < len(calls) and calls[place].name == "Aggregate":
        made = (*calls[:place], counted)
        return made if made != calls else None
    return (*calls, counted)


def share_of_all(calls: Calls, percent: bool, base: frozenset[str] = frozenset()) -> Calls | None:
    """A count or a sum as a part of the whole: of all rows, or of all groups.

    Args:
        calls: The plan.
        percent: Whether in percent.
        base: Columns of conditions that the whole fulfils, too.
    """
    place = summary_place(calls)
    if place == len(calls):
        place, calls = rows_end(calls), (*calls[: rows_end(calls)], *(count_rows(calls) or ())[-1:])
    summary, measures = calls[place], measures_of(calls)
    if len(measures) != 1 or measures[0].get("function") not in (COUNT, "sum", "count distinct"):
        return None
    name = str(measures[0]["name"])
    if summary.name == "Group":
        share: dict[str, JsonValue] = {"function": "share", "column": name, "name": "share"}
        made = [*calls[: place + 1], Call(name="Window", arguments=share)]
        rest = [rename(call, {name: "share"}) for call in calls[place + 1 :]]
        made += [_percent()] if percent else []
        if not any(call.name == "Select" for call in rest):
            listed: list[JsonValue] = [*keys_of(calls), "share"]
            rest.append(Call(name="Select", arguments={"columns": listed}))
        return (*made, *rest)
    items = [item for at, item in conditions_of(calls) if calls[at].name == "Filter"]
    if summary.name != "Aggregate" or measures[0]["function"] != COUNT or not items:
        return None
    whole = [item for item in items if {*columns_in(item)} <= base]
    items = [item for item in items if item not in whole] or items
    rows = [call for call in calls[:place] if call.name != "Filter"]
    rows += [Call(name="Filter", arguments={"where": whole})] if whole else []
    test: JsonValue = {"if": {"all": items}, "then": 1, "else": 0}
    mark = Call(name="Derive", arguments={"name": "share", "expression": test})
    mean = aggregate_step([{"function": "mean", "column": "share", "name": "share"}])
    return (*rows, mark, mean, *([_percent()] if percent else []))


def round_to(calls: Calls, columns: Sequence[str], digits: int) -> Calls | None:
    """Round some columns of the answer."""
    made = []
    for column in columns:
        rounding: JsonValue = {"op": "round", "args": [column, digits]}
        made.append(Call(name="Derive", arguments={"name": column, "expression": rounding}))
    return (*calls, *made) if made else None


def _percent() -> Call:
    expression: JsonValue = {"op": "*", "args": ["share", 100]}
    return Call(name="Derive", arguments={"name": "share", "expression": expression})
