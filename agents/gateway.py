"""The one door to every model: what goes out is paced, recorded and paid for here."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.tool import invalid_tool_call
from pydantic import JsonValue, ValidationError

from wideleaf.agents.ledger import CHARACTERS_A_TOKEN, AuditTrail, Price, usage_of
from wideleaf.agents.models import address_of, explain, name_of, server_words, status_of
from wideleaf.agents.prompted_tools import PromptedTools, worded
from wideleaf.agents.replies import Reply
from wideleaf.agents.reply_cache import ReplyCache
from wideleaf.agents.text_form import plain_thought, read_text_move, unwrapped
from wideleaf.agents.tracing import refuse_tracing
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ModelError, WideleafError
from wideleaf.tools.privacy import Policy

__all__ = ["Gateway", "Price", "ReplyForm", "read_reply"]

ReplyForm = Literal["auto", "tools", "text"]

CUT_OFF = {"length", "max_tokens", "max_output_tokens", "model_length"}
NO_TOOLS_STATUS = {400, 404, 422, 500, 501}
"""What servers answer to a request with tools that they cannot serve; llama.cpp says 500."""

_log = logging.getLogger(__name__)


class Gateway:
    """Sends requests to one model and reads its replies.

    Args:
        model: The model, see `models.connect`.
        policy: What may leave the machine; those who write the prompts obey it, the gateway
            sees to tracing and says the level in the audit file.
        reply_form: How the model says its move: ``tools`` is native tool calls, ``text`` is
            Thought, Action and Action Input; ``auto`` goes over to text where the model or its
            server takes no tools.
        audit: A file that gets each request and each reply as a line of JSON.
        cache: Where replies to equal requests are kept; useless moves are not.
        requests_per_second: No more than this on average; waits where needed.
        price: To know what replies cost.
    """

    def __init__(
        self,
        model: BaseChatModel,
        policy: Policy,
        *,
        reply_form: ReplyForm = "auto",
        audit: Path | None = None,
        cache: ReplyCache | None = None,
        requests_per_second: float | None = None,
        price: Price | None = None,
    ) -> None:
        from langchain_core.rate_limiters import InMemoryRateLimiter

        self.policy = policy
        self.reply_form = reply_form
        self.cache = cache
        self.price = price
        self._asked = model
        if audit:
            # The model's own callbacks: they hear of what this very model sends, however wrapped.
            own = model.callbacks if isinstance(model.callbacks, list) else []
            trail = AuditTrail(Path(audit), name_of(model), policy.level)
            model = model.model_copy(update={"callbacks": [*own, trail]})
        self._model = PromptedTools(inner=model) if reply_form == "text" else model
        self._pace = requests_per_second and InMemoryRateLimiter(
            requests_per_second=requests_per_second, check_every_n_seconds=0.02
        )

    def ask(
        self, system: str, human: str, tools: Sequence[dict[str, Any]] = (), *, sample: int = 0
    ) -> Reply:
        """Send one request and read the reply; without `tools` it is all thought.

        Args:
            system: The system message.
            human: The human message.
            tools: What may be called, in OpenAI's form.
            sample: Tells equal requests apart that shall each be answered anew.

        Returns:
            The reply; what is wrong with a useless one stands in its ``problem``.

        Raises:
            ModelError: If no reply can be had.
            PrivacyError: If tracing to an outside service is on, see `tracing.refuse_tracing`.
        """
        refuse_tracing(self.policy)
        key = self._key(system, human, tools, sample) if self.cache else None
        if self.cache and (kept := self.cache.get(key)):
            return kept
        message = self._send([SystemMessage(system), HumanMessage(human)], tools)
        reply = read_reply(message, bool(tools), isinstance(self._model, PromptedTools))
        form = self.form_of(tools)
        sent = _sent(system, human, tools) if isinstance(form, list) else f"{system}{human}{form}"
        usage = usage_of(message, "" if message.usage_metadata else sent, self.price)
        usage = usage.model_copy(update={"largest": -(-len(sent) // CHARACTERS_A_TOKEN)})
        reply = reply.model_copy(update={"usage": usage})
        if self.cache and not reply.problem:
            self.cache.put(key, reply)
        return reply

    @property
    def model_name(self) -> str:
        """The name that the model is asked for by."""
        return name_of(self._asked)

    def _key(
        self, system: str, human: str, tools: Sequence[dict[str, Any]], sample: int
    ) -> JsonValue:
        return {
            "model": [name_of(self._asked), address_of(self._asked), self.reply_form],
            "parameters": repr(sorted(self._asked._identifying_params.items())),
            "messages": [system, human],
            "tools": json.dumps(list(tools)),
            "sample": sample,
        }

    def form_of(self, tools: Sequence[dict[str, Any]]) -> object:
        """How tools are sent as things stand: as JSON, or said in words."""
        if not (tools and isinstance(self._model, PromptedTools)):
            return list(tools)
        return worded([], tools)[0].text

    def _send(self, messages: list[BaseMessage], tools: Sequence[dict[str, Any]]) -> AIMessage:
        model = self._model
        if self._pace:
            self._pace.acquire()
        try:
            return (model.bind_tools(tools) if tools else model).invoke(messages)
        except WideleafError:
            raise
        except ValidationError:  # arguments that are JSON but no object make no message
            return AIMessage("", invalid_tool_calls=[invalid_tool_call()])
        except Exception as error:  # a provider's package may raise anything
            native = bool(tools) and not isinstance(model, PromptedTools)
            if native and _takes_no_tools(error):
                if self.reply_form == "tools":
                    raise ModelError(
                        f"model {name_of(model)!r} takes no tools; use the reply form 'text'"
                    ) from None
                _log.info("%s takes no tools; going on in the text form", name_of(model))
                self._model = PromptedTools(inner=model)
                return self._send(messages, tools)
            sent = _sent(messages[0].text, messages[1].text, tools)
            raise explain(error, self._asked, sent) from None


def _sent(system: str, human: str, tools: Sequence[dict[str, Any]]) -> str:
    return system + human + (json.dumps(list(tools), separators=(",", ":")) if tools else "")


def read_reply(message: AIMessage, wants_move: bool = True, as_text: bool = False) -> Reply:
    """Read a model's message.

    Args:
        message: What came back, whole or put together from a stream.
        wants_move: Whether it has to hold tool calls.
        as_text: Whether the model was told the text form, so that a problem explains that one.
    """
    text = message.text
    finish = _finish_reason(message)
    thought = plain_thought(text)
    if finish in CUT_OFF:
        return Reply(problem=f"the reply was cut off (finish reason {finish!r}); be shorter")
    if finish is None and _tells_finish(message):
        # A parser closes the brackets of a cut call, so what is left would look whole.
        return Reply(problem="the reply broke off before its end; send the whole of it again")
    if not wants_move:
        return Reply(thought=thought, said=text, problem="" if thought else "the reply is empty")
    for call in message.invalid_tool_calls:
        problem = (
            f"the arguments of {call['name'] or 'a tool'!r} are no JSON object{_flaw(call['args'])}"
        )
        return Reply(thought=thought, problem=f"{problem}; call it again with valid JSON")
    if message.tool_calls:
        calls = (
            Call(name=call["name"], arguments=unwrapped(call["args"]))
            for call in message.tool_calls
        )
        return Reply(thought=thought, calls=tuple(calls))
    move = read_text_move(text)
    if move.calls or as_text:
        return move
    problem = "the reply calls no tool; each turn must call one, and Finish ends the run"
    if finish not in (None, "stop", "tool_calls", "end_turn"):
        problem = f"{problem} (finish reason {finish!r})"
    return Reply(thought=thought, problem=problem)


def _finish_reason(message: AIMessage) -> str | None:
    said = message.response_metadata
    for key in ("finish_reason", "stop_reason", "stopReason", "done_reason"):
        if said.get(key):
            return str(said[key]).lower()
    return None


def _tells_finish(message: AIMessage) -> bool:
    """Whether a whole reply from this provider always gives its finish reason.

    In a reply that was not streamed, langchain-openai has the key even where it is null.
    """
    said = message.response_metadata
    return said.get("model_provider") == "openai" and "finish_reason" not in said


def _flaw(arguments: str | None) -> str:
    try:
        json.loads("{}" if arguments is None else arguments)
    except json.JSONDecodeError as error:
        return f" ({error.msg} at character {error.pos})"
    return ""


def _takes_no_tools(error: Exception) -> bool:
    if isinstance(error, NotImplementedError):
        return True
    about_tools = re.search(r"\btools?\b|tool[ _-]", server_words(error), re.I)
    return status_of(error) in NO_TOOLS_STATUS and bool(about_tools)
