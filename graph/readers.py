"""Readers: which models read texts under a run's settings, and by what an encoder helps them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.context import Context
from wideleaf.graph.gateways import Gateways
from wideleaf.graph.retrievers import LateEmbedder
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.prose import find_prose
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    from wideleaf.agents.reading.reader import Reader

TABLES = 50
"""So many tables of a run are looked at for texts."""


def reader_of(context: Context, gateways: Gateways) -> Reader | None:
    """Who reads texts under these settings; None where there is no model.

    Args:
        context: The settings.
        gateways: The doors to models of roles.

    Raises:
        ModelError: If a model cannot be had.
    """
    from wideleaf.agents.reading.asker import Asker
    from wideleaf.agents.reading.reader import Reader

    if not context.asks("reader"):
        return None
    shelf, most = VerdictShelf(Path(context.folder)), context.texts_per_request
    screener = None
    if context.model_of("screener"):
        screener = Asker(gateways.of("screener"), shelf, most)
    asker = Asker(gateways.of("reader"), shelf, most)
    return Reader(asker, LateEmbedder(context.embedder).embed, context.cascade, screener)


def prose_of(store: FrameStore) -> tuple[str, ...]:
    """The columns of a run's tables that hold texts worth being read, as ``table.column``.

    Args:
        store: The run's frames.
    """
    catalog = store.catalog
    with store.reading("a look for texts"):
        return tuple(
            f"{as_name(name)}.{as_name(column)}"
            for name in catalog.names[:TABLES]
            for column in find_prose(catalog.table(name))
        )
