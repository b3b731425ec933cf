"""Changes: what a message wants to be otherwise in an earlier plan, one after another."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.followups.earlier import Calls, Change
from wideleaf.agents.planner.followups.group_changes import other_groups
from wideleaf.agents.planner.followups.measure_changes import other_measures
from wideleaf.agents.planner.followups.order_changes import other_order, wholes
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.followups.row_changes import other_rows
from wideleaf.agents.planner.scenes.derivation import Scene


def changes(scene: Scene, message: Message, calls: Calls) -> Iterator[Change]:
    """Every way in which a message may change an earlier plan, one change after another.

    Args:
        scene: The earlier plan's table, with the conditions that the message gives.
        message: The message.
        calls: The earlier plan.
    """
    start = Change(calls)
    for first in _otherwise(start, other_rows(scene, message, start)):
        for second in _otherwise(first, other_groups(scene, message, first)):
            for third in _otherwise(second, other_measures(scene, message, second)):
                for last in _otherwise(third, other_order(scene, message, third)):
                    if last.rules:
                        yield last
                if third.rules or not third.uses:
                    yield from wholes(scene, message, third)


def _otherwise(change: Change, found: Iterator[Change]) -> Iterator[Change]:
    yield change
    yield from found
