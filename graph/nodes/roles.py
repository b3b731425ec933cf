"""Roles that a model takes in a run: within its budgets, and by the rules where it is of no use."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from wideleaf.agents.answer.second_opinion import in_columns
from wideleaf.agents.answer.writer import phrase_cell, plain_cell
from wideleaf.agents.conversation.telling import tell_past
from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.models.deadline import limit_time
from wideleaf.agents.turn import Exchange, Usage
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.nodes.limits import check_budgets, spent_of
from wideleaf.graph.options.role_models import Role
from wideleaf.graph.services import Services
from wideleaf.graph.state import RunState, Update
from wideleaf.tools.errors import ModelError
from wideleaf.tools.telling.calls import call_text, shape_text
from wideleaf.tools.telling.schema import to_model_call
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import one_line

PLAN_CHARACTERS: dict[Role, int] = {"critic": 5_000, "writer": 2_600}
"""Of the steps behind an answer, as each role is shown them."""
STEP_CHARACTERS = 300
"""Of a step, where it is told by names alone."""


class Said(Protocol):
    """What came of asking a model to take a role."""

    @property
    def usage(self) -> Usage:
        """What it took."""

    @property
    def problem(self) -> str:
        """Why it was of no use; empty if it was."""


Outcome = TypeVar("Outcome", bound=Said)


def take_role(
    role: Role, state: RunState, context: Context, ask: Callable[[], Outcome]
) -> tuple[Outcome | None, Update]:
    """Ask a model to take a role, unless a budget is used up.

    Args:
        role: Which.
        state: Of the run.
        context: The settings.
        ask: Asks it.

    Returns:
        What it said, None where the rules take the role; and what the state keeps of it, which
        tells that.
    """
    if reason := check_budgets(state, context):
        return None, {"memory": {"fallbacks": [left_to_rules(role, reason)]}}
    started = time.perf_counter()
    try:
        with limit_time(context.max_seconds, spent_of(state)[1]):
            reply = ask()
    except ModelError as error:  # a role alone must not cost the run its answer
        fallbacks = [left_to_rules(role, str(error))]
        took: Update = {"spent": {"seconds": time.perf_counter() - started}}
        return None, {**took, "memory": {"fallbacks": fallbacks}}
    seconds = time.perf_counter() - started
    update: Update = {"spent": {"usage": reply.usage.model_dump(mode="json"), "seconds": seconds}}
    if reply.problem:
        return None, {**update, "memory": {"fallbacks": [left_to_rules(role, reply.problem)]}}
    return reply, update


def left_to_rules(role: Role, problem: str) -> str:
    """What the person is told where a model was to take a role and could not."""
    return f"Rules took the place of the {role}'s model: {problem.rstrip('.')}."


def ask_critic(
    case: Candidate,
    doubts: Sequence[Finding],
    state: RunState,
    context: Context,
    services: Services,
) -> tuple[tuple[Finding, ...], Update]:
    """What a model holds against an offered frame; of one frame it is asked once.

    Args:
        case: The frame.
        doubts: What the local checks have against it.
        state: Of the run.
        context: The settings.
        services: Of the run.
    """
    offer, declined = state["review"]["offer"], state["review"].get("declined") or {}
    earlier = offer if "criticism" in offer else declined
    if "criticism" in earlier and earlier["label"] == offer["label"]:
        from wideleaf.agents.roles.critic import model_finding

        return tuple(map(model_finding, earlier["criticism"])), {}
    gateway = services.gateways.taken("critic")
    if gateway is None:
        return (), {}
    from wideleaf.agents.roles.critic import CriticInput, criticise

    sees = sees_steps(context)
    view = CriticInput(
        question=state["question"],
        past=_past(state),
        plan=plan_text("critic", case.tree, case.label, context, services),
        label=case.label,
        note=str(offer.get("note", "")) if sees else "",
        doubts=tuple(doubt.text for doubt in doubts if doubt.objects)
        if sees_steps(context)
        else (),
    )
    reply, update = take_role("critic", state, context, lambda: criticise(view, gateway))
    return reply.doubts if reply else (), update


def ask_writer(
    draft: PlainData, tree: FrameTree, state: RunState, context: Context, services: Services
) -> Update:
    """Have a model word the answer; the rules' own text stays where it cannot.

    Args:
        draft: The answer by rules; its text is changed.
        tree: The tree.
        state: Of the run.
        context: The settings.
        services: Of the run.
    """
    gateway = services.gateways.taken("writer")
    label, total = draft["label"], draft["table"].get("total", 0)
    if gateway is None or not total or tree[label].action.name == "Chart":
        return {}
    from wideleaf.agents.roles.blanks import AnswerFrame
    from wideleaf.agents.roles.writer import MAX_ROWS, WriterInput, write_by_model

    shows, store, key = context.policy.allows("values"), services.store, tree[label].id
    with store.reading("the answer"):
        frame = store.with_labels(key)
        names = frame.columns if shows else store.get(key).columns
        kinds = [frame.kind(name) for name in frame.columns]
        rows = [{k: plain_cell(v) for k, v in row.items()} for row in frame.rows(MAX_ROWS)]
    if total == 1 and any(isinstance(cell, bool) for cell in rows[0].values()):
        return {}  # yes or no is a word of its own, which no check could hold against the cell
    case = WriterInput(
        question=state["question"],
        past=_past(state),
        plan=plan_text("writer", tree, label, context, services),
        columns=tuple(zip(names, kinds, strict=True)),
        rows=tuple(tuple(map(phrase_cell, row.values())) for row in rows) if shows else (),
        total=total,
    )
    answer = AnswerFrame(
        table=frame,
        rows=rows,
        total=total,
        told=dict(zip(names, frame.columns, strict=True)),
        allowed=(state["question"], *(node.label for node in tree.leaves)),
        listing=draft["answer"],
    )
    reply, update = take_role(
        "writer", state, context, lambda: write_by_model(case, answer, gateway)
    )
    if reply:
        draft["answer"] = reply.text
    return update


def plan_text(role: Role, tree: FrameTree, label: str, context: Context, services: Services) -> str:
    """The steps behind a frame as a role's model may see them.

    Where no model wrote the steps, their literals and thoughts may be cells: then a level that
    keeps cells in lets out names and shapes alone.

    Args:
        role: Whose model is shown them.
        tree: The tree.
        label: The frame.
        context: The settings.
        services: Of the run.
    """
    room = PLAN_CHARACTERS[role]
    if sees_steps(context):
        from wideleaf.agents.roles.critic import plan_outline

        return plan_outline(tree, label, room)
    lines: list[str] = []
    for node in tree.plan(label):
        of = f" of {', '.join(node.parents)}" if node.parents else ""
        step = step_text(node, tree, context, services)
        lines.append(one_line(f"{node.label} = {step}{of} -> {shape_text(node)}", STEP_CHARACTERS))
    while sum(map(len, lines)) + len(lines) > room - STEP_CHARACTERS:
        lines.pop(0)  # the last steps say most of the answer
    return "\n".join(["The steps (values are not shown):", *lines])


def step_text(node: Node, tree: FrameTree, context: Context, services: Services) -> str:
    """A step as a role's model may see it, see `plan_text`."""
    if sees_steps(context):
        return call_text(to_model_call(node.action), STEP_CHARACTERS, node.parents)
    if not node.parents:
        return "a table"
    with services.store.reading("the tables"):
        leaves = [leaf for leaf in tree.plan(node.label) if not leaf.parents]
        tables = {leaf.label: services.store.get(leaf.id) for leaf in leaves}
    return in_columns([node.action], tables)


def sees_steps(context: Context) -> bool:
    """Whether what a thinker wrote may go out: a model saw no more than the level lets out."""
    return context.asks_a_model or context.policy.allows("values")


def _past(state: RunState) -> str:
    return tell_past([Exchange.model_validate(one) for one in state["given"].get("exchanges", [])])
