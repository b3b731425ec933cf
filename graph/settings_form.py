"""The settings as a form: what each is for, in the order in which shell and Studio show them."""

from __future__ import annotations

from typing import Any

from wideleaf.graph.channels import PlainData

GROUPS = {
    "tables": ("sources", "attachments", "dictionary", "engine", "folder"),
    "model": ("model", "base_url", "api_key_env", "chat_model", "strategy", "interactive"),
    "privacy": ("privacy", "denied", "audit"),
    "answer": ("columns", "least_confidence"),
    "limits": (
        *("max_steps", "max_seconds", "max_tokens", "max_cost", "prompt_price", "reply_price"),
        *("requests_per_second", "timeout"),
    ),
    "model-written code": ("craft", "sandbox", "sandbox_image", "craft_seconds", "craft_memory"),
    "roles": ("models", "selector", "describer", "critic", "writer"),
    "vote": ("samples", "vote_of", "vote_early", "vote_temperature"),
    "keeping": ("checkpoints", "keep_days", "keep_mib"),
    "for experts": (
        *("profile", "retriever", "least_similarity", "embedder", "reply_form", "cache"),
        *("second_opinion", "examples", "without", "tries", "verify", "lower_case"),
    ),
}
"""What each setting is for; the shell's help and Studio's form are in this order."""
TITLES = {
    "api_key_env": "variable of the key",
    "attachments": "MiB of one that is attached",
    "base_url": "server",
    "checkpoints": "named threads",
    "columns": "names of its columns",
    "craft": "functions that the model writes",
    "denied": "denied columns",
    "examples": "examples of your own",
    "interactive": "may ask a person back",
    "keep_days": "days of frames",
    "keep_mib": "MiB of the folder",
    "least_confidence": "least confidence",
    "lower_case": "text in lower case",
    "max_cost": "cost",
    "max_seconds": "seconds",
    "max_steps": "steps",
    "max_tokens": "tokens",
    "models": "models of their own",
    "model": "name",
    "privacy": "what a model may see",
    "profile": "meaning of actions",
    "prompt_price": "price of tokens in",
    "reply_price": "price of tokens out",
    "craft_memory": "memory",
    "craft_seconds": "seconds",
    "timeout": "seconds of a request",
    "tries": "tries at code",
    "verify": "what a further try is told",
    "vote_early": "end once decided",
    "vote_of": "strategies",
    "vote_temperature": "temperature",
    "without": "parts left out",
}
"""Titles of the settings whose name, beside that of the group, does not say it."""
NODES = {
    "tables": ("prepare", "selector"),
    "model": ("supervisor",),
    "model-written code": ("craft",),
    "roles": ("selector", "describer", "supervisor", "critic", "writer"),
    "vote": ("vote",),
}
"""Nodes of the graph at which Studio shows a group's settings, too."""
UNSET = "not set"


def arrange_form(schema: PlainData) -> None:
    """Make a form of the JSON schema of the settings: ordered, with titles and plain choices.

    Studio shows the fields in the order of the schema, and knows no groups: a title begins with
    its group's. ``langgraph_nodes`` is the hint by which it finds a node's settings.

    Args:
        schema: As pydantic writes it; it is changed.
    """
    properties = schema["properties"]
    schema["properties"] = {
        name: _field(properties[name], group, name)
        for group, names in GROUPS.items()
        for name in names
        if name in properties
    }


def _field(field: PlainData, group: str, name: str) -> PlainData:
    title = f"{_capital(group)}: {TITLES.get(name, name.replace('_', ' '))}"
    parts: list[PlainData] = field.pop("anyOf", [])
    words = [word for part in reversed(parts) for word in _words(part)]
    if words:  # of words and further words a form makes two boxes
        field = {**field, "enum": words, "type": "string"}
    elif parts:
        titles = {"null": UNSET, "integer": "a number", "number": "a number"}
        field["anyOf"] = [{**part, "title": titles[part["type"]]} for part in parts]
    if nodes := NODES.get(group):
        field["langgraph_nodes"] = list(nodes)
    return {"title": title, **{key: value for key, value in field.items() if key != "title"}}


def _words(part: PlainData) -> list[Any]:
    return [*part.get("enum", ()), *([part["const"]] if "const" in part else ())]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
