"""The books: what a reply cost, and the audit file of everything that went out."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, LLMResult
from pydantic import BaseModel

from wideleaf.agents.replies import Usage
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.privacy import Level

CHARACTERS_A_TOKEN = 4


class Price(BaseModel, frozen=True):
    """What a model costs, in dollars per million tokens."""

    prompt: float
    reply: float

    def of(self, prompt_tokens: int, reply_tokens: int) -> float:
        """Dollars for so many tokens."""
        return (self.prompt * prompt_tokens + self.reply * reply_tokens) / 1e6


def usage_of(message: AIMessage, sent: str, price: Price | None) -> Usage:
    """Count one answered request.

    Args:
        message: The reply, with or without the server's own count.
        sent: The prompt and the tools, to estimate from where the server did not count.
        price: None if it is not known; the cost is then unknown, too.
    """
    if reported := message.usage_metadata:
        prompt, completion = reported["input_tokens"], reported["output_tokens"]
    else:
        received = message.text + "".join(json.dumps(call["args"]) for call in message.tool_calls)
        prompt, completion = (-(-len(text) // CHARACTERS_A_TOKEN) for text in (sent, received))
    return Usage(
        requests=1,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=price.of(prompt, completion) if price else None,
        estimated=not reported,
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
        self._write("reply", run_id, messages=_plain(replies))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Write down that nothing came back."""
        self._write("error", run_id, error=type(error).__name__)

    def _write(self, event: str, run_id: UUID, **content: Any) -> None:
        size = len(json.dumps(content, ensure_ascii=False, default=str).encode())
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "event": event,
            "request": str(run_id),
            "model": self.model,
            "level": self.level,
            "size": size,
            **content,
        }
        line = json.dumps(entry, ensure_ascii=False, default=str) + "\n"
        try:
            with self._lock, open(self.path, "a", encoding="utf-8", opener=_private) as file:
                file.write(line)
        except OSError as error:
            raise SettingsError(
                f"the audit file {str(self.path)!r} cannot be written ({error.strerror}); "
                "nothing is sent without it"
            ) from None


def _plain(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    plain = convert_to_openai_messages(messages)
    return plain if isinstance(plain, list) else [plain]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
