"""Tasks: what a reader is asked of each text, and the form of what it answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from wideleaf.tools.tree.lineage import canonical

TaskKind = Literal["judge", "label", "classes", "extract", "match", "grade", "compare", "summarise"]
FieldKind = Literal["text", "number", "boolean", "date"]
KEY_DIGITS = 32
TEXT_CHARACTERS = 10_000
"""Of one text; what is beyond is not read, and said."""


class TextField(BaseModel):
    """A value that is taken out of a text.

    Attributes:
        name: What its column is called.
        kind: Its type; a date is written YYYY-MM-DD.
        about: What it is, in words; by default its name tells.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    kind: FieldKind = "text"
    about: str = ""


class Task(BaseModel):
    """What is asked of each text alike; equal tasks have equal answers.

    Attributes:
        kind: The form of the question.
        words: The criterion or order, in the asker's words.
        columns: What the texts are made of.
        classes: Of ``label``, those to choose from.
        fields: Of ``extract``, what is taken out.
        reference: Of ``compare``, the text that each is compared with.
        quote: Whether the passage that decides is asked for, too.
    """

    model_config = ConfigDict(frozen=True)

    kind: TaskKind
    words: str = ""
    columns: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    fields: tuple[TextField, ...] = ()
    reference: str = ""
    quote: bool = False

    @property
    def key(self) -> str:
        """What tells it from every other task, in hexadecimal digits."""
        return digest(self.model_dump(mode="json"))


def digest(value: object) -> str:
    """The hash of plain data, in hexadecimal digits."""
    text = canonical(value).encode("utf-8", "replace")
    return hashlib.sha256(text).hexdigest()[:KEY_DIGITS]


def item_text(columns: Sequence[str], cells: Sequence[JsonValue]) -> str | None:
    """What a reader is shown of a row: its one cell, or several by their names; None of none.

    Args:
        columns: The columns.
        cells: The row's cells in them, texts and numbers.
    """
    known = {name: cell for name, cell in zip(columns, cells, strict=True) if cell is not None}
    if not known or all(not str(cell).strip() for cell in known.values()):
        return None
    if len(columns) == 1:
        return str(cells[0])
    return json.dumps(known, ensure_ascii=False, default=str)
