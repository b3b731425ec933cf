"""Semantics: what actions mean where parameters leave it open, as people or as SQL have it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.expressions.expression import Across

Profile = Literal["standard", "sql"]
"""``standard`` decides by the data at hand; ``sql`` means what a database would."""


def under(profile: Profile, action: Action) -> Action:
    """The action as a profile means it, before it is resolved."""
    return under_sql(action) if profile == "sql" else action


def under_sql(action: Action) -> Action:
    """The action with what the standard profile decides by the data fixed as SQL has it.

    Text equals only what is written exactly so, a limit cuts through ties, and a null sorts
    before everything else. What is fixed is part of the action, so a replay needs no profile.
    """
    fixed: Action = _fixed(action)
    return fixed


def _fixed(value: Any) -> Any:
    """A value with every action, comparison and condition inside it fixed."""
    if isinstance(value, tuple):
        return tuple(_fixed(part) for part in value)
    if not isinstance(value, BaseModel):
        return value
    update = {name: _fixed(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, Sort):
        update["nulls"] = "smallest"
        if value.limit is not None:
            update["ties"] = "cut"
    elif isinstance(value, Compare) or (isinstance(value, Across) and value.op is not None):
        update["match"] = "exact"
    changed = {name: part for name, part in update.items() if part != getattr(value, name)}
    return value.model_copy(update=changed) if changed else value
