"""A chat model that takes tools although the model inside does not: they go into the prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.tool import tool_call
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from wideleaf.agents.replies import Reply
from wideleaf.agents.signatures import signatures
from wideleaf.agents.text_form import read_text_move, write_text_move
from wideleaf.prompts import render
from wideleaf.tools.action import Call


class PromptedTools(BaseChatModel):
    """A chat model that takes tools although the model inside does not.

    The tools go into the prompt, and the move that comes back as text becomes tool calls; a
    reply without a readable move comes back as it is.

    Attributes:
        inner: The model that is asked.
    """

    inner: BaseChatModel

    @property
    def _llm_type(self) -> str:
        return "prompted-tools"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Have the tools described in each prompt; `tool_choice` cannot be enforced."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        *,
        tools: Sequence[dict[str, Any]] = (),
        **kwargs: Any,
    ) -> ChatResult:
        shown = worded(messages, tools) if tools else messages
        # No callbacks: this run reports already, and twice would double every token shown.
        message = self.inner.invoke(shown, {"callbacks": []}, stop=stop, **kwargs)
        move = read_text_move(str(message.text)) if tools else Reply()
        if move.calls:
            calls = [
                tool_call(name=call.name, args=call.arguments, id=f"call_{uuid4().hex}")
                for call in move.calls
            ]
            message = message.model_copy(update={"content": move.thought, "tool_calls": calls})
        return ChatResult(generations=[ChatGeneration(message=message)])


def worded(messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]]) -> list[BaseMessage]:
    """Say in text what native messages say with tools, tool calls and tool results."""
    said = [_in_text(message) for message in messages]
    form = render("text_form", tools=signatures(tools))
    if said and isinstance(said[0], SystemMessage):
        return [SystemMessage(f"{said[0].text}\n\n{form}"), *said[1:]]
    return [SystemMessage(form), *said]


def _in_text(message: BaseMessage) -> BaseMessage:
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [Call(name=call["name"], arguments=call["args"]) for call in message.tool_calls]
        return AIMessage(write_text_move(message.text, calls))
    if isinstance(message, ToolMessage):
        return HumanMessage(f"Observation: {message.text}")
    return message
