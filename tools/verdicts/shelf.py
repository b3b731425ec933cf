"""The shelf: verdicts in a run's folder, by step and, as they come in, by task and content."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from wideleaf.tools.errors import ActionError
from wideleaf.tools.latest import Latest
from wideleaf.tools.verdicts.task import Task, digest
from wideleaf.tools.verdicts.verdicts import Verdict, Verdicts
from wideleaf.tools.writing import append_lines, write_text

VERDICTS = "verdicts"
"""The folder of verdicts in a run's folder."""
_HASH = re.compile(r"[0-9a-f]{32}")
_RECENT: Latest[Verdicts] = Latest(64)
"""Verdicts of any folder by their hash, which says what they are: none can take another's place."""


class VerdictShelf:
    """Keeps verdicts of a folder.

    Several processes may write at once; what a crash cut short is passed over.

    Args:
        folder: The folder of a run; made on first use.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / VERDICTS

    def put(self, verdicts: Verdicts) -> str:
        """Keep what a step stands on.

        Returns:
            Its hash.
        """
        key = verdicts.hash
        path = self.folder / f"{key}.json"
        if not path.exists():
            write_text(path, verdicts.model_dump_json(), private=True)
        _RECENT.keep(key, verdicts)
        return key

    def get(self, key: str) -> Verdicts:
        """What a step stands on.

        Raises:
            ActionError: If it is not in this folder, or damaged.
        """
        if (known := _RECENT.get(key)) is not None:
            return known
        path = self.folder / f"{key}.json"
        if not _HASH.fullmatch(key) or not path.is_file():
            raise ActionError(
                f"the verdicts {key!r} that this step stands on are not in {str(self.folder)!r}; "
                "ask the question again, or take the plan that was saved with them",
                kind="no verdicts",
            )
        verdicts = Verdicts.read(path.read_bytes(), key)
        _RECENT.keep(key, verdicts)
        return verdicts

    def known(self, task: Task, reader: str) -> dict[str, Verdict]:
        """What a model has said for a task so far, by the key of each text."""
        known: dict[str, Verdict] = {}
        path = self._journal(task, reader)
        if path.is_file():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    key, verdict = json.loads(line)
                    known[str(key)] = Verdict.model_validate(verdict)
                except (ValueError, TypeError, RecursionError, ValidationError):
                    continue  # a line that a crash cut short
        return known

    def add(self, task: Task, reader: str, given: Mapping[str, Verdict]) -> None:
        """Write down what a model said, as soon as it is there."""
        lines = (
            json.dumps([key, one.model_dump(mode="json", exclude_defaults=True)])
            for key, one in given.items()
        )
        append_lines(self._journal(task, reader), *lines)

    def _journal(self, task: Task, reader: str) -> Path:
        return self.folder / f"{digest([task.key, reader])}.jsonl"
