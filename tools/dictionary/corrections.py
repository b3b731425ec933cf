"""Corrections: what a user said a column means, or how a question is answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

CORRECTIONS = ("wideleaf", "corrections")
"""Their namespace in a store."""
ALL = 100_000
"""How many items of a namespace are read; a store that is not told gives ten."""
MAX_CHARACTERS = 300
"""A description is cut to this, since it may stand in every prompt."""


class TableIdentity(BaseModel):
    """How a table is known again.

    A new version of a file keeps its name; a renamed file keeps its headers. Either will do.

    Attributes:
        name: What it was called.
        headers: Hash of its column names, whatever their order.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    headers: str

    def is_like(self, other: TableIdentity) -> bool:
        """Whether two tables are versions of one."""
        return self.name.casefold() == other.name.casefold() or self.headers == other.headers


class Correction(BaseModel):
    """One thing that a user said.

    Attributes:
        tables: The table the column is of, or all those that the plan stands on.
        column: A column or family; empty for a correction of a question.
        means: What the column means.
        question: A question as it was asked; empty for a correction of a column.
        plan: How it is answered: a plan as plain data.
        at: When it was said.
    """

    model_config = ConfigDict(frozen=True)

    tables: tuple[TableIdentity, ...] = Field(min_length=1)
    column: str = ""
    means: str = ""
    question: str = ""
    plan: dict[str, JsonValue] = {}
    at: str = ""

    @property
    def key(self) -> str:
        """What it is about; in a store a later one takes its place."""
        names = " and ".join(table.name.casefold() for table in self.tables)
        about = f"column {self.column}" if self.column else same_words(self.question)
        return f"{names}: {about}"

    def holds_for(self, tables: Sequence[TableIdentity]) -> bool:
        """Whether all that it is of is among these tables."""
        return all(any(mine.is_like(other) for other in tables) for mine in self.tables)

    def __str__(self) -> str:
        name = " and ".join(table.name for table in self.tables)
        if self.column:
            return f"{name}.{self.column} means {self.means}"
        return f"{name}: {self.question!r} is answered by a plan of {self.at[:10]}"


def read_corrections(store: BaseStore) -> dict[str, Correction]:
    """What a store has of corrections, by key, the latest last."""
    corrections = {}
    for item in store.search(CORRECTIONS, limit=ALL):
        with suppress(ValidationError, TypeError):  # of another form
            value = {"at": item.updated_at.isoformat(), **item.value}
            corrections[item.key] = Correction.model_validate(value)
    return dict(sorted(corrections.items(), key=lambda pair: pair[1].at))


def keep_correction(correction: Correction, store: BaseStore) -> Correction:
    """Put a correction into a store."""
    store.put(CORRECTIONS, correction.key, correction.model_dump(mode="json"))
    return correction


def table_of(name: str, columns: Iterable[str]) -> TableIdentity:
    """How a table with these columns is known again."""
    text = json.dumps(sorted(columns))
    return TableIdentity(
        name=name, headers=hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    )


def same_words(question: str) -> str:
    """A question as it is compared: without case, extra blanks and the sign at its end.

    Signs inside it stay, for ``> 5`` and ``< 5`` are two questions.
    """
    return " ".join(question.casefold().split()).rstrip("?.! ")


def bound_text(text: str) -> str:
    """A description as it may stand in a prompt: one line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 3]}..."
