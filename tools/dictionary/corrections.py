"""Corrections: what a user said a column means, or how a question is answered, kept on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from wideleaf.tools.writing import append_lines

FILE = "corrections.jsonl"
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
        forgotten: Whether it takes back what was said before.
    """

    model_config = ConfigDict(frozen=True)

    tables: tuple[TableIdentity, ...]
    column: str = ""
    means: str = ""
    question: str = ""
    plan: dict[str, JsonValue] = {}
    at: str = ""
    forgotten: bool = False

    @property
    def subject(self) -> str:
        """What it is about; a later one of the same subject replaces it."""
        return f"column {self.column}" if self.column else f"question {same_words(self.question)}"

    def __str__(self) -> str:
        name = " and ".join(table.name for table in self.tables)
        if self.column:
            return f"{name}.{self.column} means {self.means}"
        return f"{name}: {self.question!r} is answered by a plan of {self.at[:10]}"


class CorrectionBook:
    """The corrections of a folder, in one file that only ever grows.

    Args:
        folder: The folder of a run.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def add(self, correction: Correction) -> Correction:
        """Write a correction down, with the time."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        correction = correction.model_copy(update={"at": at})
        append_lines(self.path, correction.model_dump_json())
        return correction

    def of(self, tables: Sequence[TableIdentity]) -> tuple[Correction, ...]:
        """What holds for these tables, the latest of each subject."""
        corrections: dict[tuple[str, str], Correction] = {}
        for one in self._lines():
            if all(any(mine.is_like(other) for other in tables) for mine in one.tables):
                name = one.tables[0].name.casefold() if one.column else ""
                if one.forgotten:
                    corrections.pop((name, one.subject), None)
                else:
                    corrections[name, one.subject] = one
        return tuple(corrections.values())

    def _lines(self) -> Iterable[Correction]:
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    yield Correction.model_validate_json(line)
                except ValidationError:
                    continue


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
