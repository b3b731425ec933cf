"""Retrievers: which one finds the columns of a question, and when its embedder is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.sources.catalog import Catalog

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.retrieval.selection import Retriever
    from wideleaf.retrieval.vectors.embedder import Vectors

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
        from wideleaf.retrieval.vectors.embedder import open_embedder

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
    from wideleaf.retrieval.descent import IndexRetriever

    prints = {source.name: source.fingerprint for source in catalog.all}
    embedder = None
    if meanings and context.retriever == "index":
        embedder = LateEmbedder(context.embedder, told)
    return IndexRetriever(Path(context.folder), embedder, prints, told)
