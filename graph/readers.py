"""Readers: which models read texts under a run's settings, and by what an encoder helps them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.context import Context
from wideleaf.graph.gateways import Gateways
from wideleaf.graph.retrievers import LateEmbedder
from wideleaf.tools.actions.reading.judge import MAX_WORDS, Judge
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.prose import find_prose
from wideleaf.tools.tables.table import is_far
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.words import as_name

if TYPE_CHECKING:
    from wideleaf.agents.reading.reader import Forecast, Reader
    from wideleaf.graph.services import Services
    from wideleaf.retrieval.vectors.embedder import Vectors

TABLES = 50
"""So many tables of a run are looked at for texts."""
MAX_ROWS = 500_000
"""What it takes to read the texts of a longer table is told when they are to be read."""


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
    return Reader(asker, partial(_encode, context.embedder), context.cascade, screener)


def _encode(name: str, texts: Sequence[str]) -> Vectors:
    """Vectors of texts; without a model's weights they say nothing, and words alone count."""
    try:
        return LateEmbedder(name).embed(texts)
    except (SettingsError, ImportError):
        import numpy as np

        return np.zeros((len(texts), 1), dtype=np.float32)


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


def forecast_columns(question: str, services: Services) -> list[str]:
    """What it takes at most to read each text of a column of texts once, a line a column.

    Args:
        question: In place of a criterion.
        services: Of a run.
    """
    reader, store = services.reader, services.store
    if reader is None:
        return []
    lines = []
    with store.reading("the dry run"):
        for name in store.catalog.names[:TABLES]:
            table = store.catalog.table(name)
            for column in find_prose(table):
                if is_far(table.frame) or table.count() > MAX_ROWS:
                    continue
                action = Judge(columns=(column,), criterion=question[:MAX_WORDS] or "so")
                told = tell_forecast(reader.forecast(action, action.sides(table)), reader)
                lines.append(f"{as_name(name)}.{as_name(column)}: {told}")
    return lines


def tell_forecast(forecast: Forecast, reader: Reader) -> str:
    """What a step would take, in words.

    Args:
        forecast: What it would take.
        reader: Who would read; its price says the dollars.
    """
    price = reader.asker.gateway.price
    dollars = f", {price.of(forecast.tokens, 0):.2f} dollars" if price else ""
    known = f" ({forecast.known} of them known)" if forecast.known else ""
    several = "s" * (forecast.requests != 1)
    return (
        f"{forecast.texts} different texts{known} in up to {forecast.requests} request{several}, "
        f"about {forecast.tokens} tokens{dollars}"
    )
