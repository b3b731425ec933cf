"""The index from outside: build it, look into it, and report what was built and reused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Unpack

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.bug_report import clear_errors
from wideleaf.graph.indexing.describing import DescribeReport
from wideleaf.graph.retrievers import LateEmbedder, Tell
from wideleaf.retrieval.index.build import BuildReport
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.indexing.column_search import ColumnSearch
    from wideleaf.graph.keywords import IndexKeywords
    from wideleaf.graph.services import Services

FORM = "wideleaf.index/1"


@clear_errors("the index")
def index(
    *sources: Any,
    describe: bool = False,
    model: Any = None,
    base_url: str | None = None,
    told: Tell | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    **settings: Unpack[IndexKeywords],
) -> IndexReport:
    """Build the index of tables, so that the first question need not wait for it.

    What is there of an earlier build is kept; a build that was stopped goes on.

    Args:
        sources: What `ask` takes.
        describe: Whether a model writes what columns mean where nobody said it; it is shown what
            the setting ``privacy`` lets out.
        model: That model.
        base_url: An OpenAI-compatible server.
        told: Told what long work is under way.
        progress: Told of each part, such as ``soil: profile``, how much is done, and of how much.
        settings: Other fields of `Context`: ``folder``, ``embedder``, ``dictionary``, ``denied``,
            ``engine``, ``privacy``, and what holds for requests to the model.

    Returns:
        What was done and what was reused, by table and part.

    Raises:
        WideleafError: If a source, the model or a setting cannot be used.
    """
    from wideleaf.graph.indexing.describing import describe_tables
    from wideleaf.graph.table_notes import dictionary_notes, recall_meanings, recall_measures
    from wideleaf.retrieval.index.build import build_index
    from wideleaf.retrieval.index.vector_store import VectorStore

    with _opened(sources, model, base_url, told, settings) as (context, services):
        catalog, folder = services.store.catalog, Path(context.folder)
        descriptions = describe_tables(catalog, context, progress) if describe else None
        notes = dictionary_notes(catalog, context)
        if descriptions is not None:
            meanings = recall_meanings(catalog, context)
            catalog.describe(meanings, *notes, recall_measures(catalog, context))
        store = VectorStore(folder, LateEmbedder(context.embedder, told), told)
        with closing(store), services.store.reading("the index"):
            tables = {name: catalog.header(name) for name in catalog.names}
            prints = {source.name: source.fingerprint for source in catalog.all}
            build = build_index(tables, prints, store, folder, progress)
        return IndexReport(built=build, described=descriptions, notes=tuple(chain(*notes)))


@clear_errors("the search for columns")
def columns(
    question: str,
    *sources: Any,
    limit: int = 24,
    model: Any = None,
    base_url: str | None = None,
    told: Tell | None = None,
    **settings: Unpack[IndexKeywords],
) -> ColumnSearch:
    """Show which columns a question would pick, why, and what nearly was; nothing is answered.

    Args:
        question: In plain language.
        sources: What `ask` takes.
        limit: Largest number of picks from wide tables.
        model: Asked only where the setting ``selector`` is ``model``.
        base_url: An OpenAI-compatible server.
        told: Told what long work is under way.
        settings: Any other field of `Context`, such as ``retriever`` or ``dictionary``.

    Returns:
        The picks with their scores and reasons.

    Raises:
        WideleafError: If a source or a setting cannot be used.
    """
    from wideleaf.graph.indexing.column_search import ColumnSearch, first_tokens
    from wideleaf.graph.selection import open_sources, select_columns

    if not question.strip():
        raise SettingsError("the question is empty ('' ); ask something of the tables")
    if limit < 1:
        raise SettingsError(f"limit={limit} picks nothing; it must be 1 or more")
    with _opened(sources, model, base_url, told, settings) as (context, services):
        catalog, started = services.store.catalog, perf_counter()
        selection, _, problem = select_columns(question, services, limit=limit, meanings=True)
        seconds = perf_counter() - started
        nodes, text = open_sources(question, services, selection)
        return ColumnSearch(
            question=question,
            retriever=context.retriever,
            columns={name: len(catalog.header(name).columns) for name in catalog.names},
            selection=selection,
            problem=problem,
            text=text,
            request_tokens=first_tokens(question, context, services, nodes, text),
            seconds=seconds,
        )


@contextmanager
def _opened(
    sources: tuple[Any, ...],
    model: Any,
    base_url: str | None,
    tell: Tell | None,
    settings: IndexKeywords,
) -> Iterator[tuple[Context, Services]]:
    """The settings over some tables, and the services of their run, which end with it."""
    from wideleaf.graph.context import make_context
    from wideleaf.graph.services import prepare_inputs, release, services_of

    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    context = make_context(model=model, base_url=base_url, **settings)
    context = prepare_inputs(context, sources, tell)
    try:
        yield context, services_of(context)
    finally:
        release(context)


class IndexReport(BaseModel):
    """What `index` gives back.

    Attributes:
        built: What was done and what was there, by table and part.
        described: What a model described; None where none was asked to.
        notes: What is odd about the data dictionary.
    """

    model_config = ConfigDict(frozen=True)

    built: BuildReport
    described: DescribeReport | None = None
    notes: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """How long it took, without the reading of the tables."""
        return self.built.seconds + (self.described.seconds if self.described else 0.0)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {"form": FORM, **self.model_dump(mode="json"), "seconds": self.seconds}

    def __str__(self) -> str:
        parts = [str(self.built), *(f"note: {note}" for note in self.notes)]
        return "\n\n".join([*([str(self.described)] if self.described else []), "\n".join(parts)])
