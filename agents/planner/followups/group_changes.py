"""Changes of groups: an earlier plan's measure for each value of other columns."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.followups.earlier import (
    NAMED,
    Calls,
    Change,
    conditions_of,
    keys_of,
)
from wideleaf.agents.planner.followups.edits import drop_conditions
from wideleaf.agents.planner.followups.measure_edits import group_by, ungroup
from wideleaf.agents.planner.followups.reading import POINTERS, Message
from wideleaf.agents.planner.links.lexicon import Cue, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.rules.group_measures import Keys, keys_after
from wideleaf.agents.planner.scopes.derivation import Derivation, JoinScope, Use

TOGETHER = ("together", "combined", "alike", "pooled", "taken")
FINELY = 0.3
"""How likely it is that a column with fractions is to be grouped by."""


def other_groups(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """Other groups, or further ones."""
    yield from _together(scope, message, change)
    away, cues = message.cue("go", "of"), _grouping(scope, message)
    for cue in cues:
        if any(one.end >= cue.start >= one.start for one in away):
            continue
        yield from _same_groups(scope, message, change, cue)
        for keys in _keys(scope, cue):
            if not away or keys.uses[0].start <= away[0].end:
                again = [u for other in cues if other != cue for u in _again(scope, other, keys)]
                yield from _new_groups(scope, message, change, cue, keys, again)


def _new_groups(
    scope: JoinScope, message: Message, change: Change, cue: Cue, keys: Keys, again: list[Use]
) -> Iterator[Change]:
    added, split = message.cue("go", "add"), cue.kind == "on split" or message.cue("split")
    further = bool((split or added) and keys_of(change.calls))
    further = further and not message.cue("go", "swap", "of")
    columns = [c for c in keys.columns if c in scope.index.kinds or scope.category(c)]
    lacking = [c for c in columns if scope.index.lacks(c)]
    calls = group_by(_for_every(change, keys), keys.columns, further, lacking)
    uses = [*(added if further else ()), *_old_keys(scope, message, change), *again]
    rule = "further groups" if further else "groups"
    likely = FINELY if any(_finely(scope, c) for c in keys.columns) else 1.0
    yield from change.by(rule, calls, cue, *keys.uses, *uses, likely=likely)


def _together(scope: JoinScope, message: Message, change: Change) -> Iterator[Change]:
    """Groups no more: of all years together, for both sexes combined."""
    words = [word.text for word in scope.question.words]
    for m in scope.named:
        if m.column in keys_of(change.calls) and words[m.end : m.end + 1] and m.start:
            start = m.start - 1 - (words[m.start - 1] == "the" and m.start > 1)
            whole = words[start] in ("all", "both") and words[m.end] in TOGETHER
            if whole:
                calls = ungroup(change.calls, m.column)
                mention = Mention("", start, m.end + 1, 1.0, frozenset(range(start, m.end + 1)))
                yield from change.by("together", calls, mention)


def _same_groups(scope: JoinScope, message: Message, change: Change, cue: Cue) -> Iterator[Change]:
    """The groups of before, or each of what is listed: for each kind, one figure for each."""
    end, words = cue.end, scope.question.words
    plain = lexicon().classes["generic"] | lexicon().classes["sorts"] | POINTERS
    if [word.text for word in words[end : end + 1]] == ["of"]:  # in each of those groups
        end += 1
    while end < len(words) and words[end].text in plain:
        end += 1
    if end < len(words) and scope.question.content(end, end + 1) and end == cue.end:
        return
    mention = Mention("", cue.start, end, 1.0, frozenset(range(cue.start, end)))
    keys = keys_of(change.calls)
    if keys:
        yield change._replace(uses=(*change.uses, cue, mention))
        return
    items = [item for _, item in conditions_of(change.calls) if isinstance(item, dict)]
    columns = [str(item["column"]) for item in items if item.get("op") == "in"]
    if columns:
        calls = group_by(change.calls, columns[:1], False, [])
        yield from change.by("groups", calls, cue, mention)


def _again(scope: JoinScope, cue: Cue, keys: Keys) -> list[Use]:
    """Another phrase that asks for the same groups."""
    mentions = [m for m in scope.free if m.column in keys.columns and scope.follows(cue, m)]
    return [cue, *mentions[:1]] if mentions else []


def same_groups(scope: JoinScope, message: Message, calls: Calls) -> Iterator[Use]:
    """Words of a message that name the groups which a plan has: the median by site, once more.

    Args:
        scope: The plan's table and the message.
        message: The message.
        calls: The plan.
    """
    old = {*keys_of(calls)}
    for cue in _grouping(scope, message) if old else ():
        keys = next((one for one in _keys(scope, cue) if {*one.columns} == old), None)
        if keys is not None:
            yield cue
            yield from keys.uses


def _for_every(change: Change, keys: Keys) -> Calls:
    """The plan without a condition on what it is grouped by now, where it is of earlier."""
    if "condition" in change.rules:
        return change.calls
    return drop_conditions(change.calls, frozenset(keys.columns)) or change.calls


def _finely(scope: JoinScope, column: str) -> bool:
    """Whether a column has fractions, so that hardly any two rows are of one group."""
    return scope.index.kinds.get(column) == "number" and any(
        value != int(value) for value in scope.index.numbers(column)
    )


def _grouping(scope: JoinScope, message: Message) -> list[Cue]:
    cues = [*message.cue("split"), *scope.cues("each", "by"), *message.cue("by")]
    return [
        cue
        for place, cue in enumerate(cues)
        if not any(other.places >= cue.places for other in cues[:place])
    ]


def _keys(scope: JoinScope, cue: Cue) -> list[Keys]:
    options = list(keys_after(Derivation(scope, scope.label), cue))
    # For A, B and C, state by state: what is listed is grouped by, too.
    columns = {link.column for link in scope.conditions.links if link.op == "in"}
    mentions = [m for m in scope.named if m.column in columns and scope.follows(cue, m)]
    options += [Keys((m.column,), (m,), m.score) for m in mentions]
    options = [keys for keys in options if keys.likely >= NAMED]
    if cue.kind == "on by" and cue.value == "each":  # between the years, but over the limit
        last = [scope.question.words[keys.uses[0].end - 1].text for keys in options]
        options = [k for k, word in zip(options, last, strict=True) if word.endswith("s")]
    return options


def _old_keys(scope: JoinScope, message: Message, change: Change) -> list[Use]:
    """The earlier groups where the message names them as those that are not meant."""
    uses: list[Use] = []
    for away in message.cue("go", "of"):
        old = keys_of(change.calls)
        mentions = [m for m in scope.named if m.column in old and m.start >= away.end]
        # Without its column: no step speaks of that any more.
        uses += [away, *(m._replace(column="", family=None) for m in mentions)]
    return uses
