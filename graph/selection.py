"""Before the first thought: which tables become leaves, and which of their columns are shown."""

from __future__ import annotations

from wideleaf.agents.examples import examples
from wideleaf.graph.services import Services
from wideleaf.tools.action import Call
from wideleaf.tools.observation import cut, shown
from wideleaf.tools.step import Wish, perform
from wideleaf.tools.table import Table
from wideleaf.tools.tree import Node

TABLES_OPENED = 8
"""More tables than this stay closed until Load is called for them."""
COLUMNS_CHARACTERS = 2300
KEYS_CHARACTERS = 500
"""Of those, for declared foreign keys, where there are any."""
CLOSED_CHARACTERS = 600
"""Beside those, for the names of tables that were not opened."""


def open_sources(question: str, services: Services) -> tuple[list[Node], str]:
    """Open the tables that the question seems to be about and select their columns.

    Args:
        question: The user's words.
        services: The run's sources and selector.

    Returns:
        A Load node for each opened table, and the text of tables and columns for the prompt.
    """
    catalog = services.store.catalog
    tables: dict[str, Table] = {name: catalog.table(name) for name in catalog.names}
    selection = services.retriever.select(question, tables)
    best: dict[str, float] = {}
    for pick in selection.picks:
        best[pick.table] = max(pick.score, best.get(pick.table, pick.score))
    ranked = sorted(catalog.names, key=lambda name: -best.get(name, float("-inf")))
    opened = [name for name in catalog.names if name in ranked[:TABLES_OPENED]]
    nodes = []
    for name in opened:
        call = Call(name="Load", arguments={"source": name})
        node = perform(Wish(call, name), services.store, services.policy)
        nodes.append(node.model_copy(update={"caveats": catalog.find(name).caveats}))
    text = selection.text(COLUMNS_CHARACTERS - KEYS_CHARACTERS * bool(catalog.foreign_keys))
    if catalog.foreign_keys:
        text += f"\nForeign keys: {cut(map(str, catalog.foreign_keys), KEYS_CHARACTERS)}"
    if services.solved:
        told = examples(question, services.solved, tables, services.policy.allows("values"))
        text += f"\n{told}" if told else ""
    closed = [name for name in catalog.names if name not in opened]
    if closed:
        text += f"\nNot opened, Load brings them in: {cut(map(shown, closed), CLOSED_CHARACTERS)}"
    return nodes, text
