"""The books: what a reply cost, the audit file of all that went out, and replies kept."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, LLMResult
from pydantic import BaseModel, JsonValue, ValidationError

from wideleaf.agents.turn import Reply, Usage
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import Level
from wideleaf.tools.writing import write_text

CHARACTERS_A_TOKEN = 4
MAX_TOKENS = 10**9
"""A server that counts more in one request, or less than none, has not counted."""


class Price(BaseModel, frozen=True):
    """What a model costs, in dollars per million tokens."""

    prompt: float
    reply: float

    def of(self, prompt_tokens: int, reply_tokens: int) -> float:
        """Dollars for so many tokens."""
        return (self.prompt * prompt_tokens + self.reply * reply_tokens) / 1e6


def usage_of(message: AIMessage, request: str, received: int, price: Price | None) -> Usage:
    """Count one answered request.

    Args:
        message: The reply, with or without the server's own count.
        request: The prompt and the tools, to estimate from where the server did not count.
        received: The characters of the reply, for the same.
        price: None if it is not known; the cost is then unknown, too.
    """
    metadata: Mapping[str, Any] = message.usage_metadata or {}
    counts: list[Any] = [metadata.get("input_tokens"), metadata.get("output_tokens")]
    estimates = [-(-characters // CHARACTERS_A_TOKEN) for characters in (len(request), received)]
    is_exact = all(isinstance(count, int) and 0 <= count <= MAX_TOKENS for count in counts)
    prompt, completion = counts if is_exact else estimates
    return Usage(
        requests=1,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=price.of(prompt, completion) if price else None,
        estimated=not is_exact,
        largest=estimates[0],
    )


class AuditTrail(BaseCallbackHandler):
    """Writes each request to a model, before it is sent, and each reply as a line of JSON.

    It listens to the model that does the sending, so it sees messages and tools in their last
    form. A request that cannot be written down is not sent.

    Args:
        path: The file; lines are added to its end, and only its owner may read it.
        model: The model's name.
        level: The privacy level of the run.

    Raises:
        SettingsError: If the file cannot be written.
    """

    raise_error = True

    def __init__(self, path: Path, model: str, level: Level) -> None:
        self.path = path
        self.model = model
        self.level = level
        self._lock = Lock()

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        **kwargs: Any,
    ) -> None:
        """Write down what is about to go out."""
        tools = (kwargs.get("invocation_params") or {}).get("tools") or []
        self._write("request", run_id, messages=_plain(messages[0]), tools=tools)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Write down what came back."""
        generations = [one for batch in response.generations for one in batch]
        replies = [one.message for one in generations if isinstance(one, ChatGeneration)]
        self._write(
            "reply", run_id, messages=[one for reply in replies for one in _dump_reply(reply)]
        )

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Write down that nothing came back."""
        self._write("error", run_id, error=type(error).__name__)

    def _write(self, event: str, run_id: UUID, **content: Any) -> None:
        size = len(_line(content))
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "event": event,
            "request": str(run_id),
            "model": self.model,
            "level": self.level,
            "size": size,
            **content,
        }
        try:
            with self._lock, open(self.path, "ab", opener=partial(os.open, mode=0o600)) as file:
                file.write(_line(entry) + b"\n")
        except OSError as error:
            raise SettingsError(
                f"the audit file {str(self.path)!r} cannot be written ({error.strerror}); "
                "nothing is sent without it"
            ) from None


def _line(entry: dict[str, Any]) -> bytes:
    """A line of JSON; half of a character stands in it as the escape that JSON has for it."""
    text = json.dumps(entry, ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace")


def _dump_reply(message: BaseMessage) -> list[dict[str, Any]]:
    """A reply as plain messages, or what can be written of one that makes none."""
    try:
        plain = _plain([message])
        json.dumps(plain, default=str)
    except Exception as error:  # odd contents, arguments nested too deep, numbers of any length
        flaw = f"not written, for it makes no message ({type(error).__name__})"
        content = message.content if isinstance(message.content, str) else flaw
        return [{"role": message.type, "content": content, "tool_calls": flaw}]
    return plain


def _plain(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    plain = convert_to_openai_messages(messages)
    return plain if isinstance(plain, list) else [plain]


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
