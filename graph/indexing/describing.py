"""Describing: a model's words for columns, made once and used ever after."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.table_notes import CLUSTER, TABLE, cards_with, memory_of
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from wideleaf.agents.describing.describer import Describer
    from wideleaf.graph.context import Context
    from wideleaf.retrieval.cards.cards import Card
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
    from wideleaf.tools.tables.table import Table

DescribingProgress = Callable[[str, int, int], None]
"""Told of what, how many are done and of how many."""


class TableReport(BaseModel):
    """What was described of one table.

    Attributes:
        yours: Columns and families that you described; no model is asked for them.
        described: Descriptions that are kept now, of columns and families, with ``tso``
            of clusters and the table, too.
        asked: For how many of all a model was asked this time.
        refused: Why none was taken, by reference; what is known of the name stands instead.
        stopped: Why the rest was not asked for; empty if all was.
    """

    model_config = ConfigDict(frozen=True)

    yours: int = 0
    described: int = 0
    asked: int = 0
    refused: dict[str, str] = {}
    stopped: str = ""


class DescribeReport(BaseModel):
    """What a run of describing did.

    Attributes:
        tables: By table.
        requests: Requests that a model answered.
        tokens: Tokens in and out.
        cost: Dollars; None where no price is known.
        seconds: How long it took.
    """

    model_config = ConfigDict(frozen=True)

    tables: dict[str, TableReport]
    requests: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = []
        for name, one in self.tables.items():
            line = f"{name}: {one.described} described ({one.asked} asked for now)"
            line += f", {one.yours} in your own words" if one.yours else ""
            line += f", {len(one.refused)} not taken" if one.refused else ""
            lines.append(line + (f"; stopped: {one.stopped}" if one.stopped else ""))
        requests = f"{self.requests} request{'s' * (self.requests != 1)}"
        return "\n".join([*lines, f"{requests}, {self.tokens} tokens, {self.seconds:.1f} s"])


def describe_tables(
    catalog: Catalog, context: Context, progress: DescribingProgress | None = None
) -> DescribeReport:
    """Have the model of the settings describe what you did not (TSO, Algorithm 1).

    Columns and families, one entry a family; then clusters, and each table from those, for the
    retriever ``tso`` alone, since no other reads them. All is kept in the folder batch by batch,
    so that a run that was cut off goes on where it was.

    Args:
        catalog: The tables.
        context: The settings; `max_tokens` and `max_cost` hold.
        progress: Told how far it is.

    Raises:
        SettingsError: If no model is configured, or the dictionary cannot be read.
        ModelError: If no reply can be had; what was described until then is kept.
    """
    if not context.asks("describer"):
        raise SettingsError(
            "describing needs a model; name one (model='provider:name' or base_url), or describe "
            "columns yourself in a data dictionary"
        )
    from wideleaf.agents.describing.cache import DescriptionCache
    from wideleaf.agents.describing.describer import Describer
    from wideleaf.graph.gateways import budget_spent, gateway_of
    from wideleaf.graph.table_notes import recall_user_meanings

    started = time.monotonic()

    cache = DescriptionCache(memory_of(context.folder))
    describer = Describer(gateway_of(context, "describer"), cache, partial(budget_spent, context))
    meanings = recall_user_meanings(catalog, context)
    tables = {}
    for name in catalog.names:
        tell = partial(progress, name) if progress else None
        tables[name] = _describe(describer, name, catalog, context, meanings.get(name, {}), tell)
    usage = describer.usage
    return DescribeReport(
        tables=tables,
        requests=usage.requests,
        tokens=usage.prompt_tokens + usage.completion_tokens,
        cost=usage.cost,
        seconds=time.monotonic() - started,
    )


def _describe(
    describer: Describer,
    name: str,
    catalog: Catalog,
    context: Context,
    about: Mapping[str, str],
    progress: Callable[[int, int], None] | None,
) -> TableReport:
    from wideleaf.retrieval.cards.clusters import make_clusters

    table = catalog.header(name)
    cards = cards_with(table, about)
    kinds = {column: table.kind(column) for column in table.columns}
    profiles = _profiles(name, table, catalog, context)
    parts = [describer.cards(cards, name, kinds, profiles, progress)]
    texts = {card.reference: card.about for card in cards if card.about} | parts[0].texts
    if context.retriever == "tso" and not parts[0].stopped:
        clusters = [
            (cluster.reference, _describe_cards(cluster.cards, texts))
            for cluster in make_clusters(cards)
        ]
        parts.append(describer.groups(clusters, name, CLUSTER))
        inside = list(parts[1].texts.values()) or _describe_cards(cards, texts)
        if inside and not parts[1].stopped:
            parts.append(describer.groups([(name, inside)], name, TABLE))
    return TableReport(
        yours=sum(bool(card.about) for card in cards),
        described=sum(len(part.texts) for part in parts),
        asked=sum(part.asked for part in parts),
        refused={reference: why for part in parts for reference, why in part.refused.items()},
        stopped=next((part.stopped for part in parts if part.stopped), ""),
    )


def _describe_cards(cards: tuple[Card, ...], texts: Mapping[str, str]) -> list[str]:
    """The description of each card, or its words where there is none."""
    return [texts.get(c.reference) or " ".join((*c.words, *c.expanded)) for c in cards]


def _profiles(
    name: str, table: Table, catalog: Catalog, context: Context
) -> Mapping[str, ColumnProfile]:
    """Profiles, where the level lets a model see any of them."""
    if not context.policy.allows("statistics"):
        return {}
    from wideleaf.retrieval.index.profile_store import load_profiles, profiles_path, save_profiles
    from wideleaf.tools.tables.profiling.profiling import profile_columns

    folder, fingerprint = Path(context.folder), catalog.find(name).fingerprint
    profiles = load_profiles(folder, fingerprint)
    if profiles is None:  # the index will ask for the same ones
        with catalog.engine.turn():
            profiles = profile_columns(table)
        save_profiles(profiles_path(folder, fingerprint), profiles, whole=True)
    return profiles
