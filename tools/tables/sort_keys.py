"""Sort keys: by which columns rows are ordered, what is said of ties and of nulls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.json_schema import WithJsonSchema

from wideleaf.tools.tables.columns import need_kind, resolve_column
from wideleaf.tools.tables.table import Kind, Table

ORDERED: tuple[Kind, ...] = ("number", "text", "boolean", "date", "datetime")
TIE_BREAKERS = 8


class SortKey(BaseModel):
    """A column to sort by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: str
    descending: bool = False


def _as_keys(value: object) -> object:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [{"column": item} if isinstance(item, str) else item for item in values]


SortKeys = Annotated[
    tuple[SortKey, ...],
    BeforeValidator(_as_keys),
    WithJsonSchema(
        {"type": "array", "items": {"type": "string"}, "description": "-name descends."}
    ),
]
"""Columns to sort by; a name alone ascends, one after a minus descends."""


def resolve_keys(keys: Sequence[SortKey], table: Table, purpose: str) -> tuple[SortKey, ...]:
    """Name the columns; a minus before a name means descending.

    A column named again orders nothing any more and is left out.

    Raises:
        ActionError: If a column is unknown or cannot be ordered.
    """
    first: dict[str, SortKey] = {}
    for key in (_resolve_key(key, table) for key in keys):
        first.setdefault(key.column, key)
    resolved = tuple(first.values())
    need_kind(table, [key.column for key in resolved], *ORDERED, purpose=purpose)
    return resolved


def _resolve_key(key: SortKey, table: Table) -> SortKey:
    if key.column.startswith("-") and key.column not in table.columns:
        return SortKey(column=resolve_column(key.column[1:], table), descending=True)
    return key.model_copy(update={"column": resolve_column(key.column, table)})


def tie_breakers(table: Table) -> list[str]:
    """Columns that order rows which are equal in the keys: the first of those that can."""
    return [name for name in table.columns if table.kind(name) in ORDERED][:TIE_BREAKERS]
