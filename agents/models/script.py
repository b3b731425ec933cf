"""A chat model that plays a script, for tests without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    UsageMetadata,
)
from langchain_core.messages.tool import tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from wideleaf.agents.models.tools_in_prompt import in_text
from wideleaf.tools.errors import ModelError

ScriptStep = tuple[str, str, dict[str, Any]]
ScriptMove = ScriptStep | list[ScriptStep] | str | AIMessage

_STEP = re.compile(r"^Step (\d+) of \d+", re.M)
_WRITE = re.compile(r"^Write (?P<label>.+), try (?P<number>\d+) of \d+\.\Z", re.M)


class Script(BaseChatModel):
    """Answers from a list of moves, or by a function of the messages; it remembers nothing.

    Which move is next is read from the request, from the line ``Step N of M`` of the last human
    message, so that a script goes on rightly after a resume, a retry or a fork.

    Attributes:
        moves: One per step: (thought, action, arguments), or a list of these for several calls
            side by side; a text, which is no move; a whole message; or an exception, to raise.
        programs: For each label the replies to the requests for its code, one per try; found by
            the last line of the human message, ``Write T4, try 1 of 3.``; with ``verify="paper"``
            each is try 1, so that a script of several tries needs a policy.
        policy: Instead of moves: makes the reply out of the messages.
        text: Whether moves are said in the text form, as by a model without tool calls.
        prompts: What it was shown, a text per request; kept in this process only.
    """

    moves: Sequence[Any] = ()
    programs: Mapping[str, Sequence[Any]] = {}
    policy: Callable[[list[BaseMessage]], ScriptMove | Exception] | None = None
    text: bool = False
    prompts: list[str] = Field(default_factory=list, exclude=True)

    def __init__(self, moves: Sequence[ScriptMove | Exception] = (), **fields: Any) -> None:
        fields["moves"] = moves
        super().__init__(**fields)

    @property
    def _llm_type(self) -> str:
        return "script"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        parameters = {"moves": repr(self.moves), "policy": repr(self.policy), "text": self.text}
        return parameters | ({"programs": repr(self.programs)} if self.programs else {})

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Take tools, unless the script plays a model that cannot."""
        if self.text:
            raise NotImplementedError("a script with text=True has no native tool calls")
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for piece in _pieces(self._reply(messages)):
            yield ChatGenerationChunk(message=piece)

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        transcript = "\n\n".join(message.text for message in messages)
        self.prompts.append(transcript)
        move = self.policy(messages) if self.policy else self._move(messages)
        if isinstance(move, Exception):
            raise move
        reply = _message(move)
        if self.text and reply.tool_calls:
            reply = AIMessage(in_text(reply).text)
        prompt, completion = (
            len(transcript) // 4 + 1,
            len(reply.text + str(reply.tool_calls)) // 4 + 1,
        )
        usage = UsageMetadata(
            input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion
        )
        finish = {"finish_reason": "tool_calls" if reply.tool_calls else "stop"}
        metadata = {**finish, **reply.response_metadata}
        return reply.model_copy(
            update={"usage_metadata": usage, "response_metadata": metadata, "id": None}
        )

    def _move(self, messages: list[BaseMessage]) -> ScriptMove | Exception:
        request = next((m.text for m in reversed(messages) if isinstance(m, HumanMessage)), "")
        if match := _WRITE.search(request.rstrip()):
            label = match["label"]
            if label not in self.programs:
                there = ", ".join(self.programs) or "none"
                raise ModelError(
                    f"the script has no program for {label}; it has programs for {there}"
                )
            moves, wording = self.programs[label], f"tries of the program {label}; try"
        elif numbers := _STEP.findall(request):
            moves, wording = self.moves, "moves; step"
        else:
            raise ModelError("a script finds its move by a line 'Step N of M'; the prompt has none")
        number = int(match["number"] if match else numbers[-1])
        if not 1 <= number <= len(moves):
            raise ModelError(f"the script has {len(moves)} {wording} {number} has none")
        move: ScriptMove | Exception = moves[number - 1]
        return move


def _message(move: ScriptMove) -> AIMessage:
    if isinstance(move, str | AIMessage):
        return AIMessage(move) if isinstance(move, str) else move
    steps = move if isinstance(move, list) else [move]
    thoughts = " ".join(dict.fromkeys(thought for thought, _, _ in steps))
    calls = [tool_call(name=n, args=args, id=f"call_{uuid4().hex}") for _, n, args in steps]
    return AIMessage(thoughts, tool_calls=calls)


def _pieces(message: AIMessage) -> Iterator[AIMessageChunk]:
    """Cut a message the way a server streams it: words, then calls in halves, then the end."""
    for word in re.findall(r"\S+\s*|\s+", message.text):
        yield AIMessageChunk(content=word)
    for index, call in enumerate(message.tool_calls):
        text = json.dumps(call["args"], ensure_ascii=False)
        half = len(text) // 2
        for name, id_, part in ((call["name"], call["id"], text[:half]), (None, None, text[half:])):
            chunk = tool_call_chunk(name=name, args=part, id=id_, index=index)
            yield AIMessageChunk(content="", tool_call_chunks=[chunk])
    yield AIMessageChunk(
        content="",
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
        chunk_position="last",
    )
