"""Nodes: models within models, as conditions and expressions in actions, looked at and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict

_Value = TypeVar("_Value")


class Node(BaseModel):
    """A part of a condition or of an expression."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", serialize_by_alias=True, allow_inf_nan=False
    )
    inner: ClassVar[tuple[str, ...] | None] = None
    """The fields that hold its parts, if not all of them do."""


def find_tag(value: object, keys: Mapping[str, str], default: str) -> str:
    """Which class a value is of, or is written as: the first whose key it has."""
    for tag, key in keys.items():
        if type(value).__name__ == tag or (isinstance(value, dict) and key in value):
            return tag
    return default


def parts_of(value: object) -> Iterator[Any]:
    """What a model or a tuple is made of directly, names and constants included."""
    if isinstance(value, tuple):
        yield from value
    elif isinstance(value, BaseModel):
        for name in _names_of(value):
            content = getattr(value, name)
            yield from (
                content if isinstance(content, tuple) else () if content is None else (content,)
            )


def parts_within(value: object) -> Iterator[Any]:
    """A model and all that it is made of, the outer ones first."""
    yield value
    for part in parts_of(value):
        yield from parts_within(part)


def map_parts(value: _Value, change: Callable[[Any], Any]) -> _Value:
    """The same model with each part that it is made of directly changed."""
    if isinstance(value, tuple):
        parts = tuple(map(change, value))
        same = all(new is old for new, old in zip(parts, value, strict=True))  # 1 equals true
        return value if same else parts  # type: ignore[return-value]
    if not isinstance(value, BaseModel):
        return value
    changes: dict[str, Any] = {}
    for name in _names_of(value):
        content = getattr(value, name)
        if content is None:
            continue
        part = map_parts(content, change) if isinstance(content, tuple) else change(content)
        if part is not content:
            changes[name] = part
    return value.model_copy(update=changes) if changes else value


def rewrite(value: _Value, change: Callable[[BaseModel], BaseModel]) -> _Value:
    """The same model with it and all models inside it changed, parts before the whole.

    Args:
        value: An action, mostly; its conditions, expressions and measures lie within.
        change: Gives another of the same kind, or the very one where nothing is to be changed.
    """
    result: Any = map_parts(value, lambda part: rewrite(part, change))
    return change(result) if isinstance(result, BaseModel) else result  # type: ignore[return-value]


def _names_of(model: BaseModel) -> Iterable[str]:
    own = model.inner if isinstance(model, Node) else None
    return type(model).model_fields if own is None else own
