"""Removals: an earlier plan without a condition, a limit or a group that a message takes back."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from wideleaf.agents.planner.followups.earlier import (
    NAMED,
    Calls,
    columns_in,
    conditions_of,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import leave_out, limit_to
from wideleaf.agents.planner.followups.measure_edits import aggregate_step, group_by
from wideleaf.agents.planner.followups.order_changes import limit_in
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Question, read_words
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.tools.plain_data import texts_in


class _Part(NamedTuple):
    """A part of a plan, the words that may name it, and the numbers in it."""

    item: Any
    columns: frozenset[str]
    stems: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()


def take_back(what: str, calls: Calls, index: TableIndex) -> Calls | None:
    """A plan without what some words name; None where it holds nothing that they all name.

    Args:
        what: The words, such as "the five", "the condition on site" or "Norway".
        calls: The plan.
        index: What is known of the columns of its rows.
    """
    message = Message(Question(what))
    question, count = message.question, limit_in(calls)
    places = _naming_places(message)
    general = set() if places else {cue.value for cue in message.cue("part")}
    limits = {number.place for number in question.numbers if number.value == count}
    items = [
        part
        for part in _conditions(calls)
        if "conditions" in general or places & _places(question, index, part)
    ]
    keys = [
        key
        for key in keys_of(calls)
        if "groups" in general or places & _places(question, index, _key(key))
    ]
    cover = {p for part in (*items, *map(_key, keys)) for p in _places(question, index, part)}
    if places - cover - (set() if items else limits):
        return None
    limit = bool(limits) or "limit" in general
    plan = _without_parts(calls, [part.item for part in items], keys, limit)
    return plan if plan != calls else None


def _without_parts(calls: Calls, items: list[Any], keys: list[str], limit: bool) -> Calls:
    """A plan without some conditions; if there are none, without some groups or its limit."""
    if items:
        return leave_out(calls, items)
    plan = (limit_to(calls, None) if limit else None) or calls
    return (_without_keys(plan, keys) if keys else None) or plan


def _naming_places(message: Message) -> set[int]:
    """Places of the words by which parts of a plan may be named."""
    question = message.question
    words = {p for p, word in enumerate(question.words) if word.text.isdigit()}
    words |= {p for p in range(len(question.words)) if question.content(p, p + 1)}
    words |= {number.place for number in question.numbers}
    cues = (*message.cue("part"), *message.cue("go"), *question.cue("compare"))
    return words - {place for cue in cues for place in cue.places}


def _conditions(calls: Calls) -> Iterator[_Part]:
    for _, item in conditions_of(calls):
        texts = [*texts_in(_values(item), keys=False)]
        stems = frozenset(word.stem for text in texts for word in read_words(text))
        yield _Part(item, frozenset(columns_in(item)), stems, frozenset(_numbers(item)))


def _key(column: str) -> _Part:
    return _Part(column, frozenset([column]))


def _places(question: Question, index: TableIndex, part: _Part) -> frozenset[int]:
    """Places of the words that name a part: its column, its value."""
    numbers = {n.place for n in question.numbers if n.value in part.numbers}
    values = {p for p, word in enumerate(question.words) if word.stem in part.stems}
    mentions = [
        mention
        for mention in index.names.mentions(question)
        if mention.column in part.columns and mention.score >= NAMED
    ]
    return frozenset(numbers | values).union(*(mention.places for mention in mentions))


def _values(item: Any) -> Any:
    """What a condition compares with."""
    if isinstance(item, dict):
        return [
            item.get("value"),
            *(_values(item[name]) for name in ("any", "all") if name in item),
        ]
    return [_values(one) for one in item] if isinstance(item, list) else None


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one)


def _without_keys(calls: Calls, keys: Collection[str]) -> Calls | None:
    """Groups by fewer columns, or one answer for all rows."""
    rest = [key for key in keys_of(calls) if key not in keys]
    if rest:
        return group_by(calls, rest, False, ())
    place = summary_place(calls)
    if calls[place].name != "Group" or {call.name for call in calls[place + 1 :]} - {
        "Sort",
        "Select",
    }:
        return None
    return (*calls[:place], aggregate_step(measures_of(calls)))
