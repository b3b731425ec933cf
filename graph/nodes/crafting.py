"""The graph of a Craft: a function is written, approved where that is asked for, and run."""

from __future__ import annotations

import time
from functools import partial

from langgraph.runtime import Runtime
from langgraph.types import Command

from wideleaf.agents.craft_task import PROGRAM, CodeInput, CraftTask, Try
from wideleaf.graph.channels import Person, Spent
from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.function_state import (
    Crafting,
    approval_value,
    failure_node,
    read_approval,
)
from wideleaf.graph.nodes.limits import limit_thought
from wideleaf.graph.nodes.reviews import ask_person
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.selection import turn_columns
from wideleaf.graph.services import Services
from wideleaf.graph.state import CraftState, Update, combine, nodes_update, tree_of
from wideleaf.graph.updates import error_update, failure_update, repeat_update
from wideleaf.tools.actions.craft import Craft, hash_of
from wideleaf.tools.errors import ActionError, SandboxError, WideleafError
from wideleaf.tools.steps.step import perform, read_call
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

AGAIN = frozenset(
    ["code refused", "code failed", "code time", "code memory", "code output", "code result"]
)
"""Failures that another function could mend."""


NO_ROWS = (
    "it ran, and its result has no rows; if no row fits, give the same again, else look whether a "
    "value stands in another column or is written in another way"
)
"""What a program that found nothing is told, once."""


@stream_events(on_error="supervisor", graph=Command.PARENT)
def write_code(state: CraftState, runtime: Runtime[RunContext]) -> Command[str]:
    """Have the code of a Craft written, one try at a time (CRAFTQA, section 3.3)."""
    context, services = runtime.context.settings, runtime.context.services
    started, tree = time.perf_counter(), tree_of(state)
    crafting = Crafting.of(state)
    try:
        action = read_call(crafting.call)
        assert isinstance(action, Craft)
        if not crafting.tries and (known := _known(crafting, action, tree, services, context)):
            return _leave(state, known)
        writer = services.solver_of(state["given"].get("sample", {})).writer
        if writer is None:
            raise ActionError("no model is there to write it", kind="no code")
        services.store.runner.need()
        task = _task(state, crafting, action, tree, services, context)
    except (ActionError, SandboxError) as error:
        return _fail_craft(state, crafting, error)
    except WideleafError as error:
        return _leave(state, failure_update(error.code, str(error)))
    try:
        with limit_thought(state, context):
            draft = writer.write(task)
    except WideleafError as error:
        return _leave(state, error_update(error, time.perf_counter() - started))
    seconds = time.perf_counter() - started
    took: Spent = {"usage": draft.usage.model_dump(mode="json"), "seconds": seconds}
    crafting = crafting.with_code(draft.code, draft.function)
    if draft.problem:
        refused = ActionError(draft.problem, kind="code refused")
        return _record_failure(state, crafting, refused, context, took)
    update = {"crafting": crafting.plain(), "took": took}
    return Command(goto="approve" if context.craft == "ask" else "run", update=update)


@stream_events(on_error="supervisor", graph=Command.PARENT)
def approve_code(state: CraftState, runtime: Runtime[RunContext]) -> Command[str]:
    """Show a person the code; without a yes it is not run."""
    context, crafting = runtime.context.settings, Crafting.of(state)
    if not context.interactive:
        text = "nobody is there to approve the function (craft='ask'); do without it"
        return _fail_craft(state, crafting, ActionError(text, kind="not approved"))
    digest = hash_of(crafting.code, crafting.function)
    approval = {"crafting": crafting._replace(approved=digest).plain()}
    before = state["given"].get("sample", {}).get("approvals", {}).get(digest)
    if before:  # in another sample of the vote
        return Command(goto="run", update=approval)
    if before is False:
        text = "the person did not approve this very function before; do without it"
        return _fail_craft(state, crafting, ActionError(text, kind="not approved"))
    approved, why = ask_person(
        partial(approval_value, crafting, digest),
        lambda answer: read_approval(answer, digest),
        lambda answer: (False, ""),
    )
    earlier = state.get("decided", {}).get("approvals", {})
    decided: Person = {"approvals": {**earlier, digest: approved}}
    if approved:
        return Command(goto="run", update={**approval, "decided": decided})
    words = f": {why}" if why else ""
    text = f"the person did not approve the function{words}; do without it"
    error = ActionError(text, kind="not approved")
    return _fail_craft({**state, "decided": decided}, crafting, error)


