"""The person is asked where readings differ in their results; nobody there, the first is taken."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command

from wideleaf.graph.channels import PlainData
from wideleaf.graph.events import stream_events
from wideleaf.graph.nodes.clarify import (
    READ_AS,
    Option,
    assumption,
    find_option,
    options_of,
    question_error,
    question_value,
    read_choice,
    read_typed,
    take_option,
)
from wideleaf.graph.nodes.reviews import ask_person as wait_for_person
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.state import RunState, Update, combine
from wideleaf.graph.thoughts import is_of_chat
from wideleaf.graph.updates import failure_update, note_update
from wideleaf.tools.errors import ActionError, SourceError

KEPT = ("question", "given", "tree", "memory", "review", "spent", "person")
"""Channels of a run that a chat keeps while it asks."""


@stream_events(on_error="supervisor")
def ask_person(state: RunState, runtime: Runtime[RunContext]) -> Command[str]:
    """Ask the person where readings differ in their results, or take the first and say so."""
    context, services = runtime.context.settings, runtime.context.services
    call = state["memory"]["call"]
    try:
        question, options = options_of(call["arguments"], call["frames"], services)
    except SourceError as error:
        return _go_on(failure_update(error.code, str(error)))
    except ActionError as error:
        return _go_on(note_update(call["step"], question_error(error)))
    first = options[0]
    if len(options) == 1:
        text = f"nothing was asked: every reading gives the same result; {first.label} holds it"
        return _go_on(note_update(call["step"], text))
    if not context.interactive:
        text = f"nobody can be asked {question!r}; {first.reading!r} was taken, {first.label}"
        return _take(first, options, text, state, assumed=True)
    typed = read_typed(state["given"].get("typed", ""), options)
    said = _known_choice(question, options, state)
    if said is None and typed is not None:
        text = f"asked {question!r}, the person had typed {typed.reading!r}, {typed.label}"
        return _take(typed, options, text, state, lead=READ_AS)
    if said is None and is_of_chat() and not state["given"].get("sample"):
        return Command(goto=END, update={"person": {"asked": _leave(question, options, state)}})
    if said is None:
        said = wait_for_person(
            lambda problem: question_value(question, options, problem),
            lambda answer: read_choice(answer, options),
            str,
        )
    if option := find_option(said, options):
        text = f"asked {question!r}, the person chose {option.reading!r}, {option.label}"
        # In a chat the question stands messages above.
        lead = READ_AS if state["person"].get("asked") else ""
        return _take(option, options, text, state, lead=lead)
    text = f"asked {question!r}, the person said: {said}"
    person: PlainData = {"choices": {question: str(said)}}
    if not context.asks_a_model:  # the planner hears no words: it goes on with the first
        person["assumed"] = [assumption(options)]
    return _go_on(combine(note_update(call["step"], text), {"person": person}))


def _known_choice(question: str, options: Sequence[Option], state: RunState) -> str | None:
    """What the person has said: in an earlier sample of the vote, or to the chat that asked."""
    before = state["given"].get("sample", {}).get("choices", {})
    # Asked once for all samples of a vote, however each words it.
    match = next((o for o in options if o.reading in before or o.result in before.values()), None)
    choice: str | None = match.reading if match else before.get(question)
    return state["person"].get("asked", {}).get("said") if choice is None else choice


def _leave(question: str, options: Sequence[Option], state: RunState) -> PlainData:
    """A question back as the chat asks it, with the run so far, to go on with it."""
    plain: PlainData = {**state}
    run = {name: plain[name] for name in KEPT if name in plain}
    return {"question": question, "options": [one._asdict() for one in options], "run": run}


def _take(
    option: Option,
    options: Sequence[Option],
    text: str,
    state: RunState,
    *,
    lead: str = "",
    assumed: bool = False,
) -> Command[str]:
    """Take a reading: its frame is the answer that the critic looks at."""
    person: PlainData = {"choice": option.label, "asked": {}}
    if assumed:
        person["assumed"] = [assumption(options)]
    else:
        person["choices"] = {option.reading: option.result}
    step = state["memory"]["call"]["step"]
    update = combine(note_update(step, text), {"memory": {"pending": [], "call": {}}})
    offer = {"review": {"offer": take_option(option, lead)}, "person": person}
    return Command(goto="critic", update={**update, **offer})


def _go_on(update: Update) -> Command[str]:
    return Command(
        goto="supervisor", update=combine({"memory": {"call": {}}, "person": {"asked": {}}}, update)
    )
