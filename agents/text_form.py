"""Tool calls in plain text (Thought, Action, Action Input), for models without native ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
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
from pydantic import JsonValue

from wideleaf.agents.loose_json import read_object
from wideleaf.agents.replies import Reply
from wideleaf.agents.signatures import signatures
from wideleaf.prompts import render
from wideleaf.tools.action import Call

FORM = 'write "Thought: ...", then "Action: Name", then "Action Input: {...}" with a JSON object'

_MARK = r"^[ \t>*#`-]*"
_COLON = r"(?:[ \t]*\d+)?[ \t*]*:[ \t*]*"
_THOUGHT = re.compile(rf"{_MARK}thoughts?{_COLON}", re.I | re.M)
_ACTION = re.compile(rf"{_MARK}action{_COLON}[`\"']*(?P<name>[a-z_]\w*)", re.I | re.M)
_ACTION_ALONE = re.compile(rf"{_MARK}action{_COLON}\s*(?:```\w*\s*)?\Z", re.I | re.M)
_INPUT = re.compile(rf"{_MARK}action[ _]input{_COLON}", re.I | re.M)
_OBSERVATION = re.compile(rf"{_MARK}observation{_COLON}", re.I | re.M)
_FINAL = re.compile(rf"{_MARK}final[ _]answer{_COLON}", re.I | re.M)
_THINKING = re.compile(r"<think(?:ing)?>", re.I)
_THOUGHT_OUT = re.compile(r"</think(?:ing)?>", re.I)
_FENCE = re.compile(r"```\w*|</?tool_calls?>", re.I)
_NAMES = ("name", "action", "tool", "tool_name", "function")
_INPUTS = ("arguments", "action_input", "parameters", "args", "input")
_WRAPPERS = ("tool_calls", "tool_call", "action", "actions", "function")


def read_text_move(text: str) -> Reply:
    """Read a move out of free text: Thought, Action and Action Input, or a JSON object.

    Several actions are several calls, up to the first observation: whatever follows one was
    made up. Nothing is guessed for a reply that is cut off; it is a problem.
    """
    said = _spoken(text)
    if _THINKING.search(said):
        return Reply(problem=f"the reply ended while still thinking; think less, then {FORM}")
    try:
        before, calls = _written_calls(said) or _object_calls(said) or (said, ())
    except ValueError as error:
        return Reply(problem=f"{error}; {FORM}")
    if calls:
        return Reply(thought=plain_thought(before), calls=calls)
    if _FINAL.search(said):
        problem = f"an answer in prose is not seen; end with the action Finish: {FORM}"
    else:
        problem = f"the reply has no action; {FORM}"
    return Reply(thought=plain_thought(said), problem=problem)


def plain_thought(text: str) -> str:
    """Take hidden thinking, fences and the word "Thought:" off a thought."""
    text = _FENCE.sub("", _spoken(text))
    start = _THOUGHT.search(text)
    return text[start.end() if start else 0 :].strip()


def write_text_move(thought: str, calls: Sequence[Call]) -> str:
    """Write a move the way `read_text_move` reads it."""
    lines = [f"Thought: {thought}"]
    for call in calls:
        inputs = json.dumps(call.arguments, ensure_ascii=False)
        lines += [f"Action: {call.name}", f"Action Input: {inputs}"]
    return "\n".join(lines)


def _spoken(text: str) -> str:
    """Take hidden thinking out; what stands before a lone closing tag is thinking, too."""
    *hidden, last = _THOUGHT_OUT.split(text)
    parts = (_THINKING.split(piece, maxsplit=1) for piece in hidden)
    return "".join(part[0] for part in parts if len(part) > 1) + last


def _written_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    first = _ACTION.search(text)
    if first is None:
        return None
    if made_up := _OBSERVATION.search(text, first.end()):
        text = text[: made_up.start()]
    found = list(_ACTION.finditer(text))
    ends = [action.start() for action in found[1:]] + [len(text)]
    calls = (_call(m["name"], text[m.end() : end]) for m, end in zip(found, ends, strict=True))
    return text[: first.start()], tuple(calls)


def _call(name: str, rest: str) -> Call:
    """Make a call of an action's name and whatever is written behind it."""
    marked = _INPUT.search(rest)
    rest = rest[marked.end() :] if marked else rest
    brace = rest.find("{")
    if brace < 0 and (marked or re.match(r"\s*[(\[]\s*[^\s)\]]", rest)):
        raise ValueError(f"the input of {name!r} is not a JSON object")
    try:
        return Call(name=name, arguments=read_object(rest, brace)[0] if brace >= 0 else {})
    except ValueError as error:
        raise ValueError(f"the input of {name!r} {error}") from None


def _object_calls(text: str) -> tuple[str, tuple[Call, ...]] | None:
    """Read moves written as ``{"name": ..., "arguments": ...}`` and its relatives."""
    calls: list[Call] = []
    thought, at = "", 0
    while (at := text.find("{", at)) >= 0:
        if calls and _OBSERVATION.search(text, 0, at):
            break
        try:
            value, end = read_object(text, at)
        except ValueError as error:
            if re.match(r"\{\s*[\"']?(?:name|action|tool|thought)\b", text[at:]):
                raise ValueError(f"the JSON object of the move {error}") from None
            at += 1
            continue
        found = list(_calls_in(value))
        if found and not calls:
            thought = str(_folded(value).get("thought") or _ACTION_ALONE.sub("", text[:at]))
        calls += found
        at = end
    return (thought, tuple(calls)) if calls else None


def _calls_in(value: JsonValue) -> Iterator[Call]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_in(item)
    if not isinstance(value, dict):
        return
    fields = _folded(value)
    for key in _WRAPPERS:
        if isinstance(fields.get(key), dict | list):
            yield from _calls_in(fields[key])
            return
    name = next((fields[key] for key in _NAMES if isinstance(fields.get(key), str)), None)
    given = [fields[key] for key in _INPUTS if key in fields]
    if not isinstance(name, str) or not (given or "action" in fields):
        return
    inputs = given[0] if given else {}
    if isinstance(inputs, str) and inputs.strip().startswith("{"):
        inputs = read_object(inputs.strip(), 0)[0]
    if not isinstance(inputs, dict):
        raise ValueError(f"the input of {name!r} is not a JSON object")
    yield Call(name=name, arguments=inputs)


def _folded(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {key.casefold().replace(" ", "_"): item for key, item in value.items()}


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
        move = read_text_move(message.text) if tools else Reply()
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
