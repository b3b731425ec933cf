"""Descriptions kept on disk, each with the privacy level at which it was made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from wideleaf.tools.privacy import LEVELS, Level
from wideleaf.tools.writing import append_lines

FILE = "descriptions.jsonl"


class CacheEntry(BaseModel):
    """One description.

    Attributes:
        key: Hash of all that it was made from: what the model was shown, which model, the prompt.
        of: Hash of what it is of, see `identity`.
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
    """The descriptions of a folder, in one file that only ever grows.

    Args:
        folder: The folder of a run.
    """

    def __init__(self, folder: Path | str) -> None:
        self.path = Path(folder) / FILE

    def get(self, key: str) -> CacheEntry | None:
        """What was made from just this, at the same level; None if nothing was."""
        return self._by_key.get(key)

    def put(self, entries: Sequence[CacheEntry]) -> None:
        """Keep descriptions; they are on disk when this returns."""
        if not entries:
            return
        append_lines(self.path, *(one.model_dump_json() for one in entries))
        for one in entries:
            self._by_key[one.key] = one
            self._of.setdefault(one.of, []).append(one)

    def latest(self, of: str, level: Level) -> str:
        """The last description of something that this level lets out; empty if there is none.

        One made where cells were shown may hold cells, so it is not used at a stricter level.
        """
        most = LEVELS.index(level)
        texts = [one.text for one in self._of.get(of, ()) if LEVELS.index(one.level) <= most]
        return next((text for text in reversed(texts) if text), "")

    @cached_property
    def _by_key(self) -> dict[str, CacheEntry]:
        return {one.key: one for one in self._lines()}

    @cached_property
    def _of(self) -> dict[str, list[CacheEntry]]:
        by_subject: dict[str, list[CacheEntry]] = {}
        for one in self._by_key.values():
            by_subject.setdefault(one.of, []).append(one)
        return by_subject

    def _lines(self) -> Iterable[CacheEntry]:
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    yield CacheEntry.model_validate_json(line)
                except ValidationError:
                    continue


def identity(table: str, reference: str, *parts: str) -> str:
    """What a description is of: a table's name, a reference, and what else tells it apart."""
    text = json.dumps([table.casefold(), reference, *parts], ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
