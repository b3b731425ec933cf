"""Replies kept in a folder, so that an equal request is answered without a model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import JsonValue, ValidationError

from wideleaf.agents.replies import Reply, Usage
from wideleaf.tools.writing import write_text


class ReplyCache:
    """One JSON file per request, named by its hash; a prompt's text is not kept.

    Safe to share between threads and processes: a file appears whole or not at all.

    Args:
        folder: Where the files lie; made with the first reply.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    def get(self, request: JsonValue) -> Reply | None:
        """The reply to an equal request, at no cost; None if there is none that can be read."""
        try:
            reply = Reply.model_validate_json(self._file(request).read_bytes())
        except (OSError, ValidationError):
            return None
        return reply.model_copy(update={"usage": Usage(cached=1)})

    def put(self, request: JsonValue, reply: Reply) -> None:
        """Keep a reply; it holds what a model said, so only the user may read it.

        Raises:
            SettingsError: If it cannot be written.
        """
        write_text(self._file(request), reply.model_dump_json(), private=True)

    def _file(self, request: JsonValue) -> Path:
        text = json.dumps(request, sort_keys=True, ensure_ascii=False)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"
