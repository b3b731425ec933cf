"""Tool schemas: what a model is told of each action, in the form of OpenAI's function tools."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

from pydantic import JsonValue

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.registry import actions
from wideleaf.tools.tree.call import Call

Schema = dict[str, Any]
LABEL, LABELS = "A label.", "Labels."
_PREFIX = "#/$defs/"
_SILENT = (
    "title", "additionalProperties", "discriminator", "minItems", "minLength", "minimum",
    "maxItems", "maxLength", "maximum",
)  # fmt: skip
"""What pydantic writes that tells a model nothing; an extra argument is refused all the same."""


def tool_schema(action: type[Action]) -> Schema:
    """Describe an action: its docstring's first paragraph, its input frames, its parameters.

    Args:
        action: An action or a move.

    Returns:
        An OpenAI function tool; recursive parameters refer to ``$defs`` inside it. It is the
        caller's own.
    """
    schema: Schema = json.loads(_written(action))
    return schema


@cache
def _written(action: type[Action]) -> str:
    """A schema as text: each turn sends ten, and pydantic takes milliseconds to make one."""
    schema = action.model_json_schema()
    definitions = {
        # A nested model's docstring is for people; an alias' description is for models.
        name: {k: v for k, v in body.items() if k != "description" or "properties" not in body}
        for name, body in schema.get("$defs", {}).items()
    }
    properties = schema.get("properties", {})
    uses = Counter(_references([properties, definitions]))
    inlined = {name: definitions.pop(name) for name in [*definitions] if uses[name] == 1}
    label: Schema = {"type": "string", "description": LABEL}
    if action.many:
        label = {"type": "array", "items": {"type": "string"}, "description": LABELS}
    labels = {name: label for name in (*action.inputs, *action.optional)}
    parameters = {
        "type": "object",
        "properties": labels | {n: _short(body, inlined) for n, body in properties.items()},
        "required": [*action.inputs, *schema.get("required", [])],
    }
    if definitions:
        parameters["$defs"] = {n: _short(body, inlined) for n, body in definitions.items()}
    function = {
        "name": action.__name__,
        "description": " ".join((action.__doc__ or "").partition("\n\n")[0].split()),
        "parameters": parameters,
    }
    return json.dumps({"type": "function", "function": function})


def to_model_call(call: Call) -> Call:
    """A resolved call as a model could have written it: without what no schema has."""
    hidden = _hidden(call.name)
    arguments = {k: _plain(v) for k, v in call.arguments.items() if k not in hidden}
    return call.model_copy(update={"arguments": arguments})


_DECIDED = ("match", "meant")


@cache
def _hidden(name: str) -> frozenset[str]:
    action = next((a for a in (*actions(), *MOVES) if a.__name__ == name), None)
    if action is None:
        return frozenset()
    properties = tool_schema(action)["function"]["parameters"]["properties"]
    return frozenset(name for name in action.model_fields if name not in properties)


def _plain(value: JsonValue) -> JsonValue:
    """Conditions without how their text was found to match, and what cells are meant."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    resolved = "op" in value or "column" in value
    return {k: _plain(v) for k, v in value.items() if not (resolved and k in _DECIDED)}


def tool_schemas() -> list[Schema]:
    """The schemas of all actions and moves."""
    return [tool_schema(action) for action in (*actions(), *MOVES)]


def _references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _references(item)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"].removeprefix(_PREFIX)] if isinstance(value.get("$ref"), str) else []
    return own + [name for item in value.values() for name in _references(item)]


def _short(schema: Schema, inlined: dict[str, Schema]) -> Schema:
    """The same schema in fewer words: no titles, no nulls, what is used once written in place."""
    name = schema.get("$ref", "").removeprefix(_PREFIX)
    if name in inlined:
        return _short(inlined[name] | {k: v for k, v in schema.items() if k != "$ref"}, inlined)
    result: Schema = {}
    for key, value in schema.items():
        if key in ("anyOf", "oneOf"):
            result |= _union([_short(option, inlined) for option in value])
        elif key == "properties":
            result[key] = {n: _short(body, inlined) for n, body in value.items()}
        elif key == "items":
            result[key] = _short(value, inlined)
        elif key not in _SILENT and not (
            key == "default" and not (value and isinstance(value, (str, int)))
        ):
            result[key] = value
    if "enum" in result:
        result.pop("type", None)
    return result


def _union(options: list[Schema]) -> Schema:
    """One schema for several: their types in a list, their properties side by side.

    Which properties belong together is left to the description, since models follow one flat
    object better than nested alternatives; a parameter that may be left out needs no null.
    """
    rest = [option for option in options if option.get("type") != "null"]
    if len(rest) == 1:
        return rest[0]
    types: dict[str, None] = {}
    result: Schema = {}
    choices: list[JsonValue] = []
    for option in rest:
        choices += option.pop("enum", [option.pop("const")] if "const" in option else [])
        kinds = option.get("type", "object")
        types |= dict.fromkeys(kinds if isinstance(kinds, list) else [kinds])
        result |= {k: v for k, v in option.items() if k not in ("type", "required", "properties")}
        if properties := option.get("properties"):
            result["properties"] = result.get("properties", {}) | properties
    if "number" in types:
        types.pop("integer", None)
    if choices:
        result["enum"] = choices
    return {"type": list(types) if len(types) > 1 else next(iter(types)), **result}
