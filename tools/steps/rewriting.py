"""Rewriting: an action with every model inside it looked at, and changed where one wishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from pydantic import BaseModel

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
