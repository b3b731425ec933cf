"""Asking a question from Python: one call from sources to result."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.events import Event
from wideleaf.graph.results.result import Result
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
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from wideleaf.graph.indexing.dry_run import DryRun
    from wideleaf.graph.keywords import AskKeywords, RunKeywords
    from wideleaf.graph.strategies import Strategy
    from wideleaf.tools.privacy import Level

ERRORS: dict[str, type[WideleafError]] = {
    error.code: error
    for error in (BugError, ModelError, PrivacyError, SandboxError, SettingsError, SourceError)
}


@overload
def ask(
    question: str, *sources: Any, dry_run: Literal[True], **settings: Unpack[AskKeywords]
) -> DryRun: ...


@overload
def ask(
    question: str, *sources: Any, dry_run: Literal[False] = False, **settings: Unpack[AskKeywords]
) -> Result: ...


@clear_errors("the question")
def ask(
    question: str,
    *sources: Any,
    model: Any = None,
    base_url: str | None = None,
    strategy: Strategy = "auto",
    privacy: Level = "schema",
    graph: Any = None,
    thread: str | None = None,
    on_event: Callable[[Event], None] | None = None,
    answer_back: Callable[[str, list[str]], str] | None = None,
    progress: Callable[[str], None] | None = None,
    dry_run: bool = False,
    **settings: Unpack[RunKeywords],
) -> Result | DryRun:
    """Answer a question over tables.

    Args:
        question: In plain language.
        sources: Paths of files, folders or databases (``path::table`` for one table, ``name=path``
            for another name), database URLs, ``spark:table``, pandas, Polars or Spark frames, or
            mappings of names to them. ``graph:kb.tsv`` and RDF files are knowledge graphs.
        model: ``provider:name`` or a LangChain chat model; none for the embedded planner, which
            needs no key and no network.
        base_url: An OpenAI-compatible server.
        strategy: How the question is answered.
        privacy: What a model may see of the data: ``schema``, ``statistics`` or ``samples``.
        graph: A knowledge graph beside the sources: a path, or a frame of facts (`KnowledgeGraph`).
        thread: A name for this run, of one question about these tables. A run of that name that
            was cut off, or that an error or a budget ended, goes on where it was; at another
            level of privacy it is asked anew.
        on_event: Told of each thought, action and observation as it happens.
        answer_back: Asked when two readings of the question differ in their results; gets the
            question and up to three options.
        progress: Told what long work is under way.
        dry_run: Only tell what would be shown, sent and spent; no model is asked.
        settings: Any other field of `Context`, such as ``max_steps`` or ``denied``.

    Returns:
        The result; of a run that a budget or Ctrl-C ended, what there was.

    Raises:
        WideleafError: If a source, the model or a setting cannot be used. Once the run has
            begun, the error's ``result`` holds the tree so far.
    """
    from wideleaf.graph.services import prepare_inputs, release

    context = make_context(
        model=model,
        base_url=base_url,
        strategy=strategy,
        privacy=privacy,
        interactive=answer_back is not None,
        **settings,
    )
    if not question.strip():
        raise SettingsError("the question is empty ('' ); ask something of the tables")
    if graph is not None:
        known = isinstance(graph, KnowledgeGraph)
        sources = (*sources, graph if known else KnowledgeGraph(graph))
    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    context = prepare_inputs(context, sources, progress)
    if dry_run:
        return _told_before(question, context)
    replayed = _corrected(question, context)
    if isinstance(replayed, Result):
        release(context)
        return replayed
    try:
        with _saver(context, thread) as saver:
            state, anew = _drive(question, context, saver, thread, on_event, answer_back)
    finally:
        release(context)
    result = Result.of_state(
        state,
        sources=context.sources,
        denied=context.denied,
        folder=context.folder,
        profile=context.profile,
        selector=context.selector,
    )
    if told := tuple(one for one in (replayed, anew) if one):
        result = result.model_copy(update={"caveats": (*told, *result.caveats)})
    raise_failure(result)
    return result


def raise_failure(result: Result) -> None:
    """Raise the error that ended a run, with the tree so far as its ``result``."""
    if result.status == "failed":
        error = ERRORS.get(result.error["code"], WideleafError)(result.error["message"])
        error.result = result
        raise error


def _told_before(question: str, context: Context) -> DryRun:
    from wideleaf.graph.indexing.dry_run import dry_run
    from wideleaf.graph.services import release

    try:
        return dry_run(question, context)
    finally:
        release(context)


def _corrected(question: str, context: Context) -> Result | str:
    """The answer by the plan that the user gave for this question; why not, if it failed."""
    from wideleaf.graph.corrections import replay_correction
    from wideleaf.graph.services import services_of
    from wideleaf.graph.table_notes import recall_correction

    known = recall_correction(question, services_of(context).store.catalog, context.folder)
    if known is None:
        return ""
    try:
        return replay_correction(known, question, context)
    except WideleafError as error:
        return f"The plan you gave for this question was not used, for it failed: {error}"


def _drive(
    question: str,
    context: Context,
    saver: BaseCheckpointSaver[Any],
    thread: str | None,
    on_event: Callable[[Event], None] | None,
    answer_back: Callable[[str, list[str]], str] | None,
) -> tuple[Any, str]:
    """Run the graph; its last state, and why the question was asked anew, if it was."""
    from wideleaf.graph.app import build_graph
    from wideleaf.graph.driving import Listener, config_of, drive

    graph = build_graph(saver)
    config = config_of(context, thread)
    todo, why = _first(question, context, thread, graph, config)
    listener = Listener(on_event, answer_back)
    state = drive(graph, todo, config, context, listener, keep=thread is not None)
    return {"question": question, **state}, why


def _first(
    question: str, context: Context, thread: str | None, graph: Any, config: Any
) -> tuple[Any, str]:
    """What a run is given to begin with, none if it goes on, and what the reader should know."""
    begin = {"question": question}
    # Not `next`: it is empty where a step's writes were kept and only its end was not.
    if thread is None or (before := graph.get_state(config)).metadata is None:
        return begin, ""
    from wideleaf.graph.services import services_of
    from wideleaf.graph.threads import continuation, revival

    anew = continuation(question, thread, before.values, context, services_of(context))
    if anew or not before.values.get("about"):
        return begin, anew and f"Thread {thread!r} {anew}, so the question was asked anew"
    if update := revival(before.values, context):
        # As if the tables had just been opened: what comes next is a thought.
        graph.update_state(config, update, as_node="select")
    return None, ""


def _saver(
    context: Context, thread: str | None
) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
    if thread is None:
        from langgraph.checkpoint.memory import InMemorySaver

        return nullcontext(InMemorySaver())
    from wideleaf.graph.threads import thread_saver

    return thread_saver(Path(context.folder), thread)
