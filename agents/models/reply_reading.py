"""Reads a model's message: its thought and calls, or why it is no move."""

from __future__ import annotations

import json

from langchain_core.messages import AIMessage
from pydantic import ValidationError

from wideleaf.agents.models.text_form import (
    LONGEST_NAME,
    excess,
    make_call,
    plain_thought,
    read_text_move,
    strip_thinking,
    unwrap_arguments,
)
from wideleaf.agents.turn import Reply
from wideleaf.tools.words import one_line

CUT_OFF = {"length", "max_tokens", "max_output_tokens", "model_length"}


def read_reply(message: AIMessage, wants_move: bool = True, as_text: bool = False) -> Reply:
    """Read a model's message.

    Args:
        message: What came back, whole or put together from a stream.
        wants_move: Whether it has to hold tool calls.
        as_text: Whether the model was told the text form, so that a problem explains that one.
    """
    text, finish = str(message.text), _finish_reason(message)
    if problem := excess(size_of(message)) or _cut(message, finish):
        return Reply(problem=problem)
    thought = plain_thought(text)
    if not wants_move:
        return Reply(thought=thought, said=text, problem="" if thought else "the reply is empty")
    for call in message.invalid_tool_calls:
        name = repr(call["name"][:LONGEST_NAME]) if call["name"] else "a tool"
        problem = f"the arguments of {name} are no JSON object{_flaw(call['args'])}"
        return Reply(thought=thought, problem=f"{problem}; call it again with valid JSON")
    if message.tool_calls:
        try:
            calls = [
                make_call(one["name"], unwrap_arguments(one["args"])) for one in message.tool_calls
            ]
        except ValueError as error:
            return Reply(thought=thought, problem=f"{error}; call it again with less")
        return Reply(thought=thought, calls=tuple(calls))
    move = read_text_move(text)
    if move.calls or as_text:
        return move
    problem = "the reply calls no tool; each turn must call one, and Finish ends the run"
    if finish not in (None, "stop", "tool_calls", "end_turn"):
        problem = f"{problem} (finish reason {one_line(finish, LONGEST_NAME)!r})"
    return Reply(thought=thought, problem=problem)


def size_of(message: AIMessage) -> int:
    """How many characters a reply says, hidden thinking left out."""
    size = len(strip_thinking(str(message.text)))
    for call in message.tool_calls:
        size += len(call["name"])
        try:
            size += len(json.dumps(call["args"], ensure_ascii=False))
        except (ValueError, RecursionError):  # digits without end, or lists in lists
            size += LONGEST_NAME
    return size + sum(len(call["args"] or "") for call in message.invalid_tool_calls)


def message_flaw(error: ValidationError) -> str:
    """Why what a model said makes no message; empty if it is its server's flaw."""
    part = str(error.errors(include_url=False, include_input=False)[0]["loc"][0])
    if "tool_call" in part:  # arguments that are JSON but no object
        return "the arguments of a tool are no JSON object; call it again with valid JSON"
    if part == "content":
        return "the reply's content is of no kind that can be read; answer with text or tool calls"
    return ""


def _finish_reason(message: AIMessage) -> str | None:
    keys = ("finish_reason", "stop_reason", "stopReason", "done_reason")
    reasons = (message.response_metadata.get(key) for key in keys)
    return next((one.lower() for one in reasons if isinstance(one, str) and one), None)


def _cut(message: AIMessage, finish: str | None) -> str:
    """Why a reply is not whole; empty if it is.

    Of OpenAI's a whole one always gives its finish reason: where it was not streamed,
    langchain-openai has the key even where it is null.
    """
    if finish in CUT_OFF:
        return f"the reply was cut off (finish reason {finish!r}); be shorter"
    metadata = message.response_metadata
    if (
        not finish
        and metadata.get("model_provider") == "openai"
        and "finish_reason" not in metadata
    ):
        # A parser closes the brackets of a cut call, so what is left would look whole.
        return "the reply broke off before its end; send the whole of it again"
    return ""


def _flaw(arguments: str | None) -> str:
    try:
        json.loads("{}" if arguments is None else arguments)
    except json.JSONDecodeError as error:
        return f" ({error.msg} at character {error.pos})"
    except ValueError:
        return " (a number has too many digits)"
    except RecursionError:
        return " (it is nested too deep)"
    return ""
