"""The environment's part in a run's settings: what a server that starts the graph may preset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from wideleaf.graph.context import Context

PRESETS = {
    "model": "WIDELEAF_MODEL",
    "base_url": "WIDELEAF_BASE_URL",
    "privacy": "WIDELEAF_PRIVACY",
    "folder": "WIDELEAF_FOLDER",
}
SOURCES = "WIDELEAF_SOURCES"
"""Paths separated as in PATH, or by line ends, which URLs need; ``demo`` is the trial table."""
TRIAL_TABLE = "trials.parquet"


def context_of(runtime: Runtime[Context]) -> Context:
    """The settings of a run; a run without sources takes what the environment presets.

    Returns:
        The caller's settings unchanged if they name sources. A graph around this one may hand
        down a mapping; what else it holds is that graph's own.
    """
    given: Any = runtime.context or {}
    if isinstance(given, Mapping):
        given = Context(**{k: v for k, v in given.items() if k in Context.model_fields})
    context = given if isinstance(given, Context) else Context()
    if context.sources:
        return context
    preset = {
        field: value
        for field, name in PRESETS.items()
        if field not in context.model_fields_set and (value := os.environ.get(name))
    }
    listed = os.environ.get(SOURCES, "")
    parts = listed.splitlines() if "\n" in listed or "::" in listed or "://" in listed else None
    sources = tuple(part.strip() for part in parts or listed.split(os.pathsep) if part.strip())
    context = Context.model_validate({**dict(context), **preset, "sources": sources})
    if sources == ("demo",):
        return context.model_copy(update={"sources": (str(trial_table(Path(context.folder))),)})
    return context


def trial_table(folder: Path) -> Path:
    """The demo's table, made at first use."""
    from wideleaf.graph.trial_table import make_trial_table

    path = folder / TRIAL_TABLE
    return path if path.exists() else make_trial_table(path)
