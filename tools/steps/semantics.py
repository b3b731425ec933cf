"""What actions mean where parameters leave it open; an action with every model in it looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.sort import Sort
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.expressions.expression import Across

ModelT = TypeVar("ModelT", bound=BaseModel)


def rewrite(model: ModelT, change: Callable[[BaseModel], BaseModel]) -> ModelT:
    """The same model with all models inside it changed, parts before the whole.

    Args:
        model: An action, mostly; its conditions, expressions and measures lie within.
        change: Gives another of the same kind, or the very one where nothing is to be changed.
    """
    return cast(ModelT, _rewritten(model, change))


def _rewritten(value: Any, change: Callable[[BaseModel], BaseModel]) -> Any:
    if isinstance(value, tuple):
        return tuple(_rewritten(part, change) for part in value)
    if not isinstance(value, BaseModel):
        return value
    parts = {name: getattr(value, name) for name in type(value).model_fields}
    made = {name: _rewritten(part, change) for name, part in parts.items()}
    changed = {name: part for name, part in made.items() if part != parts[name]}
    return change(value.model_copy(update=changed) if changed else value)


def models_in(value: Any) -> Iterator[BaseModel]:
    """A model and all models inside it."""
    if isinstance(value, tuple):
        for part in value:
            yield from models_in(part)
    elif isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from models_in(getattr(value, name))


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
    return rewrite(action, _fixed)


def _fixed(model: BaseModel) -> BaseModel:
    """A sort, comparison or row aggregate with what it left open fixed."""
    update: dict[str, Any] = {}
    if isinstance(model, Sort):
        update["nulls"] = "smallest"
        if model.limit is not None and "ties" not in model.model_fields_set:
            update["ties"] = "cut"
    elif isinstance(model, Compare) or (isinstance(model, Across) and model.op is not None):
        update["match"] = "exact"
    return model.model_copy(update=update) if update else model
