"""The environment's part in a run's settings: what a server that starts the graph may preset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from wideleaf.graph.context import Context
from wideleaf.graph.serving.policy import POLICY, read_policy
from wideleaf.graph.serving.server import is_remote, trusts_clients, user_of

PRESETS = {
    "model": "WIDELEAF_MODEL",
    "base_url": "WIDELEAF_BASE_URL",
    "privacy": "WIDELEAF_PRIVACY",
    "folder": "WIDELEAF_FOLDER",
}
SOURCES = "WIDELEAF_SOURCES"
"""Paths separated as in PATH, or by line ends, which URLs need; ``demo`` is the demo's tables."""


def context_of(runtime: Runtime[Context]) -> Context:
    """The settings of a run: the caller's, with what the environment presets.

    Behind a server, the client's settings count as far as the owner's policy lets them; those that
    code of the process gave (`Context.of_code`) are the owner's own.

    Returns:
        In process, the caller's settings unchanged if they name sources. A graph around this one
        may hand down a mapping; what else it holds is that graph's own.

    Raises:
        PolicyError: If a client set what it may not.
    """
    context = given_context(runtime)
    if not context.is_of_code and is_remote(runtime):
        return settle_client(context, user_of(runtime))
    return _with_presets(context)


def given_context(runtime: Runtime[Context]) -> Context:
    """The settings as the caller gave them."""
    given: Any = runtime.context or {}
    if isinstance(given, Mapping):
        given = Context(**{k: v for k, v in given.items() if k in Context.model_fields})
    return given if isinstance(given, Context) else Context()


def settle_client(context: Context, user: str) -> Context:
    """The settings of what a client asks for.

    Args:
        context: What the client set.
        user: Who it is, by the server's authentication.

    Raises:
        PolicyError: If it set what it may not.
    """
    if _trusted():
        return _with_presets(context)
    policy = read_policy()
    folder = Path(str(policy.settings.get("folder") or presets().get("folder", ".wideleaf")))
    return _with_demo(policy.settle(context, presets(), user), folder)


def _with_presets(context: Context) -> Context:
    if context.sources:
        return context
    unset = {k: v for k, v in presets().items() if k not in context.model_fields_set}
    context = Context.model_validate({**dict(context), **unset})
    return _with_demo(context, Path(context.folder))


def presets() -> dict[str, Any]:
    """What the environment sets."""
    preset: dict[str, Any] = {
        field: value for field, name in PRESETS.items() if (value := os.environ.get(name))
    }
    listed = os.environ.get(SOURCES, "")
    parts = listed.splitlines() if "\n" in listed or "::" in listed or "://" in listed else None
    sources = tuple(part.strip() for part in parts or listed.split(os.pathsep) if part.strip())
    return {**preset, "sources": sources}


def _trusted() -> bool:
    # A policy is the narrower word of the two.
    return trusts_clients() and not os.environ.get(POLICY)


def _with_demo(context: Context, folder: Path) -> Context:
    if context.sources != ("demo",):
        return context
    from wideleaf.graph.demo_table import make_demo_tables

    paths = make_demo_tables(folder)
    return context.model_copy(update={"sources": tuple(map(str, paths))})
