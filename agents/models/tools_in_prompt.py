"""Says tools, calls and results in the words of a prompt, for models without native tool calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from wideleaf.agents.models.text_form import write_text_move
from wideleaf.prompts import render
from wideleaf.tools.tree.call import Call

PLAIN = {"string": "text", "boolean": "true/false", "null": "null"}


def word_messages(
    messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]]
) -> list[BaseMessage]:
    """Say in text what native messages say with tools, tool calls and tool results."""
    texts = [in_text(message) for message in messages]
    form = render("text_form", tools=signatures(tools))
    if texts and isinstance(texts[0], SystemMessage):
        return [SystemMessage(f"{texts[0].text}\n\n{form}"), *texts[1:]]
    return [SystemMessage(form), *texts]


def in_text(message: BaseMessage) -> BaseMessage:
    """A message as a model without native tools would say it, or be told it."""
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [Call(name=call["name"], arguments=call["args"]) for call in message.tool_calls]
        return AIMessage(write_text_move(message.text, calls))
    if isinstance(message, ToolMessage):
        return HumanMessage(f"Observation: {message.text}")
    return message


def signatures(tools: Sequence[dict[str, Any]]) -> str:
    """Describe tools, one a line, and below them the types they share.

    Args:
        tools: Tools in OpenAI's form, with JSON schemas as parameters.
    """
    lines: list[str] = []
    shared: dict[str, Any] = {}
    for tool in tools:
        function = tool["function"]
        schema = function.get("parameters", {})
        about = (function.get("description") or "").strip().split("\n")[0]
        lines.append(f"- {function['name']}({_fields(schema)}): {about}")
        shared |= schema.get("$defs", {})
    for name, schema in shared.items():
        about = f": {schema['description']}" if schema.get("description") else ""
        lines.append(f"{name} = {_type(schema)}{about}")
    return "\n".join(lines)


def _fields(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    return ", ".join(
        f"{name}{'' if name in required else '?'}: {_type(field)}"
        for name, field in schema.get("properties", {}).items()
    )


def _type(schema: Any) -> str:
    """Say a JSON schema in a few words; a reference is its name, so recursion ends."""
    match schema:
        case {"$ref": name}:
            return str(name).rsplit("/", 1)[-1]
        case {"enum": values}:
            return "|".join(json.dumps(value, ensure_ascii=False) for value in values)
        case {"const": value}:
            return json.dumps(value, ensure_ascii=False)
        case {"anyOf": options} | {"oneOf": options} | {"allOf": options}:
            kinds = (_type(option) for option in options if option != {"type": "null"})
            return " or ".join(dict.fromkeys(kinds))
        case {"type": [*kinds]}:
            return _type({"anyOf": [{**schema, "type": kind} for kind in kinds if kind != "null"]})
        case {"type": "array"}:
            return f"[{_type(schema.get('items'))}, ...]"
        case {"type": "object", "properties": _}:
            return f"{{{_fields(schema)}}}"
        case {"type": "object"}:
            return f"{{name: {_type(schema.get('additionalProperties'))}, ...}}"
        case {"type": kind}:
            return PLAIN.get(str(kind), str(kind))
    return "any"