@stream_events(on_error="supervisor", graph=Command.PARENT)
def run_code(state: CraftState, runtime: Runtime[RunContext]) -> Command[str]:
    """Run the code that was written and, where that is asked for, approved, by its hash."""
    context, services = runtime.context.settings, runtime.context.services
    started, crafting = time.perf_counter(), Crafting.of(state)
    code = hash_of(crafting.code, crafting.function)
    if code != (crafting.approved if context.craft == "ask" else crafting.written):
        text = f"the function to run (sha256 {code[:12]}) is not the one that was approved"
        return _fail_craft(state, crafting, ActionError(text, kind="not approved"))
    services.store.runner.allow(code)
    wish = crafting.wish({"code": crafting.code, "function": crafting.function})
    try:
        node = perform(wish, services.store, services.policy, context.profile)
    except SandboxError as error:
        return _fail_craft(state, crafting, error)
    took: Spent = {"seconds": time.perf_counter() - started}
    if node.outcome == "ok" and not _finds_nothing(node, crafting, context):
        return _leave(state, _kept(node, crafting, tree_of(state)), took)
    wrong = ActionError(node.error, kind=node.kind)
    if node.outcome == "ok":
        wrong = ActionError(NO_ROWS, kind="no rows")
    elif node.kind not in AGAIN:
        return _fail_craft(state, crafting, wrong, took)
    return _record_failure(state, crafting, wrong, context, took)


def _finds_nothing(node: Node, crafting: Crafting, context: Context) -> bool:
    """Whether a program's first result has no rows, and more than one try is left."""
    arguments = crafting.call.arguments
    first = not crafting.tries and context.tries > 2
    return (
        first
        and arguments.get("form") == "program"
        and node.rows == 0
        and context.verify == "error"
    )


def _known(
    crafting: Crafting, action: Craft, tree: FrameTree, services: Services, context: Context
) -> Update:
    """The update where nothing need be written: inputs missing, or the same done or failed."""
    wish = crafting.wish({})
    for node in tree.nodes:
        same = node.action.name == Craft.__name__ and node.outcome == "ok"
        if same and node.parents == tuple(label for label, _ in wish.parents):
            before = read_call(node.action)
            if isinstance(before, Craft) and _asks_same(before, action):
                return repeat_update(crafting.call_sent, node.label)
    attempt = perform(wish, services.store, services.policy, context.profile)
    return nodes_update([attempt]) if attempt.kind in ("unknown frame", "tried") else {}


def _asks_same(one: Craft, other: Craft) -> bool:
    fields = ("task", "signature", "form", "lower_case")
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def _kept(node: Node, crafting: Crafting, tree: FrameTree) -> Update:
    if (before := tree.by_id.get(node.id)) is not None and before.outcome == "ok":
        return repeat_update(crafting.call_sent, before.label)
    return nodes_update([node])


def _task(
    state: CraftState,
    crafting: Crafting,
    action: Craft,
    tree: FrameTree,
    services: Services,
    context: Context,
) -> CraftTask:
    parents = [label for label, _ in crafting.call_sent["wish"]["parents"]]
    names, memory = action.parameters(len(parents)), state["memory"]
    inputs = []
    with services.store.reading("the inputs of the function"):
        for label, name in zip(parents, names, strict=True):
            node = tree[label]
            schema = services.store.get(node.id)
            columns = tuple((column, schema.kind(column)) for column in schema.columns)
            inputs.append(
                CodeInput(
                    label=label,
                    parameter=name,
                    rows=node.rows,
                    columns=columns,
                    observation=node.observation,
                )
            )
    return CraftTask(
        question=state["question"],
        columns=turn_columns(memory.get("found", {}), memory.get("columns", "")),
        task=action.task,
        signature=action.signature,
        label=crafting.label,
        inputs=tuple(inputs),
        tree=tree,
        program=str(memory.get("thinker", {}).get(PROGRAM, "")),
        tries=tuple(Try.model_validate(one) for one in crafting.tries),
        most=context.tries,
    )


def _record_failure(
    state: CraftState, crafting: Crafting, error: ActionError, context: Context, took: Spent
) -> Command[str]:
    """One more try that failed: to be written again, or the last there was."""
    tries = [*crafting.tries, {"code": crafting.code, "error": error.text}]
    crafting = crafting._replace(tries=tries)
    if len(tries) < context.tries:
        update = {"crafting": crafting.with_code("", "").plain(), "took": took}
        return Command(goto="write", update=update)
    text = error.text
    if len(tries) > 1:
        text = f"{len(tries)} tries to write it failed; the last: {text}"
    return _fail_craft(state, crafting, ActionError(text, kind=error.kind), took)


def _fail_craft(
    state: CraftState,
    crafting: Crafting,
    error: ActionError | SandboxError,
    took: Spent | None = None,
) -> Command[str]:
    """The Craft as a failed node of the tree."""
    wish = crafting.wish({})
    text, kind = str(error), getattr(error, "kind", error.__class__.__name__)
    node = failure_node(wish, text, kind)
    last = crafting.code or next((one["code"] for one in reversed(crafting.tries)), "")
    if last:  # for whoever looks at the tree; what was asked for tells one Craft from another
        call = Call(name=node.action.name, arguments={**node.action.arguments, "code": last})
        node = node.model_copy(update={"action": call})
    return _leave(state, nodes_update([node]), took)


def _leave(state: CraftState, update: Update, took: Spent | None = None) -> Command[str]:
    """Go back to the supervisor with what came of the Craft, all of its tries counted."""
    parts: list[Update] = [{"spent": one} for one in (state.get("took"), took) if one]
    parts += [{"person": state["decided"]}] if state.get("decided") else []
    whole = combine(update, {"memory": {"call": {}}}, *parts)
    return Command(graph=Command.PARENT, goto="supervisor", update=whole)
