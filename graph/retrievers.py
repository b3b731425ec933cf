"""Retrievers: which one finds the columns of a question, and when its embedder is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.interrupts import wait_for
from wideleaf.graph.table_notes import recall_summaries
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.catalog import Catalog

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.retrieval.selection import Retriever
    from wideleaf.retrieval.vectors.embedder import Vectors
    from wideleaf.tools.conditions.matching import Align

Tell = Callable[[str], None]


class LateEmbedder:
    """An embedder that is opened when the first text comes, for few questions need one.

    Args:
        name: See `retrieval.embedder.open_embedder`.
        told: Told that it is opened, for that takes seconds.
    """

    def __init__(self, name: str, tell: Tell | None = None) -> None:
        self.name = name
        self._told = tell

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, one row a text.

        Raises:
            SettingsError: If the model is not on this disk.
        """
        from wideleaf.retrieval.vectors.embedder import open_embedder

        tell, self._told = self._told, None
        if tell is None:
            return wait_for(lambda: open_embedder(self.name).embed(texts))
        tell(f"opening the embedding model {self.name!r}, once, for some seconds")
        return wait_for(
            lambda: open_embedder(self.name).embed(texts),
            lambda seconds: tell(f"the embedding model is being opened and asked, {seconds} s"),
        )


def retriever_of(
    context: Context, catalog: Catalog, tell: Tell | None = None, *, meanings: bool = True
) -> Retriever:
    """Who chooses columns under these settings.

    Args:
        context: The settings.
        catalog: The tables.
        tell: Told what long work is under way.
        meanings: Whether meanings are compared where words leave a question open.
    """
    if context.retriever == "tso":
        from wideleaf.retrieval.selection import FEW_COLUMNS
        from wideleaf.retrieval.tso import Thresholds
        from wideleaf.retrieval.tso_retriever import TsoRetriever

        least = context.least_similarity
        return TsoRetriever(
            LateEmbedder(context.embedder, tell),
            None if least is None else Thresholds(least, least, least),
            summaries=recall_summaries(catalog, context),
            whole=FEW_COLUMNS,
            folder=Path(context.folder),
            told=tell,
        )
    from wideleaf.retrieval.descent import IndexRetriever

    prints = {source.name: source.fingerprint for source in catalog.all}
    embedder = None
    if meanings and context.retriever == "index":
        embedder = LateEmbedder(context.embedder, tell)
    return IndexRetriever(Path(context.folder), embedder, prints, tell)


def aligner_of(context: Context, tell: Tell | None = None) -> Align:
    """Who finds the value of a column that a condition's words mean, under these settings.

    Spellings are compared in every run, meanings where a model writes the conditions and columns
    are chosen by meaning, too.
    """
    from wideleaf.retrieval.words.values import nearest_value

    compares = context.asks_a_model and context.retriever != "words"
    embedder = LateEmbedder(context.embedder, tell) if compares else None

    def align(words: str, values: Sequence[str]) -> str | None:
        try:
            return nearest_value(words, values, embedder)
        except (SettingsError, ImportError):  # without its weights a run goes on by spelling
            return nearest_value(words, values)

    return align
