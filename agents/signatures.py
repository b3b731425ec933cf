"""Tools as one-line signatures, for prompts that cannot carry their JSON schemas."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

PLAIN = {"string": "text", "boolean": "true/false", "null": "null"}


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
    if not isinstance(schema, dict):
        return "any"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return "|".join(json.dumps(value, ensure_ascii=False) for value in values)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            kinds = (_type(option) for option in schema[key] if option != {"type": "null"})
            return " or ".join(dict.fromkeys(kinds))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        each = [_type({**schema, "type": one}) for one in kind if one != "null"]
        return " or ".join(dict.fromkeys(each))
    if kind == "array":
        return f"[{_type(schema.get('items'))}, ...]"
    if kind == "object":
        if "properties" in schema:
            return f"{{{_fields(schema)}}}"
        return f"{{name: {_type(schema.get('additionalProperties'))}, ...}}"
    return PLAIN.get(str(kind), str(kind))
