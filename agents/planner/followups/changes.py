"""Changes: what a message wants to be otherwise in an earlier plan, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wideleaf.agents.planner.followups.earlier import (
    COLUMNS,
    NAMED,
    Calls,
    Change,
    columns_in,
    conditions_of,
)
from wideleaf.agents.planner.followups.edits import add_condition, drop_conditions
from wideleaf.agents.planner.followups.group_changes import other_groups
from wideleaf.agents.planner.followups.measure_changes import other_measures
from wideleaf.agents.planner.followups.order_changes import other_order, wholes
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.where import where_of
from wideleaf.agents.planner.scopes.derivation import JoinScope

OPPOSITE = {"==": "!=", "in": "not in", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}
PLAIN = {"the", "one", "befor", "before", "previou", "next"}


def other_rows(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """Other rows: the conditions that the message gives, all of them, or none any more."""
    links = scope.conditions.links
    if links:
        calls, further = change.calls, bool(message.cue("go", "add"))
        for link in links:
            where, _, _ = where_of(scope, (_invert_condition(message, link),))
            columns = {link.column, *columns_in(where)}
            if link.flags:
                category = scope.index.category_of.get(link.flags[0].column, "")
                levels = scope.index.category(category)
                columns |= {*levels.columns} if levels else set()
            calls = add_condition(calls, where[0], frozenset(columns), further and link.op == "==")
        mentions = [link.named for link in links if link.named]
        cues = (
            message.cue("go", "narrow", "leave", "add") if further else message.cue("go", "narrow")
        )
        uses = (*cues, *_leaving(message, links), *_only_counted(message, links))
        yield from change.by("condition", calls, *links, *mentions, *uses)
    yield from _shift_value(message, change)
    if not links and message.cue("all"):
        calls_or_none = drop_conditions(change.calls)
        yield from change.by("no condition", calls_or_none, *message.cue("all"))
    for cue in message.cue("go", "leave"):
        for m in _after(scope, cue):
            nulls: dict[str, str] = {"column": m.column, "op": "is not null"}
            missing = scope.question.cue("missing")
            if missing:
                calls = add_condition(change.calls, nulls, frozenset([m.column]))
                yield from change.by("no missing", calls, cue, m, *missing)
            else:
                dropped = drop_conditions(change.calls, frozenset([m.column]))
                yield from change.by("no condition on it", dropped, cue, m)


def _shift_value(message: Message, change: Change) -> Iterator[Change]:
    """The value before or after the one that the earlier plan compares: the year before."""
    for cue in message.cue("shift"):
        words = {word.stem for word in message.question.words[cue.start : cue.end]}
        for _, item in conditions_of(change.calls):
            value = item.get("value") if isinstance(item, dict) else None
            if (
                item.get("op", "==") != "=="
                or isinstance(value, bool)
                or not isinstance(value, int | float)
            ):
                continue
            column = str(item["column"])
            if words & {part.stem for part in name_parts(column)} or words <= PLAIN:
                step = 1 if cue.value == "after" else -1
                new = {**item, "value": value + step}
                calls = add_condition(change.calls, new, frozenset([column]))
                yield from change.by("shift", calls, cue)


def _invert_condition(message: Message, link: ValueLink) -> ValueLink:
    """A condition turned round where the message leaves its rows out."""
    cues = [cue for cue in message.cue("go", "leave") if cue.end <= link.start]
    return link._replace(op=OPPOSITE[link.op]) if cues and link.op in OPPOSITE else link


def _only_counted(message: Message, links: Sequence[ValueLink]) -> list[Cue]:
    """``count`` where it only says which rows are to be taken: count block 2 only."""
    only = [cue.start for cue in message.cue("go", "narrow")]
    starts = [min(link.start, link.named.start if link.named else link.start) for link in links]
    ends = [max(link.end, link.named.end if link.named else link.end) for link in links]
    return [
        cue
        for cue in message.question.cue("count")
        if message.question.words[cue.start].text == "count"
        and (cue.end in starts)
        and {*ends} & {*only}
    ]


def _leaving(message: Message, links: Sequence[ValueLink]) -> tuple[Cue, ...]:
    return message.cue("go", "leave") if links else ()


def _after(scope: JoinScope, cue: Cue) -> list[Mention]:
    return [m for m in scope.free if m.score >= NAMED and scope.follows(cue, m, 2)][:COLUMNS]


def condition_columns(calls: Calls) -> list[str]:
    """The columns that an earlier plan's rows are chosen by."""
    return list(dict.fromkeys(c for _, item in conditions_of(calls) for c in columns_in(item)))


def changes(scope: JoinScope, message: Message, calls: Calls) -> Iterator[Change]:
    """Every way in which a message may change an earlier plan, one change after another.

    Args:
        scope: The earlier plan's table, with the conditions that the message gives.
        message: The message.
        calls: The earlier plan.
    """
    start = Change(calls)
    for first in _otherwise(start, other_rows(scope, message, start)):
        for second in _otherwise(first, other_groups(scope, message, first)):
            for third in _otherwise(second, other_measures(scope, message, second)):
                for last in _otherwise(third, other_order(scope, message, third)):
                    if last.rules:
                        yield last
                if third.rules or not third.uses:
                    yield from wholes(scope, message, third)


def _otherwise(change: Change, others: Iterator[Change]) -> Iterator[Change]:
    yield change
    yield from others
