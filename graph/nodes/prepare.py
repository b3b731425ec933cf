"""The nodes before a run: the tables are opened, the past is taken up, columns are selected."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime
from langgraph.types import Command

from wideleaf.agents.conversation.charts import wants_chart
from wideleaf.agents.models.deadline import limit_time
from wideleaf.graph.channels import Given, Tree
from wideleaf.graph.conversation.introduction import introduce
from wideleaf.graph.conversation.past import go_on_from, join_past, said_so_far, take_up
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.roles import left_to_rules
from wideleaf.graph.own_settings import take_inputs
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.selection import hide_schema, open_sources, select_columns
from wideleaf.graph.state import AskState, Update, begin_question, nodes_update
from wideleaf.graph.threads import About
from wideleaf.graph.updates import error_update, failure_update, stop_update
from wideleaf.tools.errors import SettingsError, WideleafError

MAX_QUESTION = 2_000
"""Characters of a question for the embedded planner, whose work grows faster than its length."""


def begin(state: AskState) -> Command[str]:
    """Give each channel of a question its first value: on one thread several are asked."""
    question = state["question"]
    drawn = question if wants_chart(question) else ""
    given: Given = {**take_inputs(state), "words": question, "drawn": drawn}
    if not (start := state.get("start")):
        return Command(goto="prepare", update=begin_question(given))
    try:
        past = go_on_from(state, start)
    except SettingsError as error:
        # The frames stay, so that the next question may go on from another.
        kept = {**begin_question(given), "tree": state.get("tree", {})}
        return Command(goto="run", update={**kept, **failure_update(error.code, str(error))})
    return Command(goto="prepare", update=begin_question({**given, **past}))


@stream_events(on_error="run")
def prepare(state: AskState, runtime: Runtime[RunContext]) -> Command[str]:
    """Open the tables, and take up what the question may go on from."""
    context, question = runtime.context.settings, state["question"]
    started = time.perf_counter()
    if not question.strip():
        text = "the question is empty; ask something of the tables"
        return Command(goto="run", update=failure_update("settings", text))
    if not context.asks_a_model and (length := len(question)) > MAX_QUESTION:
        text = f"the question has {length} characters; the embedded planner reads {MAX_QUESTION}"
        stop = f"{text} at most: ask a shorter one, or name a model"
        return Command(goto="run", update=stop_update(stop, "unanswered"))
    try:
        services = runtime.context.begin()
        about = About.of(context, services)
        given, carried = take_up(state["given"], about, context)
        # At a level without cells a model goes on from nothing that came about without one.
        local = carried.get("local", False) or not context.asks_a_model
        tree: Tree = {**carried, "about": about.plain(), "local": local}
        update: Update = {"given": given, "tree": tree}
        greeting = introduce(question, services, context)
    except WideleafError as error:
        return Command(goto="run", update=error_update(error, time.perf_counter() - started))
    update["spent"] = {"seconds": time.perf_counter() - started}
    return Command(goto="run" if greeting else "selector", update={**update, **greeting})


@stream_events(on_error="run")
def select(state: AskState, runtime: Runtime[RunContext]) -> Command[str]:
    """Pick the columns to show, and open the tables they are of."""
    context, tree = runtime.context.settings, state["tree"]
    started = time.perf_counter()
    try:
        services = runtime.context.services
        # The words of a further message alone often name no column.
        words = said_so_far(state)
        with limit_time(context.max_seconds):
            selection, usage, problem = select_columns(words, services)
        nodes, columns = open_sources(words, services, selection)
        if "schema" in context.without:
            nodes, columns = hide_schema(nodes, services.store.catalog.names)
    except WideleafError as error:
        return Command(goto="run", update=error_update(error, time.perf_counter() - started))
    seconds = state["spent"].get("seconds", 0.0) + time.perf_counter() - started
    update: Update = {
        "tree": join_past(nodes_update(nodes)["tree"], tree),
        "memory": {
            "columns": columns,
            "focus": selection.focus,
            "fallbacks": [left_to_rules("selector", problem)] if problem else [],
        },
        "spent": {"usage": usage.model_dump(mode="json"), "seconds": seconds},
    }
    return Command(goto="vote" if context.strategy == "vote" else "run", update=update)
