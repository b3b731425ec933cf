"""Changes of order and number: ends, the other way, how many, what part of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wideleaf.agents.planner.followups.earlier import (
    COLUMNS,
    NAMED,
    Calls,
    Change,
    keys_of,
    measures_of,
    summary_place,
)
from wideleaf.agents.planner.followups.edits import (
    by_of,
    drop_conditions,
    limit_to,
    order,
    select,
    selected,
    sort_of,
    then_order,
    turn,
)
from wideleaf.agents.planner.followups.measure_changes import ENDS, SAME_GROUPS, last_word
from wideleaf.agents.planner.followups.measure_edits import count_rows, round_to, share_of_all
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.rows import limit_of, spot_of
from wideleaf.agents.planner.scopes.derivation import JoinScope, Use, decimals
from wideleaf.agents.planner.scopes.targets import nearest_number

WANTED = frozenset(("need", "want", "see", "like", "take", "keep", "to"))
FIRST = {"top": True, "first": True, "bottom": False, "last": False}
"""Whether a word asks for the first rows of the order there is, or for its last."""


def other_order(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """Another order, another end of it, or more or fewer of its rows."""
    cover = {place for use in change.uses for place in use.places}
    way = {place for cue in message.cue("way") for place in cue.places}
    ends = [c for c in scope.cues("extreme", "mode", "more") if not c.places & (cover | way)]
    for flip in message.cue("flip")[:1]:
        column, calls = value_column(change.calls), change.calls
        turned = turn(calls) or (order(calls, column, True, None) if column else None)
        yield from change.by("other way", turned, flip, *scope.cues("order"))
    for end in ends[:1]:
        if when := [*_when_at_an_end(scope, message, change, end)]:
            yield from when
            return
        yield from _other_end(scope, message, change, end)
    yield from _no_limit(scope, message, change)
    if not ends:
        yield from _new_limit(scope, message, change, cover)
    yield from _in_order(scope, message, change, cover | way)


def _other_end(scope: JoinScope, message: Message, change: Change, end: Cue) -> Iterator[Change]:
    """The rows at another end: the 3 shortest, which one is the highest."""
    calls, ways = change.calls, message.cue("way")
    limit, uses = limit_of(scope, end)
    which = (*message.cue("which"), *scope.question.cue("wh"))
    only = keys_of(calls) if which and not uses else ()
    likely = 1.0 if which or uses or last_word(scope, end) not in ENDS else 0.6
    sort, first = sort_of(calls), FIRST.get(scope.question.words[end.start].text)
    for column, names in _end_columns(scope, change, end):
        down = end.kind == "mode" or scope.direction(end, _source(calls, column))
        if uses and sort and first is not None and not names:
            down = bool(by_of(sort)[0].get("descending")) == first
        plan = order(calls, column, down, limit, only)
        if ways and (ways[-1].value == "down") != down:  # the top 3, lowest first
            plan = then_order(plan, column, not down)
        rest: list[Use] = [*uses, *names, *which[:1], *ways, *_counted(scope, calls)]
        yield from change.by("end", plan, end, *rest, likely=likely)


def _end_columns(scope: JoinScope, change: Change, end: Cue) -> list[tuple[str, list[Mention]]]:
    """The columns that an end may be of, each with what names it in the message."""
    cover = {place for use in change.uses for place in use.places}
    names = [m for m in scope.orders(scope.free) if m.score >= NAMED and not m.places & cover]
    near = nearest_number(scope.question, end, names, scope.kinds)[:COLUMNS]
    columns = [(_find_order_column(change.calls, m.column), [m]) for m in near]
    columns = columns or [(_order_column(change.calls), [])]
    return [(column, mentions) for column, mentions in columns if column]


def _no_limit(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    limit, question = limit_in(change.calls), scope.question
    for cue in message.cue("go", "leave"):
        places = [n.place for n in question.numbers if n.value == limit and n.place >= cue.end]
        if places and not question.content(cue.end, places[0]):
            yield from change.by("no limit", limit_to(change.calls, None), cue, spot_of(places[0]))


def _new_limit(
    scope: JoinScope, message: Message, change: Change, cover: set[int]
) -> Iterator[Change]:
    """As many rows as a number asks for that says nothing else."""
    cues = message.cue("go", "narrow", "filler", "swap") or scope.question.cue("wh")
    words, before = scope.question.words, lexicon().stopwords | WANTED
    free = [n for n in scope.question.numbers if n.place not in cover and not n.ordinal]
    free = [n for n in free if not n.place or words[n.place - 1].text in before]
    if cues and len(free) == 1 and free[0].value >= 1:
        limited = limit_to(change.calls, int(free[0].value))
        more: list[Use] = [*message.cue("go", "narrow", "swap"), *_counted(scope, change.calls)]
        yield from change.by("limit", limited, spot_of(free[0].place), *more, likely=0.8)


def _in_order(
    scope: JoinScope, message: Message, change: Change, cover: set[int]
) -> Iterator[Change]:
    """The rows highest first or lowest first."""
    calls, ways = change.calls, (*message.cue("way"), *scope.cues("way", "order"))
    down = any(cue.value == "down" for cue in ways)
    told_of = selected(calls)[-1:]
    if ways and SAME_GROUPS in change.rules and told_of:  # of those 6, tallest first
        yield from change.by("order", then_order(calls, told_of[0], down), *ways)
    elif ways:
        names = [m for m in scope.free if m.score >= NAMED and not m.places & cover]
        limit = limit_in(calls)
        count = limit if isinstance(limit, int) else None
        for m in names[:COLUMNS]:
            if column := _find_order_column(calls, m.column):
                yield from change.by("order", order(calls, column, down, count), *ways, m)
        if not names and (column := _order_column(calls)):
            yield from change.by("order", order(calls, column, down, None), *ways)


def _when_at_an_end(
    scope: JoinScope, message: Message, change: Change, end: Cue
) -> Iterator[Change]:
    """Which row has the highest of what was told: *what year was it highest?*, of all years."""
    calls = change.calls
    asks = scope.question.cue("wh")
    beside = {place for cue in asks for place in (cue.end - 1, cue.end)}
    targets = [m for m in scope.named if m.score >= NAMED and m.start in beside]
    pointed = [*message.cue("points", "one")]
    column = value_column(calls)
    if summary_place(calls) < len(calls) or not (targets and pointed and column):
        return
    if targets[0].column == column or scope.kinds.get(column) != "number":
        return
    free = drop_conditions(calls, frozenset([targets[0].column])) or calls
    ordered = order(free, column, scope.direction(end, column), 1)
    plan = select(ordered, [targets[0].column], False) if ordered else None
    yield from change.by("when at an end", plan, end, *asks[:1], targets[0], *pointed)


def _find_order_column(calls: Calls, column: str) -> str:
    """What of the answer's rows a column names: itself, or what was measured of it."""
    if summary_place(calls) == len(calls) or column in keys_of(calls):
        return column
    return next((str(m["name"]) for m in measures_of(calls) if m.get("column") == column), "")


