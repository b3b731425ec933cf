"""Whether the rows of a frame stand in an order of their own, so that they may be numbered."""

from __future__ import annotations

from collections.abc import Iterable

from wideleaf.tools.actions.position import Position
from wideleaf.tools.actions.registry import actions
from wideleaf.tools.errors import ActionError

ORDERED = ("Load", "Sort", "Get")
"""Actions whose rows stand in an order of their own."""


def need_order(lineage: Iterable[str]) -> None:
    """Refuse to number rows that an engine may put in another order the next time.

    Args:
        lineage: Names of the actions that made the frame, the last one first, along first parents.

    Raises:
        ActionError: If the rows stand in no order; names the action that lost it.
    """
    # A window keeps the rows in what order they are told to have, yet an engine may list them in
    # another while it looks at their neighbours.
    keeping = {one.__name__ for one in actions() if {"rows", "order"} <= one.keeps}
    for name in lineage:
        if name in ORDERED:
            return
        if name not in (*keeping, Position.__name__):
            raise ActionError(
                f"the rows of a {name} stand in no order of their own; Sort them first, or use "
                "Position before it",
                kind="no order",
            )
