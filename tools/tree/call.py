"""A call: a wish to act, as a model or the planner wrote it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, field_validator

from wideleaf.tools.plain_data import whole


class Call(BaseModel):
    """A wish to act: a name and its arguments as plain data, as a model or planner wrote it."""

    model_config = ConfigDict(frozen=True)

    name: str
    arguments: dict[str, JsonValue] = {}

    @field_validator("name", "arguments")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        return whole(value)
