"""Asking a question from Python: one call from sources to result."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.events import Event
from wideleaf.graph.results.result import Result
from wideleaf.graph.sessions.event_loop import last_of, pull
from wideleaf.graph.sessions.question import ask_tables, inputs_of, need_question, open_tables
from wideleaf.graph.sessions.runner import Listener, end_of
from wideleaf.graph.sessions.waiting import Tell, tell_event, teller_of

if TYPE_CHECKING:
    from wideleaf.graph.indexing.dry_run import DryRun
    from wideleaf.graph.keywords import AskKeywords, AsyncAskKeywords, RunKeywords
    from wideleaf.graph.options.strategies import Strategy
    from wideleaf.tools.privacy import Level


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
    progress: Callable[[str], None] | bool | None = None,
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
        progress: Told what long work is under way; by default a line on standard error tells it
            where that is a terminal or a notebook, True anywhere, False never.
        dry_run: Only tell what would be shown, sent and spent; no model is asked.
        settings: Any other field of `Context`, such as ``max_steps`` or ``denied``.

    Returns:
        The result; of a run that a budget or Ctrl-C ended, what there was.

    Raises:
        WideleafError: If a source, the model or a setting cannot be used. Once the run has
            begun, the error's ``result`` holds the tree so far.
    """
    tell = teller_of(progress)
    named = {"model": model, "base_url": base_url, "strategy": strategy, "privacy": privacy}
    inputs, context = _read_call(question, sources, graph, answer_back, {**named, **settings})
    if dry_run:
        return _preview(question, inputs, context, tell)
    listener = Listener(on_event or partial(tell_event, tell), answer_back, tell)
    return end_of(ask_tables(question, inputs, context, listener, thread))


async def aask(question: str, *sources: Any, **settings: Unpack[AsyncAskKeywords]) -> Result:
    """Answer a question without holding up the event loop; see `ask` for what it takes and gives.

    ``on_event`` and ``answer_back`` may be coroutine functions. A task that is cancelled ends the
    run at its next step; one of a named thread goes on when it is asked again.

    Args:
        question: In plain language.
        sources: What `ask` takes.
        settings: Likewise.

    Returns:
        The result.

    Raises:
        WideleafError: As `ask` does.
    """
    return await last_of(astream(question, *sources, **settings))


@clear_errors("the question")
def stream(
    question: str, *sources: Any, **settings: Unpack[AskKeywords]
) -> Generator[Event | Result, None, None]:
    """Answer a question, and tell of each thought, action and observation as it happens.

    Args:
        question: In plain language.
        sources: What `ask` takes.
        settings: Likewise.

    Yields:
        Each `Event`, and the `Result` last: ``*events, result = wl.stream(...)``.

    Raises:
        WideleafError: As `ask` does.
    """
    listener = Listener(settings.pop("on_event", None), settings.pop("answer_back", None))
    yield (yield from _begin(listener, question, sources, **settings))


@clear_errors("the question")
async def astream(
    question: str, *sources: Any, **settings: Unpack[AsyncAskKeywords]
) -> AsyncGenerator[Event | Result, None]:
    """The same as `stream` without holding up the event loop; see `aask`.

    Args:
        question: In plain language.
        sources: What `ask` takes.
        settings: Likewise.

    Yields:
        Each `Event`, and the `Result` last.

    Raises:
        WideleafError: As `ask` does.
    """
    on_event, answer_back = settings.pop("on_event", None), settings.pop("answer_back", None)
    begin = partial(_begin, question=question, sources=sources, **settings)
    async with aclosing(pull(begin, on_event, answer_back)) as events:
        async for one in events:
            yield one


def _begin(
    listener: Listener,
    question: str,
    sources: tuple[Any, ...],
    *,
    graph: Any = None,
    thread: str | None = None,
    progress: Callable[[str], None] | bool | None = None,
    **settings: Any,
) -> Generator[Event, None, Result]:
    """Answer a question for a listener, with the settings that `ask` takes."""
    inputs, context = _read_call(question, sources, graph, listener.answer_back, settings)
    listener = listener._replace(progress=teller_of(progress))
    return (yield from ask_tables(question, inputs, context, listener, thread))


def _read_call(
    question: str, sources: tuple[Any, ...], graph: Any, answer_back: Any, settings: dict[str, Any]
) -> tuple[tuple[Any, ...], Context]:
    """The tables and the settings of a call."""
    need_question(question)
    inputs = inputs_of(sources, graph)
    return inputs, make_context(interactive=answer_back is not None, **settings)


def _preview(
    question: str, inputs: tuple[Any, ...], context: Context, progress: Tell | None
) -> DryRun:
    from wideleaf.graph.indexing.dry_run import dry_run, without_key

    with open_tables(without_key(context), inputs, progress) as context:
        return dry_run(question, context)
