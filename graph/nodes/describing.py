"""Frames on the way are described before the next thought, where the settings have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.agents.turn import Usage
from wideleaf.graph.context import Context
from wideleaf.graph.nodes.roles import sees_steps, step_text, take_role
from wideleaf.graph.services import Services, services_of
from wideleaf.graph.state import PlainData, State, add_usage, tree_of
from wideleaf.graph.updates import Update
from wideleaf.tools.telling.calls import shape_text
from wideleaf.tools.tree.tree import FrameTree, Node

if TYPE_CHECKING:
    from wideleaf.agents.roles.describer import FrameStep


def ask_describer(state: State, context: Context) -> Update:
    """Have a model describe the frames that were made since it was last asked.

    Args:
        state: Of the run.
        context: The settings.

    Returns:
        Their nodes with a description, what that took, and how far it looked.
    """
    if context.describer != "model" or not state.get("nodes"):
        return {}
    tree, before = tree_of(state), state.get("described", 0)
    nodes = [
        n for n in tree.nodes[before:] if n.parents and n.outcome == "ok" and not n.description
    ]
    looked: Update = {"described": len(tree.nodes)}
    services = services_of(context)
    gateway = services.gateways.taken("describer")
    if not nodes or gateway is None:
        return looked
    from wideleaf.agents.roles.describer import MAX_FRAMES, DescriberInput, describe_frames

    frames = tuple(_make_frame_step(node, tree, context, services) for node in nodes[:MAX_FRAMES])
    case = DescriberInput(question=state["question"], frames=frames)
    reply, update = take_role("describer", state, context, lambda: describe_frames(case, gateway))
    texts = reply.texts if reply else {}
    grown = {label: {**state["nodes"][label], "description": text} for label, text in texts.items()}
    return {**looked, **update, **({"nodes": grown} if grown else {})}


def after(described: Update, state: State) -> State:
    """The state once frames are described and paid for."""
    usage, more = state.get("usage", {}), described.get("usage")
    nodes: PlainData = {**state.get("nodes", {}), **described.get("nodes", {})}
    spent = {
        "usage": add_usage(usage, more) if more else usage,
        "seconds": state.get("seconds", 0.0) + described.get("seconds", 0.0),
    }
    return {**state, "nodes": nodes, **spent}  # type: ignore[typeddict-item]  # of these channels


def beside(described: Update, update: Update) -> Update:
    """The update of a step with that of the description before it."""
    usages = (Usage.model_validate(one.get("usage", {})) for one in (described, update))
    added: Update = {
        "usage": sum(usages, Usage()).model_dump(mode="json"),
        "seconds": described.get("seconds", 0.0) + update.get("seconds", 0.0),
    }
    return {**described, **update, **added}


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
