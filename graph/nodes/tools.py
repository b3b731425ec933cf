"""The tool nodes: an action is carried out, the head goes back; each sees only what it was sent."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime

from wideleaf.graph.events import stream_events
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.services import Services
from wideleaf.graph.state import ToolCall, Update, combine, nodes_update
from wideleaf.graph.updates import repeat_update
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.steps.series import perform_all
from wideleaf.tools.steps.step import Wish
from wideleaf.tools.tree.call import Call


@stream_events()
def act(state: ToolCall, runtime: Runtime[RunContext]) -> Update:
    """Carry out one action."""
    context, services = runtime.context.settings, runtime.context.services
    started = time.perf_counter()
    wish = Wish(**{**state["wish"], "call": Call.model_validate(state["wish"]["call"])})
    update = carry_out(wish, state, services, context.profile)
    return {**update, "spent": {"seconds": time.perf_counter() - started}}


def carry_out(wish: Wish, sent: ToolCall, services: Services, profile: Profile) -> Update:
    """Carry out one action, or take the frame that it had made before.

    Args:
        wish: The action.
        sent: What its node was sent.
        services: Those of the run.
        profile: What actions mean.
    """
    labels = sent["made"]
    nodes = perform_all(wish, services.store, services.policy, profile, labels)
    last = nodes[-1]
    if last.outcome == "ok" and last.id in labels:
        return repeat_update(sent, labels[last.id])
    if last.action.name == "Load" and last.outcome == "ok":  # a raw table is called by its name
        name = str(last.action.arguments["source"])
        update = nodes_update([last.model_copy(update={"label": name})])
        return combine(update, {"tree": {"aliases": {wish.label: name}}})
    return nodes_update(nodes)


@stream_events()
def backtrack(state: ToolCall, runtime: Runtime[RunContext]) -> Update:
    """Move the head to an earlier frame."""
    return {"tree": {"moves": [state["move"]], "head": state["move"]["target"]}}