def _order_column(calls: Calls) -> str:
    """The column that the answer's rows are in order by, or else that of their values."""
    sort = sort_of(calls)
    return str(by_of(sort)[0]["column"]) if sort else value_column(calls)


def limit_in(calls: Calls) -> Any:
    """How many of the first rows of an order are kept; None for all of them."""
    sort = sort_of(calls)
    return sort.arguments.get("limit") if sort else None


def _source(calls: Calls, column: str) -> str:
    """The column that a measure is of."""
    return next(
        (str(m["column"]) for m in measures_of(calls) if m["name"] == column and m.get("column")),
        column,
    )


def value_column(calls: Calls) -> str:
    """The column that holds what the answer tells of its rows."""
    last = [call for call in calls[summary_place(calls) :] if call.name in ("Window", "Derive")]
    if last and keys_of(calls):
        return str(last[-1].arguments.get("name", ""))
    measures = measures_of(calls)
    if measures and keys_of(calls):
        return str(measures[0]["name"])
    return "" if measures else (selected(calls) or [""])[-1]


def _counted(scope: JoinScope, calls: Calls) -> list[Mention]:
    """The noun of a limit where it names the groups there are: the five states."""
    keys = keys_of(calls)
    return [
        m
        for limit in find_limits(scope.question)
        for m in scope.free
        if m.column in keys and limit.place < m.start and m.end <= limit.noun
    ]


def wholes(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """How many the answer has, or what part of the whole it is."""
    cover = {place for use in change.uses for place in use.places}
    for cue in message.cue("count"):
        if not cue.places & cover:
            yield from change.by("count of it", count_rows(change.calls), cue)
    digits = decimals(scope.question)
    if digits is not None and not cover & _rounding(scope):
        columns = [str(one["name"]) for one in measures_of(change.calls)]
        columns = columns or [c for c in selected(change.calls) if scope.kinds.get(c) == "number"]
        spots = map(spot_of, sorted(_rounding(scope)))
        plan = round_to(change.calls, columns, digits)
        yield from change.by("round", plan, *spots, *message.cue("round"))
    for cue in scope.cues("share"):
        if not cue.places & cover:
            plan = share_of_all(change.calls, cue.value == "percent", _base(scope, message))
            yield from change.by("share", plan, cue, *message.cue("total"))


def _base(scope: JoinScope, message: Message) -> frozenset[str]:
    """The columns of conditions on the whole that something is a part of: of all the women."""
    ends = [cue.end for cue in (*message.cue("total"), *scope.cues("share"))]
    links = scope.conditions.links
    return frozenset(k.column for k in links if ends and k.start >= max(ends))


def _rounding(scope: JoinScope) -> set[int]:
    cues = scope.question.cue("decimals")
    beside = {place for cue in cues for place in (cue.end, cue.start - 1)}
    return beside & {number.place for number in scope.question.numbers}
