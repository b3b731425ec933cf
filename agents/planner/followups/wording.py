"""Wording: an edited plan in words, as other plans have their reading."""

from __future__ import annotations

from typing import Any

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    conditions_of,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.order_edits import by_of, selected, sort_of
from wideleaf.agents.planner.rules.where import SPOKEN, spoken_value


def read_plan(calls: Calls, table: str) -> str:
    """What a plan gives, in a sentence part."""
    said = [f"{_answer(calls)} of {table}"]
    where = [phrase for _, item in conditions_of(calls) if (phrase := phrase_item(item))]
    if where:
        said.append(f"where {' and '.join(where)}")
    if (sort := sort_of(calls)) is not None:
        by = by_of(sort)[0]
        end = "highest" if by.get("descending") else "lowest"
        limit = sort.arguments.get("limit")
        if limit is None:
            said.append(f"the {end} {by['column']} first")
        else:
            said.append(f"the {limit} with the {end} {by['column']}")
    return ", ".join(said)


def _answer(calls: Calls) -> str:
    keys, measures = keys_of(calls), [str(one["name"]) for one in measures_of(calls)]
    names = " and ".join(name if name != "count" else "number of rows" for name in measures)
    later = calls[summary_place(calls) + 1 :]
    if any(
        call.name in ("Window", "Derive") and call.arguments.get("name") == "share"
        for call in calls
    ):
        names = "share of rows" if names in ("share", "") else f"share of the {names}"
    if any(call.name == "Aggregate" for call in later):
        return f"the number of rows of the {names}"
    if names:
        listed = selected(later)
        if keys and listed == keys:
            return f"the {' and '.join(keys)} by {names}"
        return f"the {names}" + (f" for each {' and '.join(keys)}" if keys else "")
    return f"the {', '.join(selected(calls)) or 'rows'}"


def phrase_item(item: Any) -> str:
    """A condition in words."""
    if not isinstance(item, dict):
        return ""
    for name, word in (("any", " or "), ("all", " and ")):
        if name in item:
            return word.join(filter(None, map(phrase_item, item[name])))
    if "column" not in item:
        return ""
    op = item.get("op", "==")
    if op in ("is null", "is not null"):
        return f"{item['column']} is {'missing' if op == 'is null' else 'there'}"
    part = f"the {item['part']} of " if item.get("part") else ""
    told = spoken_value(str(item.get("op")), item.get("value"))
    value = item.get("other") if "other" in item else told
    return f"{part}{item['column']} {SPOKEN.get(op, op)} {value}"
