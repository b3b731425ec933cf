"""Changes of groups: an earlier plan's measure for each value of other columns."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.followups import (
    condition_edits,
    measure_edits,
)
from wideleaf.agents.planner.followups.change import NAMED, Change
from wideleaf.agents.planner.followups.earlier import (
    Calls,
    keys_of,
)
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.rules.group_measures import Keys, keys_after
from wideleaf.agents.planner.scenes.derivation import Derivation, Scene, Use

FINELY = 0.3
"""How likely it is that a column with fractions is to be grouped by."""


def other_groups(scene: Scene, message: Message, change: Change) -> Iterator[Change]:
    """Other groups, or further ones."""
    away = message.cue("go", "of")
    for cue in _grouping(scene, message):
        if any(one.end >= cue.start >= one.start for one in away):
            continue
        split = cue.kind == "on split" or bool(message.cue("split"))
        further = (split or bool(message.cue("go", "add"))) and bool(keys_of(change.calls))
        further = further and not message.cue("go", "swap", "of")
        for keys in _keys(scene, cue):
            if away and keys.uses[0].start > away[0].end:
                continue
            lacking = [c for c in keys.columns if scene.index.lacks(c)]
            calls = measure_edits.group_by(_for_every(change, keys), keys.columns, further, lacking)
            told = [
                *(message.cue("go", "add") if further else ()),
                *_old_keys(scene, message, change),
            ]
            rule = "further groups" if further else "groups"
            likely = FINELY if any(_finely(scene, c) for c in keys.columns) else 1.0
            yield from change.by(rule, calls, cue, *keys.uses, *told, likely=likely)


def _for_every(change: Change, keys: Keys) -> Calls:
    """The plan without a condition on what it is grouped by now, where it is of earlier."""
    if "condition" in change.rules:
        return change.calls
    return condition_edits.drop_conditions(change.calls, frozenset(keys.columns)) or change.calls


def _finely(scene: Scene, column: str) -> bool:
    """Whether a column has fractions, so that hardly any two rows are of one group."""
    return scene.index.kinds.get(column) == "number" and any(
        value != int(value) for value in scene.index.numbers(column)
    )


def _grouping(scene: Scene, message: Message) -> list[Cue]:
    found = [*message.cue("split"), *scene.cues("each", "by"), *message.cue("by")]
    return [
        cue
        for place, cue in enumerate(found)
        if not any(other.places >= cue.places for other in found[:place])
    ]


def _keys(scene: Scene, cue: Cue) -> list[Keys]:
    found = list(keys_after(Derivation(scene, scene.label), cue))
    return [keys for keys in found if keys.likely >= NAMED]


def _old_keys(scene: Scene, message: Message, change: Change) -> list[Use]:
    """The earlier groups where the message names them as those that are not meant."""
    found: list[Use] = []
    for away in message.cue("go", "of"):
        old = keys_of(change.calls)
        found += [away, *(m for m in scene.free if m.column in old and m.start >= away.end)]
    return found
