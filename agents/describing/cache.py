"""Descriptions that are kept, each with the privacy level at which it was made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from wideleaf.tools.dictionary.corrections import ALL
from wideleaf.tools.privacy import LEVELS, Level

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

DESCRIPTIONS = ("wideleaf", "descriptions")
"""Their namespace in a store; within it each privacy level has one."""


class CacheEntry(BaseModel):
    """One description.

    Attributes:
        key: Hash of all that it was made from: what the model was shown, which model, the prompt.
        of: What it is of, see `identity`; its key in a store.
        level: The privacy level at which it was made; it may hold what that level lets out.
        text: The description; empty where none was taken.
        why: Why none was taken.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    of: str
    level: Level
    text: str = ""
    why: str = ""


class DescriptionCache:
    """The descriptions of a store.

    Args:
        store: Of LangGraph.
    """

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    def put(self, entries: Sequence[CacheEntry]) -> None:
        """Keep descriptions in place of those of the same; they are kept when this returns."""
        for one in entries:
            self._store.put((*DESCRIPTIONS, one.level), one.of, one.model_dump())
            self.entries[one.of, one.level] = one

    def find(self, of: str, level: Level) -> str:
        """The description made at the freest level that this one lets out; empty if there is none.

        One made where cells were shown may hold cells, so it is not used at a stricter level.
        """
        levels = reversed(LEVELS[: LEVELS.index(level) + 1])
        entries = (self.entries.get((of, one)) for one in levels)
        return next((one.text for one in entries if one and one.text), "")

    @cached_property
    def entries(self) -> dict[tuple[str, Level], CacheEntry]:
        """All there are, by what they are of and level; what has another form is passed over."""
        entries = {}
        for item in self._store.search(DESCRIPTIONS, limit=ALL):
            with suppress(ValidationError):
                one = CacheEntry.model_validate(item.value)
                entries[one.of, one.level] = one
        return entries


def identity(table: str, reference: str, *parts: str) -> str:
    """What a description is of: a table's name, a reference, and what else tells it apart."""
    return json.dumps([table.casefold(), reference, *parts], ensure_ascii=False)
