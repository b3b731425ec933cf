"""The tool nodes: an action is carried out, the head goes back; each sees only what it was sent."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime

from wideleaf.graph.events import stream_events
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import ToolCall, Update, combine, nodes_update
from wideleaf.graph.updates import repeat_update
from wideleaf.tools.steps.series import perform_all
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.tree.call import Call


@stream_events()
def act(state: ToolCall, runtime: Runtime[RunContext]) -> Update:
    """Carry out one action."""
    context, services = runtime.context.settings, runtime.context.services
    started = time.perf_counter()
    wish = Wish(**{**state["wish"], "call": Call.model_validate(state["wish"]["call"])})
    labels = state["made"]
    nodes = perform_all(wish, services.store, services.policy, context.profile, labels)
    took: Update = {"spent": {"seconds": time.perf_counter() - started}}
    last = nodes[-1]
    if last.outcome == "ok" and last.id in labels:
        return {**repeat_update(state, labels[last.id]), **took}
    if last.action.name == "Load" and last.outcome == "ok":  # a raw table is called by its name
        name = str(last.action.arguments["source"])
        update = nodes_update([last.model_copy(update={"label": name})])
        return {**combine(update, {"tree": {"aliases": {wish.label: name}}}), **took}
    return {**nodes_update(nodes), **took}


@stream_events()
def backtrack(state: ToolCall, runtime: Runtime[RunContext]) -> Update:
    """Move the head to an earlier frame."""
    return {"tree": {"moves": [state["move"]], "head": state["move"]["target"]}}
