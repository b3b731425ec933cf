"""Edits of the order of an earlier plan's answer, its ends and its columns; pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from wideleaf.agents.planner.followups.earlier import (
    Calls,
    summary_place,
)
from wideleaf.tools.tree.call import Call


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
    listed = call.arguments.get("by")
    return (
        [dict(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    )


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
    listed: list[JsonValue] = [*dict.fromkeys([*(old if further else old[:-1]), *columns])]
    if listed == old:
        return None
    return (*calls[:-1], Call(name="Select", arguments={"columns": listed}), *once)


def selected(calls: Calls) -> list[str]:
    """The columns that the last Select keeps; none if there is none."""
    found = [call for call in calls if call.name == "Select"]
    return texts_of(found[-1].arguments.get("columns")) if found else []


def texts_of(listed: Any) -> list[str]:
    """A list of texts in a call's arguments."""
    return [str(one) for one in listed] if isinstance(listed, list) else []
