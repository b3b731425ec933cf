"""The reader's node: texts are read by a model, within permission, budget and a person's yes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import cast

from langgraph.runtime import Runtime

from wideleaf.agents.reading.budget import Budget
from wideleaf.agents.reading.reader import Forecast, Reader
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.function_state import failure_node
from wideleaf.graph.nodes.limits import limit_thought, spent_of
from wideleaf.graph.nodes.reviews import UnclearError, ask_person, read_decision, review
from wideleaf.graph.nodes.tools import carry_out
from wideleaf.graph.readers import tell_forecast
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.services import Services
from wideleaf.graph.state import RunState, ToolCall, Update, nodes_update
from wideleaf.graph.updates import error_update
from wideleaf.tools.actions.reading.label import Label
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.steps.shares import need_shared
from wideleaf.tools.steps.step import Wish, read_call
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import node_id

YES, NO = "read them", "do not read them"
AT_MOST = "at this cost at most"


@stream_events()
def read_texts(state: RunState, runtime: Runtime[RunContext]) -> Update:
    """Have a model read the texts of an action, then carry the action out on what it said."""
    context, services = runtime.context.settings, runtime.context.services
    started, sent = time.perf_counter(), cast(ToolCall, state["memory"]["call"])
    wish = Wish(**{**sent["wish"], "call": Call.model_validate(sent["wish"]["call"])})
    budget = _budget(state, context, services)
    try:
        if not wish.problem and _identity(wish) not in wish.failed:
            wish = wish._replace(call=_read(wish, budget, state, runtime.context))
        update = carry_out(wish, sent, services, context.profile)
    except ActionError as error:
        text = services.policy.error_text(error)
        update = nodes_update([failure_node(wish, text, error.kind)])
    except WideleafError as error:
        update = error_update(error)
    seconds = time.perf_counter() - started
    usage = budget.usage.model_dump(mode="json")
    return {**update, "spent": {"usage": usage, "seconds": seconds}}


def _identity(wish: Wish) -> str:
    return node_id([key for _, key in wish.parents], wish.call.name, wish.call.arguments)


def _read(wish: Wish, budget: Budget, state: RunState, under: RunContext) -> Call:
    """The call with the hash of what a model said of its texts.

    Raises:
        ActionError: If it does not fit, nobody may or can read, or it would cost too much.
        ModelError: If no reply can be had.
    """
    services, context = under.services, under.settings
    parents, action = [key for _, key in wish.parents], read_call(wish.call)
    assert isinstance(action, Reading)
    with services.store.reading(f"{wish.label} {wish.call.name}"):
        tables = services.store.inputs(action, parents)
        action = action.resolve(*tables)
        need_shared(action, parents, services.store, services.policy)
        sides = action.sides(*tables)
    if isinstance(action, Label) and not (action.classes or services.policy.allows("values")):
        raise ActionError(
            f"classes would be proposed out of cells, which privacy={services.policy.level!r} "
            "keeps from you; name the classes",
            kind="argument classes",
        )
    reader = services.reader
    if reader is None:
        raise ActionError("there is no model that could read texts", kind="no reader")
    _need_consent(wish, action, reader, reader.forecast(action, sides), context)
    with limit_thought(state, context):
        action = reader.read(action, sides, budget)
    return Call(name=wish.call.name, arguments=action.arguments())


def _budget(state: RunState, context: Context, services: Services) -> Budget:
    """What the budgets leave for reading."""
    usage, _ = spent_of(state)
    tokens = cost = None
    if context.max_tokens is not None:
        tokens = max(0, context.max_tokens - usage.prompt_tokens - usage.completion_tokens)
    if context.max_cost is not None:
        cost = max(0.0, context.max_cost - (usage.cost or 0.0))
    reader = services.reader
    return Budget(tokens, cost, reader.asker.gateway.price if reader else None)


def _need_consent(
    wish: Wish, action: Reading, reader: Reader, forecast: Forecast, context: Context
) -> None:
    """Ask a person before a step that may take many tokens.

    Raises:
        ActionError: If the person says no, or nobody is there.
    """
    if forecast.tokens <= context.ask_above_tokens:
        return
    told = tell_forecast(forecast, reader)
    if not context.interactive:
        raise ActionError(
            f"{told}, more than ask_above_tokens={context.ask_above_tokens}; Filter or Sample "
            "first, or whoever asks sets it higher",
            kind="not approved",
        )
    of = ", ".join(f"{wish.parents[0][0]}.{column}" for column in action.columns)
    what = f" ({action.task.words})" if action.task.words else ""
    text = f"{wish.call.name}{what} would have {reader.asker.name} read {of}: {told}."

    def value(problem: str) -> PlainData:
        question = f"{problem}\n\n{text}" if problem else text
        plain = {
            "question": f"{question} May it?",
            "options": [
                {"reading": NO, "result": "the run goes on without it", "label": ""},
                {"reading": YES, "result": AT_MOST, "label": wish.label},
            ],
        }
        return review(plain, "read_texts", forecast._asdict(), question, ("approve", "reject"))

    if not ask_person(value, _read_yes, lambda _: False):
        raise ActionError("the person does not want these texts read", kind="not approved")


_YESSES = ("2", "yes", "y", "approve", YES, f"{YES}: {AT_MOST}")


def _read_yes(answer: object) -> bool:
    """Whether an answer lets texts be read; a text that is no clear yes is a no.

    Raises:
        UnclearError: If it is neither.
    """
    if isinstance(answer, Mapping) and "decisions" not in answer and "type" not in answer:
        answer = answer.get("reading") or answer.get("approve")
    decision = read_decision(answer)
    if decision.kind in ("edit", "respond"):
        raise UnclearError(f"reading is approved or rejected; {decision.kind!r} is none")
    words = " ".join(decision.text.split()).casefold()
    return decision.kind == "approve" or words in _YESSES
