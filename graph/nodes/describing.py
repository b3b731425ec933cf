"""The describer: frames on the way get a sentence each, where the settings have a model for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.runtime import Runtime

from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.roles import sees_steps, step_text, take_role
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.services import Services
from wideleaf.graph.state import RunState, Update, combine, tree_of
from wideleaf.tools.telling.calls import shape_text
from wideleaf.tools.tree.tree import FrameTree, Node

if TYPE_CHECKING:
    from wideleaf.agents.roles.describer import FrameStep


def needs_description(state: RunState, context: Context) -> bool:
    """Whether there are frames that the describer's model was not shown yet."""
    return context.describer == "model" and bool(_list_new(tree_of(state), state))


@stream_events()
def describe(state: RunState, runtime: Runtime[RunContext]) -> Update:
    """Have a model describe the frames that were made since it was last asked."""
    context, services = runtime.context.settings, runtime.context.services
    tree = tree_of(state)
    looked: Update = {"memory": {"described": len(tree.nodes)}}
    gateway = services.gateways.taken("describer")
    if gateway is None:
        return looked
    from wideleaf.agents.roles.describer import MAX_FRAMES, DescriberInput, describe_frames

    nodes = _list_new(tree, state)[:MAX_FRAMES]
    frames = tuple(_make_frame_step(node, tree, context, services) for node in nodes)
    case = DescriberInput(question=state["question"], frames=frames)
    reply, update = take_role("describer", state, context, lambda: describe_frames(case, gateway))
    texts, nodes_now = reply.texts if reply else {}, state["tree"]["nodes"]
    grown = {label: {**nodes_now[label], "description": text} for label, text in texts.items()}
    return combine(looked, update, {"tree": {"nodes": grown}} if grown else {})


def _list_new(tree: FrameTree, state: RunState) -> list[Node]:
    since = tree.nodes[state["memory"].get("described", 0) :]
    return [n for n in since if n.parents and n.outcome == "ok" and not n.description]


def _make_frame_step(
    node: Node, tree: FrameTree, context: Context, services: Services
) -> FrameStep:
    from wideleaf.agents.roles.describer import FrameStep

    parents = [tree[label] for label in node.parents]
    return FrameStep(
        label=node.label,
        step=step_text(node, tree, context, services),
        parents=tuple((one.label, one.description or shape_text(one)) for one in parents),
        # What was seen tells the literals of the step, too.
        seen=node.observation if sees_steps(context) else shape_text(node),
    )
