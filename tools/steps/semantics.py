"""Semantics: what actions mean where parameters leave it open, as people or as SQL have it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.conditions.nodes import rewrite
from wideleaf.tools.expressions.expression import Across

Profile = Literal["standard", "sql"]
"""``standard`` decides by the data at hand; ``sql`` means what a database would."""


def under(profile: Profile, action: Action) -> Action:
    """The action as a profile means it, before it is resolved."""
    return under_sql(action) if profile == "sql" else action


def under_sql(action: Action) -> Action:
    """The action with what the standard profile decides by the data fixed as SQL has it.

    Text equals only what is written exactly so, a limit cuts through ties unless they are to be
    kept in so many words, and a null sorts before everything else. What is fixed is part of the
    action, so a replay needs no profile.
    """
    return rewrite(action, _fix_semantics)


def _fix_semantics(model: BaseModel) -> BaseModel:
    """A sort, comparison or row aggregate with what it left open fixed."""
    update: dict[str, Any] = {}
    if isinstance(model, Sort):
        update["nulls"] = "smallest"
        if model.limit is not None and "ties" not in model.model_fields_set:
            update["ties"] = "cut"
    elif isinstance(model, Compare) or (isinstance(model, Across) and model.op is not None):
        update["match"] = "exact"
    return model.model_copy(update=update) if update else model
