"""A question from its tables to its result: what is opened for it, run, and made of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wideleaf.graph.context import Context
from wideleaf.graph.results.result import Result
from wideleaf.graph.retention.sweep import keep_limits
from wideleaf.graph.sessions.runner import Listener, config_of, open_graph, run_graph
from wideleaf.graph.sessions.waiting import Tell, rest
from wideleaf.tools.errors import (
    BugError,
    ModelError,
    PrivacyError,
    SandboxError,
    SettingsError,
    SourceError,
    WideleafError,
)
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph

if TYPE_CHECKING:
    from wideleaf.graph.events import Event

ERRORS: dict[str, type[WideleafError]] = {
    error.code: error
    for error in (BugError, ModelError, PrivacyError, SandboxError, SettingsError, SourceError)
}


def need_question(question: str) -> None:
    """Refuse to ask nothing.

    Raises:
        SettingsError: If there is no word.
    """
    if not question.strip():
        raise SettingsError("the question is empty (''); ask something of the tables")


def inputs_of(sources: tuple[Any, ...], graph: Any) -> tuple[Any, ...]:
    """The tables of a question, a knowledge graph beside them as one.

    Raises:
        SettingsError: If there are none.
    """
    if graph is not None:
        sources = (*sources, graph if isinstance(graph, KnowledgeGraph) else KnowledgeGraph(graph))
    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    return sources


@contextmanager
def open_tables(
    context: Context, inputs: Sequence[Any], progress: Tell | None
) -> Iterator[Context]:
    """The settings with their tables, of which no file is held open afterwards."""
    from wideleaf.graph.services import prepare_inputs, release

    try:
        context = prepare_inputs(context, inputs, progress)
        yield context
    finally:
        rest(progress)
        release(context)


def ask_tables(
    question: str,
    inputs: Sequence[Any],
    context: Context,
    listener: Listener,
    thread: str | None = None,
) -> Generator[Event, None, Result]:
    """Open tables and answer a question over them; the result at the end of the events.

    Args:
        question: In plain language.
        inputs: The tables, see `inputs_of`.
        context: The settings, without sources.
        listener: Whom the run speaks to.
        thread: A name for the run.
    """
    notice = keep_limits(context)
    told = [notice[:1].upper() + notice[1:]] if notice else []
    with open_tables(context, inputs, listener.progress) as context:
        return (yield from answer_question(question, context, listener, thread, told))


def answer_question(
    question: str,
    context: Context,
    listener: Listener | None = None,
    thread: str | None = None,
    told: Sequence[str] = (),
) -> Generator[Event, None, Result]:
    """Answer a question over open tables, by the plan that the user gave for it or by a run.

    Args:
        question: In plain language.
        context: The settings with the tables.
        listener: Whom the run speaks to.
        thread: A name for the run.
        told: What the result is to say first.

    Raises:
        WideleafError: If the run ended in an error.
    """
    from wideleaf.graph.app import ask_graph

    caveats = [*told]
    if result := _replay(question, context, caveats):
        return result
    with open_graph(ask_graph(), context, thread) as graph:
        todo = _first_input(question, graph, context, thread, caveats)
        end = yield from run_graph(graph, todo, context, listener, thread)
    return result_of({"question": question, **end.state}, context, caveats)


def result_of(state: Any, context: Context, caveats: Sequence[str] = ()) -> Result:
    """The result in a state, of a run under these settings.

    Raises:
        WideleafError: The error that ended the run, with the tree so far as its ``result``.
    """
    result = Result.of_state(
        state,
        sources=context.sources,
        denied=context.denied,
        folder=context.folder,
        profile=context.profile,
        selector=context.search,
    )
    if caveats:
        result = result.model_copy(update={"caveats": (*caveats, *result.caveats)})
    if result.status == "failed":
        error = ERRORS.get(result.error["code"], WideleafError)(result.error["message"])
        error.result = result
        raise error
    return result


def _replay(question: str, context: Context, caveats: list[str]) -> Result | None:
    """The answer by the plan that the user gave for this question, if any."""
    from wideleaf.graph.corrections import replay_correction
    from wideleaf.graph.services import services_of
    from wideleaf.graph.table_notes import recall_correction

    catalog = services_of(context).store.catalog
    correction = recall_correction(question, catalog, context.folder)
    if correction is None:
        return None
    try:
        return replay_correction(correction, question, context)
    except WideleafError as error:
        failed = "The plan you gave for this question was not used, for it failed"
        caveats.append(f"{failed}: {error}")
        return None


def _first_input(
    question: str, graph: Any, context: Context, thread: str | None, caveats: list[str]
) -> Any:
    """What a run is given to begin with; what a named one that is known goes on with."""
    begin = {"question": question}
    if thread is None:
        return begin
    before = graph.get_state(config_of(context, thread))
    # Not `next`: it is empty where a step's writes were kept and only its end was not.
    if before.metadata is None:
        return begin
    from wideleaf.graph.services import services_of
    from wideleaf.graph.threads import continuation, revive

    was = before.values
    anew = continuation(question, thread, was, context, services_of(context))
    if anew:
        caveats.append(f"Thread {thread!r} {anew}, so the question was asked anew")
    if anew or not (was.get("tree") or {}).get("about"):
        return begin
    return revive(was, context)
