"""Introductions: what tables there are and what can be asked of them, said to whoever greets."""

from __future__ import annotations

from wideleaf.agents.conversation.patterns import read_patterns, words_of
from wideleaf.agents.conversation.remarks import asks_what_there_is, is_assent
from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.planner import EmbeddedPlanner
from wideleaf.agents.planner.suggestions import columns_told, list_columns
from wideleaf.agents.turn import Suggestions
from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.services import Services
from wideleaf.graph.state import Update
from wideleaf.graph.updates import stop_update
from wideleaf.tools.tables.table import Table

TABLES = 8
"""So many tables are told of."""
COLUMNS = 40
"""Of each so many columns as data."""


def introduce(question: str, services: Services, context: Context) -> Update:
    """The answer to a greeting, to thanks, or to what there is; empty to any other question.

    Args:
        question: The words.
        services: Of the run.
        context: Its settings.
    """
    names = services.store.catalog.names
    # Who nods agrees to what was said before, or to nothing: that is no question either way.
    if is_assent(question) or not asks_what_there_is(question, len(names)):
        return {}
    with services.store.reading("the tables"):
        tables = {name: services.store.catalog.table(name) for name in names[:TABLES]}
        if _speaks_of(question, tables):
            return {}
        suggestions = _suggest(tables, services, context)
    lines = [_line(one, tables[str(one["name"])]) for one in suggestions.tables]
    if rest := len(names) - len(tables):
        lines.append(f"and {rest} more tables")
    if suggestions.questions:
        lines += ["Questions that are answered:", *(f"- {one}" for one in suggestions.questions)]
    text = "\n".join(["Ask of these tables in plain words:", *lines])
    return {**stop_update(text, "answered"), "suggestions": suggestions.plain()}


def suggest(services: Services, context: Context) -> Suggestions:
    """The first tables, and questions of them that are answered.

    Args:
        services: Of the run.
        context: Its settings.
    """
    with services.store.reading("the tables"):
        names = services.store.catalog.names[:TABLES]
        tables = {name: services.store.catalog.table(name) for name in names}
        return _suggest(tables, services, context)


def _suggest(tables: dict[str, Table], services: Services, context: Context) -> Suggestions:
    return Suggestions(
        questions=_planner(services, context).suggest(tables),
        tables=tuple(_tell(name, table) for name, table in tables.items()),
    )


def _speaks_of(question: str, tables: dict[str, Table]) -> bool:
    """Whether a word of it that is not grammar is a cell or of a header: which tables are sold."""
    small = read_patterns().small
    words = [word.text for word in words_of(question) if word.text not in small]
    plain = [index_table(table) for table in tables.values() if not table.relations]
    return any(index.says(word) for word in words for index in plain)


def _planner(services: Services, context: Context) -> EmbeddedPlanner:
    """The run's own, or where a model thinks, one beside it."""
    if isinstance(services.thinker, EmbeddedPlanner):
        return services.thinker
    store = services.store
    return EmbeddedPlanner(store.get, store.catalog.foreign_keys, profile=context.profile)


def _tell(name: str, table: Table) -> PlainData:
    return {
        "name": name,
        "rows": table.count(),
        "width": len(table.relations or table.columns),
        "columns": columns_told(table)[:COLUMNS],
    }


def _line(entry: PlainData, table: Table) -> str:
    unit = "relations" if table.relations else "columns"
    return (
        f"- {entry['name']}: {entry['rows']} rows, {entry['width']} {unit}: {list_columns(table)}"
    )
