"""Edits of what an earlier plan measures of its groups or of the whole; pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
from wideleaf.agents.planner.followups.edits import by_of, drop_conditions, texts_of
from wideleaf.tools.tree.call import Call

COUNT = "count"


def group_by(
    calls: Calls, keys: Sequence[str], further: bool, lacking: Sequence[str]
) -> Calls | None:
    """Measure for each value of some columns what was measured of all, or of other groups.

    Args:
        calls: The plan.
        keys: The columns.
        further: Whether the earlier groups are split, not replaced.
        lacking: Those of the columns that some rows have no value in.
    """
    place = summary_place(calls)
    if place == len(calls):
        end = rows_end(calls)
        if end < len(calls) and calls[end].name == "Sort":
            return None
        place, calls = end, (*calls[:end], aggregate_step([{"function": COUNT, "name": COUNT}]))
    summary = calls[place]
    if summary.name not in ("Group", "Aggregate"):
        return None
    old = keys_of(calls)
    new = [*old, *(key for key in keys if key not in old)] if further else [*keys]
    if new == old:
        return None
    old_only = {*old} - {*new}
    measures = summary.arguments.get("measures")
    group = Call(name="Group", arguments={"keys": [*new], "measures": measures})
    before = drop_conditions(calls[:place], frozenset(old_only)) if old_only else None
    rows = _without_nulls(calls[:place] if before is None else before, lacking)
    names = [one["name"] for one in measures_of(calls)]
    return (*rows, group, *_after_group(calls[place + 1 :], old, new, names))


def ungroup(calls: Calls, key: str) -> Calls | None:
    """Measure for all values of a column together what was measured for each."""
    place = summary_place(calls)
    rest = [one for one in keys_of(calls) if one != key]
    if place == len(calls) or calls[place].name != "Group" or rest == keys_of(calls):
        return None
    if rest:
        return group_by(calls, rest, False, [])
    measures = calls[place].arguments.get("measures")
    return (*calls[:place], Call(name="Aggregate", arguments={"measures": measures}))


def _without_nulls(rows: Calls, lacking: Sequence[str]) -> Calls:
    if not lacking:
        return rows
    where: JsonValue = [{"column": column, "op": "is not null"} for column in lacking]
    return (*rows, Call(name="Filter", arguments={"where": where}))


def _after_group(
    rest: Calls, old: Sequence[str], new: Sequence[str], names: Sequence[str]
) -> Calls:
    """What follows a group, where it is grouped by other columns; its ends are no more."""
    steps: list[Call] = []
    for call in rest:
        if call.name == "Select":
            continue
        if call.name == "Sort":
            by = [one for one in by_of(call) if one.get("column") not in {*old} - {*new}]
            if call.arguments.get("limit") is not None or not by:
                continue
            call = call.model_copy(update={"arguments": {**call.arguments, "by": by}})
        if call.name in ("Group", "Aggregate"):
            break
        steps.append(call)
    return tuple(steps)


def measure(
    calls: Calls, pairs: Sequence[tuple[str, str | None]], further: bool = False
) -> Calls | None:
    """Measure otherwise, or more, where rows first become other rows.

    Args:
        calls: The plan.
        pairs: Functions, each with its column.
        further: Whether they stand beside what was measured.
    """
    place = summary_place(calls)
    new = [_measure(function, column) for function, column in pairs]
    if place == len(calls):
        return (*calls[: rows_end(calls)], aggregate_step(new))
    if calls[place].name not in ("Group", "Aggregate"):
        return None
    old = measures_of(calls)
    if further:
        new = [*old, *(one for one in new if one not in old)]
    if new == old:
        return None
    summary = calls[place]
    step = summary.model_copy(update={"arguments": {**summary.arguments, "measures": [*new]}})
    names = (
        {}
        if further
        else dict(zip((o["name"] for o in old), (n["name"] for n in new), strict=False))
    )
    rest = []
    parts = {one["function"] for one in new} <= {COUNT, "sum", "count distinct"}
    for call in calls[place + 1 :] if parts else without_share(calls[place + 1 :]):
        if call.name == "Select" and further:
            items = [*texts_of(call.arguments.get("columns")), *(n["name"] for n in new)]
            columns: list[JsonValue] = [*dict.fromkeys(items)]
            call = call.model_copy(update={"arguments": {**call.arguments, "columns": columns}})
        rest.append(rename(call, names))
    return (*calls[:place], step, *rest)


def show(calls: Calls, names: Sequence[str]) -> Calls:
    """Answer with the groups and some of what is measured of them."""
    rest = tuple(call for call in calls if call.name != "Select")
    columns: list[JsonValue] = [*keys_of(calls), *names]
    return (*rest, Call(name="Select", arguments={"columns": columns}))


def without_share(calls: Calls) -> Calls:
    """What follows a measure, where it is no part of a whole any more: no mean is."""
    if not any(
        call.name == "Window" and call.arguments.get("function") == "share" for call in calls
    ):
        return calls
    idle = [c for c in calls if c.name == "Window" or c.arguments.get("name") == "share"]
    idle += [c for c in calls if c.name == "Select" and "share" in texts_of(c.arguments["columns"])]
    return tuple(call for call in calls if call not in idle)


def _measure(function: str, column: str | None) -> dict[str, Any]:
    if column is None:
        return {"function": COUNT, "name": COUNT}
    return {"function": function, "column": column, "name": f"{function} of {column}"}


def aggregate_step(measures: Sequence[Mapping[str, Any]]) -> Call:
    """A step that measures all rows at once."""
    return Call(name="Aggregate", arguments={"measures": [dict(one) for one in measures]})


def rename(call: Call, names: Mapping[str, str]) -> Call:
    """A call that speaks of columns by other names."""
    return Call(
        name=call.name, arguments={k: _renamed(v, names) for k, v in call.arguments.items()}
    )


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, dict):
        literal = {"column", "op", "value"} <= {*value}
        return {
            k: v if literal and k in ("op", "value") else _renamed(v, names)
            for k, v in value.items()
        }
    return value


def swap_columns(calls: Calls, names: Mapping[str, str]) -> Calls:
    """The plan over other columns: wherever one is used or gave its name, the other is."""
    spoken = dict(names)
    for call in calls:
        for key in ("measures",):
            for one in call.arguments.get(key) or ():  # type: ignore[union-attr]
                if isinstance(one, dict) and one.get("column") in names:
                    new = names[str(one["column"])]
                    spoken[str(one["name"])] = str(one["name"]).replace(str(one["column"]), new)
    return tuple(rename(call, spoken) for call in calls)


def count_rows(calls: Calls) -> Calls | None:
    """How many rows the answer has, or that a number was made of."""
    count = aggregate_step([{"function": COUNT, "name": COUNT}])
    place = summary_place(calls)
    tests = [(at, share_test(call)) for at, call in enumerate(calls[:place]) if share_test(call)]
    if tests and calls[place:] and calls[place].name == "Aggregate":
        at, where = tests[0]
        keep = Call(name="Filter", arguments={"where": items_of(where)})
        return (*calls[:at], keep, *calls[at + 1 : place], count)
    if place < len(calls) and calls[place].name == "Aggregate":
        plan = (*calls[:place], count)
        return plan if plan != calls else None
    return (*calls, count)


def share_of_all(calls: Calls, percent: bool, base: frozenset[str] = frozenset()) -> Calls | None:
    """A count or a sum as a part of the whole: of all rows, or of all groups.

    Args:
        calls: The plan.
        percent: Whether in percent.
        base: Columns of conditions that the whole fulfils, too.
    """
    place = summary_place(calls)
    if place == len(calls):
        place = rows_end(calls)
        calls = (*calls[:place], *(count_rows(calls) or ())[-1:])
    measures = measures_of(calls)
    if len(measures) != 1 or measures[0].get("function") not in (COUNT, "sum", "count distinct"):
        return None
    scale = [_percent()] if percent else []
    if calls[place].name == "Group":
        return _share_of_groups(calls, place, str(measures[0]["name"]), scale)
    if calls[place].name != "Aggregate" or measures[0]["function"] != COUNT:
        return None
    mean = _share_of_rows(calls[:place], base)
    return (*mean, *scale) if mean else None


def _share_of_groups(calls: Calls, place: int, name: str, scale: Sequence[Call]) -> Calls:
    share: dict[str, JsonValue] = {"function": "share", "column": name, "name": "share"}
    plan = [*calls[: place + 1], Call(name="Window", arguments=share), *scale]
    rest = [rename(call, {name: "share"}) for call in calls[place + 1 :]]
    if not any(call.name == "Select" for call in rest):
        columns: list[JsonValue] = [*keys_of(calls), "share"]
        rest.append(Call(name="Select", arguments={"columns": columns}))
    return (*plan, *rest)


def _share_of_rows(calls: Calls, base: frozenset[str]) -> Calls | None:
    """The part of some rows, without conditions or with those on some columns, that is kept."""
    items = [item for at, item in conditions_of(calls) if calls[at].name == "Filter"]
    if not items:
        return None
    whole = [item for item in items if {*columns_in(item)} <= base]
    items = [item for item in items if item not in whole] or items
    rows = [call for call in calls if call.name != "Filter"]
    rows += [Call(name="Filter", arguments={"where": whole})] if whole else []
    test: JsonValue = {"if": {"all": items}, "then": 1, "else": 0}
    mark = Call(name="Derive", arguments={"name": "share", "expression": test})
    mean = aggregate_step([{"function": "mean", "column": "share", "name": "share"}])
    return (*rows, mark, mean)


def round_to(calls: Calls, columns: Sequence[str], digits: int) -> Calls | None:
    """Round some columns of the answer."""
    steps = []
    for column in columns:
        rounding: JsonValue = {"op": "round", "args": [column, digits]}
        steps.append(Call(name="Derive", arguments={"name": column, "expression": rounding}))
    return (*calls, *steps) if steps else None


def _percent() -> Call:
    expression: JsonValue = {"op": "*", "args": ["share", 100]}
    return Call(name="Derive", arguments={"name": "share", "expression": expression})
