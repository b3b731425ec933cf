"""The doors of a server: the graphs as langgraph.json names them, where no unknown setting enters.

LangGraph's server drops what a graph's context does not know before the graph sees it; whoever
opens the graph is still shown it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph_sdk.runtime import ServerRuntime

from wideleaf.graph import app, chat
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.settings import SETTINGS, unknown_setting

OF_LANGGRAPH = ("__", "langgraph_", "checkpoint_", "x-")
"""How names begin that LangGraph itself puts beside the settings of a request without a context."""
IDS = ("assistant_id", "cron_id", "graph_id", "run_id", "thread_id", "user_id")


def open_ask(runtime: ServerRuntime[Any]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph that takes a question."""
    check_setting_names(runtime)
    return app.ask_graph()


def open_chat(runtime: ServerRuntime[Any]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph that speaks in messages."""
    check_setting_names(runtime)
    return chat.chat_graph()


def check_setting_names(runtime: ServerRuntime[Any]) -> None:
    """Refuse a run with a setting that there is not; a slip would else go on without a word.

    Raises:
        PolicyError: Names it and the nearest that there is.
    """
    run = runtime.execution_runtime
    if run is None:
        return
    for name in unknown(run.context or {}):
        raise PolicyError(unknown_setting(name))


def unknown(names: Iterable[str]) -> list[str]:
    """The names that are neither a setting nor LangGraph's own."""
    settings = {*SETTINGS, *IDS}
    return [name for name in names if name not in settings and not name.startswith(OF_LANGGRAPH)]
