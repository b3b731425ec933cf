"""Edits of earlier plans: another condition, grouping, measure, order or column; pure functions."""

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
from wideleaf.tools.tree.call import Call

LOWER, UPPER = (">", ">="), ("<", "<=")
NEGATIVE = ("!=", "not in")
COUNT = "count"


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


def _replaces(new: Any, old: Any) -> bool:
    """Whether a condition stands in the place of an earlier one on its column."""
    if "column" not in new or "column" not in old:
        return True
    ops = new.get("op", "=="), old.get("op", "==")
    if new.get("part") != old.get("part") or "is not null" in ops:
        return False
    if ops[0] in NEGATIVE:
        return ops[1] not in NEGATIVE and bool(new.get("value") == old.get("value"))
    opposed = (ops[0] in LOWER and ops[1] in UPPER) or (ops[0] in UPPER and ops[1] in LOWER)
    return not opposed


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


def group_by(calls: Calls, keys: Sequence[str], further: bool, lacking: Sequence[str]) -> Calls | None:
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
        place, calls = end, (*calls[:end], _aggregate([{"function": COUNT, "name": COUNT}]))
    summary = calls[place]
    if summary.name not in ("Group", "Aggregate"):
        return None
    old = keys_of(calls)
    new = [*old, *(key for key in keys if key not in old)] if further else [*keys]
    if new == old:
        return None
    gone = {*old} - {*new}
    measures = summary.arguments.get("measures")
    group = Call(name="Group", arguments={"keys": [*new], "measures": measures})
    before = drop_conditions(calls[:place], frozenset(gone)) if gone else None
    rows = _without_nulls(calls[:place] if before is None else before, lacking)
    names = [one["name"] for one in measures_of(calls)]
    return (*rows, group, *_after_group(calls[place + 1 :], old, new, names))


def _without_nulls(rows: Calls, lacking: Sequence[str]) -> Calls:
    if not lacking:
        return rows
    where: JsonValue = [{"column": column, "op": "is not null"} for column in lacking]
    return (*rows, Call(name="Filter", arguments={"where": where}))


def _after_group(rest: Calls, old: Sequence[str], new: Sequence[str], names: Sequence[str]) -> Calls:
    """What follows a group, where it is grouped by other columns; a few of them are no end any more."""
    kept: list[Call] = []
    for call in rest:
        if call.name == "Select":
            continue
        if call.name == "Sort":
            by = [one for one in _by(call) if one.get("column") not in {*old} - {*new}]
            if call.arguments.get("limit") is not None or not by:
                continue
            call = call.model_copy(update={"arguments": {**call.arguments, "by": by}})
        if call.name in ("Group", "Aggregate"):
            break
        kept.append(call)
    return tuple(kept)


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
        return (*calls[: rows_end(calls)], _aggregate(new))
    if calls[place].name not in ("Group", "Aggregate"):
        return None
    old = measures_of(calls)
    if further:
        new = [*old, *(one for one in new if one not in old)]
    if new == old:
        return None
    summary = calls[place]
    changed = summary.model_copy(update={"arguments": {**summary.arguments, "measures": [*new]}})
    names = {} if further else dict(zip((o["name"] for o in old), (n["name"] for n in new), strict=False))
    rest = []
    for call in calls[place + 1 :]:
        if call.name == "Select" and further:
            listed = [*_texts(call.arguments.get("columns")), *(n["name"] for n in new)]
            columns: list[JsonValue] = [*dict.fromkeys(listed)]
            call = call.model_copy(update={"arguments": {**call.arguments, "columns": columns}})
        rest.append(rename(call, names))
    return (*calls[:place], changed, *rest)


def _measure(function: str, column: str | None) -> dict[str, Any]:
    if column is None:
        return {"function": COUNT, "name": COUNT}
    return {"function": function, "column": column, "name": f"{function} of {column}"}


def _aggregate(measures: Sequence[Mapping[str, Any]]) -> Call:
    return Call(name="Aggregate", arguments={"measures": [dict(one) for one in measures]})


def rename(call: Call, names: Mapping[str, str]) -> Call:
    """A call that speaks of columns by other names."""
    return Call(name=call.name, arguments={k: _renamed(v, names) for k, v in call.arguments.items()})


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, dict):
        literal = {"column", "op", "value"} <= {*value}
        return {k: v if literal and k in ("op", "value") else _renamed(v, names) for k, v in value.items()}
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
    kept = [call for call in calls[place:] if call.name != "Sort"]
    if only:
        kept = [call for call in kept if call.name != "Select"]
        kept.append(Call(name="Select", arguments={"columns": [*only]}))
    return (*calls[:place], step, *kept)


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


def _by(call: Call) -> list[dict[str, Any]]:
    listed = call.arguments.get("by")
    return [dict(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def by_of(call: Call) -> list[dict[str, Any]]:
    """The columns a Sort goes by."""
    return _by(call)


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
    by = [{**one, "descending": not one.get("descending", False)} for one in _by(calls[place])]
    arguments = {**calls[place].arguments, "by": by}
    return (*calls[:place], Call(name="Sort", arguments=arguments), *calls[place + 1 :])


def select(calls: Calls, columns: Sequence[str], further: bool) -> Calls | None:
    """Answer with other columns of the same rows, or with more; None where rows became others."""
    if summary_place(calls) < len(calls):
        return None
    last = calls[-1] if calls else None
    if last is not None and last.name == "Distinct" and len(calls) > 1:
        last, calls = calls[-2], calls[:-1]
    if last is None or last.name != "Select":
        return (*calls, Call(name="Select", arguments={"columns": [*columns]})) if calls else None
    old = _texts(last.arguments.get("columns"))
    listed: list[JsonValue] = [*dict.fromkeys([*(old if further else ()), *columns])]
    if listed == old:
        return None
    return (*calls[:-1], Call(name="Select", arguments={"columns": listed}))


def selected(calls: Calls) -> list[str]:
    """The columns that the last Select keeps; none if there is none."""
    found = [call for call in calls if call.name == "Select"]
    return _texts(found[-1].arguments.get("columns")) if found else []


def count_rows(calls: Calls) -> Calls | None:
    """How many rows the answer has, or that a number was made of."""
    counted = _aggregate([{"function": COUNT, "name": COUNT}])
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


def share_of_all(calls: Calls, percent: bool) -> Calls | None:
    """A count or a sum as a part of the whole: of all rows, or of all groups."""
    place = summary_place(calls)
    if place == len(calls):
        place, calls = rows_end(calls), (*calls[: rows_end(calls)], *(count_rows(calls) or ())[-1:])
    summary, measures = calls[place], measures_of(calls)
    if len(measures) != 1 or measures[0].get("function") not in (COUNT, "sum"):
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
    rows = [call for call in calls[:place] if call.name != "Filter"]
    test: JsonValue = {"if": {"all": items}, "then": 1, "else": 0}
    mark = Call(name="Derive", arguments={"name": "share", "expression": test})
    mean = _aggregate([{"function": "mean", "column": "share", "name": "share"}])
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


def _texts(listed: Any) -> list[str]:
    return [str(one) for one in listed] if isinstance(listed, list) else []
