"""Wideleaf: ask questions of tables that are too wide, too large or too many to show to a model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wideleaf.agents.models.script import Script
    from wideleaf.graph.app import build_graph
    from wideleaf.graph.batches.answers import Answers
    from wideleaf.graph.batches.batch import batch
    from wideleaf.graph.context import Context
    from wideleaf.graph.corrections import correct, corrections, forget
    from wideleaf.graph.doors.schemas import schemas
    from wideleaf.graph.doors.tool import as_tool
    from wideleaf.graph.events import Event
    from wideleaf.graph.indexing.column_search import ColumnSearch
    from wideleaf.graph.indexing.dry_run import DryRun
    from wideleaf.graph.indexing.indexing import IndexReport, columns, index
    from wideleaf.graph.replays.replay import replay
    from wideleaf.graph.results.frames import frame
    from wideleaf.graph.results.result import Result
    from wideleaf.graph.runs.run import Run
    from wideleaf.graph.runs.runs import Runs, runs
    from wideleaf.graph.sessions.run import aask, ask, astream, stream
    from wideleaf.graph.sessions.session import Session
    from wideleaf.graph.talk import build_conversation
    from wideleaf.tools.errors import (
        BugError,
        ModelError,
        PrivacyError,
        SettingsError,
        SourceError,
        WideleafError,
    )
    from wideleaf.tools.plans.plan import Plan
    from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
    from wideleaf.tools.tree.tree import FrameTree, Node

# Where each public name lives; loaded when it is first used, so that the import stays light.
_HOMES = {
    "Answers": "graph.batches.answers",
    "BugError": "tools.errors",
    "ColumnSearch": "graph.indexing.column_search",
    "Context": "graph.context",
    "DryRun": "graph.indexing.dry_run",
    "Event": "graph.events",
    "IndexReport": "graph.indexing.indexing",
    "FrameTree": "tools.tree.tree",
    "KnowledgeGraph": "tools.sources.graphs.handle",
    "ModelError": "tools.errors",
    "Node": "tools.tree.tree",
    "Plan": "tools.plans.plan",
    "PrivacyError": "tools.errors",
    "Result": "graph.results.result",
    "Run": "graph.runs.run",
    "Runs": "graph.runs.runs",
    "Script": "agents.models.script",
    "Session": "graph.sessions.session",
    "SettingsError": "tools.errors",
    "SourceError": "tools.errors",
    "WideleafError": "tools.errors",
    "aask": "graph.sessions.run",
    "as_tool": "graph.doors.tool",
    "ask": "graph.sessions.run",
    "astream": "graph.sessions.run",
    "batch": "graph.batches.batch",
    "columns": "graph.indexing.indexing",
    "correct": "graph.corrections",
    "corrections": "graph.corrections",
    "forget": "graph.corrections",
    "frame": "graph.results.frames",
    "build_conversation": "graph.talk",
    "build_graph": "graph.app",
    "index": "graph.indexing.indexing",
    "replay": "graph.replays.replay",
    "runs": "graph.runs.runs",
    "schemas": "graph.doors.schemas",
    "stream": "graph.sessions.run",
}

__all__ = [
    "Answers",
    "BugError",
    "ColumnSearch",
    "Context",
    "DryRun",
    "Event",
    "FrameTree",
    "IndexReport",
    "KnowledgeGraph",
    "ModelError",
    "Node",
    "Plan",
    "PrivacyError",
    "Result",
    "Run",
    "Runs",
    "Script",
    "Session",
    "SettingsError",
    "SourceError",
    "WideleafError",
    "aask",
    "as_tool",
    "ask",
    "astream",
    "batch",
    "build_conversation",
    "build_graph",
    "columns",
    "correct",
    "corrections",
    "forget",
    "frame",
    "index",
    "replay",
    "runs",
    "schemas",
    "stream",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"wideleaf.{_HOMES[name]}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("wideleaf")
    raise AttributeError(f"module 'wideleaf' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
