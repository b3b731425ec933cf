"""The one door to every model: what goes out is paced, recorded and paid for; tracing is shut."""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import JsonValue, ValidationError

from wideleaf.agents.models.deadline import in_time, need_time
from wideleaf.agents.models.ledger import AuditTrail, Price, ReplyCache, usage_of
from wideleaf.agents.models.models import address_of, explain, name_of, server_words, status_of
from wideleaf.agents.models.reply_reading import message_flaw, read_reply, size_of
from wideleaf.agents.models.text_form import LONGEST_NAME
from wideleaf.agents.models.tools_in_prompt import word_messages
from wideleaf.agents.sampling import current_sample
from wideleaf.agents.turn import Reply
from wideleaf.prompts import render
from wideleaf.tools.errors import ModelError, PrivacyError, WideleafError
from wideleaf.tools.plain_data import whole
from wideleaf.tools.privacy import Policy

__all__ = ["Gateway", "Price", "ReplyForm"]

ReplyForm = Literal["auto", "tools", "text"]

NO_TOOLS_STATUS = {400, 404, 422, 500, 501}
"""What servers answer to a request with tools that they cannot serve; llama.cpp says 500."""
UNSHOWN = "nostream"
"""LangGraph's tag for a model whose raw words are no message: thoughts are told once read."""
PAUSE = 0.02
"""Seconds between two looks at whether the pace allows a request."""

_log = logging.getLogger(__name__)
TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


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
        temperature: Of the samples of a vote, and of equal requests that shall each be answered
            anew; at 0, and of a model that takes none, a line of the prompt tells a sample of a
            vote from the others, for equal requests may else be answered alike.
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
        temperature: float = 0.0,
    ) -> None:
        from langchain_core.rate_limiters import InMemoryRateLimiter

        self.policy = policy
        self.reply_form = reply_form
        self.cache = cache
        self.price = price
        self.temperature = temperature if "temperature" in type(model).model_fields else 0.0
        self._asked = model
        if audit:
            # The model's own callbacks: they hear of what this very model sends, however wrapped.
            own = model.callbacks if isinstance(model.callbacks, list) else []
            trail = AuditTrail(Path(audit), name_of(model), policy.level)
            model = model.model_copy(update={"callbacks": [*own, trail]})
        self._model = model
        self._in_words = reply_form == "text"
        self._pace = requests_per_second and InMemoryRateLimiter(
            requests_per_second=requests_per_second
        )

    def ask(
        self, system: str, human: str, tools: Sequence[dict[str, Any]] = (), *, sample: int = 0
    ) -> Reply:
        """Send one request and read the reply; without `tools` it is all thought.

        Neither the wait for the pace nor the request itself, however often it is repeated, goes
        beyond the deadline that is set, see `deadline.limit_time`.

        Args:
            system: The system message.
            human: The human message.
            tools: What may be called, in OpenAI's form.
            sample: Tells equal requests apart that shall each be answered anew.

        Returns:
            The reply; what is wrong with a useless one stands in its ``problem``.

        Raises:
            ModelError: If no reply can be had; `deadline.DeadlineError` if not in time.
            PrivacyError: If tracing to an outside service is on, see `refuse_tracing`.
        """
        refuse_tracing(self.policy)
        system, human = whole(system), whole(human)
        voted = current_sample()
        anew = voted or sample
        options = {"temperature": self.temperature} if anew and self.temperature else {}
        if voted and not options:
            system = f"{system}\n\n{render('sample', number=str(voted.number), of=str(voted.of))}"
        key = self._key(system, human, tools, sample) if self.cache else None
        if voted or options:
            key = {"request": key, "voted": voted.number if voted else 0, **options}
        if self.cache and (entry := self.cache.get(key)):
            return entry
        try:
            message = self._send([SystemMessage(system), HumanMessage(human)], tools, options)
            reply = read_reply(message, bool(tools), self._in_words)
        except _UselessReply as flaw:
            message, reply = AIMessage(""), Reply(problem=str(flaw))
        prompt = f"{system}{human}{_as_text(self.form_of(tools))}"
        usage = usage_of(message, prompt, size_of(message), self.price)
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
        return word_messages([], tools)[0].text if tools and self._in_words else list(tools)

    def _send(
        self,
        messages: list[BaseMessage],
        tools: Sequence[dict[str, Any]],
        options: dict[str, Any],
    ) -> AIMessage:
        model, native = self._model, bool(tools) and not self._in_words
        request = word_messages(messages, tools) if tools and self._in_words else messages
        prompt = "".join(one.text for one in request) + _as_text(list(tools))
        while self._pace and not self._pace.acquire(blocking=False):
            need_time()
            time.sleep(PAUSE)
        try:
            message = in_time(
                lambda: (model.bind_tools(tools) if native else model).invoke(
                    request, {"tags": [UNSHOWN]}, **options
                )
            )
        except WideleafError:
            raise
        except Exception as error:  # a provider's package may raise anything
            if native and self.reply_form == "auto" and _takes_no_tools(error):
                _log.info("%s takes no tools; going on in the text form", name_of(model))
                self._in_words = True
                return self._send(messages, tools, options)
            raise self._failure(error, native, prompt) from None
        if not isinstance(message, AIMessage):
            role = str(getattr(message, "role", message.type))[:LONGEST_NAME]
            raise _UselessReply(f"the reply came as {role!r}, and the assistant's is read alone")
        return message

    def _failure(self, error: Exception, native: bool, prompt: str) -> Exception:
        if isinstance(error, ValidationError) and error.title.startswith(AIMessage.__name__):
            if flaw := message_flaw(error):
                return _UselessReply(flaw)
        elif native and _takes_no_tools(error):
            name = name_of(self._asked)
            return ModelError(f"model {name!r} takes no tools; use the reply form 'text'")
        return explain(error, self._asked, prompt)


class _UselessReply(Exception):
    """A reply that makes no message; a model hears why, and may go on."""


def _as_text(form: object) -> str:
    """The tools as a request holds them; nothing where there are none."""
    return form if isinstance(form, str) else json.dumps(form, separators=(",", ":")) * bool(form)


def _takes_no_tools(error: Exception) -> bool:
    if isinstance(error, NotImplementedError):
        return True
    about_tools = re.search(r"\btools?\b|tool[ _-]", server_words(error), re.I)
    return status_of(error) in NO_TOOLS_STATUS and bool(about_tools)


def refuse_tracing(policy: Policy) -> None:
    """See to it that no tracer sends prompts or a graph's state to an outside service.

    That holds without any model, too: a traced graph sends its state, and so the answer.

    Raises:
        PrivacyError: If LangSmith's tracing is on at a level below ``samples``.
    """
    if policy.allows("values"):
        return
    from langsmith.utils import tracing_is_enabled

    advice = f"or raise the privacy level {policy.level!r} to 'samples'"
    for name in TRACING:
        if os.environ.get(name, "").strip().lower() in ("true", "1", "yes", "on"):
            raise PrivacyError(
                f"{name} is on and sends each step to an outside service; unset it, {advice}"
            )
    if tracing_is_enabled() is True:
        raise PrivacyError(f"LangSmith's tracing is on in this process; switch it off, {advice}")
