"""What is remembered of tables: what the user and models said of columns, and solved questions."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from wideleaf.tools.dictionary.corrections import (
    Correction,
    read_corrections,
    same_words,
    table_of,
)
from wideleaf.tools.dictionary.dictionary import read_dictionary
from wideleaf.tools.sources.source import fold_name

if TYPE_CHECKING:
    from pathlib import Path

    from langgraph.store.base import BaseStore

    from wideleaf.agents.supervisor.examples import Example
    from wideleaf.graph.context import Context
    from wideleaf.retrieval.cards.cards import Card
    from wideleaf.tools.dictionary.measures import Measures
    from wideleaf.tools.sources.catalog import Catalog
    from wideleaf.tools.tables.measure import Measure
    from wideleaf.tools.tables.table import Table

CLUSTER, TABLE = "group of columns", "table"


def memory_of(folder: str | Path) -> BaseStore:
    """The store of a folder, in which that is remembered."""
    from wideleaf.graph.memory import FolderStore

    return FolderStore(folder)


def recall_meanings(catalog: Catalog, context: Context) -> dict[str, dict[str, str]]:
    """What columns mean, by table: of corrections, of the data dictionary, of a describer's cache.

    What the user said outdoes what a model said (TSO failed where a model's word was the only one).

    Raises:
        SettingsError: If the dictionary cannot be read.
    """
    meanings = recall_user_meanings(catalog, context)
    descriptions = recall_descriptions(catalog, context, meanings)
    return {
        name: about
        for name in catalog.names
        if (about := descriptions.get(name, {}) | meanings.get(name, {}))
    }


def recall_user_meanings(catalog: Catalog, context: Context) -> dict[str, dict[str, str]]:
    """What the user says columns mean, by table: of corrections before the data dictionary.

    Raises:
        SettingsError: If the dictionary cannot be read.
    """
    dictionary = read_dictionary(context.dictionary) if context.dictionary else None
    entries, meanings = read_corrections(memory_of(context.folder)), {}
    if not dictionary and not entries:
        return {}
    measures = recall_measures(catalog, context)
    for name in catalog.names:
        columns, about = catalog.header(name).columns, {}
        if dictionary:
            about = dictionary.of(name, columns, dict(catalog.find(name).headers), catalog.names)
        tables = [table_of(name, columns)]
        for one in entries.values():
            if one.column and one.holds_for(tables):
                about[one.column] = one.means
        for measure in measures.get(name, ()):
            for column in measure.columns:
                about[column] = measure.beside(about.get(column, ""))
        meanings[name] = about
    return meanings


def recall_measures(catalog: Catalog, context: Context) -> dict[str, tuple[Measure, ...]]:
    """The measures that the data dictionary names, by table.

    Raises:
        SettingsError: If the dictionary cannot be read.
    """
    return {
        name: reading.read for name, reading in _measures(catalog, context).items() if reading.read
    }


def _measures(catalog: Catalog, context: Context) -> dict[str, Measures]:
    if not context.dictionary:
        return {}
    dictionary = read_dictionary(context.dictionary)
    tables = {name: catalog.header(name) for name in catalog.names}
    return {
        name: dictionary.measures(name, {c: table.kind(c) for c in table.columns}, catalog.names)
        for name, table in tables.items()
        if not table.relations
    }


def dictionary_notes(catalog: Catalog, context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is odd about the data dictionary: what a reader of answers should know, and the rest.

    Names that no table has are a caveat only where one looks like a slip, for a dictionary may
    well be of more tables than are asked of.

    Raises:
        SettingsError: If the dictionary cannot be read.
    """
    if not context.dictionary:
        return (), ()
    dictionary = read_dictionary(context.dictionary)
    columns = {name: catalog.header(name).columns for name in catalog.names}
    headers = {name: dict(catalog.find(name).headers) for name in catalog.names}
    measures = _measures(catalog, context).values()
    names = {one.name.casefold() for reading in measures for one in reading.read}
    unread = {
        name for reading in measures for name in reading.unread if name.casefold() not in names
    }
    caveats = dictionary.notes
    if unread:
        caveats += (
            f"Measures of the data dictionary that cannot be read: {', '.join(sorted(unread))}; a "
            "formula has columns of numbers of one table, numbers, brackets and + - * /.",
        )
    unknown = dictionary.unknown(
        columns, headers, catalog.denied, {*names, *map(fold_name, unread)}
    )
    if unknown.doubtful:
        return (*caveats, unknown.text), ()
    return caveats, (unknown.text,) if unknown.text else ()


def recall_correction(question: str, catalog: Catalog, folder: str | Path) -> Correction | None:
    """The correction that says how this question is answered over these tables, if there is."""
    words, entries = same_words(question), recall_corrections(catalog, folder)
    matches = [one for one in entries if one.question and same_words(one.question) == words]
    return matches[-1] if matches else None


def recall_examples(catalog: Catalog, context: Context) -> tuple[Example, ...]:
    """The questions over these tables that the user gave a plan for, with their steps."""
    from pydantic import ValidationError

    from wideleaf.agents.supervisor.examples import Example
    from wideleaf.tools.plans.plan import Plan

    examples: list[Example] = []
    there = {column for name in catalog.names for column in catalog.header(name).columns}
    for one in recall_corrections(catalog, context.folder):
        with suppress(ValidationError):  # of a form that is not read any more
            if one.question:
                plan = Plan.model_validate(one.plan)
                if any(not there.issuperset(leaf.columns) for leaf in plan.leaves):
                    continue  # a column of it is gone, or is denied now
                examples.append(Example(one.question, [step.call for step in plan.steps]))
    return tuple(examples)


def recall_corrections(catalog: Catalog, folder: str | Path) -> tuple[Correction, ...]:
    """What holds for the tables of a catalog, the latest last."""
    if not (entries := read_corrections(memory_of(folder))):
        return ()
    tables = [table_of(name, catalog.header(name).columns) for name in catalog.names]
    return tuple(one for one in entries.values() if one.holds_for(tables))


def recall_descriptions(
    catalog: Catalog, context: Context, meanings: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, dict[str, str]]:
    """What models said of columns and families before, by table; nothing is asked.

    What was written at a freer privacy level than that of the settings may hold cells, and is
    left out; so is what you described yourself since.

    Args:
        catalog: The tables.
        context: The settings.
        meanings: What the user says, by table and column.
    """
    from wideleaf.agents.describing.cache import DescriptionCache

    cache, descriptions = DescriptionCache(memory_of(context.folder)), {}
    if not cache.entries:
        return {}
    from wideleaf.agents.describing.entries import card_identity

    for name in catalog.names:
        table, by_reference = catalog.header(name), {}
        for card in cards_with(table, (meanings or {}).get(name, {})):
            if not card.about:
                of = card_identity(card, name, table.kind(card.columns[0]))
                if text := cache.find(of, context.privacy):
                    by_reference[card.reference] = text
        if by_reference:
            descriptions[name] = by_reference
    return descriptions


def recall_summaries(catalog: Catalog, context: Context) -> dict[str, dict[str, str]]:
    """What models said of clusters and whole tables, by table; the table by its own name.

    Args:
        catalog: The tables.
        context: The settings.
    """
    from wideleaf.agents.describing.cache import DescriptionCache, identity
    from wideleaf.retrieval.cards.clusters import make_clusters

    cache, summaries = DescriptionCache(memory_of(context.folder)), {}
    if not cache.entries:
        return {}
    for name in catalog.names:
        clusters = make_clusters(cards_with(catalog.header(name), {}))
        keys = [(cluster.reference, CLUSTER) for cluster in clusters] + [(name, TABLE)]
        texts = {r: cache.find(identity(name, r, word), context.privacy) for r, word in keys}
        if by_reference := {reference: text for reference, text in texts.items() if text}:
            summaries[name] = by_reference
    return summaries


def cards_with(table: Table, about: Mapping[str, str]) -> tuple[Card, ...]:
    """The cards of a table, with what is said of its columns."""
    from wideleaf.retrieval.cards.cards import make_cards

    return make_cards(table.columns, tuple(about.items()))
