"""A change: an earlier plan with something otherwise, and the words that it goes by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wideleaf.agents.planner.followups.earlier import (
    Calls,
)
from wideleaf.agents.planner.scenes.derivation import Use

NAMED = 0.45
"""How well a column must be named to take the place of another."""
COLUMNS = 3


class Change(NamedTuple):
    """An earlier plan with something otherwise.

    Attributes:
        calls: The plan now.
        uses: What of the message is explained.
        rules: Names of the changes made.
        likely: How likely they are meant, 0 to 1, by what they are.
    """

    calls: Calls
    uses: tuple[Use, ...] = ()
    rules: tuple[str, ...] = ()
    likely: float = 1.0

    def by(
        self, rule: str, calls: Calls | None, *uses: Use, likely: float = 1.0
    ) -> Iterator[Change]:
        """The plan with one more change; nothing if it cannot be made."""
        if calls is not None and calls != self.calls:
            yield Change(calls, (*self.uses, *uses), (*self.rules, rule), min(self.likely, likely))
