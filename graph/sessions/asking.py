"""A question on its way from sources to result: what is opened for it, run, and made of it."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.results.result import Result
from wideleaf.graph.retention.marks import in_use
from wideleaf.graph.retention.sweep import keep_limits
from wideleaf.graph.sessions.driving import Drive, Listener, config_of
from wideleaf.graph.sessions.waiting import rest, teller_of
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
    from collections.abc import Callable, Iterator

    from langgraph.checkpoint.base import BaseCheckpointSaver

ERRORS: dict[str, type[WideleafError]] = {
    error.code: error
    for error in (BugError, ModelError, PrivacyError, SandboxError, SettingsError, SourceError)
}


class Asking:
    """A question, as `graph.streaming` runs it.

    Args:
        question: In plain language.
        sources: What `wideleaf.ask` takes.
        graph: A knowledge graph beside them.
        thread: A name for the run.
        listener: Whom it speaks to.
        progress: Told what long work is under way, see `graph.sessions.waiting.teller_of`.
        context: Settings whose tables are read already, and stay open; in place of the others.
        settings: Any field of `Context`.

    Raises:
        SettingsError: If a setting cannot be used, or there is nothing to ask, or to ask of.
    """

    def __init__(
        self,
        question: str,
        sources: tuple[Any, ...],
        *,
        graph: Any = None,
        thread: str | None = None,
        on_event: Callable[..., Any] | None = None,
        answer_back: Callable[..., Any] | None = None,
        progress: Callable[[str], None] | bool | None = None,
        context: Context | None = None,
        **settings: Any,
    ) -> None:
        self._opened = context is not None
        self.context = context or make_context(interactive=answer_back is not None, **settings)
        if not question.strip():
            raise SettingsError("the question is empty (''); ask something of the tables")
        if not sources and graph is None and context is None:
            raise SettingsError("no table was given; name at least one file, folder or frame")
        self.question, self.sources, self.graph, self.thread = question, sources, graph, thread
        self.progress = teller_of(progress)
        self.listener = Listener(on_event, answer_back, self.progress)
        self.told: list[str] = []

    def prepare(self) -> Context:
        """Read the sources; the settings with their names."""
        if self._opened:
            return self.context
        from wideleaf.graph.services import prepare_inputs

        sources, graph = self.sources, self.graph
        if graph is not None:
            is_graph = isinstance(graph, KnowledgeGraph)
            sources = (*sources, graph if is_graph else KnowledgeGraph(graph))
        if notice := keep_limits(self.context):
            self.told.append(notice[:1].upper() + notice[1:])
        self.context = prepare_inputs(self.context, sources, self.progress)
        return self.context

    def open(self) -> Result | None:
        """Read the sources; the answer by the plan that the user gave for this question, if any."""
        from wideleaf.graph.corrections import replay_correction
        from wideleaf.graph.services import services_of
        from wideleaf.graph.table_notes import recall_correction

        context = self.prepare()
        catalog = services_of(context).store.catalog
        correction = recall_correction(self.question, catalog, context.folder)
        if correction is None:
            return None
        try:
            return replay_correction(correction, self.question, context)
        except WideleafError as error:
            failed = "The plan you gave for this question was not used, for it failed"
            self.told.append(f"{failed}: {error}")
            return None

    def saver(self) -> AbstractContextManager[BaseCheckpointSaver[Any]]:
        """Where its checkpoints go."""
        return saver_of(self.context, self.thread)

    def drive(self, saver: BaseCheckpointSaver[Any]) -> Drive:
        """The run that is due; of a named thread it may go on."""
        from wideleaf.graph.app import ask_graph

        graph = ask_graph().copy(
            {"checkpointer": saver}
        )  # to compile anew takes a tenth of a second
        config = config_of(self.context, self.thread)
        todo = self._first(graph, config)
        keep = self.thread is not None
        return Drive(graph, todo, config, self.context, self.listener, keep=keep)

    def settle(self, drive: Drive) -> None:
        """Leave the thread as it is: the run may go on."""

    def close(self) -> None:
        """Let go of files that are held open."""
        from wideleaf.graph.services import release

        rest(self.progress)
        if not self._opened:
            release(self.context)

    def result(self, drive: Drive) -> Result:
        """What came of it.

        Raises:
            WideleafError: If the run ended in an error.
        """
        result = result_of({"question": self.question, **drive.state}, self.context)
        if self.told:
            result = result.model_copy(update={"caveats": (*self.told, *result.caveats)})
        raise_failure(result)
        return result

    def _first(self, graph: Any, config: Any) -> Any:
        """What the run is given to begin with, none if it goes on."""
        begin = {"question": self.question}
        # Not `next`: it is empty where a step's writes were kept and only its end was not.
        if self.thread is None or (before := graph.get_state(config)).metadata is None:
            return begin
        from wideleaf.graph.services import services_of
        from wideleaf.graph.threads import continuation, revive

        services, was = services_of(self.context), before.values
        anew = continuation(self.question, self.thread, was, self.context, services)
        if anew:
            self.told.append(f"Thread {self.thread!r} {anew}, so the question was asked anew")
        if anew or not (was.get("tree") or {}).get("about"):
            return begin
        return revive(was, self.context)


@contextmanager
def saver_of(context: Context, thread: str | None) -> Iterator[BaseCheckpointSaver[Any]]:
    """Where the checkpoints of a run go: into memory, or of a named thread where it is kept."""
    folder = Path(context.folder)
    with in_use(folder):
        if thread is None:
            from langgraph.checkpoint.memory import InMemorySaver

            yield InMemorySaver()
        else:
            from wideleaf.graph.checkpoints.shelf import open_shelf

            place = place_of(context.checkpoints, folder)
            with open_shelf(place) as shelf, shelf.held(thread):
                yield shelf.saver


def result_of(state: Any, context: Context) -> Result:
    """The result in a state, of a run under these settings."""
    return Result.of_state(
        state,
        sources=context.sources,
        denied=context.denied,
        folder=context.folder,
        profile=context.profile,
        selector=context.search,
    )


def raise_failure(result: Result) -> None:
    """Raise the error that ended a run, with the tree so far as its ``result``."""
    if result.status == "failed":
        error = ERRORS.get(result.error["code"], WideleafError)(result.error["message"])
        error.result = result
        raise error
