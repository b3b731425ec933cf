"""Wideleaf: ask questions of tables that are too wide, too large or too many to show to a model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wideleaf.agents.script import Script
    from wideleaf.graph.app import build_graph
    from wideleaf.graph.column_search import ColumnSearch
    from wideleaf.graph.context import Context
    from wideleaf.graph.correcting import correct, corrections, forget
    from wideleaf.graph.dry_run import DryRun
    from wideleaf.graph.events import Event
    from wideleaf.graph.frames import frame
    from wideleaf.graph.index_report import IndexReport
    from wideleaf.graph.indexing import columns, index
    from wideleaf.graph.question_generation import generate_questions
    from wideleaf.graph.replay import replay
    from wideleaf.graph.result import Result
    from wideleaf.graph.run import ask
    from wideleaf.graph.tool import as_tool
    from wideleaf.tools.errors import (
        BugError,
        ModelError,
        PrivacyError,
        SettingsError,
        SourceError,
        WideleafError,
    )
    from wideleaf.tools.plan import Plan
    from wideleaf.tools.tree import FrameTree, Node

# Where each public name lives; loaded when it is first used, so that the import stays light.
_HOMES = {
    "BugError": "tools.errors",
    "ColumnSearch": "graph.column_search",
    "Context": "graph.context",
    "DryRun": "graph.dry_run",
    "Event": "graph.events",
    "IndexReport": "graph.index_report",
    "FrameTree": "tools.tree",
    "ModelError": "tools.errors",
    "Node": "tools.tree",
    "Plan": "tools.plan",
    "PrivacyError": "tools.errors",
    "Result": "graph.result",
    "Script": "agents.script",
    "SettingsError": "tools.errors",
    "SourceError": "tools.errors",
    "WideleafError": "tools.errors",
    "as_tool": "graph.tool",
    "ask": "graph.run",
    "columns": "graph.indexing",
    "correct": "graph.correcting",
    "corrections": "graph.correcting",
    "forget": "graph.correcting",
    "frame": "graph.frames",
    "generate_questions": "graph.question_generation",
    "build_graph": "graph.app",
    "index": "graph.indexing",
    "replay": "graph.replay",
}

__all__ = [
    "BugError",
    "ColumnSearch",
    "Context",
    "DryRun",
    "Event",
    "FrameTree",
    "IndexReport",
    "ModelError",
    "Node",
    "Plan",
    "PrivacyError",
    "Result",
    "Script",
    "SettingsError",
    "SourceError",
    "WideleafError",
    "as_tool",
    "ask",
    "build_graph",
    "columns",
    "correct",
    "corrections",
    "forget",
    "frame",
    "generate_questions",
    "index",
    "replay",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"wideleaf.{_HOMES[name]}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("wideleaf")
    raise AttributeError(f"module 'wideleaf' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
