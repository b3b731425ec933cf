"""The index from outside: build it, look into it, and hand a run the retriever it asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Unpack

from wideleaf.graph.bug_report import clear_errors
from wideleaf.tools.catalog import Catalog
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.graph.column_search import ColumnSearch
    from wideleaf.graph.context import Context
    from wideleaf.graph.index_report import IndexReport
    from wideleaf.graph.keywords import IndexKeywords
    from wideleaf.retrieval.embedder import Vectors
    from wideleaf.retrieval.retriever import Retriever
    from wideleaf.tools.matching import Align

Told = Callable[[str], None]


class LateEmbedder:
    """An embedder that is opened when the first text comes, for few questions need one.

    Args:
        name: See `retrieval.embedder.open_embedder`.
        told: Told that it is opened, for that takes seconds.
    """

    def __init__(self, name: str, told: Told | None = None) -> None:
        self.name = name
        self._told = told

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, one row a text.

        Raises:
            SettingsError: If the model is not on this disk.
        """
        from wideleaf.retrieval.embedder import open_embedder

        if self._told is not None:
            self._told(f"opening the embedding model {self.name!r}, once, for some seconds")
            self._told = None
        return open_embedder(self.name).embed(texts)


def retriever_of(
    context: Context, catalog: Catalog, told: Told | None = None, *, meanings: bool = True
) -> Retriever:
    """Who chooses columns under these settings.

    Args:
        context: The settings.
        catalog: The tables.
        told: Told what long work is under way.
        meanings: Whether meanings are compared where words leave a question open.
    """
    if context.retriever == "words":
        from wideleaf.retrieval.lexical import LexicalRetriever

        return LexicalRetriever()
    if context.retriever == "tso":
        from wideleaf.retrieval.retriever import FEW_COLUMNS
        from wideleaf.retrieval.tso import TsoRetriever

        return TsoRetriever(LateEmbedder(context.embedder, told), whole=FEW_COLUMNS)
    from wideleaf.retrieval.descent import IndexRetriever

    prints = {source.name: source.fingerprint for source in catalog.all}
    embedder = LateEmbedder(context.embedder, told) if meanings else None
    return IndexRetriever(Path(context.folder), embedder, prints, told)


def aligner_of(context: Context, told: Told | None = None) -> Align:
    """Who finds the value of a column that a condition's words mean, under these settings.

    Spellings are compared in every run, meanings where a model writes the conditions and columns
    are chosen by meaning, too.
    """
    from wideleaf.retrieval.alignment import nearest_value

    compares = context.asks_a_model and context.retriever != "words"
    embedder = LateEmbedder(context.embedder, told) if compares else None

    def align(said: str, values: Sequence[str]) -> str | None:
        try:
            return nearest_value(said, values, embedder)
        except (SettingsError, ImportError):  # without its weights a run goes on by spelling
            return nearest_value(said, values)

    return align


@clear_errors("the index")
def index(
    *sources: Any,
    describe: bool = False,
    model: Any = None,
    base_url: str | None = None,
    told: Told | None = None,
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
    from wideleaf.graph.correcting import described, dictionary_notes
    from wideleaf.graph.describing import describe_tables
    from wideleaf.graph.index_report import IndexReport
    from wideleaf.graph.services import release, services_of
    from wideleaf.retrieval.index_build import build_index
    from wideleaf.retrieval.vector_store import VectorStore

    context = _opened(sources, model, base_url, told, settings)
    services = services_of(context)
    catalog, folder = services.store.catalog, Path(context.folder)
    try:
        written = describe_tables(catalog, context, progress) if describe else None
        if written is not None:
            catalog.describe(described(catalog, context), *dictionary_notes(catalog, context))
        store = VectorStore(folder, LateEmbedder(context.embedder, told), told)
        try:
            with services.store.reading("the index"):
                tables = {name: catalog.table(name) for name in catalog.names}
                prints = {source.name: source.fingerprint for source in catalog.all}
                built = build_index(tables, prints, store, folder, progress)
        finally:
            store.close()
        notes = [note for some in dictionary_notes(catalog, context) for note in some]
        return IndexReport(built=built, described=written, notes=tuple(notes))
    finally:
        release(context)


@clear_errors("the search for columns")
def columns(
    question: str,
    *sources: Any,
    limit: int = 24,
    model: Any = None,
    base_url: str | None = None,
    told: Told | None = None,
    **settings: Unpack[IndexKeywords],
) -> ColumnSearch:
    """Show which columns a question would pick, why, and what nearly was; nothing is answered.

    Args:
        question: In plain language.
        sources: What `ask` takes.
        limit: Largest number of picks from wide tables.
        model: Asked only where the setting ``judge`` is ``model``.
        base_url: An OpenAI-compatible server.
        told: Told what long work is under way.
        settings: Any other field of `Context`, such as ``retriever`` or ``dictionary``.

    Raises:
        WideleafError: If a source or a setting cannot be used.
    """
    from wideleaf.graph.column_search import ColumnSearch, first_tokens
    from wideleaf.graph.selection import open_sources, select_columns
    from wideleaf.graph.services import release, services_of

    if not question.strip():
        raise SettingsError("the question is empty ('' ); ask something of the tables")
    if limit < 1:
        raise SettingsError(f"limit={limit} picks nothing; it must be 1 or more")
    context = _opened(sources, model, base_url, told, settings)
    services = services_of(context)
    catalog = services.store.catalog
    try:
        started = perf_counter()
        selection, _ = select_columns(question, services, limit=limit, meanings=True)
        seconds = perf_counter() - started
        nodes, text = open_sources(question, services, selection)
        return ColumnSearch(
            question=question,
            retriever=context.retriever,
            columns={name: len(catalog.table(name).columns) for name in catalog.names},
            selection=selection,
            text=text,
            request_tokens=first_tokens(question, context, services, nodes, text),
            seconds=seconds,
        )
    finally:
        release(context)


def _opened(
    sources: tuple[Any, ...],
    model: Any,
    base_url: str | None,
    told: Told | None,
    settings: IndexKeywords,
) -> Context:
    from wideleaf.graph.run import context_of
    from wideleaf.graph.services import prepare

    if not sources:
        raise SettingsError("no table was given; name at least one file, folder or frame")
    return prepare(context_of(model=model, base_url=base_url, **settings), sources, told)
